import type { ConformReport } from '../../conform/index.ts'

/** Exit code of a run. What failed has failed, even if the configuration turned out to be wrong for other cases, or if
 *  little could be seen.
 *  @param ended whether the application ended before the run did */
export function exitCodeOf({ problems, counts, sawTooLittle }: ConformReport, ended: boolean): number {
  if (counts.FAIL > 0) return 1
  if (problems.length > 0) return 2
  if (ended) return 1
  return sawTooLittle ? 3 : 0
}
