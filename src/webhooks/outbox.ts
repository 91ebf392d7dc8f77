import type { Settings } from '../domain/choices/settings.ts'
import type { Client, Generation } from '../domain/client/client.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { batched } from '../domain/webhook/batch.ts'
import type { ClaimedDelivery, ManualCopies, NewDelivery } from '../domain/webhook/delivery.ts'
import { faultsAt } from '../domain/webhook/faults/attempt-faults.ts'
import { mostCopies } from '../domain/webhook/faults/duplicate.ts'
import type { DueDeliveries, SendingOrder } from '../store/store.ts'
import type { DueQueue } from '../time/pump.ts'
import { after, persist } from '../time/timers.ts'
import { wallNow } from '../time/wall.ts'
import { attempt, type MadeAttempt, type OutboxContext } from './attempt.ts'
import { Connections } from './connections.ts'
import { type Batch, InFlight } from './in-flight.ts'
import { sendManually } from './manual.ts'
import { Sender } from './sender.ts'

const skipBatch = 500

/** Where and when claimed deliveries are sent. */
interface Destination {
  readonly url: string
  readonly origin: string
  /** The time of the claim on the client's clock. */
  readonly at: EpochMs
  readonly batch: Batch
  readonly generation: Generation
}

/** The due-queue of deliveries: claims due ones, sends them, and records how each attempt went. */
export class Outbox implements DueQueue {
  readonly #context: OutboxContext
  readonly #sender: Sender
  readonly #connections: Connections
  readonly #inFlight = new InFlight()
  /** Has connections of its own, enough for all copies at once: a webhook sent by hand never waits for a hung one. */
  readonly #manualSender: Sender
  #stopped = false

  constructor(context: OutboxContext) {
    this.#context = context
    this.#connections = new Connections(context.wake)
    const { targets, place, webhookFetchAt } = context
    this.#sender = new Sender(targets, { place, webhookFetchAt })
    this.#manualSender = new Sender(targets, { place, webhookFetchAt, connections: mostCopies })
  }

