import type { Circumstances, OrderPatch } from './change.ts'
import type { Settings } from './choices.ts'
import { defaultErrorCode, errorReason } from './error-catalog.ts'
import { txnHash } from './ids.ts'
import type { Order } from './order.ts'
import { authorised, calendarOf, trialMs } from './subscription.ts'
import type { EpochMs } from './time.ts'

/** The money came. The documented statuses have no word for it, so only the crypto leg shows it.
 *  A subscription has been authorised with it; with a trial, its money comes with the first charge (N64j). */
export function paid(order: Order, { nowMs, scenario, settings }: Circumstances): OrderPatch {
  const trial = trialMs(order)
  const subscription =
    order.subscription === null || order.subscription.cancelled
      ? order.subscription
      : authorised(nowMs + trial, scenario.charges, calendarOf(order, settings))
  if (trial > 0) return { paidAt: nowMs, subscription }
  const receivedAmount = order.receivedAmount ?? order.cryptoAmount
  return { paidAt: nowMs, paymentStatus: 'COMPLETED', receivedAmount, subscription }
}

/** What the history calls a payment. */
export const payNote = (order: Order): string => (trialMs(order) > 0 ? 'authorised' : 'paid')

/** The subscription has ended (N64j). Before its first charge that is the end of its scenario too, the steps of which
 *  would make that charge. */
export function cancelled({ subscription }: Order, { nowMs, scenario }: Circumstances): OrderPatch {
  if (subscription === null) return {}
  const ended = { subscription: { ...subscription, nextAt: null, cancelled: true } }
  const isCharged = subscription.anchor !== null && subscription.anchor <= nowMs
  return isCharged ? ended : { ...ended, nextStep: scenario.timeline.length, waitsForPayer: false }
}

/** The order has come to its good end (O3). */
export function completed(order: Order, nowMs: EpochMs): OrderPatch {
  return {
    orderStatus: 'COMPLETED',
    paymentStatus: 'COMPLETED',
    settlementStatus: 'NOT_REQUIRED',
    receivedAmount: order.receivedAmount ?? order.cryptoAmount,
    txnHash: txnHash(order.orderId),
    errorReason: null,
    paidAt: order.paidAt ?? nowMs,
  }
}

/** The order has failed (O4). Money that came stays on record. */
export function failed(order: Order, errorCode: string | null, settings: Settings): OrderPatch {
  return {
    orderStatus: 'FAILED',
    paymentStatus: order.paymentStatus === 'COMPLETED' ? 'COMPLETED' : 'FAILED',
    errorReason: errorReason(errorCode ?? defaultErrorCode, settings),
  }
}
