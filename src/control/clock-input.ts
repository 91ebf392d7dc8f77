import { z } from 'zod'
import { moment } from '../domain/moment.ts'

/** How a clock is to go: `manual` stands still, `real` passes `speed` seconds in a second. */
export const clockPace = z.strictObject({
  mode: z.enum(['real', 'manual']).optional(),
  speed: z.number().min(0.001).max(1_000_000).optional(),
  now: moment.optional(),
})

/** How time passes. */
export interface Pace {
  readonly mode: 'real' | 'manual'
  readonly speed: number
}

/** The pace that is wanted: `speed` alone means a running clock; a manual one that is set running passes one second
 *  in a second. */
export function paceOf(before: Pace, wanted: z.output<typeof clockPace>): Pace {
  const mode = wanted.mode ?? (wanted.speed === undefined ? before.mode : 'real')
  return { mode, speed: mode === 'manual' ? 0 : (wanted.speed ?? (before.speed || 1)) }
}
