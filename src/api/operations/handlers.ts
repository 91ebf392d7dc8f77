import type { Handler, OperationName } from '../call.ts'
import { checkoutRequest, subscriptionRequest } from '../contract/create-requests.ts'
import { lookupQuery } from '../contract/other-requests.ts'
import { isPlain } from '../plain-input.ts'
import { createCheckout, createSubscription } from './create-order.ts'
import { lookUpCryptoOrders, lookUpFiatOrders, lookUpRefunds } from './lookups.ts'
import { simulateWebhook } from './simulate-webhook.ts'
import { updateWebhookUrl } from './webhook-url.ts'

const byName: Readonly<Record<OperationName, Handler>> = {
  createCheckoutOrder: createCheckout,
  createSubscriptionOrder: createSubscription,
  lookUpCryptoOrders,
  lookUpOrders: lookUpFiatOrders,
  lookUpRefunds,
  simulateWebhook,
  updateWebhookUrl: updateWebhookUrl('short'),
  updateFiatWebhookUrl: updateWebhookUrl('fiat'),
}

/** What answers at each path of the service. */
export function handlers(): Readonly<Record<OperationName, Handler>> {
  return byName
}

/** Makes what the first calls would wait for: a schema's test of plain inputs is derived when it is first asked. */
export function warmUpHandlers(): void {
  for (const schema of [checkoutRequest, subscriptionRequest, lookupQuery]) isPlain(schema, {})
}
