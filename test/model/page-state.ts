import type { ModelOrder } from './model-order.ts'

/** The state of an order's payment page. */
export function pageState(order: ModelOrder, now: number): string {
  const { kind, charge, orderStatus, paid, history, expiresAt } = order
  if (kind === 'payout' || kind === 'crypto-payin') return 'no-payer'
  if (charge > 1) return 'charged'
  if (orderStatus === 'COMPLETED' || orderStatus === 'FAILED') return orderStatus.toLowerCase()
  if (paid) return orderStatus === 'ABANDONED' ? 'abandoned' : 'paid'
  if (history.some((line) => line.endsWith(' abandoned'))) return 'abandoned'
  if (now >= expiresAt) return 'expired'
  return orderStatus === 'ABANDONED' ? 'abandoned' : 'open'
}

/** Whether the page shows what an act leads to. */
export const isDone = (
  state: string,
  outcome: 'completed' | 'failed' | 'abandoned',
  isSameCode: boolean,
): boolean =>
  (state === outcome && (outcome !== 'failed' || isSameCode)) || (state === 'paid' && outcome === 'completed')
