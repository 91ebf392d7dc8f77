import { EmulatorError } from '../../domain/text/errors.ts'
import { fits } from '../../domain/text/where.ts'
import type { Feed, FeedEvent } from '../../journal/feed.ts'
import type { Scheduler } from '../../time/scheduler.ts'
import { after } from '../../time/timers.ts'
import { NearestMisses, type NearMiss } from './near-misses.ts'
import { type LookParts, type Observation, observationsIn, seen, type WatchedKind } from './observation.ts'
import { type Filters, filtersOf, newest, type QueryResult } from './query.ts'

interface Waiter extends QueryResult {
  readonly found: (json: string) => void
  readonly abort: (error: unknown) => void
}

/** Open waits, indexed by requestId. Most waits name a full requestId, so an event concerns few of a thousand. */
class Waiters {
  readonly #all = new Set<Waiter>()
  readonly #byRequestId = new Map<string, Set<Waiter>>()
  readonly #others = new Set<Waiter>()

  get size(): number {
    return this.#all.size
  }

  [Symbol.iterator](): Iterator<Waiter> {
    return this.#all.values()
  }

  has(waiter: Waiter): boolean {
    return this.#all.has(waiter)
  }

  add(waiter: Waiter): void {
    this.#all.add(waiter)
    const key = keyOf(waiter)
    if (key === null) this.#others.add(waiter)
    else this.#byRequestId.set(key, (this.#byRequestId.get(key) ?? new Set()).add(waiter))
  }

  remove(waiter: Waiter): void {
    this.#all.delete(waiter)
    this.#others.delete(waiter)
    const key = keyOf(waiter) ?? ''
    const same = this.#byRequestId.get(key)
    same?.delete(waiter)
    if (same?.size === 0) this.#byRequestId.delete(key)
  }

