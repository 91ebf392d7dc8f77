import type { Effect, Scenario, ScenarioStep, When } from '../scenario/scenario.ts'
import type { EpochMs } from '../text/time.ts'
import type { Order } from './order.ts'
import { isTerminal } from './statuses.ts'
import { chargeOutcome, trialMs } from './subscription.ts'

/** A step of an order: its effects and its due time, which is null while the step waits for an act. */
export interface PlannedStep {
  readonly dueAt: EpochMs | null
  readonly effects: readonly Effect[]
  readonly waitsFor: 'payer' | 'lookup' | null
}

/** The next automatic event of an order: a step of its scenario, a charge, or its expiry. */
export type NextThing =
  | { readonly dueAt: EpochMs; readonly what: 'step'; readonly effects: readonly Effect[] }
  | { readonly dueAt: EpochMs; readonly what: 'charge' }
  | { readonly dueAt: EpochMs; readonly what: 'expiry' }

/** The steps of an order: those of its scenario or, for a later charge, the step that ends the charge. */
export function stepsOf(order: Order, scenario: Scenario): readonly ScenarioStep[] {
  if (order.charge === 1) return scenario.timeline
  const outcome = chargeOutcome(scenario.charges, order.charge)
  if (outcome === null) return []
  const { status, errorCode, afterMs } = outcome
  return [{ when: { since: 'creation', offsetMs: afterMs }, effects: [{ do: 'order', status, errorCode }] }]
}

/** All steps of an order with their times, including past ones. A payer who pays early or late moves the later
 *  steps. A subscription's trial lies between its authorisation and its first charge (N64j). */
export function plannedSteps(order: Order, scenario: Scenario): PlannedStep[] {
  let before: EpochMs | null = order.createdAt
  let authorised = false
  return stepsOf(order, scenario).map((step, index) => {
    if (index === order.nextStep) before = order.stepAt
    const dueAt = dueAtOf(step, order, before, authorised)
    if (pays(step)) authorised = true
    before = dueAt === null ? null : dueAt + (pays(step) ? trialMs(order) : 0)
    return { dueAt, effects: step.effects, waitsFor: 'on' in step.when ? step.when.on : null }
  })
}

const pays = ({ effects }: ScenarioStep): boolean => effects.some((effect) => effect.do === 'pay')

function dueAtOf(
  { when }: ScenarioStep,
  order: Order,
  before: EpochMs | null,
  authorised: boolean,
): EpochMs | null {
  if ('on' in when) return null
  const base = baseOf(when.since, order, before, authorised)
  return base === null ? null : base + when.offsetMs
}

function baseOf(
  since: Extract<When, { since: unknown }>['since'],
  order: Order,
  before: EpochMs | null,
  authorised: boolean,
): EpochMs | null {
  if (since === 'creation') return order.createdAt + (authorised ? order.shiftMs + trialMs(order) : 0)
  if (since === 'step') return before
  if (since === 'expiry') return order.expiresAt
  return (since === 'trialEnd' ? order.subscription?.anchor : order.subscription?.second) ?? null
}

/** The next event that happens automatically; null for none. If several have the same time, a step comes before a
 *  charge, and a charge before the expiry. */
export function nextThing(order: Order, scenario: Scenario): NextThing | null {
  let next = nextStep(order, scenario)
  const chargeAt = order.subscription?.nextAt ?? null
  if (chargeAt !== null && (next === null || chargeAt < next.dueAt))
    next = { what: 'charge', dueAt: chargeAt }
  if (!expires(order) || (next !== null && next.dueAt <= order.expiresAt)) return next
  return { what: 'expiry', dueAt: order.expiresAt }
}

/** Returns the next step of the scenario, unless the payer has to act first. */
function nextStep(order: Order, scenario: Scenario): NextThing | null {
  const steps = stepsOf(order, scenario)
  const step = steps[order.nextStep]
  if (step === undefined || (order.waitsForPayer && pays(step))) return null
  const authorised = steps.slice(0, order.nextStep).some(pays)
  const dueAt = dueAtOf(step, order, order.stepAt, authorised)
  return dueAt === null ? null : { what: 'step', dueAt, effects: step.effects }
}

/** Whether an order ends at its `expiresAt`: only if it is unpaid by then (N12). */
function expires(order: Order): boolean {
  if (order.terms.onExpiry === 'keep' || order.paidAt !== null) return false
  return !isTerminal(order.orderStatus) && order.orderStatus !== 'ABANDONED'
}
