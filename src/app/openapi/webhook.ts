import * as z from 'zod'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import { webhookEvent } from '../../api/contract/answers.ts'
import type { Settings } from '../../domain/choices/settings.ts'
import { isMapping } from '../../domain/text/objects.ts'
import type { ValueKind } from '../../domain/text/template.ts'
import { batchPlaceholders } from '../../domain/webhook/batch-form.ts'
import { jwtOf, memberOf } from '../../domain/webhook/jwt.ts'
import { webhookPlaceholders } from '../../domain/webhook/payload-template.ts'
import { type ReadingSettings, templatesOf } from '../../domain/webhook/read-events.ts'

/** The settings that the description of webhooks follows. */
export type WebhookSettings = ReadingSettings &
  Pick<
    Settings,
    'webhook.headers' | 'webhook.auth' | 'webhook.signature' | 'webhook.jwt' | 'webhook.jwtAlgorithm'
  >

/** Describes the webhooks as the settings send them. */
export const webhookOperation = (settings: WebhookSettings): ZodOpenApiOperationObject => ({
  operationId: 'orderStatusChanged',
  summary: 'Notifies your application of a new order status',
  description:
    'Sent to the webhook URL of the client, at least once, with the same bytes in every attempt. The first attempts for an order keep the order of its events; a retry may arrive later. The setting `webhook.format` selects other bodies: `envelope`, `jwt`, or your own template.',
  tags: ['webhooks'],
  security: [],
  requestParams: {
    header: z.object({ ...tokenHeader(settings), ...signatureHeaders(settings), ...ownHeaders(settings) }),
  },
  requestBody: { required: true, content: { 'application/json': { schema: bodySchema(settings) } } },
  responses: {
    '2XX': { description: 'Accepted; no further attempt follows.' },
    410: {
      description:
        'Rejected permanently: the URL is paused until it is set again, unless `webhook.gone` is `retry`.',
    },
    default: { description: 'The webhook is sent again later.' },
  },
})

/** The header of a token, if it is sent in one. */
function tokenHeader(settings: WebhookSettings): Record<string, z.ZodString> {
  const header = jwtOf(settings)?.header
  return header === undefined
    ? {}
    : { [header]: z.string().meta({ description: 'A JWT whose claims are the event.' }) }
}

function signatureHeaders(settings: WebhookSettings): Record<string, z.ZodString> {
  const { 'webhook.auth': auth, 'webhook.signature': own } = settings
  if (own !== null) {
    const texts = { ...own.headers, [own.header]: own.format }
    const described = Object.entries(texts).map(([name, text]) => [
      name,
      z.string().meta({ description: `From the setting \`webhook.signature\`: ${text}` }),
    ])
    return Object.fromEntries(described)
  }
  if (auth === 'none') return {}
  if (auth === 'hmac-body')
    return {
      signature: z.string().meta({
        description: 'HMAC-SHA256 of the body in base64; the key is the API secret.',
      }),
    }
  return {
    'webhook-id': z.string().meta({ description: 'The same in every attempt: use it to ignore repeats.' }),
    'webhook-timestamp': z.string().meta({ description: 'Seconds since 1970, when the attempt was signed.' }),
    'webhook-signature': z.string().meta({
      description:
        '`v1,` followed by the signature in base64, as defined by Standard Webhooks. While a secret rotates there are several, separated by spaces; one must match.',
    }),
  }
}

const ownHeaders = ({ 'webhook.headers': headers }: WebhookSettings) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name,
      z
        .string()
        .optional()
        .meta({ description: `From the setting \`webhook.headers\`: ${text}` }),
    ]),
  )

/** A part of a JSON Schema. */
interface Schema {
  readonly [name: string]: unknown
}

function bodySchema(settings: WebhookSettings) {
  const { 'webhook.batch': batch } = settings
  if (batch === null) return eventSchema(settings)
  const events: Schema = { type: 'array', items: eventSchema(settings), maxItems: batch.max }
  return batch.template === undefined ? events : schemaOf(batch.template, settings, events)
}

function eventSchema(settings: WebhookSettings) {
  const format = settings['webhook.format']
  const isPlain = [settings['words.webhook'], settings['words.events']].every(
    (words) => Object.keys(words).length === 0,
  )
  if (format === 'flat' && isPlain) return webhookEvent
  const jwt = jwtOf(settings)
  const member = jwt && memberOf(jwt)
  if (member !== null)
    return z.object({ [member]: z.string().meta({ description: 'A JWT whose claims are the event.' }) })
  const schemas = templatesOf(settings).map((template) => schemaOf(template, settings))
  const [first = {}] = schemas
  return schemas.length === 1 ? first : { anyOf: schemas }
}

/** The schema of a filled template.
 *  @param events the schema of the list in a batch */
function schemaOf(template: unknown, settings: WebhookSettings, events: Schema = {}): Schema {
  if (template === '${events}') return events
  if (typeof template === 'string') return textSchema(template, settings)
  if (Array.isArray(template))
    return { type: 'array', items: template.length === 1 ? schemaOf(template[0], settings, events) : {} }
  if (!isMapping(template)) return { const: template }
  const members = Object.entries(template).filter(([name]) => !name.includes('${'))
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, each]) => [name, schemaOf(each, settings, events)])),
  }
}

function textSchema(template: string, settings: WebhookSettings): Schema {
  if (!template.includes('${')) return { const: template }
  const [name = '', ...formats] = /^\$\{([^}]*)\}$/.exec(template)?.[1]?.split(':') ?? []
  const kinds: Readonly<Record<string, ValueKind>> = {
    ...batchPlaceholders.values,
    ...webhookPlaceholders.values,
  }
  const kind = kinds[name]
  if (kind === undefined) return { type: 'string' }
  if (kind === 'json' && formats.length === 0) return {}
  const isNumber = kind === 'number' ? formats.length === 0 : numeric.has(formats.at(-1))
  if (isNumber) return { type: 'number' }
  const words = formats.length === 0 ? wordsOf(name, settings) : []
  return { type: 'string', ...(words.length > 0 && { examples: words }) }
}

/** The formats that make a number of an amount or a time. */
const numeric: ReadonlySet<string | undefined> = new Set(['number', 'minor', 'seconds', 'milliseconds'])

function wordsOf(name: string, settings: WebhookSettings): readonly string[] {
  if (name === 'eventType') return [...new Set(Object.values(settings['words.events']))]
  const isStatus = ['orderStatus', 'refundStatus', 'statusOfOrder'].includes(name)
  return isStatus ? Object.values(settings['words.webhook']) : []
}
