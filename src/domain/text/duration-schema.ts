import * as z from 'zod'
import { durationPattern, parseDuration, parseSpan, textOf, unitMissing } from './duration.ts'
import { shown } from './issue-words.ts'

/** Schema of a duration in files and requests: text in, milliseconds out. */
export const duration = z
  .string({ error: ({ input }) => (input === undefined ? undefined : notADuration(input)) })
  .meta({ pattern: `^${durationPattern}$`, examples: ['250ms', '2s', '15m', '26h', '30d', '1h30m'] })
  .transform((text, context) => {
    const ms = parseDuration(text)
    if (ms !== null) return ms
    context.addIssue(notADuration(text))
    return z.NEVER
  })

/** The schema of a duration that may have months and years; it stays a text, because their length depends on the
 *  calendar. */
export const calendarSpan = z
  .string({ error: ({ input }) => (input === undefined ? undefined : notASpan(input)) })
  .refine((text) => parseSpan(text) !== null, { error: ({ input }) => notASpan(input) })

/** Schema of a duration that may be negative: `-5m`. */
export const signedDuration = z
  .string()
  .meta({ pattern: `^[+-]?\\s*${durationPattern}$`, examples: ['5m', '-5m'] })
  .transform((text, context) => {
    const ms = parseDuration(text.replace(/^[+-]\s*/, ''))
    if (ms !== null) return text.startsWith('-') ? -ms : ms
    context.addIssue(`expected a duration like 5m or -5m, not ${shown(text)}`)
    return z.NEVER
  })

const notADuration = (input: unknown): string =>
  unitMissing(input) ??
  `expected a duration like 250ms, 2s, 15m, 26h, 30d, 1h30m or PT15M, not ${shown(input)}`

const notASpan = (input: unknown): string =>
  unitMissing(input) ??
  (/^-./.test(textOf(input))
    ? `${shown(input)} is negative, and a clock never goes back`
    : `expected a duration like 10m, 30d or P1M, not ${shown(input)}`)
