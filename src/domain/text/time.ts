import * as z from 'zod'

/** The limit of all clocks: the end of the year 9999, the last with four digits in ISO 8601. */
export const lastMoment: EpochMs = Date.UTC(10_000, 0) - 1

const words = 'must be an ISO 8601 time with an offset, like 2026-04-21T16:12:09Z'
const range = 'must be between the years 1970 and 9999'

/** Schema of an ISO 8601 time with its offset, read as epoch milliseconds. */
export const isoMoment = z.iso
  .datetime({ offset: true, error: words })
  .meta({ examples: ['2026-04-21T16:12:09Z', '2026-01-31T23:30:00-03:00'] })
  .transform((text) => Date.parse(text))
  .refine((at) => at >= 0 && at <= lastMoment, range)

/** Schema of a time: ISO 8601 with its offset, or epoch milliseconds. */
export const moment = z.union([z.int().min(0, range).max(lastMoment, range), isoMoment])

/** Converts a UTC offset, as `utcOffset` accepts it, to minutes east of UTC. */
export function offsetMinutes(text: string): number {
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(4, 6))
  return text.startsWith('-') ? -minutes : minutes
}

/** Schema of a UTC offset in the format of `expiryTs`, `+00:00` to `+14:00` and `-12:00` (R16, N13); text in, text
 *  out. */
export const utcOffset = z
  .string()
  .regex(/^(?!-00:00)[+-]\d\d:[0-5]\d$/, 'expected a UTC offset such as +00:00 or -03:00')
  .refine((text) => offsetMinutes(text) >= -12 * 60 && offsetMinutes(text) <= 14 * 60, {
    error: 'no place on earth has this offset; use an offset from -12:00 to +14:00',
    abort: true,
  })

/** Milliseconds since 1970-01-01T00:00Z, on the client's clock unless a name says `wall`. */
export type EpochMs = number

/** Formats a time as ISO 8601 with a UTC offset and `fractionDigits` digits of a second (R16, N13). */
export function isoTimestamp(at: EpochMs, fractionDigits: number, offset: string): string {
  const local = at + offsetMinutes(offset) * 60_000
  const second = Math.floor(local / 1000)
  const text = new Date(second * 1000).toISOString().slice(0, -5)
  if (fractionDigits === 0) return text + offset
  const milliseconds = String(local - second * 1000).padStart(3, '0')
  return `${text}.${milliseconds.padEnd(fractionDigits, '0').slice(0, fractionDigits)}${offset}`
}
