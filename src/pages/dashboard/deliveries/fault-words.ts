import { spanWords } from '../../../domain/text/duration.ts'
import { faultsAt } from '../../../domain/webhook/faults/attempt-faults.ts'
import { faultSentences, type PlannedFaults } from '../../../domain/webhook/faults/faults.ts'

/** The plan of a delivery, as the control API shows it. */
interface Plan {
  readonly by?: readonly string[] | undefined
  readonly faults?: readonly PlannedFaults[] | undefined
  readonly attempts?: number | undefined
  readonly delayed?: true | undefined
  readonly delayMs?: number | undefined
}

/** Describes the faults of an attempt, one sentence each. */
export function faultWords(plan: Plan | null, attempt: number): string[] {
  if (plan?.faults === undefined) return []
  return faultSentences(faultsAt(plan, attempt))
}

/** The sentences about a delivery's plan as a whole. */
export function planSentences(plan: Plan | null): string[] {
  if (plan === null) return []
  const { by = [], attempts, delayMs = 0, delayed } = plan
  return [
    ...(by.length > 0 ? [`A sweep applies ${by.join(' and ')} to it.`] : []),
    ...(delayMs > 0 ? [`It is sent ${spanWords(delayMs)} after the answer of its create call.`] : []),
    ...(delayed ? ['It is delayed on purpose; later events of its order do not wait for it.'] : []),
    ...(attempts === undefined
      ? []
      : [`It is tried at most ${attempts === 1 ? 'once' : `${attempts} times`}.`]),
  ]
}

/** Returns the ids of planned faults (`POST /faults`) that were applied to a delivery. */
export const plannedFaultIds = (plan: Plan | null): string[] => [
  ...new Set(plan?.faults?.flatMap(({ fault }) => (fault === undefined ? [] : [fault])) ?? []),
]
