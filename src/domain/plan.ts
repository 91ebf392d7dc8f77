import type { Order } from './order.ts'
import { type Effect, isTerminal, type Scenario } from './scenario.ts'
import type { EpochMs } from './time.ts'

const dayMs = 86_400_000

/** What a step of this order will do, and when. */
export interface PlannedStep {
  readonly dueAt: EpochMs
  readonly effect: Effect
}

/** What happens next to an order, and when: a step of its scenario, or its expiry. */
export type NextThing =
  | { readonly dueAt: EpochMs; readonly what: 'step'; readonly effect: Effect }
  | { readonly dueAt: EpochMs; readonly what: 'expiry' }

/** All steps of the order's scenario with their moments, done ones included. A payer who came early or late has
 *  moved the steps after the payment. A subscription's trial lies between its authorisation and its first charge
 *  (N64j). */
export function plannedSteps(order: Order, scenario: Scenario): PlannedStep[] {
  let authorised = false
  return scenario.timeline.map(({ offsetMs, effect }) => {
    const later = authorised ? order.shiftMs + trialMs(order) : 0
    const dueAt = order.createdAt + offsetMs + later
    if (effect.do === 'pay') authorised = true
    return { dueAt, effect }
  })
}

/** The length of a subscription's trial; 0 for everything else. */
export function trialMs(order: Order): number {
  if (order.kind !== 'subscription') return 0
  return Number(order.request.trialPeriodDays ?? 0) * dayMs
}

/** What comes next; null when nothing more happens by itself. */
export function nextThing(order: Order, scenario: Scenario): NextThing | null {
  const step = plannedSteps(order, scenario)[order.nextStep]
  const held = step?.effect.do === 'pay' && order.waitsForPayer
  const candidate = step === undefined || held ? null : ({ what: 'step', ...step } as const)
  if (!expires(order)) return candidate
  if (candidate !== null && candidate.dueAt <= order.expiresAt) return candidate
  return { what: 'expiry', dueAt: order.expiresAt }
}

/** Whether the settings let this order end at its `expiresAt` (N12): only if nobody has paid by then. */
function expires(order: Order): boolean {
  if (order.terms.onExpiry === 'keep' || order.paidAt !== null) return false
  return !isTerminal(order.orderStatus) && order.orderStatus !== 'ABANDONED'
}
