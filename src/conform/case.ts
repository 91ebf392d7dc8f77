import type { CaseId, Defect, Question } from './report.ts'
import type { Stage } from './stage/stage.ts'

/** A test case: its words, and the code that runs it. */
export interface Case extends Question {
  /** It changes the whole client (tokens, URL, clock by hours), so it runs after the cases that do not. */
  readonly wholeClient?: boolean
  /** It runs just before this case, whatever its number, because that case waits less with the knowledge of this
   *  one. */
  readonly before?: CaseId
  /** Simpler cases that find the same problem; if they failed, this case adds nothing. */
  readonly explainedBy?: readonly { readonly cases: readonly CaseId[]; readonly defect: Defect }[]
  /** Runs the case.
   *  @throws Finding if the application is wrong, NotSeen if the case is not observable. Otherwise it passes, unless
   *    the stage has noted something that was not observable */
  run(stage: Stage): Promise<void>
}
