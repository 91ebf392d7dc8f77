import { uptime } from 'node:os'
import type { EpochMs } from '../domain/text/time.ts'

/** The wall-clock time, for logs, HTTP and the signature's timestamp. It may jump. */
export const wallNow = (): EpochMs => Date.now()

/** Monotonic milliseconds for durations, from an arbitrary start. */
export const stopwatch: () => number = performance.now.bind(performance)

/** How far the machine's uptime may run ahead of the process's monotonic clock before the machine counts as having
 *  slept. `os.uptime` counts in hundredths of a second. */
const sleepToleranceMs = 2_000
const sleepCheckMs = 1_000

/** The two clocks of a process: the wall clock and the monotonic one. */
interface Readings {
  /** The wall clock in whole milliseconds. It may jump. */
  readonly wall: () => EpochMs
  readonly stopwatch: () => number
  /** The wall-clock time at the start of the stopwatch, with fractions. */
  readonly origin: number
  /** Seconds since the machine started, sleep included. */
  readonly uptime: () => number
}

const real: Readings = { wall: wallNow, stopwatch, origin: performance.timeOrigin, uptime }

/** A wall clock that cannot be set: it starts at the wall-clock time and follows the passing time, sleep of the
 *  machine included. Clients' clocks depend on it, so that a jump of the wall clock fires nothing early. */
export function steadyWall(readings = real): () => EpochMs {
  const uptimeMs = () => readings.uptime() * 1000
  const begun = { ...beginning(readings), uptime: uptimeMs() }
  let sleptMs = 0
  let checkedAt = begun.monotonic
  return () => {
    const monotonic = readings.stopwatch()
    if (monotonic - checkedAt > sleepCheckMs) {
      checkedAt = monotonic
      // The stopwatch stops while a laptop sleeps; the uptime goes on.
      const behind = uptimeMs() - begun.uptime - (monotonic - begun.monotonic)
      if (behind > sleptMs + sleepToleranceMs) sleptMs = behind
    }
    return Math.floor(begun.wall + monotonic - begun.monotonic + sleptMs)
  }
}

/** How far the two clocks of a process may differ if the wall clock was not set since the start. Its start is known
 *  to some hundredths of a millisecond, and a millisecond may pass between two readings. */
const apartMs = 0.5
/** A process may lose its processor between two readings, but hardly each time. */
const looks = 3

/** Reads both clocks at the same instant. `Date.now` has no fractions; a clock without them would stay behind the wall
 *  clock, and everything due on it would be late. */
function beginning({ wall, stopwatch, origin }: Readings): { wall: number; monotonic: number } {
  for (let look = 1; ; look++) {
    const whole = wall()
    const monotonic = stopwatch()
    const fine = origin + monotonic
    if (fine > whole - apartMs && fine < whole + 1 + apartMs) return { wall: fine, monotonic }
    // The wall clock was set since the process started.
    if (look === looks) return { wall: whole, monotonic }
  }
}
