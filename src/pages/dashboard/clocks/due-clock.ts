import type { z } from 'zod'
import type { dueClock } from '../../../control/shapes/due-clocks.ts'

/** A clock with what is due next on it. */
export type DueClock = z.output<typeof dueClock>
