import type { Pool } from 'undici'
import { connectionWords, type Place } from '../domain/webhook/connection-advice.ts'
import type { AttemptRequest } from './attempt-request.ts'
import { connectionsPerOrigin } from './connections.ts'
import { Exchange } from './exchange.ts'
import { postTo, type WebhookFetch, type WebhookFetchAt } from './receiving-function.ts'
import { namedBy, type Targets } from './targets.ts'

/** The maximum number of origins with open connections; beyond it, idle ones are closed. */
const poolsAtMost = 100

type Pools = typeof import('./connection-pool.ts')

let pools: Promise<Pools> | undefined

/** Loads undici with the first POST, so that a start without webhooks does not wait for it. */
function loadPools(): Promise<Pools> {
  pools ??= import('./connection-pool.ts')
  return pools
}

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

  /** @param connections the maximum per origin; a POST that waits for one uses up its time-out
   *  @param place where the emulator runs
   *  @param webhookFetchAt functions that receive a POST instead of the network */
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

  /** Starts one POST. Its answer comes within `timeoutMs` on the wall clock. */
  post(url: string, sent: AttemptRequest, timeoutMs: number): Exchange {
    const webhookFetch = this.#webhookFetchAt(url)
    if (webhookFetch !== undefined) return this.#handOver(webhookFetch, url, sent, timeoutMs)
    const { origin, hostname } = new URL(url)
    const exchange = new Exchange(timeoutMs, {
      onUnsendable: () => this.#replace(origin),
      wordsFor: (error) => connectionWords(error, hostname, this.#place),
      onEnd: this.#forget,
    })
    this.#underWay.add(exchange)
    void this.#dispatch(url, sent, exchange)
    return exchange
  }

  /** Breaks off all POSTs in progress. */
  async destroy(): Promise<void> {
    for (const exchange of this.#underWay) exchange.cut()
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
    this.#pools.clear()
  }

  /** Hands a POST to a function in this process. The host name is not resolved: the address would mean nothing. */
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

  async #dispatch(url: string, { headers, body }: AttemptRequest, exchange: Exchange): Promise<void> {
    const { origin, pathname, search } = new URL(url)
    try {
      const loaded = await loadPools()
      if (exchange.ended) return
      const pool = this.#poolOf(origin, loaded)
      pool.dispatch({ path: `${pathname}${search}`, method: 'POST', headers, body }, exchange)
    } catch (error) {
      // undici throws at once for a request that it cannot put on the wire at all.
      exchange.fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #poolOf(origin: string, { guardedPool }: Pools): Pool {
    let pool = this.#pools.get(origin)
    if (pool === undefined) {
      if (this.#pools.size >= poolsAtMost) this.#closeIdlePools()
      pool = guardedPool(origin, this.#targets, this.#connections)
      this.#pools.set(origin, pool)
    }
    return pool
  }

  /** Replaces a pool after undici refused a request: the pool counts that connection as busy for ever. */
  #replace(origin: string): void {
    const pool = this.#pools.get(origin)
    this.#pools.delete(origin)
    void pool?.close()
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
