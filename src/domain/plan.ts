import type { Order } from './order.ts'
import { type Effect, isTerminal, type Scenario, type ScenarioStep } from './scenario/scenario.ts'
import { chargeOutcome, trialMs } from './subscription.ts'
import type { EpochMs } from './time.ts'

/** What a step of this order will do, and when; `dueAt` is null as long as that depends on somebody's act. */
export interface PlannedStep {
  readonly dueAt: EpochMs | null
  readonly effects: readonly Effect[]
  readonly waitsFor: 'payer' | 'lookup' | null
}

/** What happens next to an order, and when: a step of its scenario, a charge, or its expiry. */
export type NextThing =
  | { readonly dueAt: EpochMs; readonly what: 'step'; readonly effects: readonly Effect[] }
  | { readonly dueAt: EpochMs; readonly what: 'charge' }
  | { readonly dueAt: EpochMs; readonly what: 'expiry' }

/** The steps that an order follows: those of its scenario, or how its charge ends. */
export function stepsOf(order: Order, scenario: Scenario): readonly ScenarioStep[] {
  if (order.charge === 1) return scenario.timeline
  const outcome = chargeOutcome(scenario.charges, order.charge)
  if (outcome === null) return []
  const { status, errorCode, afterMs } = outcome
  return [{ when: { since: 'creation', offsetMs: afterMs }, effects: [{ do: 'order', status, errorCode }] }]
}

/** All steps of the order with their moments, done ones included. A payer who came early or late has moved the
 *  steps after the payment. A subscription's trial lies between its authorisation and its first charge (N64j). */
export function plannedSteps(order: Order, scenario: Scenario): PlannedStep[] {
  let before: EpochMs | null = order.createdAt
  let authorised = false
  return stepsOf(order, scenario).map(({ when, effects }, index) => {
    if (index === order.nextStep) before = order.stepAt
    const dueAt = dueAtOf(when, order, before, authorised)
    const pays = effects.some((effect) => effect.do === 'pay')
    if (pays) authorised = true
    before = dueAt === null ? null : dueAt + (pays ? trialMs(order) : 0)
    return { dueAt, effects, waitsFor: 'on' in when ? when.on : null }
  })
}

function dueAtOf(
  when: ScenarioStep['when'],
  order: Order,
  before: EpochMs | null,
  authorised: boolean,
): EpochMs | null {
  if ('on' in when) return null
  const base = {
    creation: order.createdAt + (authorised ? order.shiftMs + trialMs(order) : 0),
    step: before,
    expiry: order.expiresAt,
    trialEnd: order.subscription?.anchor ?? null,
    interval: order.subscription?.second ?? null,
  }[when.since]
  return base === null ? null : base + when.offsetMs
}

/** What comes next by itself; null when nothing does. Of two things due at once a step comes first, then a
 *  charge. */
export function nextThing(order: Order, scenario: Scenario): NextThing | null {
  const step = plannedSteps(order, scenario)[order.nextStep]
  const held = order.waitsForPayer && step?.effects.some((effect) => effect.do === 'pay')
  const chargeAt = order.subscription?.nextAt ?? null
  const things: (NextThing | false)[] = [
    step !== undefined &&
      step.dueAt !== null &&
      !held && { what: 'step', dueAt: step.dueAt, effects: step.effects },
    chargeAt !== null && { what: 'charge', dueAt: chargeAt },
    expires(order) && { what: 'expiry', dueAt: order.expiresAt },
  ]
  return things.reduce<NextThing | null>(
    (first, thing) => (thing !== false && (first === null || thing.dueAt < first.dueAt) ? thing : first),
    null,
  )
}

/** Whether the settings let this order end at its `expiresAt` (N12): only if nobody has paid by then. */
function expires(order: Order): boolean {
  if (order.terms.onExpiry === 'keep' || order.paidAt !== null) return false
  return !isTerminal(order.orderStatus) && order.orderStatus !== 'ABANDONED'
}
