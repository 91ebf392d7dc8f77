import type { Generation } from '../domain/client/client.ts'
import type { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Clock } from './clock.ts'

/** A world looks at its clock at least this often: timers stop while a machine sleeps, clocks do not. (Beyond 2^31-1
 *  ms, setTimeout would fire at once.) */
const longestTimerMs = 60_000
const retryAfterErrorMs = 1_000
/** The number of pump rounds, at most, for work that arrives while a due time is settled, plus one for each piece of
 *  work that was there. Then only newer work may be keeping it from ending. */
const roundsForNewWork = 128
const roundsForEach = 4

/** One client's time: its clock, and a pump that starts all work that is due. */
export class World {
  readonly clientId: string
  readonly clock: Clock
  /** Changes when the client is reset; the clock continues. */
  generation: Generation
  readonly #queues: readonly DueQueue[]
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #pumping: Promise<void> | null = null
  /** The pump run whose failure `wake` reports; there may be several wakes during one run. */
  #watched: Promise<void> | null = null
  #again = false
  /** The time that the timer is set for; Infinity without a timer. */
  #awaited: EpochMs = Infinity
  /** Callbacks for the next full pass of the pump. */
  readonly #nextPass: ((pass: Passed) => void)[] = []
  /** The reason of the removal; null while the client exists. */
  #removed: EmulatorError | null = null
  /** Callbacks to run on removal. A shared promise would leak every racer. */
  readonly #onRemoval = new Set<(reason: EmulatorError) => void>()
  /** Waits for the clock that began while a walk held it. */
  readonly #holds = new Set<symbol>()
  #holdBegun = Promise.withResolvers<void>()
  /** The end of the last requested walk; later walks of the client queue behind it. */
  #walks: Promise<void> = Promise.resolve()

  constructor(
    clientId: string,
    clock: Clock,
    generation: Generation,
    queues: readonly DueQueue[],
    onError: (error: unknown) => void,
  ) {
    this.clientId = clientId
    this.clock = clock
    this.generation = generation
    this.#queues = queues
    this.#onError = onError
  }

  get isRemoved(): boolean {
    return this.#removed !== null
  }

