import type { Settings } from '../choices/settings.ts'
import type { Effect, ScriptedAmount } from '../scenario/scenario.ts'
import { EmulatorError } from '../text/errors.ts'
import { compareAmounts, decimalsOf, multiply, subtract } from '../text/money.ts'
import { change, type OrderPatch } from './change.ts'
import type { Decision, DecisionContext } from './decision.ts'
import { newRefundId } from './new-ids.ts'
import type { Order, Refund } from './order.ts'
import { errorReason } from './statuses.ts'

/** The documented error code of failed refunds, used if the caller gives none. */
const defaultRefundErrorCode = '9006.1'

/** Starts a refund (`POST /_emulator/orders/{orderId}/refunds`). A failed refund is reported beside the list of refunds
 *  (R81, N62), and by its status if the settings have one for it (N85).
 *  @throws not_completed, refund_too_high */
export function refund(
  order: Order,
  act: { fiatAmount: string; outcome: 'initiated' | 'failed'; errorCode?: string | undefined },
  context: DecisionContext,
): Decision {
  if (order.orderStatus !== 'COMPLETED')
    throw new EmulatorError('not_completed', { status: order.orderStatus })
  const left = refundable(order)
  if (compareAmounts(act.fiatAmount, left) > 0)
    throw new EmulatorError('refund_too_high', { left, asked: act.fiatAmount })
  const reason = errorReason(act.errorCode ?? defaultRefundErrorCode, context.settings)
  const failure = { ...reason, at: context.nowMs }
  const patch = withRefund(order, act.fiatAmount, 'REFUND_INITIATED', context)
  if (act.outcome === 'initiated') return change(order, patch, context)
  const failed = withRefundFailed({ ...order, ...patch }, context.settings)
  return change(order, { ...patch, ...failed, refundError: failure }, context)
}

/** Carries out a scenario's refund. An excessive amount is reduced to what is left, with a note. */
export function scriptedRefund(
  order: Order,
  { amount, status }: Extract<Effect, { do: 'refund' }>,
  context: DecisionContext,
): { patch: OrderPatch; note: string | null } {
  const wanted = scripted(amount, order.fiatAmount)
  const left = refundable(order)
  const fits = compareAmounts(wanted, left) <= 0
  if (compareAmounts(wanted, '0') <= 0)
    return { patch: {}, note: `refund of ${wanted} left out: the amount is zero` }
  if (!fits && compareAmounts(left, '0') <= 0)
    return { patch: {}, note: `nothing left to refund of ${wanted}` }
  const patch = withRefund(order, fits ? wanted : left, status, context)
  return { patch, note: fits ? null : `refund of ${wanted} reduced to what is left, ${left}` }
}

/** Gives the latest refund of an order another status; without a refund, changes nothing. */
export function withRefundStatus({ refunds }: Pick<Order, 'refunds'>, status: string): OrderPatch {
  const latest = refunds?.at(-1)
  return refunds === null || latest === undefined ? {} : { refunds: refunds.with(-1, { ...latest, status }) }
}

/** Gives the latest refund of an order the status of failed refunds, if the settings have one (N85). */
export function withRefundFailed(order: Pick<Order, 'refunds'>, settings: Settings): OrderPatch {
  const status = settings['refunds.failedStatus']
  return status === null ? {} : withRefundStatus(order, status)
}

/** Computes an amount from a scenario, exact or as a percentage of `whole`. A percentage has the decimals of
 *  `whole`, at least two. */
export function scripted(amount: ScriptedAmount, whole: string): string {
  if ('exact' in amount) return amount.exact
  const decimals = Math.max(2, decimalsOf(whole))
  return multiply(multiply(whole, amount.percent, decimals + 4), '0.01', decimals)
}

function withRefund(order: Order, fiatAmount: string, status: string, context: DecisionContext): OrderPatch {
  const before = order.refunds ?? []
  const begun: Refund = { refundId: newRefundId(order, context), fiatAmount, status, at: context.nowMs }
  return { refunds: [...before, begun] }
}

/** Returns the amount of an order that was not refunded yet (N63). */
export const refundable = ({ fiatAmount, refunds }: Order): string =>
  (refunds ?? []).reduce((left, one) => subtract(left, one.fiatAmount), fiatAmount)
