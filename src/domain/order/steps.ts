import type { Effect, PayOutcome } from '../scenario/scenario.ts'
import { EmulatorError } from '../text/errors.ts'
import type { EpochMs } from '../text/time.ts'
import { change } from './change.ts'
import { beginCharge } from './create.ts'
import type { Decision, DecisionContext } from './decision.ts'
import { applied, cancelled, failed, paid, payNote } from './effects.ts'
import { nextThing, plannedSteps, stepsOf } from './next-steps.ts'
import type { LookupName, Order } from './order.ts'
import { isTerminal } from './statuses.ts'
import { calendarOf, charged, chargeOutcome, trialMs } from './subscription.ts'

/** Carries out the next due event of an order: a step of the scenario, a charge, or the expiry.
 *  @returns null if nothing is due at `nowMs` */
export function carryOut(order: Order, context: DecisionContext): Decision | null {
  const next = nextThing(order, context.scenario)
  if (next === null || next.dueAt > context.nowMs) return null
  if (next.what === 'expiry') return expire(order, context)
  if (next.what === 'charge') return charge(order, context)
  return takeStep(order, next.effects, next.dueAt, context)
}

/** Stops an order whose stored scenario cannot be read: it has no further steps, and does not block other work of
 *  the client. */
export function park(order: Order, nowMs: EpochMs): Decision {
  return {
    order: { ...order, nextDueAt: null, version: order.version + 1 },
    history: [{ at: nowMs, what: 'parked: another version of the emulator stored its scenario' }],
    events: [],
  }
}

/** Applies the payer's act (`POST /_emulator/orders/{orderId}/pay` and the payment page). `completed`: paid now, and
 *  later steps keep their distance. `failed`: the order ends as FAILED. `abandoned`: it stays CREATED. The last two
 *  drop the rest of the scenario.
 *  @throws order_is_final, order_is_paid */
export function pay(
  order: Order,
  act: { outcome: PayOutcome; errorCode?: string | undefined },
  context: DecisionContext,
): Decision {
  if (isTerminal(order.orderStatus)) throw new EmulatorError('order_is_final', { status: order.orderStatus })
  if (order.paidAt !== null) throw new EmulatorError('order_is_paid')
  const nothingMore = { nextStep: context.scenario.timeline.length, waitsForPayer: false }
  if (act.outcome === 'abandoned') return change(order, nothingMore, context, { notes: ['abandoned'] })
  if (act.outcome === 'failed') {
    return change(
      order,
      { ...failed(order, act.errorCode ?? null, context.settings), ...nothingMore },
      context,
    )
  }
  const steps = plannedSteps(order, context.scenario)
  const index = steps.findIndex(
    ({ effects, waitsFor }, i) =>
      i >= order.nextStep && (waitsFor === 'payer' || effects.some((effect) => effect.do === 'pay')),
  )
  const step = steps[index]
  if (step === undefined) {
    return change(order, { ...paid(order, context), waitsForPayer: false }, context, {
      notes: [payNote(order)],
    })
  }
  // The other effects of the scenario's payment step apply too, but the payer decides the outcome.
  const effects: Effect[] = [
    { do: 'pay', outcome: 'completed', errorCode: null },
    ...step.effects.filter((effect) => effect.do !== 'pay'),
  ]
  const shiftMs = step.dueAt === null ? 0 : context.nowMs - step.dueAt
  const place = { nextStep: index, shiftMs: order.shiftMs + shiftMs, waitsForPayer: false }
  return takeStep({ ...order, ...place }, effects, context.nowMs, context)
}

/** Counts a lookup of the order, and carries out a step that waits for it, so that this lookup shows the change.
 *  @returns null if the scenario does not count lookups */
export function lookUp(order: Order, name: LookupName, context: DecisionContext): Decision | null {
  if (order.lookups === null) return null
  const lookups = { ...order.lookups, [name]: (order.lookups[name] ?? 0) + 1 }
  const counted = { ...order, lookups }
  const step = stepsOf(order, context.scenario)[order.nextStep]
  const { when } = step ?? {}
  if (step === undefined || when === undefined || !('on' in when) || when.on !== 'lookup')
    return bare(counted)
  const all = Object.values(lookups).reduce((sum, count) => sum + count, 0)
  const reached = when.of === null ? all >= when.n : (lookups[when.of] ?? 0) >= when.n
  return reached ? takeStep(counted, step.effects, context.nowMs, context) : bare(counted)
}

/** A decision that changes nothing but the order's internal state. */
const bare = (order: Order): Decision => ({
  order: { ...order, version: order.version + 1 },
  history: [],
  events: [],
})

/** Cancels the charges of a subscription.
 *  @throws not_a_subscription, subscription_is_cancelled */
export function cancel(order: Order, context: DecisionContext): Decision {
  const { subscription } = order
  if (subscription === null) throw new EmulatorError('not_a_subscription', { requestId: order.requestId })
  if (subscription.cancelled)
    throw new EmulatorError('subscription_is_cancelled', { requestId: order.requestId })
  return change(order, cancelled(order, context), context, { notes: ['cancelled'] })
}

/** Carries out the order's next scenario step.
 *  @param dueAt the due time of the step, from which later steps count */
function takeStep(
  order: Order,
  effects: readonly Effect[],
  dueAt: EpochMs,
  context: DecisionContext,
): Decision {
  const step = order.nextStep
  const { patch, ...cause } = applied(order, effects, context)
  const pays = effects.some((effect) => effect.do === 'pay')
  const stepAt = dueAt + (pays ? trialMs(order) : 0)
  return change(order, { nextStep: step + 1, stepAt, ...patch }, context, { ...cause, step })
}

/** Carries out a charge of a subscription. The first charge ends on the order's own record; later ones have records
 *  of their own. */
function charge(order: Order, context: DecisionContext): Decision {
  const { subscription } = order
  if (subscription === null) throw new Error(`order ${order.orderId} is no subscription`)
  const { charges } = context.scenario
  const after = charged(subscription, charges, calendarOf(order, context.settings))
  const outcome = chargeOutcome(charges, subscription.next)
  if (outcome === null) throw new Error(`no rule says how charge ${subscription.next} ends`)
  if (subscription.next > 1) {
    const opens = beginCharge(order, subscription.next, context)
    return change(order, { subscription: after }, context, { notes: [`charge ${subscription.next}`], opens })
  }
  const { patch, ...cause } = applied(
    order,
    [{ do: 'order', status: outcome.status, errorCode: outcome.errorCode }],
    context,
  )
  return change(order, { ...patch, subscription: after }, context, cause)
}

/** Applies the setting `orders.onExpiry` to an order that was not paid in time (N12), and drops the remaining steps. */
function expire(order: Order, context: DecisionContext): Decision {
  const end =
    order.terms.onExpiry === 'abandon' ? { orderStatus: 'ABANDONED' } : failed(order, null, context.settings)
  const rest = { nextStep: context.scenario.timeline.length, waitsForPayer: false }
  return change(order, { ...end, ...rest }, context, { notes: ['expired'] })
}
