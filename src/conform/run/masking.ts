import type { Case } from '../case.ts'
import type { CaseId, CaseResult } from '../report.ts'

/** What a simpler case has found already is not told again: one bug, one FAIL.
 *  @param results what came of each case so far; one that was played later may explain an earlier one */
export function masked(
  played: Case,
  result: CaseResult,
  results: ReadonlyMap<CaseId, CaseResult>,
): CaseResult {
  const found = result.finding?.defect
  const by = (played.explainedBy ?? [])
    .filter(({ defect }) => defect === found)
    .flatMap(({ cases }) => cases)
    .find((id) => results.get(id)?.finding?.defect === found)
  if (by === undefined) return result
  return { ...result, verdict: 'NOT-SEEN', note: `the same problem as in ${by}: fix that first` }
}
