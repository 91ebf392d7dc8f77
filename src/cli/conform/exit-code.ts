import type { ConformReport } from '../../conform/index.ts'

/** What a run ends with. What failed has failed, even if the configuration turned out to be wrong for other cases. */
export const exitCodeOf = ({ problems, counts }: ConformReport): number =>
  counts.FAIL > 0 ? 1 : problems.length > 0 ? 2 : 0
