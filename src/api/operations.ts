import type { Settings } from '../domain/choices.ts'
import type { OperationSpec } from './call.ts'
import { createCheckout, createSubscription } from './operations/create-order.ts'
import { lookUpCryptoOrders, lookUpFiatOrders, lookUpRefunds } from './operations/lookups.ts'
import { simulateWebhook } from './operations/simulate-webhook.ts'
import { updateWebhookUrl, webhookUrlPaths } from './operations/webhook-url.ts'

/** The service as a table: every path it has, and what answers there. */
const operations: readonly OperationSpec[] = [
  {
    operation: 'create-checkout-order',
    method: 'POST',
    path: '/v1/client/checkout/create-order',
    handle: createCheckout,
  },
  {
    operation: 'create-subscription-order',
    method: 'POST',
    path: '/v1/client/subscription/create-order',
    handle: createSubscription,
  },
  { operation: 'crypto-orders', method: 'GET', path: '/v1/client/crypto-orders', handle: lookUpCryptoOrders },
  { operation: 'orders', method: 'GET', path: '/v1/client/orders', handle: lookUpFiatOrders },
  { operation: 'fiat-refunds', method: 'GET', path: '/v1/client/fiat-refunds', handle: lookUpRefunds },
  {
    operation: 'simulate-webhook',
    method: 'POST',
    path: '/v1/client/simulate-webhook',
    handle: simulateWebhook,
  },
  {
    operation: 'webhook-url',
    method: 'POST',
    path: webhookUrlPaths.short,
    handle: updateWebhookUrl('short'),
  },
  { operation: 'webhook-url', method: 'POST', path: webhookUrlPaths.fiat, handle: updateWebhookUrl('fiat') },
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
