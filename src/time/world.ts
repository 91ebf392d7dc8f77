import type { Generation } from '../domain/client/client.ts'
import type { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Clock } from './clock.ts'

/** A world looks at its clock at least this often: timers stand still while a machine sleeps, clocks do not. (Beyond
 *  2^31-1 ms, setTimeout would fire at once.) */
const longestTimerMs = 60_000
const retryAfterErrorMs = 1_000
/** How many rounds of the pump a moment may take for work that came after it began, and for each thing that was
 *  there, before it is looked whether only newer work keeps it from ending. */
const roundsForNewWork = 128
const roundsForEach = 4

/** One client's time: its clock, and a pump that starts whatever is due at or before the clock's now. */
export class World {
  readonly clientId: string
  readonly clock: Clock
  /** Changed when it is emptied and its clock goes on. */
  generation: Generation
  readonly #queues: readonly DueQueue[]
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #pumping: Promise<void> | null = null
  /** The pumping whose failure `wake` tells of: it may be woken many times meanwhile. */
  #watched: Promise<void> | null = null
  #again = false
  /** The moment that the timer is set for; Infinity where there is none, or it is being looked for. */
  #awaited: EpochMs = Infinity
  /** Who waits for a pass that begins from now on. */
  readonly #nextPass: ((pass: Passed) => void)[] = []
  /** Why the world is gone; null while it is there. */
  #removed: EmulatorError | null = null
  /** Who is to hear of the removal. One promise for all would keep something of everybody who ever raced with it. */
  readonly #onRemoval = new Set<(reason: EmulatorError) => void>()
  /** What began to wait for the clock while it was held by a walk. */
  readonly #holds = new Set<symbol>()
  #holdBegun = Promise.withResolvers<void>()
  /** The end of the last walk that was asked for; walks of one client queue behind it. */
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

  /** Looks for due work soon; says so again if it is looking already. */
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

