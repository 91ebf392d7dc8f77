import { z } from 'zod'
import { durationPattern, parseDuration, parseSpan } from './duration.ts'
import { shown } from './issue-words.ts'

/** Text in, milliseconds out; the door for durations in files and requests. */
export const duration = z
  .string({ error: ({ input }) => (input === undefined ? undefined : notADuration(input)) })
  .meta({ pattern: `^${durationPattern}$`, examples: ['250ms', '2s', '15m', '26h', '30d', '1h30m'] })
  .transform((text, context) => {
    const ms = parseDuration(text)
    if (ms !== null) return ms
    context.addIssue(notADuration(text))
    return z.NEVER
  })

/** Text that `addDuration` takes, months and years too; it stays text, because they are not always equally long. */
export const calendarSpan = z
  .string({ error: ({ input }) => (input === undefined ? undefined : notASpan(input)) })
  .refine((text) => parseSpan(text) !== null, { error: ({ input }) => notASpan(input) })

/** A number that stands where a span of time is wanted: the most usual slip. Null for anything else. */
export function unitMissing(input: unknown): string | null {
  if (!/^\d{1,15}$/.test(textOf(input))) return null
  return `expected a duration, and ${input} has no unit; write ${input}s, ${input}m, ${input}h or ${input}d`
}

/** An object that came as JSON may have a `toString` of its own, which is no function. */
const textOf = (input: unknown): string =>
  typeof input === 'string' || typeof input === 'number' ? String(input) : ''

const notADuration = (input: unknown): string =>
  unitMissing(input) ??
  `expected a duration like 250ms, 2s, 15m, 26h, 30d, 1h30m or PT15M, not ${shown(input)}`

const notASpan = (input: unknown): string =>
  unitMissing(input) ??
  (/^-./.test(textOf(input))
    ? `${shown(input)} goes back, and a clock never does`
    : `expected a duration like 10m, 30d or P1M, not ${shown(input)}`)
