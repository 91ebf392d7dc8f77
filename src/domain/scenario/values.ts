import * as z from 'zod'
import { likelyTypo, statusesOfSteps } from '../order/statuses.ts'
import { durationPattern, parseDuration, unitMissing } from '../text/duration.ts'
import { duration } from '../text/duration-schema.ts'
import { shown } from '../text/issue-words.ts'
import { orderDates, type ScriptedAmount, type When } from './scenario.ts'

/** A status of a payment, a settlement or a refund: any word, because the service may use undocumented ones. */
export const statusWord = z.string().min(1).max(64).meta({ examples: statusesOfSteps })

/** An orderStatus, in a place where a word that resembles a documented one must be a typo. */
export const orderStatusWord = statusWord.superRefine((word, context) => {
  const slip = likelyTypo(word)
  if (slip !== undefined) context.addIssue(slip)
})

/** An error code as text, because `9006.1` is no number. */
export const errorCode = z
  .string({
    error: ({ input }) =>
      typeof input === 'number' ? `an error code is text; put it in quotes: "${input}"` : undefined,
  })
  .min(1)
  .max(32)
  .meta({ examples: ['9004', '9005', '9006.1'] })

/** The schema of a time in a scenario: `2s`, `expiry`, `trialEnd + 1h`, `payer`. */
export const moment = z
  .string({ error: ({ input }) => (input === undefined ? undefined : notAMoment(input)) })
  .meta({
    pattern: `^(?:payer|${durationPattern}|(?:${orderDates.join('|')})(?:\\s*[+-]\\s*${durationPattern})?)$`,
    examples: ['2s', '12m', '26h', 'expiry', 'expiry - 1m', 'interval + 3d', 'payer'],
  })
  .transform((text, context): When => {
    if (text === 'payer') return { on: 'payer' }
    const offsetMs = parseDuration(text)
    if (offsetMs !== null) return { since: 'creation', offsetMs }
    const date = readDate(text)
    if (date !== null) return date
    context.addIssue(notAMoment(text))
    return z.NEVER
  })

/** The schema of a refund amount: `"3.50"`, `30%`, `all`. */
export const scriptedAmount = z
  .string({ error: ({ input }) => (input === undefined ? undefined : notAnAmount(input)) })
  .meta({
    pattern: '^(?:all|\\d{1,6}(?:\\.\\d{1,4})?\\s?%|\\d{1,30}(?:\\.\\d{1,18})?)$',
    examples: ['30%', '99.5%', '3.50', 'all'],
  })
  .transform((text, context): ScriptedAmount => {
    if (text === 'all') return { percent: '100' }
    const percent = /^(\d{1,6}(?:\.\d{1,4})?)\s?%$/.exec(text)?.[1]
    if (percent !== undefined) return { percent }
    if (/^\d{1,30}(\.\d{1,18})?$/.test(text)) return { exact: text }
    context.addIssue(notAnAmount(text))
    return z.NEVER
  })

/** The schema of a size: `200KiB`. */
export const byteSize = z
  .string()
  .regex(/^\d{1,7}(B|KiB)$/, 'expected a size like 512B or 200KiB')
  .meta({ examples: ['512B', '200KiB'] })
  .transform((text) => Number.parseInt(text, 10) * (text.endsWith('KiB') ? 1024 : 1))
  .refine((bytes) => bytes <= 512 * 1024, 'must be at most 512KiB')

export { duration }

function readDate(text: string): When | null {
  const parts = /^(\w+)(?:\s*([+-])\s*(\S+))?$/.exec(text)
  const since = orderDates.find((date) => date === parts?.[1])
  if (since === undefined) return null
  if (parts?.[2] === undefined) return { since, offsetMs: 0 }
  const offsetMs = parseDuration(parts[3] ?? '')
  if (offsetMs === null) return null
  return { since, offsetMs: parts[2] === '-' ? -offsetMs : offsetMs }
}

const notAMoment = (input: unknown): string =>
  unitMissing(input) ??
  `expected a time after the creation like 2s or 26h, a date of the order (${orderDates.join(', ')}) ` +
    `like \`expiry + 1m\`, or \`payer\`, not ${shown(input)}`

const notAnAmount = (input: unknown): string =>
  `expected an amount in quotes like "3.50", a part like 30%, or all, not ${shown(input)}`
