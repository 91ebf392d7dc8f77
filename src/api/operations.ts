import { z } from 'zod'
import type { Settings } from '../domain/choices.ts'
import { checkoutString, sign, subscriptionString } from '../domain/signature.ts'
import type { OperationSpec } from './call.ts'
import * as answer from './contract/answers.ts'
import {
  checkoutExample,
  checkoutRequest,
  subscriptionExample,
  subscriptionRequest,
} from './contract/create-requests.ts'
import { lookupQuery, simulateRequest, webhookUrlRequest } from './contract/other-requests.ts'
import { createCheckout, createSubscription } from './operations/create-order.ts'
import { lookUpCryptoOrders, lookUpFiatOrders, lookUpRefunds } from './operations/lookups.ts'
import { simulateWebhook } from './operations/simulate-webhook.ts'
import { updateWebhookUrl, webhookUrlPaths } from './operations/webhook-url.ts'

const scenarioHeader = z.string().optional().meta({
  description: 'The id of the scenario that the order follows. The real service knows no such header.',
})

/** @param signed the text that is signed for the example of the body */
const createHeaders = (stringToSign: string, signed: string) =>
  z.object({
    signature: z.string().meta({
      description: `HMAC-SHA256 in base64, keyed with the API secret, over the UTF-8 text ${stringToSign}.`,
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
  operation: 'webhook-url',
  method: 'POST',
  headers: z.object({ 'client-id': z.string().meta({ example: 'demo-client' }) }),
  body: webhookUrlRequest,
  answer: answer.webhookUrlUpdated,
  invalid: answer.errorText,
  unauthorised: answer.errorText,
} as const

/** The service as a table: every path it has, and what answers there. */
const operations: readonly OperationSpec[] = [
  {
    operation: 'create-checkout-order',
    method: 'POST',
    path: '/v1/client/checkout/create-order',
    name: 'createCheckoutOrder',
    summary: 'Create a checkout order',
    description:
      'Answers the token for the client-side SDK. With the setting `paths.subscription: both` a body with an `interval` makes a subscription here too.',
    headers: createHeaders(
      '`fiatAmount=<fiatAmount>&requestId=<requestId>`, or the same with `currencyId=<currencyId>&` before it (setting `signature.checkout`)',
      checkoutString(checkoutExample, 'short'),
    ),
    body: checkoutRequest,
    ...ofCreate,
    handle: createCheckout,
  },
  {
    operation: 'create-subscription-order',
    method: 'POST',
    path: '/v1/client/subscription/create-order',
    name: 'createSubscriptionOrder',
    summary: 'Create a subscription',
    headers: createHeaders(
      '`currencyId=<currencyId>&fiatAmount=<fiatAmount>&requestId=<requestId>&interval=<interval>`, and `&trialPeriodDays=<trialPeriodDays>` after it where that is not empty',
      subscriptionString(subscriptionExample),
    ),
    body: subscriptionRequest,
    ...ofCreate,
    handle: createSubscription,
  },
  {
    operation: 'crypto-orders',
    method: 'GET',
    path: '/v1/client/crypto-orders',
    name: 'lookUpCryptoOrders',
    summary: 'Look up the crypto side of the orders of a requestId',
    description: 'When a checkout order shows here is the setting `orders.cryptoLeg`.',
    ...ofLookup,
    answer: answer.cryptoOrders,
    handle: lookUpCryptoOrders,
  },
  {
    operation: 'orders',
    method: 'GET',
    path: '/v1/client/orders',
    name: 'lookUpOrders',
    summary: 'Look up the orders of a requestId',
    ...ofLookup,
    answer: answer.fiatOrders,
    handle: lookUpFiatOrders,
  },
  {
    operation: 'fiat-refunds',
    method: 'GET',
    path: '/v1/client/fiat-refunds',
    name: 'lookUpRefunds',
    summary: 'Look up the refunds of a requestId',
    ...ofLookup,
    answer: answer.refunds,
    handle: lookUpRefunds,
  },
  {
    operation: 'simulate-webhook',
    method: 'POST',
    path: '/v1/client/simulate-webhook',
    name: 'simulateWebhook',
    summary: 'Have a webhook sent, without an order',
    body: simulateRequest,
    answer: answer.webhookSimulated,
    invalid: answer.errorText,
    unauthorised: answer.errorText,
    handle: simulateWebhook,
  },
  {
    ...ofUpdate,
    path: webhookUrlPaths.short,
    name: 'updateWebhookUrl',
    summary: 'Change where webhooks go',
    handle: updateWebhookUrl('short'),
  },
  {
    ...ofUpdate,
    path: webhookUrlPaths.fiat,
    name: 'updateFiatWebhookUrl',
    summary: 'Change where webhooks go, at the other path that is in print',
    description: 'Which of the two paths are served is the setting `paths.webhookUrl`.',
    handle: updateWebhookUrl('fiat'),
  },
]

/** The paths that are printed, but that a setting has switched off (N22). */
export function unservedPaths(settings: Settings): string[] {
  const served = servedOperations(settings)
  return operations.filter((operation) => !served.includes(operation)).map(({ path }) => path)
}

/** The operations that are served: of the two webhook-url paths both, or the one that a setting names (N22). */
export function servedOperations(settings: Settings): readonly OperationSpec[] {
  const served = settings['paths.webhookUrl']
  if (served === 'both') return operations
  return operations.filter(
    ({ operation, path }) => operation !== 'webhook-url' || path === webhookUrlPaths[served],
  )
}
