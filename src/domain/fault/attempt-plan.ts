import { faultsAt } from '../attempt-faults.ts'
import type { DeliveryPlan } from '../delivery.ts'
import type { DeliveryFault } from './planned-fault.ts'

/** Whether a planned fault may still be done to an attempt: it meets one at most.
 *  @param attempt the number of the coming attempt */
export function canMeetFault(plan: DeliveryPlan | null, attempt: number): boolean {
  const met = (plan?.faults ?? []).some((one) => one.fault !== undefined && one.attempt === attempt)
  return !met && faultsAt(plan, attempt).drop !== true
}

/** The plan of a delivery whose coming attempt has met a fault. It stands above what the scenario says. What is never
 *  to be sent stays so: a crash makes another attempt of it. */
export function planWith(
  plan: DeliveryPlan | null,
  { id, effect }: Pick<DeliveryFault, 'id' | 'effect'>,
  attempt: number,
): DeliveryPlan {
  const which = effect.faults.drop ? {} : { attempt }
  const faults = [...(plan?.faults ?? []), { fault: id, ...which, ...effect.faults }]
  return { ...plan, faults, ...(effect.delayMs > 0 && ({ delayed: true } as const)) }
}
