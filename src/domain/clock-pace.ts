import type { z } from 'zod'
import type { clockPace } from './clock-pace-text.ts'

/** What may be asked of a clock. */
export type WantedClock = z.output<typeof clockPace>

/** How time passes. */
export interface Pace {
  readonly mode: 'real' | 'manual'
  readonly speed: number
}

/** The pace that is wanted: `speed` alone means a running clock, but 0 a manual one; a manual one that is set running
 *  passes one second in a second. */
export function paceOf(before: Pace, { mode, speed }: WantedClock): Pace {
  const wanted = mode ?? (speed === undefined ? before.mode : speed === 0 ? 'manual' : 'real')
  return { mode: wanted, speed: wanted === 'manual' ? 0 : speed || before.speed || 1 }
}
