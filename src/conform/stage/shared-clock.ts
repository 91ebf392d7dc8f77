import { parseDuration } from '../../domain/text/duration.ts'

/** The clock of a client; a `TestClient` has one. */
interface ClientClock {
  now(): Promise<number>
  /** @returns the time on the clock, once everything that became due has ended */
  advanceTo(timeMs: number): Promise<{ readonly now: number }>
}

/** A case that waits for the client's clock. */
interface Wait {
  /** The time on the client's clock for which it waits. */
  readonly untilMs: number
  /** Whether a later time will do as well. */
  readonly orLater: boolean
  /** The case that waits; null outside of all cases. */
  readonly holder: object | null
  readonly resolve: (nowMs: number) => void
  readonly reject: (error: unknown) => void
}

/** The client's clock, as one case moves it. */
export interface CaseClock {
  /** Waits until the clock has moved by a duration, and everything that became due has ended.
   *  @param orMore whether the clock may move further for other cases, which saves time
   *  @returns the time on the client's clock */
  advance(by: string, orMore: boolean): Promise<number>
  /** Lets the clock move for other cases from now on, whatever this case does. */
  letGo(): void
}

/** Moves the client's clock for cases that run side by side. It moves only once each of them waits for it, and never past
 *  a time for which one waits exactly: each case sees the clock move as if it ran alone. */
export class SharedClock {
  readonly #clock: ClientClock
  readonly #onMove: (nowMs: number) => Promise<void>
  readonly #waits = new Set<Wait>()
  /** The cases for which the clock stands still, unless they wait for it. */
  readonly #holders = new Set<object>()
  #moving = false
  /** The time to which it has moved last. */
  #movedToMs = Number.NEGATIVE_INFINITY

  /** @param onMove called after each move, before any case goes on */
  constructor({ clock }: { readonly clock: ClientClock }, onMove: (nowMs: number) => Promise<void>) {
    this.#clock = clock
    this.#onMove = onMove
  }

  /** The clock outside of all cases. */
  get free(): CaseClock {
    return { advance: (by, orMore) => this.#advance(by, orMore, null), letGo: () => undefined }
  }

  /** Runs a case with a clock of its own. Until the case has ended or let go, the clock moves only while it waits. */
  async during<T>(run: (clock: CaseClock) => Promise<T>): Promise<T> {
    const holder = {}
    const letGo = () => {
      this.#holders.delete(holder)
      this.#moveIfAllWait()
    }
    this.#holders.add(holder)
    try {
      return await run({ advance: (by, orMore) => this.#advance(by, orMore, holder), letGo })
    } finally {
      letGo()
    }
  }

  async #advance(by: string, orMore: boolean, holder: object | null): Promise<number> {
    const byMs = parseDuration(by)
    if (byMs === null) throw new RangeError(`not a duration: ${by}`)
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const nowMs = await this.#clock.now()
    this.#waits.add({ untilMs: nowMs + byMs, orLater: orMore, holder, resolve, reject })
    this.#moveIfAllWait()
    return promise
  }

  #moveIfAllWait(): void {
    const waiting = new Set([...this.#waits].map(({ holder }) => holder))
    if (this.#moving || waiting.size === 0) return
    if ([...this.#holders].some((holder) => !waiting.has(holder))) return
    this.#moving = true
    void this.#move(this.#nextTime())
  }

  /** The earliest time for which a case waits exactly; otherwise the latest. */
  #nextTime(): number {
    const timesOf = (waits: readonly Wait[]) => waits.map(({ untilMs }) => untilMs)
    const waits = [...this.#waits]
    const exact = waits.filter(({ orLater }) => !orLater)
    return exact.length > 0 ? Math.min(...timesOf(exact)) : Math.max(...timesOf(waits))
  }

  async #move(untilMs: number): Promise<void> {
    try {
      // A case may have read the time just before the last move.
      const { now } = await this.#clock.advanceTo(Math.max(untilMs, this.#movedToMs))
      this.#movedToMs = now
      await this.#onMove(now)
      this.#end(({ resolve }) => resolve(now), now)
    } catch (error) {
      this.#end(({ reject }) => reject(error), Number.POSITIVE_INFINITY)
    }
    this.#moving = false
    this.#moveIfAllWait()
  }

  /** Ends the waits for times up to `untilMs`. */
  #end(end: (wait: Wait) => void, untilMs: number): void {
    for (const wait of this.#waits) {
      if (wait.untilMs > untilMs) continue
      this.#waits.delete(wait)
      end(wait)
    }
  }
}
