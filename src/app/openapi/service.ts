import * as z from 'zod'
import type {
  ZodOpenApiObject,
  ZodOpenApiOperationObject,
  ZodOpenApiPathItemObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import type { OperationName, OperationSpec } from '../../api/call.ts'
import * as answer from '../../api/contract/answers.ts'
import { errorText } from '../../api/contract/answers.ts'
import {
  checkoutExample,
  checkoutRequest,
  lookupQuery,
  simulateRequest,
  subscriptionExample,
  subscriptionRequest,
  webhookUrlRequest,
} from '../../api/contract/requests.ts'
import { errorPlaceholders } from '../../domain/answers/error-body.ts'
import { defaultSettings, type Settings } from '../../domain/choices/settings.ts'
import { checkoutString, sign, subscriptionString } from '../../domain/webhook/signature.ts'
import { beforeAnyCall, documentHead } from './head.ts'
import { schemaOf } from './template-schema.ts'
import { type WebhookSettings, webhookOperation } from './webhook.ts'

/** The settings that the descriptions of errors follow. */
type ErrorSettings = Pick<
  Settings,
  'errors.template' | 'errors.validationTemplate' | 'errors.validationStatus'
>

/** The settings that the document follows. */
export type DocumentSettings = WebhookSettings & ErrorSettings

interface OperationWords {
  readonly summary: string
  readonly description?: string
  /** The headers of the operation, besides the access token. */
  readonly headers?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  readonly answer: z.ZodType
  /** The formats of errors for invalid input (N28) and for 401. */
  readonly invalid: z.ZodType
  readonly unauthorised: z.ZodType
}

const scenarioHeader = z.string().optional().meta({
  description: 'The id of the scenario for the order. The real service does not know this header.',
})

/** @param stringToSign the signed text for the example body */
const createHeaders = (stringToSign: string, signed: string) =>
  z.object({
    signature: z.string().meta({
      description: `HMAC-SHA256 in base64 of the UTF-8 text ${stringToSign}; the key is the API secret.`,
      example: sign(signed, 'demo-secret'),
    }),
    'emulator-scenario': scenarioHeader,
  })

const ofCreate = {
  answer: answer.createdOrder,
  invalid: answer.errorWithCode,
  unauthorised: z.union([answer.errorText, answer.errorWithCode]),
}

const ofLookup = { query: lookupQuery, invalid: answer.errorText, unauthorised: answer.errorText }

const ofUpdate = {
  headers: z.object({
    'client-id': z
      .string()
      .meta({ description: 'The client that the access token belongs to.', example: 'demo-client' }),
  }),
  body: webhookUrlRequest,
  answer: answer.webhookUrlUpdated,
  invalid: answer.errorText,
  unauthorised: answer.errorText,
} as const

const operationWords: Readonly<Record<OperationName, OperationWords>> = {
  createCheckoutOrder: {
    summary: 'Create a checkout order',
    description:
      'Returns the token for the client-side SDK. With the setting `paths.subscription: both`, a body with an `interval` creates a subscription here too.',
    headers: createHeaders(
      '`fiatAmount=<fiatAmount>&requestId=<requestId>`, or the same with `currencyId=<currencyId>&` before it (setting `signature.checkout`)',
      checkoutString(checkoutExample, 'short'),
    ),
    body: checkoutRequest,
    ...ofCreate,
  },
  createSubscriptionOrder: {
    summary: 'Create a subscription',
    headers: createHeaders(
      '`currencyId=<currencyId>&fiatAmount=<fiatAmount>&requestId=<requestId>&interval=<interval>`, followed by `&trialPeriodDays=<trialPeriodDays>` if that is not empty',
      subscriptionString(subscriptionExample),
    ),
    body: subscriptionRequest,
    ...ofCreate,
  },
  lookUpCryptoOrders: {
    summary: 'Look up crypto orders',
    description:
      'Returns the crypto side of the orders with this requestId. The setting `orders.cryptoLeg` decides when a checkout order appears here.',
    ...ofLookup,
    answer: answer.cryptoOrders,
  },
  lookUpOrders: {
    summary: 'Look up orders',
    description: 'Returns the orders with this requestId: for a subscription, one for each charge.',
    ...ofLookup,
    answer: answer.fiatOrders,
  },
  lookUpRefunds: {
    summary: 'Look up refunds',
    description: 'Returns the refunds of the orders with this requestId.',
    ...ofLookup,
    answer: answer.refunds,
  },
  simulateWebhook: {
    summary: 'Simulate a webhook',
    description:
      'Sends a webhook without an order. The client needs a webhook URL; without one the answer is 400.',
    body: simulateRequest,
    answer: answer.webhookSimulated,
    invalid: answer.errorText,
    unauthorised: answer.errorText,
  },
  updateWebhookUrl: {
    ...ofUpdate,
    summary: 'Change the webhook URL',
  },
  updateFiatWebhookUrl: {
    ...ofUpdate,
    summary: 'Change the webhook URL, at the other documented path',
    description: 'The setting `paths.webhookUrl` decides which of the two paths are served.',
  },
}

/** @param operations the operations that the emulator serves at the moment
 *  @param settings the settings of all clients */
export function serviceDocument(
  operations: readonly OperationSpec[],
  settings: DocumentSettings = defaultSettings,
): ZodOpenApiObject {
  const paths: Record<string, ZodOpenApiPathItemObject> = {}
  for (const spec of operations) {
    paths[spec.path] = { ...paths[spec.path], [spec.method.toLowerCase()]: operation(spec, settings) }
  }
  return {
    ...documentHead('Payment order service, as payment-order-emulator serves it', description),
    tags: [
      { name: 'orders', description: 'Checkouts and subscriptions.' },
      { name: 'lookups', description: 'The records of the orders of a requestId.' },
      { name: 'webhooks', description: 'Notifications from the service to your application, and their URL.' },
    ],
    security: [{ accessToken: [] }],
    paths,
    webhooks: { orderStatus: { post: webhookOperation(settings) } },
    components: {
      securitySchemes: {
        accessToken: {
          type: 'apiKey',
          in: 'header',
          name: 'access-token',
          description:
            'From `POST /_emulator/access-token`, or the token that the client has from the start.',
        },
      },
      responses: sharedRefusals(settings['errors.template']),
    },
  }
}

const description = [
  'Bodies are exactly those of the service. Where the API specification leaves something open, the emulator makes an assumption; `GET /_emulator/choices`',
  'lists all assumptions and the settings that change them. The request log says why a request was refused:',
  'the header `emulator-request-id` contains the id of its entry (`GET /_emulator/requests/{id}`), and `emulator-diagnosis` the',
  'URL of its page. The settings `errors.template` and `errors.validationTemplate` give errors other bodies, which this document then shows, except for 401.',
  'Scenarios and faults may answer anything else on purpose.',
  `\n\n${beforeAnyCall}`,
].join(' ')

const answerHeaders = z.object({
  'emulator-request-id': z.string().meta({ description: 'The id of the request log entry.' }),
})

const refusalHeaders = answerHeaders.extend({
  'emulator-diagnosis': z.url().meta({ description: 'The URL of the dashboard page that says why.' }),
})

/** The refusals of any operation. @param template the body of the settings (N80) */
function sharedRefusals(template: unknown): Record<string, ZodOpenApiResponseObject> {
  const other = (words: string) => refusal(words, ofTemplate(template) ?? errorText)
  return {
    MethodNotAllowed: {
      ...other('The path requires another method.'),
      headers: refusalHeaders.extend({ allow: z.string() }),
    },
    NotFound: other('There is nothing at this path; the message names the nearest path.'),
    TooLarge: other('The body is larger than 1 MiB.'),
    UnsupportedMediaType: other('The `Content-Type` is not JSON, or the body is compressed.'),
    TooManyRequests: {
      ...other('A rate limit of the setting `limits` is used up; without limits, only faults answer this.'),
      headers: refusalHeaders.extend({
        'retry-after': z.string().meta({ description: 'Seconds until the limit is free again.' }),
      }),
    },
    Bug: other('The emulator failed: this is a bug.'),
    DiskFull: other('The disk with the database is full.'),
  }
}

/** The schema of errors by a template of the settings; null without one. */
const ofTemplate = (template: unknown) =>
  // A code of the settings may be a number.
  template === null ? null : schemaOf(template, { kinds: { ...errorPlaceholders.values, code: 'json' } })

function operation(spec: OperationSpec, settings: ErrorSettings): ZodOpenApiOperationObject {
  const { summary, description, headers, query, body } = operationWords[spec.name]
  return {
    operationId: spec.name,
    summary,
    ...(description !== undefined && { description }),
    tags: [tagOf(spec)],
    requestParams: {
      ...(headers !== undefined && { header: headers }),
      ...(query !== undefined && { query }),
    },
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: responsesOf(spec, settings),
  }
}

function tagOf({ operation }: OperationSpec): string {
  if (operation.startsWith('create-')) return 'orders'
  return operation.includes('webhook') ? 'webhooks' : 'lookups'
}

function responsesOf(spec: OperationSpec, settings: ErrorSettings): ZodOpenApiOperationObject['responses'] {
  const { body, answer, invalid, unauthorised } = operationWords[spec.name]
  const ofBody = { 413: shared('TooLarge'), 415: shared('UnsupportedMediaType') }
  const template = settings['errors.validationTemplate'] ?? settings['errors.template']
  const ofInput = refusal(
    'Invalid input; the message names all invalid fields. The setting `errors.validationStatus` can select another status from 400 to 499.',
    ofTemplate(template) ?? invalid,
  )
  return {
    [settings['errors.validationStatus']]: ofInput,
    200: response('Done.', answer),
    400: ofInput,
    401: refusal(
      spec.operation.startsWith('create-')
        ? 'The verification of the client failed (the error is a text), or an order with this requestId already exists (code 7001).'
        : 'The verification of the client failed.',
      unauthorised,
    ),
    ...(body === undefined ? {} : ofBody),
    429: shared('TooManyRequests'),
    500: shared('Bug'),
    507: shared('DiskFull'),
  }
}

type BodySchema = z.ZodType | ReturnType<typeof schemaOf>

const response = (
  description: string,
  schema: BodySchema,
  headers: z.ZodObject = answerHeaders,
): ZodOpenApiResponseObject => ({
  description,
  headers,
  content: { 'application/json': { schema } },
})

const shared = (name: string) => ({ $ref: `#/components/responses/${name}` })

const refusal = (description: string, schema: BodySchema): ZodOpenApiResponseObject =>
  response(description, schema, refusalHeaders)
