import type { EmulatorError } from '../domain/errors.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Clock } from './clock.ts'
import type { DueQueue } from './due-queue.ts'

/** setTimeout fires at once beyond this. */
const longestTimerMs = 2 ** 31 - 1
const retryAfterErrorMs = 1_000

/** One client's time: its clock, and a pump that starts whatever is due at or before the clock's now. */
export class World {
  readonly clientId: string
  readonly clock: Clock
  readonly #queues: readonly DueQueue[]
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #pumping: Promise<void> | null = null
  #again = false
  #removed: EmulatorError | null = null
  /** The end of the last walk that was asked for; walks of one client queue behind it. */
  #walks: Promise<void> = Promise.resolve()

  constructor(
    clientId: string,
    clock: Clock,
    queues: readonly DueQueue[],
    onError: (error: unknown) => void,
  ) {
    this.clientId = clientId
    this.clock = clock
    this.#queues = queues
    this.#onError = onError
  }

  /** Looks for due work soon; says so again if it is looking already. */
  wake(): void {
    this.pump().catch((error: unknown) => {
      if (this.#removed !== null) return
      this.#onError(error)
      this.#wakeIn(retryAfterErrorMs)
    })
  }

  /** Starts all that is due now, and sets the timer for what comes next. */
  pump(): Promise<void> {
    this.#again = true
    this.#pumping ??= this.#run()
    return this.#pumping
  }

  /** Carries out all that is due at the clock's now and waits for its end, deliveries included.
   *  Rejects with the reason if the world is removed meanwhile. */
  async settle(giveUp: Promise<never>): Promise<void> {
    for (;;) {
      await Promise.race([this.pump(), giveUp])
      const busy = this.#queues.flatMap((queue) => queue.busy(this.clientId) ?? [])
      if (this.#removed !== null) throw this.#removed
      if (busy.length === 0) return
      await Promise.race([...busy, giveUp])
    }
  }

  /** When the client's next thing is due; null if nothing is. */
  async nextDue(): Promise<EpochMs | null> {
    const dues = await Promise.all(this.#queues.map((queue) => queue.nextDue(this.clientId)))
    const known = dues.filter((due) => due !== null)
    return known.length === 0 ? null : Math.min(...known)
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
    clearTimeout(this.#timer)
    await this.#pumping?.catch(() => undefined)
  }

  async #run(): Promise<void> {
    try {
      // The pump starts in a later turn, so that a request that woke it is answered first.
      await new Promise((resolve) => setImmediate(resolve))
      while (this.#again && this.#removed === null) {
        const startedUntil = await this.#startAllDue()
        const due = await this.nextDue()
        if (!this.#again) this.#arm(due, startedUntil)
      }
    } finally {
      // In the same turn as the last look at `#again`: a later pump starts a run of its own.
      this.#pumping = null
    }
  }

  /** Answers the last moment up to which it started what was due. */
  async #startAllDue(): Promise<EpochMs> {
    let now = this.clock.now()
    while (this.#again && this.#removed === null) {
      this.#again = false
      now = this.clock.now()
      for (const queue of this.#queues) if ((await queue.start(this.clientId, now)) > 0) this.#again = true
    }
    return now
  }

  /** Sets the timer for what is due next, which may be now: time has passed since `startedUntil`. What was due
   *  before that and could not start waits for something in flight, whose end wakes this world. */
  #arm(due: EpochMs | null, startedUntil: EpochMs): void {
    clearTimeout(this.#timer)
    if (due !== null && due > startedUntil) this.#wakeIn(this.clock.wallMsUntil(due))
  }

  #wakeIn(delayMs: number | null): void {
    clearTimeout(this.#timer)
    if (delayMs === null || this.#removed !== null) return
    this.#timer = setTimeout(() => this.wake(), Math.min(delayMs, longestTimerMs))
  }
}
