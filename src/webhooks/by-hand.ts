import { faultsAt } from '../domain/attempt-faults.ts'
import type { Client } from '../domain/client.ts'
import type { ClaimedDelivery, NewDelivery } from '../domain/delivery.ts'
import type { Generation } from '../domain/generation.ts'
import type { HandMade } from '../domain/hand-made.ts'
import type { EpochMs } from '../domain/time.ts'
import { persist } from '../time/timers.ts'
import { wallNow } from '../time/wall.ts'
import { attemptRequest } from './attempt-request.ts'
import type { Flight, Flights } from './flights.ts'
import { judge } from './judge.ts'
import type { OutboxSurroundings } from './outbox.ts'
import type { Sender } from './sender.ts'

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

  /** Resolves when every copy has been answered or has failed.
   *  @param generation of the world that it was made in
   *  @throws delivery_exists, world_ended */
  async send(
    client: Client,
    url: string,
    delivery: NewDelivery,
    how: HandMade,
    generation: Generation,
  ): Promise<void> {
    const { clientId } = client
    const flight = this.#flights.board(clientId)
    try {
      const at = this.#around.now(clientId)
      const sent = { url, at, wallAt: wallNow(), copies: how.copies }
      await this.#around.store.addByHand(delivery, sent, generation)
      this.#around.onChanged(clientId, 'made', [delivery.id])
      const copies = Array.from({ length: how.copies }, (_, index) => () => {
        const attempt = { ...delivery, attempt: index + 1 }
        return this.#post(attempt, { client, url, at, flight, generation })
      })
      if (how.together) await Promise.all(copies.map((copy) => copy()))
      else for (const copy of copies) await copy()
    } finally {
      this.#flights.land(clientId, flight)
    }
  }

  async #post(
    delivery: ClaimedDelivery,
    { client, url, at, flight, generation }: HandMadeDestination,
  ): Promise<void> {
    const { clientId } = client
    const { id: deliveryId, attempt } = delivery
    const dropped = () => this.#flights.isDropped(clientId, flight)
    if (dropped()) return
    const settings = this.#around.settings(clientId)
    const times = { wallNow: wallNow(), now: this.#around.now(clientId) }
    const faults = faultsAt(delivery.plan, delivery.attempt)
    const sent = attemptRequest(delivery, faults, { client, settings, times })
    const exchange = this.#sender.post(url, sent, settings['webhook.timeout'])
    const answer = await this.#flights.answer(exchange, clientId, flight)
    // Removed meanwhile, the client has no clock to read any more.
    if (answer === null || this.#around.client(clientId) === undefined) return
    const mask = (text: string) => this.#around.mask(text, clientId)
    const judging = { settings, faults, now: this.#around.now(clientId), mask }
    const judged = judge(delivery, sent.headers, answer, judging)
    const result = judged.outcome === 'accepted' ? judged : { ...judged, next: { status: 'dead' as const } }
    const record = () =>
      this.#around.store.finishByHand({ deliveryId, clientId, generation, attempt, result })
    const kept = await persist(record, { onError: this.#around.onError, unwanted: dropped })
    if (kept) this.#around.onAttempt(delivery, url, at, result)
  }
}

/** Where copies go, and what they belong to. */
interface HandMadeDestination {
  readonly client: Client
  readonly url: string
  /** When it was made, on the client's clock. */
  readonly at: EpochMs
  readonly flight: Flight
  readonly generation: Generation
}
