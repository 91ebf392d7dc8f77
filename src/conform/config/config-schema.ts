import * as z from 'zod'
import { parseDuration, unitMissing } from '../../domain/duration.ts'
import { isUrl } from '../../domain/is-url.ts'
import { orList, shown } from '../../domain/issue-words.ts'
import { check, type Problem } from '../../domain/problems.ts'
import type { PrintedOrderStatus } from '../../domain/statuses.ts'
import { webhookUrl } from '../../domain/webhook-url.ts'
import type { ConformConfig } from './config.ts'
import { placeholdersIn, strayPlaceholder } from './placeholders.ts'

/** Members that may be functions, where the configuration is an object of a program. */
const callables = ['start', 'startSubscription', 'probe', 'reconcile', 'time', 'browser']

/** What is wrong with a configuration, in words for people. What is a function is taken as it is. */
export function configProblems(config: ConformConfig): Problem[] {
  const isObject = typeof config === 'object' && config !== null
  const written = isObject
    ? Object.fromEntries(
        Object.entries(config).filter(([name, value]) => value !== undefined && !isCallable(name, value)),
      )
    : config
  const checked = check(conformText, written)
  return checked.ok ? [] : checked.problems
}

const isCallable = (name: string, value: unknown): boolean =>
  callables.includes(name) && (typeof value === 'function' || value === undefined)

const jsonPointer = z
  .string()
  .refine((text) => /^(\/([^~]|~[01])*)?$/.test(text), {
    error: ({ input }) => `expected a JSON pointer like ${pointerLike(input)}, not ${shown(input)}`,
  })
  .meta({ examples: ['/requestId', '/order/status', '/items/0/id'] })

/** What somebody means who writes `requestId`, `order.status` or `$.order.status`. */
function pointerLike(text: unknown): string {
  const steps = String(text)
    .replace(/^\$\.?/, '')
    .split(/[./]+/)
    .filter((step) => step !== '')
  const plain = steps.length > 0 && steps.every((step) => /^[\w-]{1,40}$/.test(step))
  return `\`/${plain ? steps.join('/') : 'order/status'}\``
}

/** A span up to a longest one; it stays text. */
const span = (longest: string, description: string) =>
  z
    .string({
      error: ({ input }) => (typeof input === 'number' ? (unitMissing(input) ?? undefined) : undefined),
    })
    .superRefine((text, context) => {
      const ms = parseDuration(text)
      if (ms === null)
        context.addIssue(unitMissing(text) ?? `expected a duration like 500ms, 2s or 1m, not ${shown(text)}`)
      else if (ms > (parseDuration(longest) ?? 0)) context.addIssue(`must be at most ${longest}`)
    })
    .meta({ description })

const headers = z
  .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'is no name of a header'), z.string())
  .meta({
    description: 'As they are sent; `content-type: application/json` is added where the body is no text.',
  })

/** The members of every call. @param description of its method */
const callMembers = (description: string) => ({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional().meta({ description }),
  url: z
    .string()
    .superRefine((url, context) => {
      if (!isCallableUrl(url))
        context.addIssue(`expected a URL like http://127.0.0.1:3000/orders, not ${shown(url)}`)
    })
    .meta({ examples: ['http://127.0.0.1:3000/orders'] }),
  headers: headers.optional(),
  body: z.unknown().optional().meta({ description: 'Sent as JSON; a text is sent as it is.' }),
})

/** Placeholders are letters and digits, so a URL is one with them and without. */
const isCallableUrl = (url: string): boolean =>
  /^https?:\/\/[^/?#]/i.test(url) && !/\s/.test(url) && isUrl(url.replaceAll(/\{\w+\}/g, '1'))

interface WrittenCall {
  readonly method?: string | undefined
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
}

interface CallPlaceholders {
  readonly known: readonly string[]
  readonly required?: readonly string[]
  readonly usually: 'GET' | 'POST'
}

/** Rules about a call as a whole.
 *  @param required the placeholders without one of which such a call makes no sense */
const callRules =
  ({ known, required, usually }: CallPlaceholders) =>
  (
    { url, headers = {}, body, method = usually }: WrittenCall,
    context: z.core.$RefinementCtx<unknown>,
  ): void => {
    const places = [
      ['url', url, 'url'],
      ['headers', headers, 'text'],
      ['body', body, 'text'],
    ] as const
    for (const [member, value, where] of places) {
      const stray = strayPlaceholder(value, known, where)
      if (stray !== null) context.addIssue({ code: 'custom', path: [member], message: stray })
    }
    const used = placeholdersIn([url, headers, body])
    if (required !== undefined && !required.some((name) => used.includes(name)))
      context.addIssue({
        code: 'custom',
        path: ['url'],
        message: `${orList(required.map((name) => `{${name}}`))} stands nowhere in this call: without it each call would be the same`,
      })
    if (method === 'GET' && body !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['body'],
        message: 'a GET call carries no body; give `method: POST`',
      })
  }

