import { chargeDate, type Interval } from './calendar.ts'
import type { Script } from './script.ts'

/** How a subscription goes on; its first order keeps it. */
export interface ModelSubscription {
  readonly interval: Interval
  /** The date of the first charge; null before the payer has agreed. */
  anchor: number | null
  /** The date of the second one, whether it comes or not. */
  second: number | null
  next: number
  nextAt: number | null
  cancelled: boolean
}

export const newSubscription = (interval: Interval): ModelSubscription => ({
  interval,
  anchor: null,
  second: null,
  next: 1,
  nextAt: null,
  cancelled: false,
})

/** The payer has agreed: charges are counted from `anchor`. */
export function authorise(
  subscription: ModelSubscription,
  anchor: number,
  script: Script,
  offsetMinutes: number,
): void {
  subscription.anchor = anchor
  subscription.second = chargeDate(anchor, 2, { interval: subscription.interval, offsetMinutes })
  planCharge(subscription, 1, script, offsetMinutes)
}

/** Finds the first charge from the n-th on that comes at all. */
export function planCharge(
  subscription: ModelSubscription,
  n: number,
  { charges }: Script,
  offsetMinutes: number,
): void {
  const { anchor, interval, cancelled } = subscription
  const next = Math.max(n, Math.min(...charges.map(({ from }) => from)))
  const comes = charges.some(({ every, to }) => every && next <= to)
  const date = anchor === null || !comes || cancelled ? null : anchor
  Object.assign(subscription, {
    next,
    nextAt: date === null ? null : chargeDate(date, next, { interval, offsetMinutes }),
  })
}
