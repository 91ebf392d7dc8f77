import { type Circumstances, change, type OrderPatch } from './change.ts'
import type { Decision } from './decision.ts'
import { defaultErrorCode, errorReason } from './error-catalog.ts'
import { EmulatorError } from './errors.ts'
import { txnHash } from './ids.ts'
import type { Order } from './order.ts'
import { nextThing, plannedSteps, trialMs } from './plan.ts'
import { type Effect, isTerminal } from './scenario.ts'

/** Carries out the next thing that is due: one step of the scenario, or the expiry.
 *  @returns null if nothing is due at `nowMs` */
export function carryOut(order: Order, around: Circumstances): Decision | null {
  const next = nextThing(order, around.scenario)
  if (next === null || next.dueAt > around.nowMs) return null
  if (next.what === 'expiry') return expire(order, around)
  const step = order.nextStep
  const patch = { ...effectOn(order, next.effect, around), nextStep: step + 1 }
  return change(order, patch, around, { note: noteOf(order, next.effect), step })
}

/** The payer's act (`POST /_emulator/orders/{orderId}/pay` and the payment page).
 *  `completed`: paid now, and the steps after the payment keep their distance from it. `failed`: the order ends
 *  as FAILED. `abandoned`: it stays CREATED. Either drops the rest of the scenario.
 *  @throws order_is_final, order_is_paid */
export function pay(
  order: Order,
  act: { outcome: 'completed' | 'failed' | 'abandoned'; errorCode?: string | undefined },
  around: Circumstances,
): Decision {
  if (isTerminal(order.orderStatus)) throw new EmulatorError('order_is_final', { status: order.orderStatus })
  if (order.paidAt !== null) throw new EmulatorError('order_is_paid')
  const nothingMore = { nextStep: around.scenario.timeline.length, waitsForPayer: false }
  if (act.outcome === 'abandoned') return change(order, nothingMore, around, { note: 'abandoned' })
  if (act.outcome === 'failed') {
    return change(order, { ...failed(order, act.errorCode ?? null, around), ...nothingMore }, around)
  }
  const steps = plannedSteps(order, around.scenario)
  const index = steps.findIndex((step, i) => i >= order.nextStep && step.effect.do === 'pay')
  const step = steps[index]
  const place =
    step === undefined ? {} : { nextStep: index + 1, shiftMs: order.shiftMs + around.nowMs - step.dueAt }
  const cause = { note: noteOf(order, { do: 'pay' }), step: step === undefined ? undefined : index }
  return change(order, { ...paid(order, around), ...place, waitsForPayer: false }, around, cause)
}

function effectOn(order: Order, effect: Effect, around: Circumstances): OrderPatch {
  if (effect.do === 'pay') return paid(order, around)
  if (effect.status === 'COMPLETED') return completed(order, around)
  if (effect.status === 'FAILED') return failed(order, effect.errorCode, around)
  return { orderStatus: effect.status, errorReason: null }
}

/** The money came. The documented statuses have no word for it, so only the crypto leg shows it.
 *  A subscription with a trial has merely been authorised: its money comes with the first charge (N64j). */
function paid(order: Order, { nowMs }: Circumstances): OrderPatch {
  if (trialMs(order) > 0) return { paidAt: nowMs }
  return { paidAt: nowMs, paymentStatus: 'COMPLETED', receivedAmount: order.cryptoAmount }
}

function completed(order: Order, { nowMs }: Circumstances): OrderPatch {
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

function failed(order: Order, errorCode: string | null, { settings }: Circumstances): OrderPatch {
  return {
    orderStatus: 'FAILED',
    paymentStatus: order.paymentStatus === 'COMPLETED' ? 'COMPLETED' : 'FAILED',
    errorReason: errorReason(errorCode ?? defaultErrorCode, settings),
  }
}

/** The answer of `orders.onExpiry` to an order that nobody paid in time (N12). Drops the rest of the scenario. */
function expire(order: Order, around: Circumstances): Decision {
  const end = order.terms.onExpiry === 'abandon' ? { orderStatus: 'ABANDONED' } : failed(order, null, around)
  return change(order, { ...end, nextStep: around.scenario.timeline.length }, around, { note: 'expired' })
}

function noteOf(order: Order, effect: Effect): string | undefined {
  if (effect.do !== 'pay') return undefined
  return trialMs(order) > 0 ? 'authorised' : 'paid'
}
