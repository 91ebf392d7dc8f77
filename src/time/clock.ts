import type { ClockState } from '../domain/client/client.ts'
import type { EpochMs } from '../domain/text/time.ts'

/** One client's clock: real, manual or scaled. It never goes back. */
export class Clock {
  readonly #wall: () => EpochMs
  #state: ClockState
  /** Where the clock is held while an advance walks; null while it runs by itself. */
  #pinned: EpochMs | null = null

  constructor(state: ClockState, wall: () => EpochMs) {
    this.#state = state
    this.#wall = wall
  }

  /** What the clock reads, in epoch milliseconds. */
  now(): EpochMs {
    // It stands still: then the wall need not be asked.
    return this.#pinned !== null || this.#state.speed === 0 ? this.#at(0) : this.#at(this.#wall())
  }

  /** The state to keep: anchored at this moment. */
  state(): ClockState {
    // One look at the wall for both: between two it may go on, and the clock would be late for as long as it runs.
    const anchorWall = this.#wall()
    return { ...this.#state, anchor: this.#at(anchorWall), anchorWall }
  }

  /** Whether it is held, because an advance walks. */
  get isHeld(): boolean {
    return this.#pinned !== null
  }

  /** Holds the clock where it is, until it is pinned elsewhere or unpinned. */
  hold(): void {
    this.#pinned = this.now()
  }

  /** Holds the clock at `at`, which must not be before its now. */
  pin(at: EpochMs): void {
    if (at < this.now()) throw new RangeError(`a clock that reads ${this.now()} cannot go back to ${at}`)
    this.#pinned = at
  }

  /** Lets the clock run again, from where it is held. */
  unpin(): void {
    const state = this.state()
    this.#pinned = null
    this.#state = state
  }

  /** Changes how time passes from now on; what the clock reads stays as it is. */
  setPace(mode: ClockState['mode'], speed: number): void {
    this.#state = { ...this.state(), mode, speed }
  }

  /** What it reads at a moment of the wall. */
  #at(wall: EpochMs): EpochMs {
    if (this.#pinned !== null) return this.#pinned
    const { anchor, anchorWall, speed } = this.#state
    // A wall that stands before the anchor (set back over a restart) holds the clock, it does not turn it back.
    return Math.floor(anchor + Math.max(0, wall - anchorWall) * speed)
  }

  /** Wall milliseconds until the clock will read `at` by itself; null if it never will. */
  wallMsUntil(at: EpochMs): number | null {
    const left = at - this.now()
    if (left <= 0) return 0
    if (this.#pinned !== null || this.#state.speed === 0) return null
    return Math.ceil(left / this.#state.speed)
  }
}

/** A clock as it begins: a manual one at whole seconds, so that the times it shows are easy to read. */
export function newClock(
  pace: { mode: ClockState['mode']; speed: number },
  wallNow: EpochMs,
  start?: EpochMs,
): ClockState {
  const now = pace.mode === 'manual' ? Math.floor(wallNow / 1000) * 1000 : wallNow
  return { ...pace, anchor: start ?? now, anchorWall: wallNow }
}
