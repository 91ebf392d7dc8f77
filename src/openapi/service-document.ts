import * as z from 'zod'
import type {
  ZodOpenApiObject,
  ZodOpenApiOperationObject,
  ZodOpenApiPathItemObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import type { OperationSpec } from '../api/call.ts'
import { errorText, webhookEvent } from '../api/contract/answers.ts'
import { beforeAnyCall, documentHead } from './document-head.ts'
import { operationWords } from './operation-words.ts'

/** The OpenAPI document of the service that is emulated.
 *  @param operations those that are served */
export function serviceDocument(operations: readonly OperationSpec[]): ZodOpenApiObject {
  const paths: Record<string, ZodOpenApiPathItemObject> = {}
  for (const spec of operations) {
    paths[spec.path] = { ...paths[spec.path], [spec.method.toLowerCase()]: operation(spec) }
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
    webhooks: { orderStatus: { post: webhook } },
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
      responses: {
        MethodNotAllowed: {
          ...refusal('The path requires another method.'),
          headers: refusalHeaders.extend({ allow: z.string() }),
        },
        NotFound: refusal('There is nothing at this path; the message names the nearest path.'),
        TooLarge: refusal('The body is larger than 1 MiB.'),
        UnsupportedMediaType: refusal('The `Content-Type` is not JSON, or the body is compressed.'),
        Bug: refusal('The emulator failed: this is a bug.'),
        DiskFull: refusal('The disk with the database is full.'),
      },
    },
  }
}

const description = [
  'Bodies are exactly those of the service. Where the API specification leaves something open, the emulator makes an assumption; `GET /_emulator/choices`',
  'lists all assumptions and the settings that change them. The request log says why a request was refused:',
  'the header `emulator-request-id` contains the id of its entry (`GET /_emulator/requests/{id}`), and `emulator-diagnosis` the',
  'URL of its page.',
  'Scenarios and faults may answer anything else on purpose.',
  `\n\n${beforeAnyCall}`,
].join(' ')

const answerHeaders = z.object({
  'emulator-request-id': z.string().meta({ description: 'The id of the request log entry.' }),
})

const refusalHeaders = answerHeaders.extend({
  'emulator-diagnosis': z.url().meta({ description: 'The URL of the dashboard page that says why.' }),
})

function operation(spec: OperationSpec): ZodOpenApiOperationObject {
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
    responses: responsesOf(spec),
  }
}

function tagOf({ operation }: OperationSpec): string {
  if (operation.startsWith('create-')) return 'orders'
  return operation.includes('webhook') ? 'webhooks' : 'lookups'
}

function responsesOf(spec: OperationSpec): ZodOpenApiOperationObject['responses'] {
  const { body, answer, invalid, unauthorised } = operationWords[spec.name]
  const ofBody = { 413: shared('TooLarge'), 415: shared('UnsupportedMediaType') }
  return {
    200: response('Done.', answer),
    400: refusal(
      'Invalid input; the message names all invalid fields. The setting `errors.validationStatus` can select another status from 400 to 499.',
      invalid,
    ),
    401: refusal(
      spec.operation.startsWith('create-')
        ? 'The verification of the client failed (the error is a text), or an order with this requestId already exists (code 7001).'
        : 'The verification of the client failed.',
      unauthorised,
    ),
    ...(body === undefined ? {} : ofBody),
    500: shared('Bug'),
    507: shared('DiskFull'),
  }
}

const response = (
  description: string,
  schema: z.ZodType,
  headers: z.ZodObject = answerHeaders,
): ZodOpenApiResponseObject => ({
  description,
  headers,
  content: { 'application/json': { schema } },
})

const shared = (name: string) => ({ $ref: `#/components/responses/${name}` })

const refusal = (description: string, schema: z.ZodType = errorText): ZodOpenApiResponseObject =>
  response(description, schema, refusalHeaders)

const webhook: ZodOpenApiOperationObject = {
  operationId: 'orderStatusChanged',
  summary: 'Notifies your application of a new order status',
  description:
    'Sent to the webhook URL of the client, at least once, with the same bytes in every attempt. The first attempts for an order keep the order of its events; a retry may arrive later. The setting `webhook.format` selects other bodies: `envelope`, `jwt`, or your own template.',
  tags: ['webhooks'],
  security: [],
  requestParams: {
    header: z.object({
      'webhook-id': z.string().meta({ description: 'The same in every attempt: use it to ignore repeats.' }),
      'webhook-timestamp': z
        .string()
        .meta({ description: 'Seconds since 1970, when the attempt was signed.' }),
      'webhook-signature': z
        .string()
        .meta({ description: '`v1,` followed by the signature in base64, as defined by Standard Webhooks.' }),
    }),
  },
  requestBody: { required: true, content: { 'application/json': { schema: webhookEvent } } },
  responses: {
    '2XX': { description: 'Accepted; no further attempt follows.' },
    410: { description: 'Rejected permanently: the URL is paused until it is set again.' },
    default: { description: 'The webhook is sent again later.' },
  },
}
