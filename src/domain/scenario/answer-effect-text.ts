import * as z from 'zod'
import { duration, parseDuration } from '../text/duration.ts'
import { shown } from '../text/issue-words.ts'
import { inexact, isExact } from '../text/json-text.ts'
import { type AnswerEffect, bodiless, type FaultStage } from './scenario.ts'

const longestWaitMs = 30 * 86_400_000
const wait = duration.refine((ms) => ms <= longestWaitMs, 'must be at most 30d')

/** `60s`, or null for `forever`. */
const hang = z
  .string({ error: ({ input }) => (input === undefined ? undefined : notAHang(input)) })
  .meta({ examples: ['60s', 'forever'] })
  .transform((text, context) => {
    const ms = text === 'forever' ? null : parseDuration(text)
    if (text === 'forever' || (ms !== null && ms <= longestWaitMs)) return { ms }
    context.addIssue(notAHang(text))
    return z.NEVER
  })

const notAHang = (input: unknown): string =>
  `expected \`forever\`, or a duration like 60s up to 30d, not ${shown(input)}`

/** Headers that Node or the emulator sets. */
const ownHeaders = [
  'content-length',
  'transfer-encoding',
  'trailer',
  'upgrade',
  'emulator-request-id',
  'emulator-diagnosis',
]

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is not a valid header name')
  .refine((name) => !ownHeaders.includes(name.toLowerCase()), 'cannot be set here')

const headerValue = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value), 'must be one line of Latin-1 text')

const largestBody = 1024 * 1024

/** The effect on a call, as written in a scenario file and in `POST /_emulator/faults`. */
export const effectText = z
  .strictObject({
    status: z
      .int()
      .min(200)
      .max(599)
      .optional()
      .meta({ description: 'The status of the answer: 500, 503, 429, ...' }),
    body: z
      .union([z.string().max(largestBody), z.record(z.string(), z.json()), z.array(z.json())], {
        error: ({ input }) => `expected text, an object or a list, not ${shown(input)}`,
      })
      .refine(isExact, inexact)
      .optional()
      .meta({
        description:
          'The body of the answer: an object is sent as JSON, a text as it is. ' +
          'If left out, the service’s own error body.',
      }),
    headers: z
      .record(headerName, headerValue)
      .optional()
      .meta({ description: 'Headers to add to the answer, or to replace.' }),
    retryAfter: z
      .int()
      .min(0)
      .max(86_400)
      .optional()
      .meta({ description: 'The header Retry-After, in seconds; needs `status`.' }),
    delay: wait.optional().meta({
      description: 'How long the answer is held back, on the client’s clock; an advance releases it.',
    }),
    hang: hang.optional().meta({
      description:
        'Sends no answer: the connection stays open this long, on the client’s clock, and is then closed. ' +
        'With `forever` it stays open until the caller gives up.',
    }),
    reset: z
      .literal(true)
      .optional()
      .meta({ description: 'Resets the connection (TCP RST) without an answer.' }),
    cut: z
      .literal(true)
      .optional()
      .meta({ description: 'The answer announces its whole length, but breaks off after half its body.' }),
  })
  .refine((effect) => Object.keys(effect).length > 0, {
    error: 'is empty; write `{ status: 500 }`, for example',
    when: ({ issues }) => issues.length === 0,
  })

export type EffectText = z.output<typeof effectText>

/** Fields that contradict each other, or need another. */
export function contradictions(effect: EffectText, when: FaultStage): [string, string][] {
  const found: [string, string][] = []
  const has = (member: keyof EffectText) => effect[member] !== undefined
  const silent = (['hang', 'reset'] as const).find(has)
  for (const member of ['status', 'body', 'headers', 'retryAfter', 'cut'] as const) {
    if (silent !== undefined && has(member))
      found.push([member, `cannot be combined with \`${silent}\`, which sends no answer`])
  }
  if (has('hang') && has('reset')) found.push(['reset', 'cannot be combined with `hang`'])
  if (has('hang') && has('delay'))
    found.push(['delay', 'cannot be combined with `hang`, which waits already'])
  if (has('retryAfter') && !has('status')) found.push(['retryAfter', 'needs a `status`, 429 or 503'])
  const says = (['body', 'headers', 'cut'] as const).find(has)
  if (when !== 'stored' && says !== undefined && !has('status')) {
    found.push([says, `needs a \`status\`, unless \`when: stored\` is set: there is no answer yet`])
  }
  const { status = 500 } = effect
  if (bodiless.includes(status) && has('body')) found.push(['body', `an answer with ${status} has none`])
  if (bodiless.includes(status) && has('cut')) found.push(['cut', `an answer with ${status} has no body`])
  else if (when !== 'stored' && status < 400 && !bodiless.includes(status) && !has('body')) {
    found.push(['status', `${status} needs a \`body\`, unless \`when: stored\` is set`])
  }
  return found
}

/** Converts an effect to the form that code uses. */
export function compiledEffect(effect: EffectText): AnswerEffect {
  const { status, body, headers = {}, retryAfter, delay, hang, reset, cut } = effect
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return {
    status: status ?? null,
    body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
    headers: {
      ...(body !== undefined && { 'content-type': contentTypeOf(body) }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...Object.fromEntries(named),
    },
    delayMs: delay ?? 0,
    leaves: hang !== undefined ? 'never' : reset ? 'reset' : cut ? 'cut' : 'whole',
    closedAfterMs: hang?.ms ?? null,
  }
}

/** The content type of a faulty body. */
function contentTypeOf(body: unknown): string {
  if (typeof body !== 'string') return 'application/json; charset=utf-8'
  const text = body.trimStart()
  if (text.startsWith('<')) return 'text/html; charset=utf-8'
  return /^[{[]/.test(text) ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8'
}
