import * as z from 'zod'
import type { PrintedOrderStatus } from '../../domain/order/statuses.ts'
import { parseDuration, unitMissing } from '../../domain/text/duration.ts'
import { orList, shown } from '../../domain/text/issue-words.ts'
import { check, type Problem } from '../../domain/text/problems.ts'
import { isUrl } from '../../domain/text/urls.ts'
import { webhookUrl } from '../../domain/text/webhook-url.ts'
import type { ConformConfig } from './config.ts'
import { placeholdersIn, strayPlaceholder } from './config.ts'

/** Options that may be functions, if a program passes the configuration. */
const callables = ['start', 'startSubscription', 'probe', 'cancel', 'reconcile', 'time', 'browser']

/** Finds the problems of a configuration. Functions are not checked. */
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

/** The JSON pointer for `requestId`, `order.status` or `$.order.status`. */
function pointerLike(text: unknown): string {
  const steps = String(text)
    .replace(/^\$\.?/, '')
    .split(/[./]+/)
    .filter((step) => step !== '')
  const plain = steps.length > 0 && steps.every((step) => /^[\w-]{1,40}$/.test(step))
  return `\`/${plain ? steps.join('/') : 'order/status'}\``
}

/** The schema of a duration up to `longest`, which stays a text. */
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
  .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'is not a header name'), z.string())
  .meta({
    description: 'HTTP headers; `content-type: application/json` is added unless the body is a string.',
  })

/** The fields that every configured call has.
 *  @param description the description of its method */
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
  body: z.unknown().optional().meta({ description: 'Sent as JSON; a string is sent unchanged.' }),
})

/** Whether a URL is valid, with its placeholders replaced by letters and digits. */
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

/** The rules that concern several fields of a call.
 *  @param required the placeholders of which the call needs at least one */
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
        message: `${orList(required.map((name) => `{${name}}`))} is missing in this call: without it all calls would be the same`,
      })
    if (method === 'GET' && body !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['body'],
        message: 'a GET call has no body; set `method: POST`',
      })
  }

const startCall = z
  .strictObject({
    ...callMembers('HTTP method (default: POST).'),
    requestId: jsonPointer.optional().meta({
      description:
        'JSON pointer to the requestId in the answer (default: it is read from the create call that follows).',
    }),
    id: jsonPointer.optional().meta({
      description: 'JSON pointer to your own id of the order in the answer, for a `probe` that uses `{id}`.',
    }),
  })
  .superRefine(callRules({ known: ['unique', 'text', 'amount', 'cart'], usually: 'POST' }))

const words = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])

const statuses = z
  .strictObject({
    CREATED: words.optional().meta({ description: 'Words for an order that is not paid yet.' }),
    COMPLETED: words.meta({ description: 'Words for an order that is paid.' }),
    FAILED: words.optional().meta({ description: 'Words for an order that failed.' }),
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
            message: `${shown(word)} is already listed under ${other}: each text can mean only one status`,
          })
        seen.set(word, status)
      }
    }
  })

const probeCall = z
  .strictObject({
    ...callMembers('HTTP method (default: GET).'),
    status: jsonPointer.meta({ description: 'JSON pointer to the status in the answer.' }),
    statuses: statuses.meta({
      description: 'Your words for the statuses of the service: one word or a list for each.',
    }),
    effects: jsonPointer.optional().meta({
      description: 'JSON pointer to what was fulfilled for the order: a number, a list, or true and false.',
    }),
    perEffect: z
      .number()
      .gt(0)
      .optional()
      .meta({ description: 'How much `effects` grows for one paid order (default: 1).' }),
  })
  .superRefine(callRules({ known: ['requestId', 'id'], required: ['requestId', 'id'], usually: 'GET' }))

const plainCall = z.strictObject(callMembers('HTTP method (default: POST).'))

/** The schema of a `conform` configuration file. */
export const conformText = z
  .strictObject({
    client: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'The clientId whose credentials your application uses (default: demo-client).' }),
    webhookUrl: webhookUrl.optional().meta({
      description: 'Where your application receives webhooks (default: the webhook URL of the client).',
    }),
    webhookSignature: z.enum(['none', 'standard', 'hmac-body', 'settings']).optional().meta({
      description:
        'How your application verifies webhooks (default: none, which skips what is about signatures). `settings`: as the settings of the client say, by `webhook.auth` or `webhook.signature`.',
    }),
    start: startCall.optional().meta({
      description:
        'Request that makes your application create a checkout order, now or within `patience`. `{unique}` inserts new letters and digits each time, `{text}` the input of a customer, `{amount}` the price, and `{cart}` the name of the cart, which is the same if a customer submits it twice.',
    }),
    startSubscription: startCall.optional().meta({
      description: 'Request that makes your application create a monthly subscription.',
    }),
    probe: probeCall.optional().meta({
      description:
        'Request that asks your application about an order. It contains `{requestId}`, or `{id}`: your own id of the order.',
    }),
    cancel: plainCall
      .superRefine(callRules({ known: ['requestId', 'id'], required: ['requestId', 'id'], usually: 'POST' }))
      .optional()
      .meta({
        description:
          'Request that makes your application give up an order that is not paid, as a customer who cancels it. It contains `{requestId}`, or `{id}`: your own id of the order.',
      }),
    reconcile: plainCall
      .superRefine(callRules({ known: [], usually: 'POST' }))
      .optional()
      .meta({
        description:
          'Request that makes your application look up its open orders now, like the endpoint of a cron job.',
      }),
    time: plainCall
      .superRefine(callRules({ known: ['now'], required: ['now'], usually: 'POST' }))
      .optional()
      .meta({
        description:
          'Request that sets the clock of your application to `{now}`, epoch milliseconds, whenever the clock of the client moves. Webhook timestamps stay in wall-clock time.',
      }),
    polling: span(
      '10m',
      'How long your application takes to find a change by polling (default: 10s).',
    ).optional(),
    settle: span('1m', 'How long your application may take to act on a webhook (default: 500ms).').optional(),
    patience: span('5m', 'How long to wait at most for something that must happen (default: 5s).').optional(),
  })
  .superRefine(({ start, startSubscription, probe, cancel }, context) => {
    const using = Object.entries({ probe, cancel }).find(
      ([, call]) => call !== undefined && placeholdersIn([call.url, call.headers, call.body]).includes('id'),
    )
    if (using === undefined) return
    for (const [member, call] of Object.entries({ start, startSubscription }))
      if (call !== undefined && call.id === undefined)
        context.addIssue({
          code: 'custom',
          path: [member],
          message: `\`${using[0]}\` uses {id}, so set the JSON pointer to it in the answer, like \`id: /id\``,
        })
  })
