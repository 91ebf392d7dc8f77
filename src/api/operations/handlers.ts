import type { Handler, OperationName } from '../call.ts'
import { createCheckout, createSubscription } from './create-order.ts'
import { lookUpCryptoOrders, lookUpFiatOrders, lookUpRefunds } from './lookups.ts'
import { simulateWebhook } from './simulate-webhook.ts'
import { updateWebhookUrl } from './webhook-url.ts'

/** Answers the calls of each operation. */
export const handlers: Readonly<Record<OperationName, Handler>> = {
  createCheckoutOrder: createCheckout,
  createSubscriptionOrder: createSubscription,
  lookUpCryptoOrders,
  lookUpOrders: lookUpFiatOrders,
  lookUpRefunds,
  simulateWebhook,
  updateWebhookUrl: updateWebhookUrl('short'),
  updateFiatWebhookUrl: updateWebhookUrl('fiat'),
}
