import type { Handler, OperationName } from '../call.ts'
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
