import type { Operation } from './entry.ts'

/** The operations about an order, by their names in the request log; `create-order` stands for both create calls. */
export const orderOperations = [
  'create-checkout-order',
  'create-subscription-order',
  'create-order',
  'crypto-orders',
  'orders',
  'fiat-refunds',
  'simulate-webhook',
] as const

/** The operations of the API that concern no order. */
export const orderlessOperations = ['webhook-url', 'access-token'] as const

/** All words that faults, rules and rate limits use for operations. */
export const callWords = [...orderOperations, ...orderlessOperations] as const

/** A word that rules use for an operation. */
export type CallWord = (typeof callWords)[number]

/** The word of a list that names an operation: its own, or `create-order` for both create calls. */
export function wordFor(on: readonly CallWord[], operation: Operation): CallWord | undefined {
  const creates = operation === 'create-checkout-order' || operation === 'create-subscription-order'
  return on.find((word) => word === operation || (creates && word === 'create-order'))
}
