import type { EpochMs } from '../text/time.ts'
import { change } from './change.ts'
import type { Decision, DecisionContext } from './decision.ts'
import { plannedSteps } from './next-steps.ts'
import type { HistoryEntry, Order } from './order.ts'
import { carryOut, pay } from './steps.ts'

/** The state of an order's payment page. `open`: it can be paid. `paid`: it is paid and the outcome is to come.
 *  `charged`: a later charge of a subscription, without a payer's act. `no-payer`: a kind of order without a payer. */
export type PageState =
  | 'open'
  | 'paid'
  | 'completed'
  | 'failed'
  | 'abandoned'
  | 'expired'
  | 'charged'
  | 'no-payer'

/** Determines the state of an order's payment page. Only `history` shows that its payer has left. */
export function pageState(
  order: Pick<Order, 'kind' | 'charge' | 'orderStatus' | 'paidAt' | 'expiresAt'>,
  history: readonly HistoryEntry[],
  nowMs: EpochMs,
): PageState {
  if (order.kind === 'payout' || order.kind === 'crypto-payin') return 'no-payer'
  if (order.charge > 1) return 'charged'
  if (order.orderStatus === 'COMPLETED') return 'completed'
  if (order.orderStatus === 'FAILED') return 'failed'
  if (order.paidAt !== null) return order.orderStatus === 'ABANDONED' ? 'abandoned' : 'paid'
  if (history.some(({ what }) => what === 'abandoned')) return 'abandoned'
  // The control API can still pay an expired order (N12).
  if (nowMs >= order.expiresAt) return 'expired'
  return order.orderStatus === 'ABANDONED' ? 'abandoned' : 'open'
}

/** Carries out the due steps of an order before its payment page is used, because a starting or busy emulator may be
 *  late with them.
 *  @returns null if nothing is due */
export function catchUp(order: Order, context: DecisionContext): Decision | null {
  return pageState(order, [], context.nowMs) === 'open' ? carryOut(order, context) : null
}

/** Applies the payer's choice on the payment page.
 *  @returns null if the page offers no choice any more, because the payer has left or is too late */
export function payOnPage(
  order: Order,
  history: readonly HistoryEntry[],
  act: Parameters<typeof pay>[1],
  context: DecisionContext,
): Decision | null {
  return pageState(order, history, context.nowMs) === 'open' ? pay(order, act, context) : null
}

/** Opens the payment page: an automatic payment then waits for the payer (N65).
 *  @returns null if that changes nothing, for example without a coming payment */
export function openPage(order: Order, context: DecisionContext): Decision | null {
  if (context.settings['orders.autopay'] !== 'unless-page' || order.waitsForPayer) return null
  // The history is not needed: if the payer has left, the coming payment is dropped.
  if (pageState(order, [], context.nowMs) !== 'open' || !paysByItself(order, context)) return null
  return change(order, { waitsForPayer: true }, context, { notes: ['payment page opened'] })
}

/** Whether the scenario is going to pay the order automatically. */
function paysByItself(order: Order, { scenario }: DecisionContext): boolean {
  return plannedSteps(order, scenario).some(
    ({ effects, waitsFor }, index) =>
      index >= order.nextStep && waitsFor === null && effects.some((effect) => effect.do === 'pay'),
  )
}
