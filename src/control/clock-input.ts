import { z } from 'zod'

/** An ISO 8601 moment with its offset, or epoch milliseconds; read as epoch milliseconds. */
export const moment = z.union([
  z.int().min(0).max(8_640_000_000_000_000),
  z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 moment with an offset, like 2026-04-21T16:12:09Z' })
    .transform((text) => Date.parse(text)),
])

/** How a clock is to go: `manual` stands still, `real` passes `speed` seconds in a second. */
export const clockPace = z.strictObject({
  mode: z.enum(['real', 'manual']).optional(),
  speed: z.number().min(0.001).max(1_000_000).optional(),
  now: moment.optional(),
})
