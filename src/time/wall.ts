import { uptime } from 'node:os'
import type { EpochMs } from '../domain/time.ts'

/** The wall's time, for logs, HTTP and the signature's timestamp. It may jump. */
export const wallNow = (): EpochMs => Date.now()

/** Monotonic milliseconds for durations; starts anywhere. */
export const stopwatch: () => number = performance.now.bind(performance)

/** How far the machine's uptime may run ahead of the process's monotonic clock before the machine is taken to
 *  have slept; `os.uptime` counts in hundredths of a second. */
const sleepToleranceMs = 2_000
const sleepCheckMs = 1_000

/** A wall clock that nobody can set: begins at the wall's time and then follows the time that passes, the
 *  machine's sleep included. Clients' clocks stand on it, so that a jump of the wall fires nothing early. */
export function steadyWall(): () => EpochMs {
  const begun = { wall: Date.now(), monotonic: stopwatch(), uptime: uptime() * 1000 }
  let sleptMs = 0
  let checkedAt = begun.monotonic
  return () => {
    const monotonic = stopwatch()
    if (monotonic - checkedAt > sleepCheckMs) {
      checkedAt = monotonic
      // The stopwatch stands still while a laptop sleeps; the uptime does not.
      const behind = uptime() * 1000 - begun.uptime - (monotonic - begun.monotonic)
      if (behind > sleptMs + sleepToleranceMs) sleptMs = behind
    }
    return Math.floor(begun.wall + monotonic - begun.monotonic + sleptMs)
  }
}
