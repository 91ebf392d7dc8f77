import { faultsAt } from '../attempt-faults.ts'
import type { DeliveryPlan } from '../delivery.ts'
import type { DeliveryFault } from './planned-fault.ts'

/** The planned faults that may still be done to an attempt. It meets one at most; and what is sent again, because a
 *  fault says so, is not doubled once more: else its copies would have copies without end.
 *  @param attempt the number of the coming attempt */
export function faultsLeft(
  plan: DeliveryPlan | null,
  attempt: number,
  faults: readonly DeliveryFault[],
): readonly DeliveryFault[] {
  const met = (plan?.faults ?? []).filter(({ fault }) => fault !== undefined)
  if (met.some((one) => one.attempt === attempt) || faultsAt(plan, attempt).drop) return []
  if (!met.some(({ duplicate }) => duplicate !== undefined)) return faults
  return faults.filter(({ effect }) => effect.faults.duplicate === undefined)
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
