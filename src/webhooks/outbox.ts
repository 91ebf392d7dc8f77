import type { Settings } from '../domain/choices.ts'
import type { Client } from '../domain/client.ts'
import type { AttemptResult, ClaimedDelivery, Delivery } from '../domain/delivery.ts'
import { nextAttemptAt, retryAfterMs } from '../domain/retry.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Store } from '../store/store.ts'
import type { DueQueue } from '../time/due-queue.ts'
import { after, pause } from '../time/timers.ts'
import { wallNow } from '../time/wall.ts'
import { type Answer, connectionsPerOrigin, Sender } from './sender.ts'
import { attemptHeaders } from './signing.ts'

const skipBatch = 500
const storeRetryMs = 1_000

/** What the outbox asks of the rest of the emulator. */
export interface OutboxSurroundings {
  readonly store: Store
  readonly client: (clientId: string) => Client | undefined
  readonly settings: (clientId: string) => Settings
  readonly now: (clientId: string) => EpochMs
  /** Says that something of the client's may have become startable. */
  readonly wake: (clientId: string) => void
  /** The client's endpoint answered 410. */
  readonly gone: (clientId: string) => Promise<void>
  readonly onAttempt: (delivery: ClaimedDelivery, url: string, at: EpochMs, result: AttemptResult) => void
  readonly onSkipped: (delivery: Delivery) => void
  readonly onError: (error: unknown) => void
}

/** The due-queue of deliveries: claims what is due, sends it, records how it went. */
export class Outbox implements DueQueue {
  readonly #around: OutboxSurroundings
  readonly #sender = new Sender()
  readonly #inFlight = new Map<string, number>()
  /** Connections in use, by origin. */
  readonly #used = new Map<string, number>()
  /** Clients with something due that no connection is free for, by origin. */
  readonly #starved = new Map<string, Set<string>>()
  /** Resolves, and is renewed, whenever a connection is free again. */
  #freed = Promise.withResolvers<void>()
  /** How often a client's world, and all worlds, have been emptied. */
  readonly #emptied = new Map<string, number>()
  #allEmptied = 0
  #stopped = false

  constructor(around: OutboxSurroundings) {
    this.#around = around
  }

  /** @see DueQueue */
  async nextDue(clientId: string): Promise<EpochMs | null> {
    if (this.#around.client(clientId)?.webhookPaused !== false) return null
    return this.#around.store.nextDeliveryDue(clientId)
  }

  /** @see DueQueue */
  async start(clientId: string, now: EpochMs): Promise<number> {
    const client = this.#around.client(clientId)
    if (this.#stopped || client === undefined || client.webhookPaused) return 0
    if (client.webhookUrl === null) return this.#skip(clientId, now)
    const { origin } = new URL(client.webhookUrl)
    const free = connectionsPerOrigin - (this.#used.get(origin) ?? 0)
    if (free <= 0) return this.#starve(clientId, origin, now)
    const claimed = await this.#claim(client, client.webhookUrl, origin, now, free)
    for (const delivery of claimed) {
      this.#attempt(client, client.webhookUrl, origin, now, delivery).catch(this.#around.onError)
    }
    return claimed.length
  }

  /** @see DueQueue */
  busy(clientId: string): Promise<void> | null {
    const starved = [...this.#starved.values()].some((clients) => clients.has(clientId))
    return this.#inFlight.has(clientId) || starved ? this.#freed.promise : null
  }

  /** Starts nothing more and waits for what is in flight, at most `patienceMs`. What is then still unanswered is
   *  cut and stays `unknown`, to be repeated at the next start. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopped = true
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const cancel = after(patienceMs, resolve)
    const ended = (async () => {
      while (this.#inFlight.size > 0) await this.#freed.promise
    })()
    await Promise.race([ended, late])
    cancel()
    await this.#sender.destroy()
  }

  /** Drops the results of what is in flight, of one client or of all: its world is being emptied. The new world
   *  may have a delivery of the same id, because ids follow from the seed and the requests, and the store's fence
   *  could not tell the two apart. Called before and after. */
  dropResults(clientId?: string): void {
    if (clientId === undefined) this.#allEmptied += 1
    else this.#emptied.set(clientId, (this.#emptied.get(clientId) ?? 0) + 1)
  }

  #era(clientId: string): string {
    return `${this.#allEmptied}.${this.#emptied.get(clientId) ?? 0}`
  }

  async #skip(clientId: string, now: EpochMs): Promise<number> {
    const skipped = await this.#around.store.skipDeliveries(clientId, now, skipBatch)
    for (const delivery of skipped) this.#around.onSkipped(delivery)
    return skipped.length
  }

  /** Remembers a client whose deliveries are due while its origin's connections are all in use. */
  async #starve(clientId: string, origin: string, now: EpochMs): Promise<number> {
    const waiting = this.#starved.get(origin) ?? new Set()
    // Before the store is asked: a connection that is freed meanwhile must find it waiting.
    this.#starved.set(origin, waiting.add(clientId))
    const due = await this.#around.store.nextDeliveryDue(clientId)
    if (due === null || due > now) waiting.delete(clientId)
    return 0
  }

  /** Claims for as many connections as it may use, which are taken while the store is asked. */
  async #claim(
    { clientId }: Client,
    url: string,
    origin: string,
    now: EpochMs,
    connections: number,
  ): Promise<ClaimedDelivery[]> {
    this.#used.set(origin, (this.#used.get(origin) ?? 0) + connections)
    let claimed: ClaimedDelivery[] = []
    try {
      const claim = { clientId, now, wallNow: wallNow(), url, limit: connections }
      claimed = await this.#around.store.claimDeliveries(claim)
      return claimed
    } finally {
      this.#giveBack(origin, connections - claimed.length)
    }
  }

