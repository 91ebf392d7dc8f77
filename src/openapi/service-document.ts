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
      { name: 'lookups', description: 'What became of the orders of a requestId.' },
      { name: 'webhooks', description: 'What the service tells your application, and where.' },
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
            'From `POST /_emulator/access-token`, or the one that the client has had from the start.',
        },
      },
      responses: {
        MethodNotAllowed: {
          ...refusal('Another method than the one of the path.'),
          headers: refusalHeaders.extend({ allow: z.string() }),
        },
        NotFound: refusal('There is nothing at this path; the nearest one is named.'),
        TooLarge: refusal('The body is larger than 1 MiB.'),
        UnsupportedMediaType: refusal('The `Content-Type` is not JSON, or the body is compressed.'),
        Bug: refusal('The emulator has a bug.'),
        DiskFull: refusal('The disk that holds the database is full.'),
      },
    },
  }
}

const description = [
  'Bodies are exactly those of the service. What it leaves open the emulator has chosen; `GET /_emulator/choices`',
  'lists these choices and the settings that change them. Why a request was refused stands in its journal entry,',
  'which the header `emulator-request-id` names: `GET /_emulator/requests/{id}`. `emulator-diagnosis` has the',
  'address of the page that shows it.',
  'Scenarios and faults may answer anything else on purpose.',
  `\n\n${beforeAnyCall}`,
].join(' ')

const answerHeaders = z.object({
  'emulator-request-id': z.string().meta({ description: 'Names the journal entry of the request.' }),
})

const refusalHeaders = answerHeaders.extend({
  'emulator-diagnosis': z.url().meta({ description: 'The page of the dashboard that says why.' }),
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
      'Invalid input; all wrong fields are named. The setting `errors.validationStatus` may make it another status from 400 to 499.',
      invalid,
    ),
    401: refusal(
      spec.operation.startsWith('create-')
        ? 'The verification of the client failed (an error in one text), or there is an order with this requestId already (code 7001).'
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
  summary: 'Tells your application that an order has another status',
  description:
    'Sent to the webhook URL of the client, at least once, in the order of events, with the same bytes on every attempt. The setting `webhook.format` chooses other bodies: `envelope`, `jwt`, or a template of your own.',
  tags: ['webhooks'],
  security: [],
  requestParams: {
    header: z.object({
      'webhook-id': z
        .string()
        .meta({ description: 'The same on every attempt: what was seen may be dropped.' }),
      'webhook-timestamp': z
        .string()
        .meta({ description: 'Seconds since 1970, when the attempt was signed.' }),
      'webhook-signature': z
        .string()
        .meta({ description: '`v1,` and the signature in base64, as Standard Webhooks defines it.' }),
    }),
  },
  requestBody: { required: true, content: { 'application/json': { schema: webhookEvent } } },
  responses: {
    '2XX': { description: 'Taken; nothing more is sent.' },
    410: { description: 'Nothing more is wanted: the URL is paused until it is set again.' },
    default: { description: 'Tried again later.' },
  },
}
