import type { ClockState } from '../domain/client/client.ts'
import type { EpochMs } from '../domain/text/time.ts'

/** One client's clock: real, manual or scaled. It never goes back. */
export class Clock {
  readonly #wall: () => EpochMs
  #state: ClockState
  /** The time at which an advance holds the clock; null while the clock runs by itself. */
  #pinned: EpochMs | null = null

  constructor(state: ClockState, wall: () => EpochMs) {
    this.#state = state
    this.#wall = wall
  }

  /** The clock's time in epoch milliseconds. */
  now(): EpochMs {
    // A clock that stands still does not need the wall clock.
    return this.#pinned !== null || this.#state.speed === 0 ? this.#at(0) : this.#at(this.#wall())
  }

  /** The state to store, anchored at the present time. */
  state(): ClockState {
    // The wall clock is read once for both values: between two reads it could advance, and the client's clock would
    // stay behind.
    const anchorWall = this.#wall()
    return { ...this.#state, anchor: this.#at(anchorWall), anchorWall }
  }

  /** Whether an advance holds the clock. */
  get isHeld(): boolean {
    return this.#pinned !== null
  }

  /** Holds the clock at its present time, until it is pinned elsewhere or unpinned. */
  hold(): void {
    this.#pinned = this.now()
  }

  /** Holds the clock at `at`, which must not be before its present time. */
  pin(at: EpochMs): void {
    if (at < this.now()) throw new RangeError(`a clock that reads ${this.now()} cannot go back to ${at}`)
    this.#pinned = at
  }

  /** Lets a clock that `pin` has stopped run again. */
  unpin(): void {
    const state = this.state()
    this.#pinned = null
    this.#state = state
  }

  /** Changes the pace from now on; the present time stays. */
  setPace(mode: ClockState['mode'], speed: number): void {
    this.#state = { ...this.state(), mode, speed }
  }

  /** Returns the clock's time at a wall-clock time. */
  #at(wall: EpochMs): EpochMs {
    if (this.#pinned !== null) return this.#pinned
    const { anchor, anchorWall, speed } = this.#state
    // A wall clock before the anchor (set back over a restart) holds this clock, and does not turn it back.
    return Math.floor(anchor + Math.max(0, wall - anchorWall) * speed)
  }

  /** Wall-clock milliseconds until the clock reaches `at` by itself; null if it never will. */
  wallMsUntil(at: EpochMs): number | null {
    const left = at - this.now()
    if (left <= 0) return 0
    if (this.#pinned !== null || this.#state.speed === 0) return null
    return Math.ceil(left / this.#state.speed)
  }
}

/** A new clock. A manual one starts at whole seconds, so that its times are easy to read. */
export function newClock(
  pace: { mode: ClockState['mode']; speed: number },
  wallNow: EpochMs,
  start?: EpochMs,
): ClockState {
  const now = pace.mode === 'manual' ? Math.floor(wallNow / 1000) * 1000 : wallNow
  return { ...pace, anchor: start ?? now, anchorWall: wallNow }
}
