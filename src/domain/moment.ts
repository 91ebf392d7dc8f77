import * as z from 'zod'
import type { EpochMs } from './time.ts'

/** No clock goes beyond it: the end of the year 9999, the last that ISO 8601 writes with four digits. */
export const lastMoment: EpochMs = Date.UTC(10_000, 0) - 1

const words = 'must be an ISO 8601 time with an offset, like 2026-04-21T16:12:09Z'
const range = 'must be between the years 1970 and 9999'

/** An ISO 8601 moment with its offset, read as epoch milliseconds. */
export const isoMoment = z.iso
  .datetime({ offset: true, error: words })
  .meta({ examples: ['2026-04-21T16:12:09Z', '2026-01-31T23:30:00-03:00'] })
  .transform((text) => Date.parse(text))
  .refine((at) => at >= 0 && at <= lastMoment, range)

/** The same, or epoch milliseconds. */
export const moment = z.union([z.int().min(0, range).max(lastMoment, range), isoMoment])
