import * as z from 'zod'

/** Minutes east of UTC, from a text that `utcOffset` accepts. */
export function offsetMinutes(text: string): number {
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(4, 6))
  return text.startsWith('-') ? -minutes : minutes
}

/** A UTC offset as `expiryTs` carries it, `+00:00` to `+14:00` and `-12:00` (R16, N13); text in, text out. */
export const utcOffset = z
  .string()
  .regex(/^(?!-00:00)[+-]\d\d:[0-5]\d$/, 'expected a UTC offset such as +00:00 or -03:00')
  .refine((text) => offsetMinutes(text) >= -12 * 60 && offsetMinutes(text) <= 14 * 60, {
    error: 'no place on earth has this offset; use an offset from -12:00 to +14:00',
    abort: true,
  })
