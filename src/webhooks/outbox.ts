import { faultsAt } from '../domain/attempt-faults.ts'
import type { Settings, SettingsOverlay } from '../domain/choices.ts'
import type { Client } from '../domain/client.ts'
import type { Place } from '../domain/connection-advice.ts'
import type { AttemptResult, ClaimedDelivery, Delivery, NewDelivery } from '../domain/delivery.ts'
import { EmulatorError } from '../domain/errors.ts'
import type { DeliveryFault, FaultsMet } from '../domain/fault/planned-fault.ts'
import type { Generation } from '../domain/generation.ts'
import { type HandMade, mostCopies } from '../domain/hand-made.ts'
import type { EpochMs } from '../domain/time.ts'
import type { DueDeliveries, Store } from '../store/store.ts'
import type { DueQueue } from '../time/due-queue.ts'
import { after, pause, persist } from '../time/timers.ts'
import { wallNow } from '../time/wall.ts'
import { attemptRequest } from './attempt-request.ts'
import { ByHand } from './by-hand.ts'
import { Connections } from './connections.ts'
import { type Flight, Flights } from './flights.ts'
import { dropped, judge, lost } from './judge.ts'
import type { WebhookFetchAt } from './receiving-function.ts'
import { Sender } from './sender.ts'
import type { Targets } from './targets.ts'

const skipBatch = 500

/** What the outbox asks of the rest of the emulator. */
export interface OutboxSurroundings {
  readonly store: Store
  /** Where webhooks may go. */
  readonly targets: Targets
  /** Who takes them instead of the network. */
  readonly webhookFetchAt?: WebhookFetchAt | undefined
  /** Where the emulator runs. */
  readonly place: Place
  readonly client: (clientId: string) => Client | undefined
  /** Of a client, with those of a scenario laid over. */
  readonly settings: (clientId: string, over?: SettingsOverlay) => Settings
  readonly now: (clientId: string) => EpochMs
  /** A text without what is secret of a client. */
  readonly mask: (text: string, clientId: string) => string
  /** Says that something of the client's may have become startable. */
  readonly wake: (clientId: string) => void
  /** The client's endpoint at this URL answered 410. */
  readonly gone: (clientId: string, url: string) => Promise<void>
  /** The planned faults that may be done to deliveries of a client; null for none. */
  readonly faults: (clientId: string) => readonly DeliveryFault[] | null
  readonly onFaultsMet: (met: FaultsMet) => void
  /** Attempts begin. */
  readonly onClaimed: (deliveries: readonly ClaimedDelivery[]) => void
  readonly onAttempt: (delivery: ClaimedDelivery, url: string, at: EpochMs, result: AttemptResult) => void
  readonly onSkipped: (delivery: Delivery) => void
  /** Deliveries that were made or kept back. */
  readonly onChanged: (clientId: string, change: 'made' | 'held', ids: readonly string[]) => void
  readonly onError: (error: unknown) => void
}

/** Where attempts go, and with what they share a client's flight. */
interface Destination {
  readonly url: string
  readonly origin: string
  /** When they were claimed, on the client's clock. */
  readonly at: EpochMs
  readonly flight: Flight
  /** Of the world that they were claimed in. */
  readonly generation: Generation
}

/** The due-queue of deliveries: claims what is due, sends it, records how it went. */
export class Outbox implements DueQueue {
  readonly #around: OutboxSurroundings
  readonly #sender: Sender
  readonly #connections: Connections
  readonly #flights = new Flights()
  /** Ways of its own, enough for all copies at once: what is sent by hand waits for nothing that hangs. */
  readonly #handSender: Sender
  readonly #byHand: ByHand
  #stopped = false

  constructor(around: OutboxSurroundings) {
    this.#around = around
    this.#connections = new Connections(around.wake)
    const { targets, place, webhookFetchAt } = around
    this.#sender = new Sender(targets, { place, webhookFetchAt })
    this.#handSender = new Sender(targets, { place, webhookFetchAt, connections: mostCopies })
    this.#byHand = new ByHand(around, this.#handSender, this.#flights)
  }

