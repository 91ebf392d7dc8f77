import type { ConformReport } from '../report.ts'

/** What a wrong configuration means for a run; null if it is not wrong. It never reads like a verdict. */
export function problemHeadline({ problems, cases }: ConformReport): string | null {
  if (problems.length === 0) return null
  return cases.length === 0
    ? 'The configuration has problems, so no test case ran. Fix these and run `conform` again:'
    : 'Problems in the configuration showed up during the run, so these verdicts are not final. Fix these and run `conform` again:'
}
