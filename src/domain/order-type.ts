import type { Settings } from './choices.ts'
import type { OrderKind } from './order.ts'

/** What records and webhooks of an order call its type (R69, N61). */
export function orderType(kind: OrderKind, settings: Settings): string {
  if (kind === 'payout') return 'PAYOUT'
  if (kind === 'crypto-payin') return settings['orders.cryptoPayinType']
  return 'CHECKOUT'
}
