import type { CaseId, Defect, Question } from './report.ts'
import type { Stage } from './stage/stage.ts'

/** A question, and how it is put. */
export interface Case extends Question {
  /** It touches the whole client (tokens, URL, clock by hours), so it runs after those that do not. */
  readonly wholeClient?: boolean
  /** It runs just before this one, whatever its number, since that waits less for what this one has learned. */
  readonly before?: CaseId
  /** Simpler cases that have found the same already: then this one says nothing new. */
  readonly explainedBy?: readonly { readonly cases: readonly CaseId[]; readonly defect: Defect }[]
  /** Plays it.
   *  @throws Finding when the application is wrong, NotSeen when no channel can tell; else all is well, unless the
   *    stage has noted that something could not be seen */
  run(stage: Stage): Promise<void>
}