  async #attempt(
    client: Client,
    url: string,
    origin: string,
    at: EpochMs,
    delivery: ClaimedDelivery,
  ): Promise<void> {
    const { clientId } = client
    const era = this.#era(clientId)
    this.#inFlight.set(clientId, (this.#inFlight.get(clientId) ?? 0) + 1)
    try {
      const settings = this.#around.settings(clientId)
      const headers = attemptHeaders(delivery, client.webhookSecret, settings, {
        wallNow: wallNow(),
        now: at,
      })
      const answer = await this.#sender.post(url, headers, delivery.body, settings['webhook.timeout'])
      if (era !== this.#era(clientId) || this.#around.client(clientId) === undefined) return
      const result = judge(delivery, headers, answer, { settings, now: this.#around.now(clientId) })
      if (answer.status === 410) await this.#around.gone(clientId)
      if (await this.#record(delivery, result)) this.#around.onAttempt(delivery, url, at, result)
    } finally {
      this.#end(clientId, origin)
    }
  }

  /** Writes the result, again and again if the store fails for a while (a full disk): an attempt that was made is
   *  not forgotten. False if the delivery no longer waits for it, or the emulator has stopped. */
  async #record(delivery: ClaimedDelivery, result: AttemptResult): Promise<boolean> {
    for (;;) {
      try {
        return await this.#around.store.finishAttempt(delivery.id, delivery.attempt, result)
      } catch (error) {
        this.#around.onError(error)
        if (this.#stopped) return false
        await pause(storeRetryMs)
      }
    }
  }

  #end(clientId: string, origin: string): void {
    const left = (this.#inFlight.get(clientId) ?? 1) - 1
    if (left > 0) this.#inFlight.set(clientId, left)
    else this.#inFlight.delete(clientId)
    this.#giveBack(origin, 1)
    this.#around.wake(clientId)
  }

  /** Frees connections, and wakes who waits for one. */
  #giveBack(origin: string, connections: number): void {
    if (connections === 0) return
    const used = (this.#used.get(origin) ?? 0) - connections
    if (used > 0) this.#used.set(origin, used)
    else this.#used.delete(origin)
    const starved = this.#starved.get(origin) ?? []
    this.#starved.delete(origin)
    for (const clientId of starved) this.#around.wake(clientId)
    const { resolve } = this.#freed
    this.#freed = Promise.withResolvers<void>()
    resolve()
  }
}

/** What an answer means for its delivery (N44, N45). */
function judge(
  delivery: ClaimedDelivery,
  requestHeaders: Record<string, string>,
  answer: Answer,
  { settings, now }: { settings: Settings; now: EpochMs },
): AttemptResult {
  const { status, ms, body: responseBody, error } = answer
  const accepted = status !== null && isAccepted(status, settings)
  const outcome = outcomeOf(answer, accepted)
  const facts = { outcome, status, ms, requestHeaders, responseBody, error }
  if (accepted) return { ...facts, next: { status: 'delivered' } }
  const retry = {
    max: settings['webhook.retry.max'],
    baseMs: settings['webhook.retry.base'],
    capMs: settings['webhook.retry.cap'],
  }
  const dueAt = nextAttemptAt(delivery.attempt, now, retry, retryAfterMs(answer.retryAfter, wallNow()))
  return { ...facts, next: dueAt === null ? { status: 'dead' } : { status: 'pending', dueAt } }
}

function outcomeOf(answer: Answer, accepted: boolean): AttemptResult['outcome'] {
  if (answer.outcome !== 'answered') return answer.outcome
  return accepted ? 'accepted' : 'refused'
}

function isAccepted(status: number, settings: Settings): boolean {
  return settings['webhook.accept'] === '200' ? status === 200 : status >= 200 && status < 300
}
