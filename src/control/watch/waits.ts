import { EmulatorError } from '../../domain/errors.ts'
import { fits } from '../../domain/where.ts'
import type { Feed, FeedEvent } from '../../journal/feed.ts'
import type { Scheduler } from '../../time/scheduler.ts'
import { after } from '../../time/timers.ts'
import { filtersOf, type Looked } from './look.ts'
import { NearestMisses, type NearMiss } from './near-misses.ts'
import { Scans } from './scans.ts'
import { type LookParts, type Sighting, seen, sightingsIn } from './sighting.ts'
import { type Waiter, Waiters } from './waiters.ts'

/** How many may wait at once. */
const usuallyMost = 5_000
/** Of a great many that are like it the newest are looked at, and no more. */
const mostLookedAt = 10_000
/** Among so many of the newest things the nearest misses are looked for. */
const mostCompared = 500

/** What somebody waits for, and for how long. */
export interface Wait extends Looked {
  /** Of wall time. */
  readonly timeoutMs: number
  /** Says that the caller has gone away. */
  readonly signal: AbortSignal
}

/** How a wait ended. */
export interface Waited {
  /** The thing, as JSON; null if it did not come in time, or the caller has gone. */
  readonly found: string | null
  /** What came nearest instead, among the newest things. */
  readonly nearest: readonly NearMiss[]
}

/** Those who wait until something is so. The feed tells of everything that happens, so nobody ever has to look
 *  twice; and while nobody waits, nothing listens. */
export class Waits {
  readonly #parts: LookParts & { readonly feed: Feed; readonly scheduler: Scheduler }
  readonly #mostWaits: number
  readonly #waiters = new Waiters()
  readonly #scans: Scans
  #stopListening = () => {}
  #stopped = false

  constructor(
    parts: LookParts & { readonly feed: Feed; readonly scheduler: Scheduler },
    mostWaits = usuallyMost,
  ) {
    this.#parts = parts
    this.#scans = new Scans(parts)
    this.#mostWaits = mostWaits
  }

  /** What was waited for: at once if it is so already, else the moment it becomes so. Moves no clock.
   *  @throws too_many_waits; stopping; client_unknown if the client is removed meanwhile */
  async wait(wanted: Wait): Promise<Waited> {
    const found = await this.#untilFound(wanted)
    return found !== null || wanted.signal.aborted ? { found, nearest: [] } : this.#lastLook(wanted)
  }

  /** The thing, as JSON; null if there is none in time, or the caller has gone. */
  async #untilFound(wanted: Wait): Promise<string | null> {
    const { clientId, timeoutMs, signal } = wanted
    if (this.#stopped) throw new EmulatorError('stopping')
    if (this.#waiters.size >= this.#mostWaits)
      throw new EmulatorError('too_many_waits', { most: String(this.#mostWaits) })
    const end = Promise.withResolvers<string | null>()
    // The wait may have ended before.
    end.promise.catch(() => undefined)
    const giveUp = () => end.resolve(null)
    const waiter = { ...wanted, found: end.resolve, giveUp: end.reject }
    // Before the look: what happens after it is heard of.
    this.#listenFor(waiter)
    const looked = this.#look(waiter)
    // Whoever has no time at all gets what is there.
    const cancel = after(timeoutMs, () => (timeoutMs === 0 ? looked.then(giveUp) : giveUp()))
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
    try {
      return await this.#whileThere(clientId, end.promise)
    } finally {
      cancel()
      signal.removeEventListener('abort', giveUp)
      this.#forget(waiter)
    }
  }

  /** Nothing is called a miss that is there after all. */
  async #lastLook({ kind, where, clientId }: Looked): Promise<Waited> {
    const nearest = new NearestMisses(kind, where)
    let found: string | null = null
    await this.#scans.show(
      { kind, filters: { clientId }, most: mostCompared },
      {
        hasEnough: () => found !== null,
        show: async ({ whole }) => {
          const thing = await whole()
          if (thing === null) return
          if (fits(where, thing.members())) found = thing.json
          else nearest.add(thing)
        },
      },
    )
    return { found, nearest: nearest.list }
  }

  /** Ends every wait, and those that are still to come. */
  stop(): void {
    this.#stopped = true
    for (const waiter of this.#waiters) waiter.giveUp(new EmulatorError('stopping'))
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

  /** As long as somebody waits for what it is after. */
  async #look(waiter: Waiter): Promise<void> {
    const { kind, where, clientId } = waiter
    const filters = { ...filtersOf(kind, where), ...(clientId === undefined ? {} : { clientId }) }
    const viewer = {
      hasEnough: () => !this.#waiters.has(waiter),
      show: (sighting: Sighting) => tell(waiter, sighting),
    }
    try {
      await this.#scans.show({ kind, filters, most: mostLookedAt }, viewer)
    } catch (error) {
      waiter.giveUp(error)
    }
  }

  #hear(event: FeedEvent): void {
    // Of what came all at once nothing else is told.
    if (event.type === 'worlds') for (const waiter of this.#waiters) void this.#look(waiter)
    for (const sighting of sightingsIn(event, this.#parts)) {
      for (const waiter of this.#waiters.concernedBy(sighting)) void tell(waiter, sighting)
    }
  }
}

async function tell({ where, found, giveUp }: Waiter, sighting: Sighting): Promise<void> {
  try {
    const json = await seen(where, sighting)
    if (json !== null) found(json)
  } catch (error) {
    giveUp(error)
  }
}