const startCall = z
  .strictObject({
    ...callMembers('POST if left out.'),
    requestId: jsonPointer.optional().meta({
      description:
        'Where the requestId stands in the answer. Left out, it is read from the create call that follows.',
    }),
    id: jsonPointer.optional().meta({
      description: 'Where its own name of the order stands in the answer, for a probe that asks by `{id}`.',
    }),
  })
  .superRefine(callRules({ known: ['unique', 'text'], usually: 'POST' }))

const words = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])

const statuses = z
  .strictObject({
    CREATED: words.optional().meta({ description: 'Its words for an order that is not paid yet.' }),
    COMPLETED: words.meta({ description: 'Its words for an order that is paid.' }),
    FAILED: words.optional().meta({ description: 'Its words for an order that has failed.' }),
  } satisfies Record<PrintedOrderStatus, z.ZodType>)
  .superRefine((named, context) => {
    const seen = new Map<string, string>()
    for (const [status, value] of Object.entries(named)) {
      for (const word of [value ?? []].flat()) {
        const other = seen.get(word)
        if (other !== undefined)
          context.addIssue({
            code: 'custom',
            path: [status],
            message: `${shown(word)} stands under ${other} already: one word means one status`,
          })
        seen.set(word, status)
      }
    }
  })

const probeCall = z
  .strictObject({
    ...callMembers('GET if left out.'),
    status: jsonPointer.meta({ description: 'Where the application’s own status stands in the answer.' }),
    statuses: statuses.meta({ description: 'Which of its words mean what.' }),
    effects: jsonPointer.optional().meta({
      description:
        'Where it counts what it released or granted for the order: a number, a list, or true and false.',
    }),
    perEffect: z
      .number()
      .gt(0)
      .optional()
      .meta({ description: 'By how much that count grows for one paid order; 1 if left out.' }),
  })
  .superRefine(callRules({ known: ['requestId', 'id'], required: ['requestId', 'id'], usually: 'GET' }))

const plainCall = z.strictObject(callMembers('POST if left out.'))

/** The configuration of the integration check, as a file has it. */
export const conformText = z
  .strictObject({
    client: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'The clientId whose credentials the application has; demo-client if left out.' }),
    webhookUrl: webhookUrl.optional().meta({
      description: 'Where the application takes webhooks; the one that the client has, if left out.',
    }),
    webhookSignature: z.enum(['none', 'standard', 'hmac-body']).optional().meta({
      description: 'How it verifies webhooks; none if left out: then nothing is said about signatures.',
    }),
    start: startCall.optional().meta({ description: 'Makes it create a checkout order.' }),
    startSubscription: startCall.optional().meta({ description: 'Makes it create a monthly subscription.' }),
    probe: probeCall.optional().meta({ description: 'Asks it what it holds an order for.' }),
    reconcile: plainCall
      .superRefine(callRules({ known: [], usually: 'POST' }))
      .optional()
      .meta({ description: 'Makes it look its open orders up now, like the endpoint of a cron job.' }),
    time: plainCall
      .superRefine(callRules({ known: ['now'], required: ['now'], usually: 'POST' }))
      .optional()
      .meta({
        description:
          'Tells it the time of the client’s clock, epoch milliseconds, whenever that has moved. Webhooks are signed with the real time all the same.',
      }),
    polling: span(
      '10m',
      'Within which time it finds by polling what no webhook has told; 10s if left out.',
    ).optional(),
    settle: span('1m', 'How long it may take to act on what it was told; 500ms if left out.').optional(),
    patience: span('5m', 'How long is waited at most for what must happen; 5s if left out.').optional(),
  })
  .superRefine(({ start, startSubscription, probe }, context) => {
    if (probe === undefined || !placeholdersIn([probe.url, probe.headers, probe.body]).includes('id')) return
    for (const [member, call] of Object.entries({ start, startSubscription }))
      if (call !== undefined && call.id === undefined)
        context.addIssue({
          code: 'custom',
          path: [member],
          message: `the probe asks by {id}, so say where that stands in the answer: \`id: /id\``,
        })
  })
