import type { ConformReport } from '../report.ts'

/** What a wrong configuration means for a run; null if it is not wrong. It never reads like a verdict. */
export function problemHeadline({ problems, cases }: ConformReport): string | null {
  if (problems.length === 0) return null
  return cases.length === 0
    ? 'The configuration is wrong, so nothing was judged. Mend this and run it again:'
    : 'The configuration turned out to be wrong on the way, so these verdicts are not final. Mend this and run it again:'
}