  /** Something new is due at `dueAt`: looks for it, unless it will be found in time anyway. */
  wakeFor(dueAt: EpochMs): void {
    const left = this.clock.wallMsUntil(dueAt)
    // A clock that is held or stands still does not come to it. Whoever moves it or sets it going wakes the world.
    if (left === null) return
    // The timer is set for something that is due no later.
    if (left > 0 && this.#awaited <= dueAt) return
    this.wake()
  }

  /** Starts all that is due now, and sets the timer for what comes next. */
  pump(): Promise<void> {
    this.#again = true
    this.#awaited = Infinity
    this.#pumping ??= this.#run()
    return this.#pumping
  }

  /** Carries out all that is due at the clock's now and waits for its end, deliveries included. What becomes due
   *  meanwhile is waited for too, but not for ever: under a stream of new orders it ends when all is done that was
   *  there at its start. And it ends where nothing is left but what others have in hand while something waits for the
   *  clock that began since the walk did: they may be waiting for that, and only time moves it. Rejects with the reason
   *  if the world is removed, or as `giveUp` does. */
  settle(giveUp: Promise<never>): Promise<void> {
    return this.#unlessRemoved((removal) => this.#settle([giveUp, removal]))
  }

  /** Waits for something, but no longer than the world is there: then it rejects with the reason of the removal. */
  whileThere<T>(wanted: Promise<T>): Promise<T> {
    return this.#unlessRemoved((removal) => Promise.race([wanted, removal]))
  }

  async #unlessRemoved<T>(act: (removal: Promise<never>) => Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>()
    // `act` may have ended before, and nobody listens any more.
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

  /** A walk takes the clock in its hands. What waits for the clock already does not concern it, unless it is what the
   *  walk before had to leave others with. */
  beginWalk(): void {
    if (!this.#othersAreBusy()) this.#holds.clear()
    // The one of the walk before keeps something of everybody who waited for it.
    this.#holdBegun = Promise.withResolvers()
    this.clock.hold()
  }

  /** Something begins to wait for the clock, for which somebody else waits in turn.
   *  @returns says that it waits no longer */
  holdBegins(): () => void {
    if (!this.clock.isHeld) return () => {}
    const hold = Symbol()
    this.#holds.add(hold)
    this.#holdBegun.resolve()
    this.#holdBegun = Promise.withResolvers()
    return () => this.#holds.delete(hold)
  }

  /** When the client's next thing is due, of those due later than `after` if that is given; null if nothing is. */
  async nextDue(after?: EpochMs): Promise<EpochMs | null> {
    try {
      return earliest(await this.#dues(after))
    } catch (error) {
      // Where the client has gone there is nothing left to ask.
      throw this.#removed ?? error
    }
  }

  /** Waits for the walks that were asked for before, and keeps later ones waiting until `release`. */
  async takeTurn(): Promise<() => void> {
    const before = this.#walks
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#walks = before.then(() => promise)
    await before
    return resolve
  }

  /** Stops everything: the client is gone, or the emulator closes. Resolves when the pump has ended. */
  async remove(reason: EmulatorError): Promise<void> {
    this.#removed = reason
    for (const reject of this.#onRemoval) reject(reason)
    clearTimeout(this.#timer)
    await this.#pumping?.catch(() => undefined)
  }

  #busy(): Promise<void>[] {
    return this.#queues.flatMap((queue) => queue.busy(this.clientId) ?? [])
  }

  /** Whether nothing is left but what others have in hand, and they may be waiting for the clock. */
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

  /** What comes of the next whole pass of the pump. */
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
        // Woken meanwhile, it looks again.
        if (!this.#again) this.#arm(dues, now)
      }
    } finally {
      // In the same turn as the last look at `#again`: a later pump starts a run of its own.
      this.#pumping = null
    }
  }

  /** Starts what was due first, and nothing that was due after it, so that a backlog is worked off in order. Where
   *  that can't start because it waits for something in flight, everything else that is due goes ahead. */
  async #startReady(dues: readonly (EpochMs | null)[], { now, generation }: Pass): Promise<number> {
    const first = earliest(dues)
    if (first === null || first > now) return 0
    const started = await this.#startUntil(first, dues, generation)
    return started > 0 ? started : this.#startUntil(now, dues, generation)
  }

  /** One queue's failure does not keep the others from starting. */
  async #startUntil(
    until: EpochMs,
    dues: readonly (EpochMs | null)[],
    generation: Generation,
  ): Promise<number> {
    const failures: unknown[] = []
    let started = 0
    for (const [index, queue] of this.#queues.entries()) {
      // What has nothing due is not asked: each answer of a webhook comes this way.
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

  /** Sets the timer for what is due after `now`, the moment up to which everything was started. What was due before
   *  that waits for something in flight, whose end wakes this world. */
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

/** What came of a pass of the pump. */
interface Passed {
  /** How many things it has started. */
  readonly started: number
  /** What was under way when it began: what ended since may have made something due that it did not see any more. */
  readonly busyBefore: readonly Promise<void>[]
}

/** A look at what is due. */
interface Pass {
  readonly now: EpochMs
  readonly generation: Generation
}

function earliest(dues: readonly (EpochMs | null)[]): EpochMs | null {
  const known = dues.filter((due) => due !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Work that becomes due on a client's clock. The table behind it is the truth; timers are only hints. */
export interface DueQueue {
  /** When the client's earliest thing that could start is due, also in the past, of those due later than `after` if
   *  that is given; null if there is none. */
  nextDue(clientId: string, after?: EpochMs): Promise<EpochMs | null>
  /** Starts what was due at or before `until`, by due time; answers how many things it started. Quick things are
   *  done when it resolves; slow ones (deliveries) go on and are seen through `busy`.
   *  @param generation of the world whose clock says that it is due; in another it starts nothing */
  start(clientId: string, until: EpochMs, generation: Generation): Promise<number>
  /** Which things (orders, by their ids) have work that is due at or before `until` or on its way; of some things
   *  only, if `among` names them. */
  unfinished(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]>
  /** A promise for the end of something that this client waits for; null if it waits for nothing. */
  busy(clientId: string): Promise<void> | null
  /** Whether what it is busy with ends by somebody else's doing (the receiver of a webhook), who may wait in turn
   *  for something that waits for the clock. */
  readonly waitsForOthers?: boolean
}
