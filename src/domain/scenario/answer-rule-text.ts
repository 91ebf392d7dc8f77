import { z } from 'zod'
import { duration, parseDuration } from '../duration.ts'
import { shown } from '../issue-words.ts'
import {
  type AnswerEffect,
  type AnswerRule,
  bodiless,
  type FaultStage,
  faultStages,
  orderOperations,
} from './answer-rules.ts'

const longestWaitMs = 30 * 86_400_000
const wait = duration.refine((ms) => ms <= longestWaitMs, 'must be at most 30d')

/** No call of these names an order, so no scenario holds for it. */
const orderless = ['webhook-url', 'access-token']

const namesNoOrder = ({ input }: { input?: unknown }): string | undefined =>
  typeof input === 'string' && orderless.includes(input)
    ? `a call of ${input} names no order, so no scenario holds for it`
    : undefined

const operation = z.enum(orderOperations, { error: namesNoOrder })

/** `60s`, and null for `forever`. */
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

/** What Node, or the emulator itself, says about an answer. */
const ownHeaders = ['content-length', 'transfer-encoding', 'trailer', 'upgrade', 'emulator-request-id']

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is no name of a header')
  .refine((name) => !ownHeaders.includes(name.toLowerCase()), 'can not be chosen here')

const headerValue = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value), 'must be one line of Latin-1 text')

const largestBody = 1024 * 1024

const effectText = z
  .strictObject({
    status: z
      .int()
      .min(200)
      .max(599)
      .optional()
      .meta({ description: 'The status that is answered: 500, 503, 429, ...' }),
    body: z
      .union([z.string().max(largestBody), z.record(z.string(), z.json()), z.array(z.json())], {
        error: ({ input }) => `expected text, an object or a list, not ${shown(input)}`,
      })
      .optional()
      .meta({
        description:
          'The body that is sent: an object is sent as JSON, a text as it is. ' +
          'If left out, an error as the service words it.',
      }),
    headers: z
      .record(headerName, headerValue)
      .optional()
      .meta({ description: 'Headers that are added to the answer, or take the place of its own.' }),
    retryAfter: z
      .int()
      .min(0)
      .max(86_400)
      .optional()
      .meta({ description: 'The header Retry-After, in seconds; goes with `status`.' }),
    delay: wait
      .optional()
      .meta({ description: 'How long the answer is held, on the client’s clock: an advance releases it.' }),
    hang: hang.optional().meta({
      description:
        'Nothing is answered: the connection stays open so long, on the client’s clock, and is then closed. ' +
        'With `forever` it stays open until the caller gives up.',
    }),
    reset: z.literal(true).optional().meta({ description: 'The connection is reset (TCP RST), unanswered.' }),
    cut: z
      .literal(true)
      .optional()
      .meta({ description: 'The answer announces its whole length, and breaks off after half its body.' }),
  })
  .refine((effect) => Object.keys(effect).length > 0, {
    error: 'is empty; write `{ status: 500 }`, for example',
    when: ({ issues }) => issues.length === 0,
  })

type EffectText = z.output<typeof effectText>

/** A rule as a file writes it. */
export const answerRuleText = z
  .strictObject({
    on: z
      .union([operation.transform((one) => [one]), z.array(operation).min(1)], { error: namesNoOrder })
      .meta({ description: 'The operation it is about, or a list; create-order means both creates.' }),
    when: z.enum(faultStages).default('before').meta({
      description:
        'unchecked: before any check. before: after the checks, with nothing done yet. stored: when all is done.',
    }),
    effect: effectText.meta({ description: 'What is done to the call.' }),
    times: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .meta({ description: 'How many calls it is done to; all if left out.' }),
    nth: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .meta({ description: 'Only the n-th call that the rule fits, counted from 1.' }),
    skip: z
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .meta({ description: 'So many calls that the rule fits are answered well first.' }),
    for: duration
      .optional()
      .meta({ description: 'How long the rule holds, from the first call that it fits.' }),
  })
  .superRefine(({ when, effect, nth, times, skip }, context) => {
    const problem = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (nth !== undefined && times !== undefined)
      problem(['nth'], 'is one call; leave `times` out, or use `skip`')
    if (nth !== undefined && skip !== undefined) problem(['nth'], 'goes without `skip`')
    for (const [member, message] of contradictions(effect, when)) problem(['effect', member], message)
  })
  .transform(
    ({ on, when, effect, times, nth, skip, for: forMs }): AnswerRule => ({
      on,
      when,
      effect: compiled(effect),
      skip: nth === undefined ? (skip ?? 0) : nth - 1,
      times: nth === undefined ? (times ?? null) : 1,
      forMs: forMs ?? null,
    }),
  )

/** Members that can't stand together, or need another, by name. */
function contradictions(effect: EffectText, when: FaultStage): [string, string][] {
  const found: [string, string][] = []
  const has = (member: keyof EffectText) => effect[member] !== undefined
  const silent = (['hang', 'reset'] as const).find(has)
  for (const member of ['status', 'body', 'headers', 'retryAfter', 'cut'] as const) {
    if (silent !== undefined && has(member))
      found.push([member, `does not go with \`${silent}\`, which answers nothing`])
  }
  if (has('hang') && has('reset')) found.push(['reset', 'does not go with `hang`'])
  if (has('hang') && has('delay')) found.push(['delay', 'does not go with `hang`, which waits already'])
  if (has('retryAfter') && !has('status')) found.push(['retryAfter', 'needs a `status`, 429 or 503'])
  const says = (['body', 'headers', 'cut'] as const).find(has)
  if (when !== 'stored' && says !== undefined && !has('status')) {
    found.push([says, `needs a \`status\`, unless it says \`when: stored\`: there is no answer yet`])
  }
  const { status = 500 } = effect
  if (bodiless.includes(status) && has('body')) found.push(['body', `an answer with ${status} has none`])
  if (bodiless.includes(status) && has('cut')) found.push(['cut', `an answer with ${status} has no body`])
  else if (when !== 'stored' && status < 400 && !bodiless.includes(status) && !has('body')) {
    found.push(['status', `${status} needs a \`body\`, unless it says \`when: stored\``])
  }
  return found
}

function compiled(effect: EffectText): AnswerEffect {
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

/** What a server would say of such a body. */
function contentTypeOf(body: unknown): string {
  if (typeof body !== 'string') return 'application/json; charset=utf-8'
  const text = body.trimStart()
  if (text.startsWith('<')) return 'text/html; charset=utf-8'
  return /^[{[]/.test(text) ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8'
}
