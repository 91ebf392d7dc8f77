import type { Decision } from '../decision.ts'
import { compareAmounts } from '../money.ts'
import { isTerminal } from '../statuses.ts'
import { namesOf } from './names-of.ts'
import type { SeenOrders } from './seen-order.ts'

/** An orderId in its usual form. */
const usualId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The hazards that a change of an order shows. */
export function decisionHazards({ order, history, events }: Decision, orders: SeenOrders): string[] {
  const { orderId, orderStatus, receivedAmount, cryptoAmount, charge, refundError } = order
  const isNew = order.version === 1
  const known = isNew ? undefined : orders.get(orderId)
  const seen = known ?? orders.add(order)
  seen.status = orderStatus
  // Of an order from before the start, the create call is long over.
  if (!isNew && known === undefined) seen.answered = true
  const isTold = events.some((event) => event.orderStatus === orderStatus)
  const waits = (order.terms.turns?.waiting ?? []).some(({ event }) => event.orderStatus === orderStatus)
  if (isNew && orderStatus === 'CREATED' && !isTold && !waits) seen.lacksCreated = true
  const ends = isTerminal(orderStatus) && history.some(({ what }) => what === 'order')
  const hasFailed = ends && orderStatus === 'FAILED'
  const paid = receivedAmount === null ? 0 : compareAmounts(receivedAmount, cryptoAmount)
  return namesOf({
    'ids-other-shape': isNew && !usualId.test(orderId),
    'order-failed': hasFailed,
    'order-paid-then-failed': hasFailed && order.paymentStatus === 'COMPLETED' && paid >= 0,
    'order-underpaid': ends && paid < 0,
    'order-overpaid': ends && paid > 0,
    'subscription-charge-failed': hasFailed && charge > 1,
    'refund-failed': refundError !== null && history.some(({ what }) => what === 'refund error'),
    'webhook-lost': ends && !isTold && !waits,
  })
}
