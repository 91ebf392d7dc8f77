import type { Settings } from '../choices/settings.ts'
import type { ChargeRule } from '../scenario/scenario.ts'
import { addDuration } from '../text/duration.ts'
import type { EpochMs } from '../text/time.ts'
import { offsetMinutes } from '../text/time.ts'
import type { Order, OrderRequest, Subscription } from './order.ts'

const dayMs = 86_400_000

/** Returns the outcome of a charge, by the last rule about it; null if the subscription has no such charge. */
export function chargeOutcome(rules: readonly ChargeRule[], charge: number): ChargeRule | null {
  const about = rules.filter(({ from, to }) => from <= charge && (to === null || charge <= to))
  return about.some(({ recurs }) => recurs) ? (about.at(-1) ?? null) : null
}

/** The length of a subscription's trial, between its authorisation and its first charge; 0 for other orders. */
export function trialMs({
  kind,
  charge,
  request,
  terms,
}: Pick<Order, 'kind' | 'charge' | 'request' | 'terms'>): number {
  if (kind !== 'subscription' || charge > 1) return 0
  return request.trialPeriodDays === undefined
    ? (terms.trialMs ?? 0)
    : Number(request.trialPeriodDays) * dayMs
}

/** The state of a subscription before the payer has authorised it. */
export const unauthorised: Subscription = {
  anchor: null,
  second: null,
  next: 1,
  nextAt: null,
  cancelled: false,
}

/** Returns the state of a subscription after its authorisation: the first charge is due at the end of the trial,
 *  later ones an interval apart (N64j).
 *  @param anchor the date of the first charge */
export function authorised(anchor: EpochMs, rules: readonly ChargeRule[], calendar: Calendar): Subscription {
  return upcoming(
    { ...unauthorised, anchor, second: chargeDate(anchor, 2, calendar) },
    { from: 1, rules, calendar },
  )
}

/** Returns the state of a subscription after its charge `next`. */
export function charged(
  subscription: Subscription,
  rules: readonly ChargeRule[],
  calendar: Calendar,
): Subscription {
  return upcoming(subscription, { from: subscription.next + 1, rules, calendar })
}

/** The interval of a subscription's charges, and the UTC offset of the calendar in minutes. */
export interface Calendar {
  readonly interval: OrderRequest['interval']
  readonly offsetMinutes: number
}

/** Returns the interval of an order's charges, and the UTC offset in which their dates count. */
export function calendarOf({ request }: Pick<Order, 'request'>, settings: Settings): Calendar {
  return { interval: request.interval, offsetMinutes: offsetMinutes(settings['time.offset']) }
}

/** The date of a charge. It is counted from the first charge, so that a short month does not shorten later ones: 31
 *  January, 28 February, 31 March. */
export function chargeDate(
  anchor: EpochMs,
  charge: number,
  { interval, offsetMinutes }: Calendar,
): EpochMs | null {
  return addDuration(anchor, spans[interval ?? 'MONTHLY']?.(charge - 1) ?? `P${charge - 1}M`, offsetMinutes)
}

const spans: Readonly<Record<string, (n: number) => string>> = {
  DAILY: (n) => `P${n}D`,
  WEEKLY: (n) => `P${n}W`,
  MONTHLY: (n) => `P${n}M`,
  QUARTERLY: (n) => `P${3 * n}M`,
  YEARLY: (n) => `P${n}Y`,
}

function upcoming(
  subscription: Subscription,
  { from, rules, calendar }: { from: number; rules: readonly ChargeRule[]; calendar: Calendar },
): Subscription {
  const next = nextCharge(rules, from)
  const { anchor, cancelled } = subscription
  if (next === null || anchor === null || cancelled)
    return { ...subscription, next: next ?? from, nextAt: null }
  const date = chargeDate(anchor, next, calendar)
  // The first charge has a record already, so only its end is due, after `afterMs`.
  const laterMs = next === 1 ? (chargeOutcome(rules, next)?.afterMs ?? 0) : 0
  return { ...subscription, next, nextAt: date === null ? null : date + laterMs }
}

/** The number of the next charge from `from` on. Charge 1 may instead be a step of the timeline. */
function nextCharge(rules: readonly ChargeRule[], from: number): number | null {
  const recurring = rules.filter(({ recurs, to }) => recurs && (to === null || to >= from))
  return recurring.length === 0 ? null : Math.min(...recurring.map((rule) => Math.max(rule.from, from)))
}