  /** @see DueQueue */
  async nextDue(clientId: string, after?: EpochMs): Promise<EpochMs | null> {
    const sends = this.#around.client(clientId)?.webhookPaused === false
    const now = this.#around.now(clientId)
    const due = sends ? await this.#around.store.nextDeliveryDue(clientId, now, after) : null
    // Whoever has nothing due is not asked to start. It may still wait for a connection, because a pause, a hold or a
    // reset came meanwhile.
    if (after === undefined && (due === null || due > this.#around.now(clientId)))
      this.#connections.giveUp(clientId)
    return due
  }

  /** @see DueQueue */
  async start(clientId: string, until: EpochMs, generation: Generation): Promise<number> {
    const client = this.#around.client(clientId)
    this.#connections.leaveQueue(clientId)
    if (this.#stopped || client === undefined || client.webhookPaused) return 0
    const due = { clientId, generation, until }
    try {
      if (client.webhookUrl === null) return await this.#skip(client, due)
      return await this.#claim(client, client.webhookUrl, due)
    } catch (error) {
      // The next world looks for itself.
      if (error instanceof EmulatorError && error.code === 'world_ended') return 0
      throw error
    }
  }

  /** @see DueQueue */
  async unfinished(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]> {
    if (this.#around.client(clientId)?.webhookPaused !== false) return []
    return this.#around.store.ordersWithDeliveriesDue(clientId, until, among)
  }

  /** @see DueQueue */
  readonly waitsForOthers = true

  /** @see DueQueue */
  busy(clientId: string): Promise<void> | null {
    const waits = this.#flights.has(clientId) || this.#connections.isWaiting(clientId)
    return waits ? this.#connections.freed : null
  }

  /** Drops what is in flight, of one client or of all: its world is being emptied. Called before and after. */
  drop(clientId?: string): void {
    this.#flights.drop(clientId)
  }

  /** Sends a delivery now, as somebody wants it (`ByHand`).
   *  @throws delivery_exists, no_webhook_url, stopping, world_ended */
  async sendByHand(
    client: Client,
    delivery: NewDelivery,
    how: HandMade,
    generation: Generation,
  ): Promise<void> {
    const { webhookUrl, clientId } = client
    if (this.#stopped) throw new EmulatorError('stopping')
    if (webhookUrl === null) throw new EmulatorError('no_webhook_url', { clientId })
    try {
      await this.#byHand.send(client, webhookUrl, delivery, how, generation)
    } finally {
      // An advance or a stop may have waited for its end.
      this.#connections.tellFreed()
    }
  }

  /** Starts nothing more and waits for what is in flight, at most `patienceMs`. What is then still unanswered is
   *  cut and stays `unknown`, to be repeated at the next start. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopped = true
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const cancel = after(patienceMs, resolve)
    const ended = (async () => {
      while (this.#flights.size > 0) await this.#connections.freed
    })()
    await Promise.race([ended, late])
    cancel()
    this.drop()
    await Promise.all([this.#sender.destroy(), this.#handSender.destroy()])
  }

  /** What is held is not skipped: it may go once there is a URL. */
  async #skip({ clientId, holds }: Client, due: DueDeliveries): Promise<number> {
    const held = await this.#around.store.holdDeliveries({ ...due, holds })
    if (held.length > 0) {
      this.#around.onChanged(clientId, 'held', held)
      return held.length
    }
    const skipped = await this.#around.store.skipDeliveries({ ...due, limit: skipBatch })
    for (const delivery of skipped) this.#around.onSkipped(delivery)
    return skipped.length
  }

  /** Claims for as many connections as are free, which are taken while the store is asked. */
  async #claim({ clientId, holds }: Client, url: string, due: DueDeliveries): Promise<number> {
    const { origin } = new URL(url)
    const connections = this.#connections.take(origin, clientId)
    if (connections === 0) return 0
    const flight = this.#flights.board(clientId)
    const now = this.#around.now(clientId)
    let claimed: ClaimedDelivery[] = []
    let held: string[] = []
    let late = 0
    try {
      const faults = this.#around.faults(clientId) ?? undefined
      const claim = { ...due, now, wallNow: wallNow(), url, limit: connections, holds, faults }
      const made = await this.#around.store.claimDeliveries(claim)
      ;({ claimed, held, late } = made)
      if (faults !== undefined) this.#around.onFaultsMet(made.met)
    } finally {
      flight.count += claimed.length
      this.#flights.land(clientId, flight)
      this.#connections.giveBack(origin, clientId, connections - claimed.length)
    }
    if (claimed.length > 0) {
      this.#around.onClaimed(claimed)
      const to = { url, origin, at: now, flight, generation: due.generation }
      for (const delivery of claimed) void this.#attempt(delivery, to)
    }
    if (held.length > 0) this.#around.onChanged(clientId, 'held', held)
    return claimed.length + held.length + late
  }

  /** Makes an attempt and records how it went. Its connection and its place in the flight are given back at the end. */
  async #attempt(delivery: ClaimedDelivery, to: Destination): Promise<void> {
    const { clientId } = delivery
    try {
      const result = await this.#made(delivery, to)
      if (result !== null) await this.#record(delivery, result, to)
    } catch (error) {
      this.#around.onError(error)
    } finally {
      this.#flights.land(clientId, to.flight)
      this.#connections.giveBack(to.origin, clientId, 1)
      this.#around.wake(clientId)
    }
  }

  /** However long the store fails, a result is not forgotten; a stop waits for it as it does for an answer. */
  async #record(delivery: ClaimedDelivery, result: AttemptResult, to: Destination): Promise<void> {
    const { id, clientId, attempt } = delivery
    // The pause comes before anything else is claimed for this URL.
    if (result.status === 410) await this.#persist(to, clientId, () => this.#around.gone(clientId, to.url))
    if (this.#flights.isDropped(clientId, to.flight)) return
    const end = { deliveryId: id, clientId, generation: to.generation, attempt, result }
    const finish = () => this.#around.store.finishAttempt(end)
    if (await this.#persist(to, clientId, finish)) this.#around.onAttempt(delivery, to.url, to.at, result)
  }

  #persist<T>({ flight }: Destination, clientId: string, act: () => Promise<T>): Promise<T | null> {
    const unwanted = () => this.#flights.isDropped(clientId, flight)
    return persist(act, { onError: this.#around.onError, unwanted })
  }

  /** Makes an attempt; null if nobody wants its answer any more. */
  async #made(delivery: ClaimedDelivery, { url, at, flight }: Destination): Promise<AttemptResult | null> {
    const { clientId } = delivery
    const client = this.#around.client(clientId)
    if (this.#flights.isDropped(clientId, flight) || client === undefined) return null
    const faults = faultsAt(delivery.plan, delivery.attempt)
    if (faults.drop) return dropped
    if (faults.pauseMs !== undefined) {
      await pause(faults.pauseMs)
      if (this.#flights.isDropped(clientId, flight)) return null
    }
    const settings = this.#around.settings(clientId, delivery.plan?.settings)
    const times = { wallNow: wallNow(), now: at }
    const sent = attemptRequest(delivery, faults, { client, settings, times })
    const timeout = settings['webhook.timeout']
    const answer = faults.lost
      ? lost
      : await this.#flights.answer(this.#sender.post(url, sent, timeout), clientId, flight)
    // Removed meanwhile, the client has no clock to read any more.
    if (answer === null || this.#around.client(clientId) === undefined) return null
    const mask = (text: string) => this.#around.mask(text, clientId)
    return judge(delivery, sent.headers, answer, { settings, faults, now: this.#around.now(clientId), mask })
  }
}
