import type { EpochMs } from '../../text/time.ts'
import type { AttemptFaults, PlannedFaults } from './faults.ts'

/** The part of a delivery's plan that contains faults. */
interface FaultPlan {
  readonly faults?: readonly PlannedFaults[] | undefined
}

/** The combined faults of a webhook attempt; later ones take precedence.
 *  @param attempt the number of the attempt, from 1 */
export function faultsAt(plan: FaultPlan | null, attempt: number): AttemptFaults {
  return faultsAbout(plan, attempt).reduce<AttemptFaults>(
    (sum, { times: _, attempt: __, fault: ___, ...faults }) => laidOver(sum, faults),
    {},
  )
}

const faultsAbout = (plan: FaultPlan | null, attempt: number): readonly PlannedFaults[] =>
  plan?.faults?.filter(
    ({ times, attempt: only }) => attempt <= (times ?? attempt) && attempt === (only ?? attempt),
  ) ?? []

/** Words the error of an attempt whose answer a `countAs` fault overrode. */
export function overrideWords(plan: FaultPlan | null, attempt: number, answered: number): string {
  const overriding = faultsAbout(plan, attempt).findLast(({ countAs }) => countAs !== undefined)
  const by = overriding?.fault === undefined ? 'the scenario' : 'a planned fault'
  return `${yourAppAnswered} ${answered}, treated as ${overriding?.countAs} by ${by}`
}

const yourAppAnswered = 'your app answered'

/** The stored error of an attempt whose answer a `countAs` fault overrode, with both statuses; null for other
 *  attempts. */
export function overrideOf(
  plan: FaultPlan | null,
  { n, status, error }: { readonly n: number; readonly status: number | null; readonly error: string | null },
): string | null {
  const isOverridden = status !== null && faultsAt(plan, n).countAs === status
  return isOverridden && error?.startsWith(yourAppAnswered) ? error : null
}

/** The number of the attempt from which on an accepted webhook is sent again; null if it is not. */
export const copiedSince = (plan: FaultPlan | null): number | null => copying(plan)?.attempt ?? null

/** The time at which an accepted webhook is sent again; null if it is not.
 *  @param accepted the number of accepted attempts since the fault */
export function nextCopyAt(plan: FaultPlan | null, accepted: number, now: EpochMs): EpochMs | null {
  const { duplicate = 0, apartMs = 0 } = copying(plan) ?? {}
  return accepted < duplicate ? now + apartMs : null
}

const copying = (plan: FaultPlan | null): PlannedFaults | undefined =>
  plan?.faults?.find(({ duplicate }) => duplicate !== undefined)

function laidOver(under: AttemptFaults, over: AttemptFaults): AttemptFaults {
  const headers = over.headers && { ...under.headers, ...over.headers }
  return { ...under, ...over, ...(headers && { headers }) }
}
