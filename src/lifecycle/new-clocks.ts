import type { ClockState } from '../domain/client.ts'
import { type Pace, paceOf, type WantedClock } from '../domain/clock-pace.ts'
import type { EpochMs } from '../domain/time.ts'
import { newClock } from '../time/clock.ts'

/** How a client's clock begins. */
export interface ClockBeginning extends Pace {
  /** What it reads then; the machine's time if left out. */
  readonly startTime?: EpochMs | undefined
}

/** How the clocks of clients made from now on begin. */
export class NewClocks {
  readonly #wall: () => EpochMs
  #defaults: ClockBeginning

  constructor(defaults: ClockBeginning, wall: () => EpochMs) {
    this.#defaults = defaults
    this.#wall = wall
  }

  /** Their pace, if nothing else is wanted. */
  get pace(): Pace {
    return this.#defaults
  }

  setDefaults(defaults: ClockBeginning): void {
    this.#defaults = defaults
  }

  /** The defaults, with what is wanted laid over. */
  with(wanted: WantedClock): ClockBeginning {
    return { ...paceOf(this.#defaults, wanted), startTime: wanted.now ?? this.#defaults.startTime }
  }

  /** A clock that begins at this moment. */
  begin({ mode, speed, startTime }: ClockBeginning = this.#defaults, wallNow = this.#wall()): ClockState {
    return newClock({ mode, speed }, wallNow, startTime)
  }
}
