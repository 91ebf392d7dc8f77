import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Client } from '../domain/client.ts'
import type { ClaimedDelivery, NewDelivery } from '../domain/delivery.ts'
import type { HandMade } from '../domain/hand-made.ts'
import type { EpochMs } from '../domain/time.ts'
import { persist } from '../time/timers.ts'
import { wallNow } from '../time/wall.ts'
import type { Flight, Flights } from './flights.ts'
import { judge } from './judge.ts'
import type { OutboxSurroundings } from './outbox.ts'
import type { Sender } from './sender.ts'
import { attemptHeaders } from './signing.ts'

const tenMinutesMs = 600_000

/** A key that is not the client's, and always the same. */
export function wrongKey(secret: string): string {
  return createHash('sha256').update(`not ${secret}`).digest('base64')
}

/** Sends what somebody has made by hand: at once, past the queue and its rules, without retries; and on record like
 *  everything else, each POST written as `unknown` before it leaves. */
export class ByHand {
  readonly #around: OutboxSurroundings
  readonly #sender: Sender
  readonly #flights: Flights

  constructor(around: OutboxSurroundings, sender: Sender, flights: Flights) {
    this.#around = around
    this.#sender = sender
    this.#flights = flights
  }

  /** Resolves when every copy has been answered or has failed. @throws delivery_exists */
  async send(client: Client, url: string, delivery: NewDelivery, how: HandMade): Promise<void> {
    const { clientId } = client
    const flight = this.#flights.board(clientId)
    try {
      const at = this.#around.now(clientId)
      await this.#around.store.addByHand(delivery, { url, at, wallAt: wallNow(), copies: how.copies })
      const copies = Array.from({ length: how.copies }, (_, index) => () => {
        const attempt = { ...delivery, attempt: index + 1 }
        return this.#post(attempt, { client, url, how, at, flight })
      })
      if (how.together) await Promise.all(copies.map((copy) => copy()))
      else for (const copy of copies) await copy()
    } finally {
      this.#flights.land(clientId, flight)
    }
  }

  async #post(
    delivery: ClaimedDelivery,
    {
      client,
      url,
      how,
      at,
      flight,
    }: { client: Client; url: string; how: HandMade; at: EpochMs; flight: Flight },
  ): Promise<void> {
    const { clientId } = client
    const dropped = () => this.#flights.isDropped(clientId, flight)
    if (dropped()) return
    const settings = this.#around.settings(clientId)
    const signed = headersOf(delivery, client, how, {
      settings,
      times: { wallNow: wallNow(), now: at },
    })
    const { headers, body } =
      how.cut === undefined ? { headers: signed, body: delivery.body } : cut(signed, delivery.body, how.cut)
    const exchange = this.#sender.post(url, { headers, body, timeoutMs: settings['webhook.timeout'] })
    const answer = await this.#flights.answer(exchange, clientId, flight)
    if (answer === null) return
    const judged = judge(delivery, headers, answer, { settings, now: this.#around.now(clientId) })
    const result = judged.outcome === 'accepted' ? judged : { ...judged, next: { status: 'dead' as const } }
    const record = () => this.#around.store.finishByHand(delivery.id, delivery.attempt, result)
    const kept = await persist(record, { onError: this.#around.onError, unwanted: dropped })
    if (kept !== null) this.#around.onAttempt(delivery, url, at, result)
  }
}

function headersOf(
  delivery: ClaimedDelivery,
  client: Client,
  how: HandMade,
  {
    settings,
    times,
  }: { settings: Parameters<typeof attemptHeaders>[2]; times: { wallNow: EpochMs; now: EpochMs } },
): Record<string, string> {
  const agoMs = how.sign === 'old' ? tenMinutesMs : 0
  const secrets =
    how.sign === 'wrong'
      ? { webhookSecret: `whsec_${wrongKey(client.webhookSecret)}`, apiSecret: wrongKey(client.apiSecret) }
      : client
  const signed = attemptHeaders(delivery, secrets, settings, {
    wallNow: times.wallNow - agoMs,
    now: times.now - agoMs,
  })
  const unsigned = how.sign === false ? { 'webhook-signature': null, signature: null } : {}
  const own = Object.entries(how.headers).map(([name, value]) => [name.toLowerCase(), value])
  const all = Object.entries({ ...signed, ...unsigned, ...Object.fromEntries(own) })
  return Object.fromEntries(
    all.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

/** The first bytes of a body that was announced whole; then the connection breaks. */
function cut(
  headers: Record<string, string>,
  body: string,
  bytes: number,
): { headers: Record<string, string>; body: Readable } {
  const whole = Buffer.from(body)
  async function* part() {
    yield whole.subarray(0, bytes)
    // In a later turn, so that the bytes have left.
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error(`cut after ${Math.min(bytes, whole.length)} of ${whole.length} bytes, as was asked`)
  }
  return { headers: { ...headers, 'content-length': String(whole.length) }, body: Readable.from(part()) }
}