  /** Waits that an item may satisfy. */
  *concernedBy({ kind, known }: Observation): Iterable<Waiter> {
    const { clientId, requestId } = known
    const lists =
      requestId === undefined
        ? [this.#all]
        : [this.#byRequestId.get(`${kind} ${requestId}`) ?? [], this.#others]
    for (const list of lists) {
      for (const waiter of list) {
        const isTheirs = waiter.clientId === undefined || waiter.clientId === clientId
        if (isTheirs && waiter.kind === kind) yield waiter
      }
    }
  }
}

function keyOf({ kind, where: { requestId } }: Waiter): string | null {
  return typeof requestId === 'string' && !requestId.endsWith('*') ? `${kind} ${requestId}` : null
}

interface Scan {
  readonly kind: WatchedKind
  readonly filters: Filters
  /** The maximum number of items that one scan reads. */
  readonly most: number
}

/** A wait that takes part in a scan until it has found its item. */
interface Subscriber {
  readonly show: (observation: Observation) => Promise<void>
  readonly hasEnough: () => boolean
}

interface Round {
  readonly subscribers: Subscriber[]
  begun: boolean
  readonly done: Promise<void>
}

/** Searches the store for many waits at once. Waits with the same query that arrive during a scan share the next
 *  scan. */
export class SharedScans {
  readonly #parts: LookParts
  /** The latest scan of each query. */
  readonly #rounds = new Map<string, Round>()

  constructor(parts: LookParts) {
    this.#parts = parts
  }

  /** Shows items as of this call or later. Resolves when the subscriber has enough or no items remain. */
  show(scan: Scan, subscriber: Subscriber): Promise<void> {
    const key = JSON.stringify(scan)
    const latest = this.#rounds.get(key)
    const round = latest === undefined || latest.begun ? this.#roundAfter(latest, scan, key) : latest
    round.subscribers.push(subscriber)
    return round.done
  }

  #roundAfter(latest: Round | undefined, scan: Scan, key: string): Round {
    const before = latest?.done.catch(() => undefined) ?? Promise.resolve()
    const done = before.then(async () => {
      round.begun = true
      try {
        await this.#goThrough(scan, round.subscribers)
      } finally {
        if (this.#rounds.get(key) === round) this.#rounds.delete(key)
      }
    })
    const round: Round = { subscribers: [], begun: false, done }
    this.#rounds.set(key, round)
    return round
  }

  async #goThrough({ kind, filters, most }: Scan, all: readonly Subscriber[]): Promise<void> {
    let subscribers = all
    for await (const observation of newest({ kind, filters }, this.#parts, most)) {
      subscribers = subscribers.filter((subscriber) => !subscriber.hasEnough())
      if (subscribers.length === 0) return
      for (const subscriber of subscribers) await subscriber.show(observation)
    }
  }
}

/** The default limit of concurrent `wait` calls. */
const usuallyMost = 5_000
/** Maximum number of items read to satisfy a wait, newest first. */
const mostLookedAt = 10_000
/** The number of newest items that are searched for near misses. */
const mostCompared = 500

export interface Wait extends QueryResult {
  /** The timeout of the `wait` call, in wall-clock milliseconds. */
  readonly timeoutMs: number
  /** A signal that aborts when the caller of the `wait` call disconnects. */
  readonly signal: AbortSignal
}

export interface Waited {
  /** JSON of the matching item; null after a timeout or if the caller disconnected. */
  readonly found: string | null
  /** The nearest of the newest items, if none matched. */
  readonly nearest: readonly NearMiss[]
}

/** Waits for orders, deliveries or requests. The feed reports every change, so waits need no polling. Without open
 *  waits, nothing listens to the feed. */
export class Waits {
  readonly #parts: LookParts & { readonly feed: Feed; readonly scheduler: Scheduler }
  readonly #mostWaits: number
  readonly #waiters = new Waiters()
  readonly #scans: SharedScans
  #stopListening = () => {}
  #stopped = false

  constructor(
    parts: LookParts & { readonly feed: Feed; readonly scheduler: Scheduler },
    mostWaits = usuallyMost,
  ) {
    this.#parts = parts
    this.#scans = new SharedScans(parts)
    this.#mostWaits = mostWaits
  }

  /** Returns a matching item as soon as one exists. Does not move the clock.
   *  @throws too_many_waits; stopping; client_unknown if the client is deleted during the wait */
  async wait(wanted: Wait): Promise<Waited> {
    const found = await this.#untilFound(wanted)
    return found !== null || wanted.signal.aborted ? { found, nearest: [] } : this.#lastLook(wanted)
  }

  async #untilFound(wanted: Wait): Promise<string | null> {
    const { clientId, timeoutMs, signal } = wanted
    if (this.#stopped) throw new EmulatorError('stopping')
    if (this.#waiters.size >= this.#mostWaits)
      throw new EmulatorError('too_many_waits', { most: String(this.#mostWaits) })
    const end = Promise.withResolvers<string | null>()
    // Avoids an unhandled rejection if the wait has already ended.
    end.promise.catch(() => undefined)
    const abort = () => end.resolve(null)
    const waiter = { ...wanted, found: end.resolve, abort: end.reject }
    // Listen before the search, so that no event in between is lost.
    this.#listenFor(waiter)
    const looked = this.#look(waiter)
    // With a timeout of zero, the search through existing items still completes.
    const cancel = after(timeoutMs, () => (timeoutMs === 0 ? looked.then(abort) : abort()))
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    try {
      return await this.#whileThere(clientId, end.promise)
    } finally {
      cancel()
      signal.removeEventListener('abort', abort)
      this.#forget(waiter)
    }
  }

  /** Searches once more while collecting near misses, so that no match is reported as a miss. */
  async #lastLook({ kind, where, clientId }: QueryResult): Promise<Waited> {
    const nearest = new NearestMisses(kind, where)
    let found: string | null = null
    await this.#scans.show(
      { kind, filters: { clientId }, most: mostCompared },
      {
        hasEnough: () => found !== null,
        show: async ({ read }) => {
          const thing = await read()
          if (thing === null) return
          if (fits(where, thing.members())) found = thing.json
          else nearest.add(thing)
        },
      },
    )
    return { found, nearest: nearest.list }
  }

  /** Ends all open `wait` calls, and refuses new ones. */
  stop(): void {
    this.#stopped = true
    for (const waiter of this.#waiters) waiter.abort(new EmulatorError('stopping'))
  }

  #whileThere<T>(clientId: string | undefined, wanted: Promise<T>): Promise<T> {
    return clientId === undefined ? wanted : this.#parts.scheduler.whileThere(clientId, wanted)
  }

  #listenFor(waiter: Waiter): void {
    if (this.#waiters.size === 0) this.#stopListening = this.#parts.feed.listen((event) => this.#hear(event))
    this.#waiters.add(waiter)
  }

  #forget(waiter: Waiter): void {
    this.#waiters.remove(waiter)
    if (this.#waiters.size === 0) this.#stopListening()
  }

  /** Searches existing items until the wait has ended. */
  async #look(waiter: Waiter): Promise<void> {
    const { kind, where, clientId } = waiter
    const filters = { ...filtersOf(kind, where), ...(clientId === undefined ? {} : { clientId }) }
    const subscriber = {
      hasEnough: () => !this.#waiters.has(waiter),
      show: (observation: Observation) => offer(waiter, observation),
    }
    try {
      await this.#scans.show({ kind, filters, most: mostLookedAt }, subscriber)
    } catch (error) {
      waiter.abort(error)
    }
  }

  #hear(event: FeedEvent): void {
    // Restored or loaded sandboxes emit no events for single items.
    if (event.type === 'worlds') for (const waiter of this.#waiters) void this.#look(waiter)
    for (const observation of observationsIn(event, this.#parts)) {
      for (const waiter of this.#waiters.concernedBy(observation)) void offer(waiter, observation)
    }
  }
}

async function offer({ where, found, abort }: Waiter, observation: Observation): Promise<void> {
  try {
    const json = await seen(where, observation)
    if (json !== null) found(json)
  } catch (error) {
    abort(error)
  }
}