  /** Returns when a client's next delivery is due; see `DueQueue`. */
  async nextDue(clientId: string, after?: EpochMs): Promise<EpochMs | null> {
    const { client, now, store } = this.#context
    const sends = client(clientId)?.webhookPaused === false
    const due = sends
      ? await store.nextDeliveryDue(clientId, now(clientId), after, this.#sendingOrder(clientId))
      : null
    // A client with nothing due is not asked to start. It may still wait for a connection, because of a pause, a hold
    // or a reset.
    if (after === undefined && (due === null || due > now(clientId))) this.#connections.stopWaiting(clientId)
    return due
  }

  /** Claims and sends a client's due deliveries; see `DueQueue`. */
  async start(clientId: string, until: EpochMs, generation: Generation): Promise<number> {
    const client = this.#context.client(clientId)
    this.#connections.leaveQueue(clientId)
    if (this.#stopped || client === undefined || client.webhookPaused) return 0
    const due = { clientId, generation, until }
    try {
      if (client.webhookUrl === null) return await this.#skip(client, due)
      return await this.#claim(client, client.webhookUrl, due)
    } catch (error) {
      // `world_ended` is no failure: the client's new generation looks for its own due deliveries.
      if (error instanceof EmulatorError && error.code === 'world_ended') return 0
      throw error
    }
  }

  /** Lists orders with unsent due deliveries; see `DueQueue`. */
  async unfinished(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]> {
    if (this.#context.client(clientId)?.webhookPaused !== false) return []
    return this.#context.store.ordersWithDeliveriesDue(clientId, until, among, this.#sendingOrder(clientId))
  }

  /** Whether the client's webhooks wait for older ones (N71), and whether they go out together (N82). Without a URL there is
   *  nothing to wait for. */
  #sendingOrder(clientId: string): SendingOrder {
    const { client, settings } = this.#context
    if (client(clientId)?.webhookUrl === null) return {}
    const { 'webhook.order': order, 'webhook.batch': batch } = settings(clientId)
    return { strict: order === 'strict', batch: batch ?? undefined }
  }

  /** A webhook's receiver may wait for the clock in turn; see `DueQueue`. */
  readonly waitsForOthers = true

  /** Resolves when an attempt of the client has ended; see `DueQueue`. */
  busy(clientId: string): Promise<void> | null {
    const waits = this.#inFlight.has(clientId) || this.#connections.isWaiting(clientId)
    return waits ? this.#connections.freed : null
  }

  /** Drops the attempts in flight of a client, or of all, before and after their data is removed. */
  drop(clientId?: string): void {
    this.#inFlight.drop(clientId)
  }

  /** Sends a delivery at once, as `sendManually` does.
   *  @throws delivery_exists, no_webhook_url, stopping, world_ended */
  async sendManually(
    client: Client,
    delivery: NewDelivery,
    copies: ManualCopies,
    generation: Generation,
  ): Promise<void> {
    const { webhookUrl: url, clientId } = client
    if (this.#stopped) throw new EmulatorError('stopping')
    if (url === null) throw new EmulatorError('no_webhook_url', { clientId })
    const parts = { context: this.#context, sender: this.#manualSender, inFlight: this.#inFlight }
    try {
      await sendManually(delivery, { client, url, ...copies }, generation, parts)
    } finally {
      // An advance or a stop may have waited for its end.
      this.#connections.notifyFreed()
    }
  }

  /** Starts nothing more and waits for attempts in flight, at most `patienceMs`. Attempts without an answer are then
   *  cut and stay `unknown`; the next start repeats them. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopped = true
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const cancel = after(patienceMs, resolve)
    const ended = (async () => {
      while (this.#inFlight.size > 0) await this.#connections.freed
    })()
    await Promise.race([ended, late])
    cancel()
    this.drop()
    await Promise.all([this.#sender.destroy(), this.#manualSender.destroy()])
  }

  /** Skips due deliveries of a client without a webhook URL. Held ones stay: they may be sent once there is a URL. */
  async #skip({ clientId, holds }: Client, due: DueDeliveries): Promise<number> {
    const { store, emit } = this.#context
    const held = await store.holdDeliveries({ ...due, holds })
    if (held.length > 0) {
      emit({ type: 'deliveries', change: 'held', clientId, ids: held })
      return held.length
    }
    const skipped = await store.skipDeliveries({ ...due, limit: skipBatch })
    for (const delivery of skipped) emit({ type: 'skipped', delivery })
    return skipped.length
  }

  /** Claims as many deliveries as connections are free; the connections are taken while the store is asked. */
  async #claim({ clientId, holds }: Client, url: string, due: DueDeliveries): Promise<number> {
    const { store, now, settings, faults: faultsOf, onFaultsMet, emit } = this.#context
    const { origin } = new URL(url)
    const connections = this.#connections.acquire(origin, clientId)
    if (connections === 0) return 0
    const batch = this.#inFlight.acquire(clientId)
    const at = now(clientId)
    let claimed: ClaimedDelivery[] = []
    let sent: Sent[] = []
    let held: string[] = []
    let late = 0
    try {
      const faults = faultsOf(clientId) ?? undefined
      const how = this.#sendingOrder(clientId)
      const claim = { ...due, ...how, now: at, wallNow: wallNow(), url, limit: connections, holds, faults }
      const made = await store.claimDeliveries(claim)
      ;({ claimed, held, late } = made)
      sent = sentTogether(claimed, settings(clientId))
      if (faults !== undefined) onFaultsMet(made.met)
    } finally {
      batch.count += sent.length
      this.#inFlight.release(clientId, batch)
      this.#connections.release(origin, clientId, connections - sent.length)
    }
    if (claimed.length > 0) {
      emit({ type: 'claimed', deliveries: claimed })
      const to = { url, origin, at, batch, generation: due.generation }
      for (const each of sent) void this.#send(each, to)
    }
    if (held.length > 0) emit({ type: 'deliveries', change: 'held', clientId, ids: held })
    return claimed.length + held.length + late
  }

  async #send(sent: Sent, to: Destination): Promise<void> {
    const { clientId } = sent.webhook
    try {
      const made = await attempt(sent.webhook, { ...to, sender: this.#sender }, this.#context, this.#inFlight)
      if (made !== null) await this.#record(sent, made, to)
    } catch (error) {
      this.#context.onError(error)
    } finally {
      this.#inFlight.release(clientId, to.batch)
      this.#connections.release(to.origin, clientId, 1)
      this.#context.wake(clientId)
    }
  }

  /** Records a result however long the store fails; a stop waits for that as it does for an answer. */
  async #record(
    { webhook, deliveries }: Sent,
    { result, severalSignatures }: MadeAttempt,
    { url, at, batch, generation }: Destination,
  ): Promise<void> {
    const { id: deliveryId, clientId, plan, attempt } = webhook
    const { finishAttempt, pauseWebhooks, emit, onError, settings: settingsOf } = this.#context
    const unwanted = () => this.#inFlight.isDropped(clientId, batch)
    // The pause comes before the next claim for this URL.
    const isGone = result.status === 410 && settingsOf(clientId, plan?.settings)['webhook.gone'] === 'pause'
    if (isGone) await persist(() => pauseWebhooks(clientId, url), { onError, unwanted })
    if (unwanted()) return
    const end = { deliveryId, batch: webhook.batch?.id, clientId, generation, attempt, result }
    const counts = !faultsAt(plan, attempt).drop
    const finished = await persist(() => finishAttempt(end, { url, counts }), { onError, unwanted })
    if (!finished) return
    const pausedAfter = finished.pausedAfter ?? undefined
    const settings = settingsOf(clientId, plan?.settings)
    for (const delivery of deliveries)
      emit({ type: 'attempt', delivery, url, at, result, severalSignatures, pausedAfter, settings })
  }
}

/** One POST, and the deliveries that go out with it. */
interface Sent {
  readonly webhook: ClaimedDelivery
  readonly deliveries: readonly ClaimedDelivery[]
}

/** Puts claimed deliveries of one batch into one POST (N82). */
function sentTogether(claimed: readonly ClaimedDelivery[], settings: Settings): Sent[] {
  const posts = Map.groupBy(claimed, ({ id, batch }) => batch?.id ?? id)
  return [...posts.values()].map((deliveries) => ({ webhook: batched(deliveries, settings), deliveries }))
}
