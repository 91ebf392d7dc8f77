import type { Settings } from '../../domain/choices/settings.ts'
import type { Handler, OperationName, OperationSpec } from '../call.ts'
import { createCheckout, createSubscription } from './create-order.ts'
import { lookUpCryptoOrders, lookUpFiatOrders, lookUpRefunds } from './lookups.ts'
import { simulateWebhook } from './simulate-webhook.ts'
import { updateWebhookUrl } from './webhook-url.ts'

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

/** The two documented paths for updating the webhook URL; a setting selects the served ones (N22). */
const webhookUrlPaths = {
  short: '/v1/client/webhook-url',
  fiat: '/v1/client/fiat/webhook-url',
} as const

const operations: readonly OperationSpec[] = [
  {
    operation: 'create-checkout-order',
    method: 'POST',
    path: '/v1/client/checkout/create-order',
    name: 'createCheckoutOrder',
  },
  {
    operation: 'create-subscription-order',
    method: 'POST',
    path: '/v1/client/subscription/create-order',
    name: 'createSubscriptionOrder',
  },
  { operation: 'crypto-orders', method: 'GET', path: '/v1/client/crypto-orders', name: 'lookUpCryptoOrders' },
  { operation: 'orders', method: 'GET', path: '/v1/client/orders', name: 'lookUpOrders' },
  { operation: 'fiat-refunds', method: 'GET', path: '/v1/client/fiat-refunds', name: 'lookUpRefunds' },
  {
    operation: 'simulate-webhook',
    method: 'POST',
    path: '/v1/client/simulate-webhook',
    name: 'simulateWebhook',
  },
  { operation: 'webhook-url', method: 'POST', path: webhookUrlPaths.short, name: 'updateWebhookUrl' },
  { operation: 'webhook-url', method: 'POST', path: webhookUrlPaths.fiat, name: 'updateFiatWebhookUrl' },
]

/** The documented paths that a setting has switched off (N22). */
export function unservedPaths(settings: Settings): string[] {
  const served = servedOperations(settings)
  return operations.filter((operation) => !served.includes(operation)).map(({ path }) => path)
}

/** Lists the served operations, with both paths for the webhook URL or the one that a setting names (N22). */
export function servedOperations(settings: Settings): readonly OperationSpec[] {
  const served = settings['paths.webhookUrl']
  if (served === 'both') return operations
  return operations.filter(
    ({ operation, path }) => operation !== 'webhook-url' || path === webhookUrlPaths[served],
  )
}
