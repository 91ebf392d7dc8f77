import { Pool } from 'undici'
import type { Place } from '../domain/connection-advice.ts'
import type { AttemptRequest } from './attempt-request.ts'
import { connectionWords } from './connection-words.ts'
import { connectionsPerOrigin } from './connections.ts'
import { guardedConnector, namedBy } from './connector.ts'
import { Exchange } from './exchange.ts'
import { postTo, type WebhookFetch, type WebhookFetchAt } from './receiving-function.ts'
import type { Targets } from './targets.ts'

/** A connection that lies idle for longer is closed. Receivers close theirs after 2 s (gunicorn), 5 s (Node) or more:
 *  one that closes in the very moment of sending would cost a visible attempt. */
const idleAtMostMs = 1_000
/** Beyond this many origins, pools that have nothing to do are closed. */
const poolsAtMost = 100

interface SenderOptions {
  readonly connections?: number
  readonly place?: Place
  readonly webhookFetchAt?: WebhookFetchAt | undefined
}

/** Sends POSTs through one pool of connections per origin, or to a function in this process. Redirects are not followed,
 *  bodies not decompressed. */
export class Sender {
  readonly #pools = new Map<string, Pool>()
  readonly #underWay = new Set<Exchange>()
  readonly #targets: Targets
  readonly #webhookFetchAt: WebhookFetchAt
  readonly #connections: number
  readonly #place: Place

  /** @param connections to one origin at most; what finds none free waits, and its time runs
   *  @param place where the emulator runs
   *  @param webhookFetchAt who takes a POST instead of the network */
  constructor(
    targets: Targets,
    {
      connections = connectionsPerOrigin,
      place = 'machine',
      webhookFetchAt = () => undefined,
    }: SenderOptions = {},
  ) {
    this.#targets = targets
    this.#webhookFetchAt = webhookFetchAt
    this.#connections = connections
    this.#place = place
  }

  /** Begins one POST. Its answer comes within `timeoutMs` of wall time. */
  post(url: string, sent: AttemptRequest, timeoutMs: number): Exchange {
    const webhookFetch = this.#webhookFetchAt(url)
    if (webhookFetch !== undefined) return this.#handOver(webhookFetch, url, sent, timeoutMs)
    const { origin, hostname, pathname, search } = new URL(url)
    const pool = this.#poolOf(origin)
    const exchange = new Exchange(timeoutMs, {
      onUnsendable: () => this.#replace(origin, pool),
      wordsFor: (error) => connectionWords(error, hostname, this.#place),
      onEnd: this.#forget,
    })
    this.#underWay.add(exchange)
    const { headers, body } = sent
    try {
      pool.dispatch({ path: `${pathname}${search}`, method: 'POST', headers, body }, exchange)
    } catch (error) {
      // undici throws at once for what it can't put on the wire at all.
      exchange.fail(error instanceof Error ? error : new Error(String(error)))
    }
    return exchange
  }

  /** Cuts whatever is still under way. */
  async destroy(): Promise<void> {
    for (const exchange of this.#underWay) exchange.cut()
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
    this.#pools.clear()
  }

  /** Names are not looked up then: where a function takes what is sent, an address means nothing. */
  #handOver(webhookFetch: WebhookFetch, url: string, sent: AttemptRequest, timeoutMs: number): Exchange {
    const exchange = new Exchange(timeoutMs, {
      onUnsendable: () => undefined,
      wordsFor: ({ name, message }) => (message === '' ? name : message),
      onEnd: this.#forget,
    })
    const { host, port } = namedBy(url)
    const problem = this.#targets.problemWith({ host, address: host, port })
    if (problem === undefined) {
      this.#underWay.add(exchange)
      void postTo(webhookFetch, url, sent, exchange)
    } else exchange.fail(new Error(problem))
    return exchange
  }

  #poolOf(origin: string): Pool {
    let pool = this.#pools.get(origin)
    if (pool === undefined) {
      if (this.#pools.size >= poolsAtMost) this.#closeIdlePools()
      // undici's own time-outs are coarse, and a dripping body outlives them; an exchange has its own.
      pool = new Pool(origin, {
        connections: this.#connections,
        connect: guardedConnector(origin, this.#targets),
        keepAliveTimeout: idleAtMostMs,
        // What a receiver's Keep-Alive header may make of it.
        keepAliveMaxTimeout: idleAtMostMs,
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      this.#pools.set(origin, pool)
    }
    return pool
  }

  /** A pool takes the connection for busy, for ever, that was to send what undici then refused. */
  #replace(origin: string, pool: Pool): void {
    if (this.#pools.get(origin) !== pool) return
    this.#pools.delete(origin)
    void pool.close()
  }

  #closeIdlePools(): void {
    for (const [origin, pool] of this.#pools) {
      if (pool.stats.size > 0) continue
      this.#pools.delete(origin)
      void pool.close()
    }
  }

  readonly #forget = (exchange: Exchange): void => {
    this.#underWay.delete(exchange)
  }
}
