import * as z from 'zod'
import type { OperationName } from '../api/call.ts'
import * as answer from '../api/contract/answers.ts'
import {
  checkoutExample,
  checkoutRequest,
  lookupQuery,
  simulateRequest,
  subscriptionExample,
  subscriptionRequest,
  webhookUrlRequest,
} from '../api/contract/requests.ts'
import { checkoutString, sign, subscriptionString } from '../domain/signature.ts'

/** What the OpenAPI document says of an operation. */
export interface OperationWords {
  /** One line, without a full stop. */
  readonly summary: string
  /** What else there is to know, in Markdown. */
  readonly description?: string
  /** Those besides the access token. */
  readonly headers?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  readonly answer: z.ZodType
  /** How invalid input is told (N28), and how whatever ends in 401. */
  readonly invalid: z.ZodType
  readonly unauthorised: z.ZodType
}

const scenarioHeader = z.string().optional().meta({
  description: 'The id of the scenario for the order. The real service does not know this header.',
})

/** @param signed the text that is signed for the example of the body */
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

/** What is said of each operation, by its name. */
export const operationWords: Readonly<Record<OperationName, OperationWords>> = {
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
