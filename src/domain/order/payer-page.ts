import type { EpochMs } from '../text/time.ts'
import { change } from './change.ts'
import type { Decision, DecisionContext } from './decision.ts'
import { plannedSteps } from './next-steps.ts'
import type { HistoryEntry, Order } from './order.ts'
import { carryOut, pay } from './steps.ts'

/** What an order's payment page has to tell whoever opens it.
 *  `open`: it can be paid. `paid`: it has been, and the outcome is to come. `charged`: a later charge of a
 *  subscription, which nobody is asked about. `no-payer`: of a kind that no payer sees. */
export type PageState =
  | 'open'
  | 'paid'
  | 'completed'
  | 'failed'
  | 'abandoned'
  | 'expired'
  | 'charged'
  | 'no-payer'

/** The state of an order's payment page. Nothing but `history` tells that its payer has left. */
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
  // The control API can still have it paid (N12).
  if (nowMs >= order.expiresAt) return 'expired'
  return order.orderStatus === 'ABANDONED' ? 'abandoned' : 'open'
}

/** What is due of an order whose page is open. It comes before whatever is done on the page: an emulator that has just
 *  been started, or walks through many orders, may not have got to it yet.
 *  @returns null if nothing is due */
export function catchUp(order: Order, around: DecisionContext): Decision | null {
  return pageState(order, [], around.nowMs) === 'open' ? carryOut(order, around) : null
}

/** What the payer chose on the page.
 *  @returns null if the page offers no choice (any more): nobody pays who has left, or comes too late */
export function payOnPage(
  order: Order,
  history: readonly HistoryEntry[],
  act: Parameters<typeof pay>[1],
  around: DecisionContext,
): Decision | null {
  return pageState(order, history, around.nowMs) === 'open' ? pay(order, act, around) : null
}

/** Somebody has opened the payment page: where the emulator would have paid, it leaves that to them (N65).
 *  @returns null if that changes nothing: also where the scenario has no payment to come */
export function openPage(order: Order, around: DecisionContext): Decision | null {
  if (around.settings['orders.autopay'] !== 'unless-page' || order.waitsForPayer) return null
  // A payer who has left has dropped the payment that was to come, so no history is needed here.
  if (pageState(order, [], around.nowMs) !== 'open' || !paysByItself(order, around)) return null
  return change(order, { waitsForPayer: true }, around, { notes: ['payment page opened'] })
}

/** Whether a payment is to come that is nobody's act. */
function paysByItself(order: Order, { scenario }: DecisionContext): boolean {
  return plannedSteps(order, scenario).some(
    ({ effects, waitsFor }, index) =>
      index >= order.nextStep && waitsFor === null && effects.some((effect) => effect.do === 'pay'),
  )
}
