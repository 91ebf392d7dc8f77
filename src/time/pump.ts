import type { Generation } from '../domain/client/client.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Clock } from './clock.ts'

/** The pump looks at the clock at least this often: timers stop while a machine sleeps, clocks do not. (Beyond 2^31-1
 *  ms, setTimeout would fire at once.) */
const longestTimerMs = 60_000
const retryAfterErrorMs = 1_000

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
  /** Lists the ids of orders with work that is due at or before `until` or in progress, among the given ids if there
   *  are any. */
  unfinished(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]>
  /** Resolves when something that this client waits for ends; null if it waits for nothing. */
  busy(clientId: string): Promise<void> | null
  /** Whether its running work ends by another party (a webhook receiver), which may wait in turn for the clock. */
  readonly waitsForOthers?: boolean
}

/** The result of one pass of the pump. */
export interface Passed {
  /** The number of pieces of work that the pass started. */
  readonly started: number
  /** The work under way at the start of the pass: its end may have made more work due than the pass saw. */
  readonly busyBefore: readonly Promise<void>[]
}

/** The due times that one look has found. */
interface Pass {
  readonly now: EpochMs
  readonly generation: Generation
}

/** Starts the work of one client that is due on its clock, and sets a timer for the next. */
export class Pump {
  readonly clientId: string
  readonly clock: Clock
  /** The generation under which work starts. */
  generation: Generation
  readonly #queues: readonly DueQueue[]
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | null = null
  /** The run whose failure `wake` reports; during one run there may be several wakes. */
  #watched: Promise<void> | null = null
  #again = false
  /** The time that the timer is set for; Infinity without a timer. */
  #awaited: EpochMs = Infinity
  /** Callbacks to run after the next full pass. */
  readonly #nextPass: ((pass: Passed) => void)[] = []
  #stopped = false

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

  /** Looks for due work soon; looks again if it is looking already. */
  wake(): void {
    const running = this.run()
    if (running === this.#watched) return
    this.#watched = running
    running.catch((error: unknown) => {
      if (this.#stopped) return
      this.#onError(error)
      this.#wakeIn(retryAfterErrorMs)
    })
  }

  /** Looks for new work that is due at `dueAt`, unless the timer finds it in time. */
  wakeFor(dueAt: EpochMs): void {
    const left = this.clock.wallMsUntil(dueAt)
    // A clock that is held or stands still never reaches the time. The caller that moves the clock wakes the pump.
    if (left === null) return
    // A timer for earlier or the same work is already set.
    if (left > 0 && this.#awaited <= dueAt) return
    this.wake()
  }

  /** Starts all due work, and sets the timer for the next. */
  run(): Promise<void> {
    this.#again = true
    this.#awaited = Infinity
    this.#running ??= this.#run()
    return this.#running
  }

  /** Resolves with the result of the next full pass. */
  pass(): Promise<Passed> {
    const { promise, resolve, reject } = Promise.withResolvers<Passed>()
    this.#nextPass.push(resolve)
    this.run().catch(reject)
    return promise
  }

  async #run(): Promise<void> {
    try {
      // The pump starts in a later turn, so that a request that woke it is answered first.
      await new Promise((resolve) => setImmediate(resolve))
      while (this.#again && !this.#stopped) {
        this.#again = false
        const waiting = this.#nextPass.splice(0)
        const busyBefore = waiting.length === 0 ? [] : this.busy()
        const { generation } = this
        const now = this.clock.now()
        const dues = await this.dues()
        const started = await this.#startReady(dues, { now, generation })
        if (started > 0) this.#again = true
        for (const resolve of waiting) resolve({ started, busyBefore })
        // A wake during the pass has asked for another pass, which sets the timer.
        if (!this.#again) this.#arm(dues, now)
      }
    } finally {
      // Cleared in the same turn of the event loop as the last check of `#again`, so that a later wake starts a new
      // run.
      this.#running = null
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

  /** The next due time of each queue, later than `after` if given. */
  dues(after?: EpochMs): Promise<(EpochMs | null)[]> {
    return Promise.all(this.#queues.map((queue) => queue.nextDue(this.clientId, after)))
  }

  /** Sets the timer for the next work after `now`. Older work waits for something in flight, whose end wakes the
   *  pump. */
  #arm(dues: readonly (EpochMs | null)[], now: EpochMs): void {
    clearTimeout(this.#timer)
    const next = earliest(dues.filter((due) => due !== null && due > now))
    if (next === null) return
    this.#awaited = next
    this.#wakeIn(this.clock.wallMsUntil(next))
  }

  #wakeIn(delayMs: number | null): void {
    clearTimeout(this.#timer)
    if (delayMs === null || this.#stopped) return
    this.#timer = setTimeout(() => this.wake(), Math.min(delayMs, longestTimerMs))
  }

  /** The running work of the client, which the clock has to wait for. */
  busy(): Promise<void>[] {
    return this.#queues.flatMap((queue) => queue.busy(this.clientId) ?? [])
  }

  /** Starts nothing more. Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running?.catch(() => undefined)
  }
}

/** The earliest of some times; null if there is none. */
export function earliest(dues: readonly (EpochMs | null)[]): EpochMs | null {
  const known = dues.filter((due) => due !== null)
  return known.length === 0 ? null : Math.min(...known)
}
