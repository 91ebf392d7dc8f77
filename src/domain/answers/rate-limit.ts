import * as z from 'zod'
import { headerName } from '../faults/answer/headers.ts'
import { callWords, wordFor } from '../journal/call-words.ts'
import type { Operation } from '../journal/entry.ts'
import { formatDuration } from '../text/duration.ts'
import { duration } from '../text/duration-schema.ts'
import { fillText, type Placeholders, textTemplate } from '../text/template.ts'
import type { EpochMs } from '../text/time.ts'

/** The values that a header of a rate limit can name. */
export const limitPlaceholders = {
  values: {
    limit: 'number',
    remaining: 'number',
    reset: 'time',
    resetIn: 'number',
    period: 'number',
  },
} as const satisfies Placeholders

const longestMs = 366 * 86_400_000

const callWord = z.enum(callWords)

const rateLimit = z
  .strictObject({
    on: z.union([callWord, z.array(callWord).min(1).max(callWords.length)]),
    max: z.int().min(1).max(1_000_000),
    per: duration
      .refine((ms) => ms > 0, 'must be longer than zero')
      .refine((ms) => ms <= longestMs, 'must be at most 366d'),
    headers: z
      .record(
        headerName.refine((name) => name.toLowerCase() !== 'retry-after', {
          error: 'is set by the emulator, when it refuses a call',
        }),
        textTemplate(limitPlaceholders).refine((text) => /^[\t\x20-\x7e]*$/.test(text), {
          error: 'must be one line of ASCII text',
        }),
      )
      .refine((headers) => Object.keys(headers).length <= 20, 'has more than 20 headers')
      .default({}),
    each: z.enum(['client', 'token']).default('client'),
    retryAfter: z.boolean().default(true),
  })
  .transform(({ on, max, per, headers, each, retryAfter }) => ({
    on: typeof on === 'string' ? [on] : on,
    max,
    perMs: per,
    each,
    retryAfter,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text] as const),
    ),
  }))

const mostLimits = 20

/** Schema of the setting `limits` (N81). */
export const rateLimits = z
  .array(rateLimit)
  .max(mostLimits, { error: `has more than ${mostLimits} limits` })
  // A transform runs on valid limits only.
  .transform((limits, context) => {
    const names = limits.map(nameOf)
    names.forEach((name, index) => {
      const first = names.indexOf(name)
      if (first < index)
        context.addIssue({ code: 'custom', path: [index], message: `repeats the limit ${first}: ${name}` })
    })
    return limits
  })

/** A limit for calls of a client in a time. */
export type RateLimit = Readonly<z.output<typeof rateLimit>>

/** The window of a limit: it begins with its first call, and ends a fixed time later. */
export interface Window {
  readonly since: EpochMs
  readonly calls: number
}

/** The windows of a client, by the names of their limits and, for limits of a token, by the token. */
export type Windows = ReadonlyMap<string, Window>

/** The decision about a call under rate limits. */
export interface LimitVerdict {
  /** The limit that refuses the call, and when it takes calls again; null if the call passes. */
  readonly refused: { readonly limit: RateLimit; readonly freeAt: EpochMs } | null
  readonly headers: Readonly<Record<string, string>>
  readonly windows: Windows
}

/** A call that rate limits count. */
interface LimitedCall {
  readonly operation: Operation
  /** The access token of the call; empty for a call without one. */
  readonly token: string
  readonly now: EpochMs
  readonly offset: string
}

/** Decides about a call. A refused call counts for no limit. Of several used-up limits, the one that is free last
 *  refuses it. If two limits name the same header, the later one in the list sets it. */
export function limitVerdict(
  limits: readonly RateLimit[],
  { operation, token, now, offset }: LimitedCall,
  before: Windows,
): LimitVerdict {
  const open = new Map([...before].filter(([name, window]) => isOpen(limits, name, window, now)))
  const met = limits
    .filter(({ on }) => wordFor(on, operation) !== undefined)
    .map((limit) => ({ limit, window: open.get(keyOf(limit, token)) ?? { since: now, calls: 0 } }))
  const full = met
    .filter(({ limit, window }) => window.calls >= limit.max)
    .map(({ limit, window }) => ({ limit, freeAt: window.since + limit.perMs }))
    .toSorted((a, b) => b.freeAt - a.freeAt)
  const refused = full[0] ?? null
  const after = met.map(({ limit, window: { since, calls } }) => ({
    limit,
    window: { since, calls: refused === null ? calls + 1 : calls },
  }))
  const windows = new Map(open)
  for (const { limit, window } of after) if (window.calls > 0) windows.set(keyOf(limit, token), window)
  const headers = Object.assign(
    {},
    ...after.map(({ limit, window }) => headersOf(limit, window, now, offset)),
  )
  return { refused, headers, windows }
}

function isOpen(limits: readonly RateLimit[], key: string, { since }: Window, now: EpochMs): boolean {
  const limit = limits.find((each) => key.startsWith(keyOf(each, '')))
  return limit !== undefined && now < since + limit.perMs
}

function headersOf(
  { max, perMs, headers }: RateLimit,
  { since, calls }: Window,
  now: EpochMs,
  offset: string,
): Record<string, string> {
  const resetAt = since + perMs
  const values = {
    limit: max,
    remaining: max - calls,
    reset: { time: resetAt, offset },
    resetIn: secondsUntil(resetAt, now),
    period: Math.ceil(perMs / 1000),
  }
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fillText(text, values)]))
}

/** Whole seconds until a time, rounded up, as in the header Retry-After. */
export const secondsUntil = (at: EpochMs, now: EpochMs): number => Math.ceil((at - now) / 1000)

/** The key of a limit's window: one for the client, or one for each of its tokens. */
const keyOf = (limit: RateLimit, token: string): string =>
  `${nameOf(limit)}\n${limit.each === 'token' ? token : ''}`

/** The name of a limit, which tells two limits apart: `5 calls per 1m on orders`. */
function nameOf({ on, max, perMs }: RateLimit): string {
  return `${max} ${max === 1 ? 'call' : 'calls'} per ${formatDuration(perMs)} on ${on.join(', ')}`
}

/** Explains the refusal of a call, for the request log. */
export function limitWords(
  { limit, freeAt }: { readonly limit: RateLimit; readonly freeAt: EpochMs },
  now: EpochMs,
): string {
  const when = `in ${formatDuration(freeAt - now)}, at ${new Date(freeAt).toISOString()} on the client's clock`
  return `rate limit: ${nameOf(limit)} (setting \`limits\`) is used up; it is free again ${when}`
}
