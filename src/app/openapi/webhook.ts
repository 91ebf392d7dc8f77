import * as z from 'zod'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import { webhookEvent } from '../../api/contract/answers.ts'
import type { Settings } from '../../domain/choices/settings.ts'
import { batchPlaceholders } from '../../domain/webhook/batch-form.ts'
import { jwtOf, memberOf } from '../../domain/webhook/jwt.ts'
import { webhookPlaceholders } from '../../domain/webhook/payload-template.ts'
import { type ReadingSettings, templatesOf } from '../../domain/webhook/read-events.ts'
import { schemaOf } from './template-schema.ts'

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

function bodySchema(settings: WebhookSettings) {
  const { 'webhook.batch': batch, 'webhook.format': format } = settings
  const isPlain = [settings['words.webhook'], settings['words.events']].every(
    (words) => Object.keys(words).length === 0,
  )
  if (batch === null) return format === 'flat' && isPlain ? webhookEvent : eventSchema(settings)
  const events = { type: 'array' as const, items: eventSchema(settings), maxItems: batch.max }
  if (batch.template === undefined) return events
  return schemaOf(batch.template, { kinds: batchPlaceholders.values, parts: { events } })
}

function eventSchema(settings: WebhookSettings) {
  const jwt = jwtOf(settings)
  const member = jwt && memberOf(jwt)
  if (member !== null) {
    const token = { type: 'string', description: 'A JWT whose claims are the event.' }
    return { type: 'object' as const, properties: { [member]: token }, required: [member] }
  }
  const schemas = templatesOf(settings).map((template) =>
    schemaOf(template, {
      kinds: webhookPlaceholders.values,
      wordsOf: (name) => wordsOf(name, settings),
    }),
  )
  const [first = {}] = schemas
  return schemas.length === 1 ? first : { anyOf: schemas }
}

function wordsOf(name: string, settings: WebhookSettings): readonly string[] {
  if (name === 'eventType') return [...new Set(Object.values(settings['words.events']))]
  const isStatus = ['orderStatus', 'refundStatus', 'statusOfOrder'].includes(name)
  return isStatus ? Object.values(settings['words.webhook']) : []
}
