import { EmulatorError } from '../../domain/errors.ts'
import type { Feed, FeedEvent } from '../../journal/feed.ts'
import type { Scheduler } from '../../time/scheduler.ts'
import { after } from '../../time/timers.ts'
import { type Looked, look } from './look.ts'
import { NearestMisses, type NearMiss, recent } from './near-misses.ts'
import { type LookParts, type Sighting, seen, sightingsIn, type Whole } from './sighting.ts'
import { type Waiter, Waiters } from './waiters.ts'

/** How many may wait at once. */
const usuallyMost = 5_000

/** What somebody waits for, and for how long. */
export interface Wait extends Looked {
  /** Of wall time. */
  readonly timeoutMs: number
  /** Says that the caller has gone away. */
  readonly signal: AbortSignal
}

/** Those who wait until something is so. The feed tells of everything that happens, so nobody ever has to look
 *  twice; and while nobody waits, nothing listens. */
export class Waits {
  readonly #parts: LookParts & { readonly feed: Feed; readonly scheduler: Scheduler }
  readonly #mostWaits: number
  readonly #waiters = new Waiters()
  #stopListening = () => {}
  #stopped = false
  /** What those who time out in one moment compare with. */
  readonly #recent = new Map<string, Promise<readonly Whole[]>>()

  constructor(
    parts: LookParts & { readonly feed: Feed; readonly scheduler: Scheduler },
    mostWaits = usuallyMost,
  ) {
    this.#parts = parts
    this.#mostWaits = mostWaits
  }

  /** The thing, as JSON, at once if it is so already, else the moment it becomes so; null if it does not in time, or
   *  the caller has gone. Moves no clock.
   *  @throws too_many_waits; stopping; client_unknown if the client is removed meanwhile */
  async wait(wanted: Wait): Promise<string | null> {
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
    const cancel = after(timeoutMs, () => looked.then(giveUp))
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

  /** What comes nearest to a `where` among the newest things. */
  async misses({ kind, where, clientId }: Looked): Promise<NearMiss[]> {
    const key = `${kind} ${clientId ?? ''}`
    const shared = this.#recent.get(key) ?? recent({ kind, clientId }, this.#parts)
    this.#recent.set(key, shared)
    try {
      const nearest = new NearestMisses(kind, where)
      for (const thing of await shared) nearest.add(thing)
      return nearest.list
    } finally {
      this.#recent.delete(key)
    }
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
    try {
      const json = await look(waiter, this.#parts, () => !this.#waiters.has(waiter))
      if (json !== null) waiter.found(json)
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