  /** Looks for due work soon; looks again if it is looking already. */
  wake(): void {
    const pumping = this.pump()
    if (pumping === this.#watched) return
    this.#watched = pumping
    pumping.catch((error: unknown) => {
      if (this.#removed !== null) return
      this.#onError(error)
      this.#wakeIn(retryAfterErrorMs)
    })
  }

  /** Looks for new work that is due at `dueAt`, unless the timer finds it in time. */
  wakeFor(dueAt: EpochMs): void {
    const left = this.clock.wallMsUntil(dueAt)
    // A clock that is held or stands still never gets there. The caller that moves it wakes the world.
    if (left === null) return
    // The timer is set for work that is due no later.
    if (left > 0 && this.#awaited <= dueAt) return
    this.wake()
  }

  /** Starts all due work, and sets the timer for the next. */
  pump(): Promise<void> {
    this.#again = true
    this.#awaited = Infinity
    this.#pumping ??= this.#run()
    return this.#pumping
  }

  /** Carries out all work that is due now, and waits for its end, deliveries included. Work that becomes due on the
   *  way is included, but not for ever: under a stream of new orders, it ends when all work from its start is done.
   *  It also ends if only others' work is left while something waits for the clock since the walk began, because
   *  only moving the clock can end that. Rejects if the client is removed, or as `giveUp` does. */
  settle(giveUp: Promise<never>): Promise<void> {
    return this.#unlessRemoved((removal) => this.#settle([giveUp, removal]))
  }

  /** Waits for a promise, and rejects with the reason of the removal if the client is removed. */
  whileThere<T>(wanted: Promise<T>): Promise<T> {
    return this.#unlessRemoved((removal) => Promise.race([wanted, removal]))
  }

  async #unlessRemoved<T>(act: (removal: Promise<never>) => Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>()
    // `act` may have ended before, without a listener.
    promise.catch(() => undefined)
    if (this.#removed !== null) reject(this.#removed)
    this.#onRemoval.add(reject)
    try {
      return await act(promise)
    } finally {
      this.#onRemoval.delete(reject)
    }
  }

  async #settle(ended: readonly Promise<never>[]): Promise<void> {
    const at = this.clock.now()
    let unfinished = await this.#unfinished(at)
    let patience = roundsForNewWork + roundsForEach * unfinished.length
    for (;;) {
      const { started, busyBefore } = await Promise.race([this.#pass(), ...ended])
      if (this.#removed !== null) throw this.#removed
      patience -= 1
      if (patience <= 0) {
        unfinished = await this.#unfinished(at, unfinished)
        if (unfinished.length === 0) return
        patience = roundsForEach
      }
      if (started > 0) continue
      const busy = [...busyBefore, ...this.#busy()]
      if (busy.length === 0 || this.#othersMayWait()) return
      await Promise.race([...busy, ...ended, this.#holdBegun.promise])
    }
  }

  /** Marks the start of a walk. Waits for the clock that exist already do not concern it, unless the walk before had
   *  to leave them. */
  beginWalk(): void {
    if (!this.#othersAreBusy()) this.#holds.clear()
    // The old promise would leak everything that waited for it.
    this.#holdBegun = Promise.withResolvers()
    this.clock.hold()
  }

  /** Marks the start of a wait for the clock, on which others wait in turn.
   *  @returns ends the mark */
  holdBegins(): () => void {
    if (!this.clock.isHeld) return () => {}
    const hold = Symbol()
    this.#holds.add(hold)
    this.#holdBegun.resolve()
    this.#holdBegun = Promise.withResolvers()
    return () => this.#holds.delete(hold)
  }

  /** The client's next due time, later than `after` if given; null for none. */
  async nextDue(after?: EpochMs): Promise<EpochMs | null> {
    try {
      return earliest(await this.#dues(after))
    } catch (error) {
      // A removed client has nothing left to ask.
      throw this.#removed ?? error
    }
  }

  /** Waits for earlier walks, and blocks later ones until `release`. */
  async takeTurn(): Promise<() => void> {
    const before = this.#walks
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#walks = before.then(() => promise)
    await before
    return resolve
  }

  /** Stops all work: the client is removed, or the emulator closes. Resolves when the pump has ended. */
  async remove(reason: EmulatorError): Promise<void> {
    this.#removed = reason
    for (const reject of this.#onRemoval) reject(reason)
    clearTimeout(this.#timer)
    await this.#pumping?.catch(() => undefined)
  }

  #busy(): Promise<void>[] {
    return this.#queues.flatMap((queue) => queue.busy(this.clientId) ?? [])
  }

  /** Whether only others' work is left, which may be waiting for the clock. */
  #othersMayWait(): boolean {
    if (this.#holds.size === 0) return false
    return !this.#queues.some((queue) => !queue.waitsForOthers && queue.busy(this.clientId) !== null)
  }

  #othersAreBusy(): boolean {
    return this.#queues.some((queue) => queue.waitsForOthers && queue.busy(this.clientId) !== null)
  }

  async #unfinished(until: EpochMs, among?: readonly string[]): Promise<string[]> {
    const lists = await Promise.all(
      this.#queues.map((queue) => queue.unfinished(this.clientId, until, among)),
    )
    return [...new Set(lists.flat())]
  }

  /** The result of the next full pass of the pump. */
  #pass(): Promise<Passed> {
    const { promise, resolve, reject } = Promise.withResolvers<Passed>()
    this.#nextPass.push(resolve)
    this.pump().catch(reject)
    return promise
  }

  async #run(): Promise<void> {
    try {
      // The pump starts in a later turn, so that a request that woke it is answered first.
      await new Promise((resolve) => setImmediate(resolve))
      while (this.#again && this.#removed === null) {
        this.#again = false
        const waiting = this.#nextPass.splice(0)
        const busyBefore = waiting.length === 0 ? [] : this.#busy()
        const { generation } = this
        const now = this.clock.now()
        const dues = await this.#dues()
        const started = await this.#startReady(dues, { now, generation })
        if (started > 0) this.#again = true
        for (const resolve of waiting) resolve({ started, busyBefore })
        // A wake during the pass makes it look again.
        if (!this.#again) this.#arm(dues, now)
      }
    } finally {
      // In the same turn as the last look at `#again`: a later pump starts a run of its own.
      this.#pumping = null
    }
  }

  /** Starts work in the order of due times, so that a backlog is worked off in order. If the oldest work waits for
   *  something in flight, everything else that is due goes ahead. */
  async #startReady(dues: readonly (EpochMs | null)[], { now, generation }: Pass): Promise<number> {
    const first = earliest(dues)
    if (first === null || first > now) return 0
    const started = await this.#startUntil(first, dues, generation)
    return started > 0 ? started : this.#startUntil(now, dues, generation)
  }

  /** Starts the due work of all queues. One queue's failure does not stop the others. */
  async #startUntil(
    until: EpochMs,
    dues: readonly (EpochMs | null)[],
    generation: Generation,
  ): Promise<number> {
    const failures: unknown[] = []
    let started = 0
    for (const [index, queue] of this.#queues.entries()) {
      // Skips queues without due work: each answer of a webhook comes this way.
      if ((dues[index] ?? Infinity) > until) continue
      try {
        started += await queue.start(this.clientId, until, generation)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
    return started
  }

  #dues(after?: EpochMs): Promise<(EpochMs | null)[]> {
    return Promise.all(this.#queues.map((queue) => queue.nextDue(this.clientId, after)))
  }

  /** Sets the timer for the next work after `now`. Older work waits for something in flight, whose end wakes this
   *  world. */
  #arm(dues: readonly (EpochMs | null)[], now: EpochMs): void {
    clearTimeout(this.#timer)
    const next = earliest(dues.filter((due) => due !== null && due > now))
    if (next === null) return
    this.#awaited = next
    this.#wakeIn(this.clock.wallMsUntil(next))
  }

  #wakeIn(delayMs: number | null): void {
    clearTimeout(this.#timer)
    if (delayMs === null || this.#removed !== null) return
    this.#timer = setTimeout(() => this.wake(), Math.min(delayMs, longestTimerMs))
  }
}

/** The result of a pass of the pump. */
interface Passed {
  /** The number of started pieces of work. */
  readonly started: number
  /** The work under way at the start of the pass: its end may have made more work due than the pass saw. */
  readonly busyBefore: readonly Promise<void>[]
}

/** The due work found by one look. */
interface Pass {
  readonly now: EpochMs
  readonly generation: Generation
}

function earliest(dues: readonly (EpochMs | null)[]): EpochMs | null {
  const known = dues.filter((due) => due !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Work that becomes due on a client's clock. The stored rows are the truth; timers are only hints. */
export interface DueQueue {
  /** The earliest due time of startable work of a client, past times included, later than `after` if given; null for
   *  none. */
  nextDue(clientId: string, after?: EpochMs): Promise<EpochMs | null>
  /** Starts the work that is due at or before `until`, by due time. Quick work is done when it resolves; slow work
   *  (deliveries) goes on and shows in `busy`.
   *  @param generation the generation of the clock; nothing starts under another one
   *  @returns the number of started pieces of work */
  start(clientId: string, until: EpochMs, generation: Generation): Promise<number>
  /** The ids of orders with work that is due at or before `until` or on its way, among the given ids if there are
   *  any. */
  unfinished(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]>
  /** Resolves when something that this client waits for ends; null if it waits for nothing. */
  busy(clientId: string): Promise<void> | null
  /** Whether its running work ends by another party (a webhook receiver), which may wait in turn for the clock. */
  readonly waitsForOthers?: boolean
}
