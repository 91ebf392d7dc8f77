import type { SourceProblem } from '../yaml-source.ts'

/** What became of an added scenario file while the emulator runs. */
export interface ScenarioNews {
  readonly id: string
  readonly file: string
  /** `broken`: its last good version stays in use. `unwatched`: changes in this folder will not be seen. */
  readonly change: 'added' | 'changed' | 'removed' | 'broken' | 'unwatched'
  /** Of what is broken or unwatched. */
  readonly problems: readonly SourceProblem[]
}
