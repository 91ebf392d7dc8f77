import { uptime } from 'node:os'
import type { EpochMs } from '../domain/text/time.ts'

/** The wall's time, for logs, HTTP and the signature's timestamp. It may jump. */
export const wallNow = (): EpochMs => Date.now()

/** Monotonic milliseconds for durations; starts anywhere. */
export const stopwatch: () => number = performance.now.bind(performance)

/** How far the machine's uptime may run ahead of the process's monotonic clock before the machine is taken to
 *  have slept; `os.uptime` counts in hundredths of a second. */
const sleepToleranceMs = 2_000
const sleepCheckMs = 1_000

/** What a process knows of time. */
interface Readings {
  /** The wall, whole milliseconds. It may jump. */
  readonly wall: () => EpochMs
  readonly stopwatch: () => number
  /** What the wall read when the stopwatch began, with fractions. */
  readonly origin: number
  /** Of the machine, its sleep included, seconds. */
  readonly uptime: () => number
}

const real: Readings = { wall: wallNow, stopwatch, origin: performance.timeOrigin, uptime }

/** A wall clock that nobody can set: begins at the wall's time and then follows the time that passes, the
 *  machine's sleep included. Clients' clocks stand on it, so that a jump of the wall fires nothing early. */
export function steadyWall(readings = real): () => EpochMs {
  const uptimeMs = () => readings.uptime() * 1000
  const begun = { ...beginning(readings), uptime: uptimeMs() }
  let sleptMs = 0
  let checkedAt = begun.monotonic
  return () => {
    const monotonic = readings.stopwatch()
    if (monotonic - checkedAt > sleepCheckMs) {
      checkedAt = monotonic
      // The stopwatch stands still while a laptop sleeps; the uptime does not.
      const behind = uptimeMs() - begun.uptime - (monotonic - begun.monotonic)
      if (behind > sleptMs + sleepToleranceMs) sleptMs = behind
    }
    return Math.floor(begun.wall + monotonic - begun.monotonic + sleptMs)
  }
}

/** How far the two clocks of a process may be apart if nobody has set the wall since it began: where it began is known
 *  to some hundredths of a millisecond, and the wall may turn between a look at it and one at the stopwatch. */
const apartMs = 0.5
/** A process may lose its processor between the two looks, but hardly each time. */
const looks = 3

/** A moment by both clocks. `Date.now` leaves fractions out: a clock that begins without would be behind the wall for
 *  as long as it runs, and whatever is due at a moment of the wall would be late. */
function beginning({ wall, stopwatch, origin }: Readings): { wall: number; monotonic: number } {
  for (let look = 1; ; look++) {
    const whole = wall()
    const monotonic = stopwatch()
    const fine = origin + monotonic
    if (fine > whole - apartMs && fine < whole + 1 + apartMs) return { wall: fine, monotonic }
    // Somebody has set the wall since the process began.
    if (look === looks) return { wall: whole, monotonic }
  }
}
