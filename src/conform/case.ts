import type { CaseId, Defect, Question } from './report.ts'
import type { Stage } from './stage/stage.ts'

/** A test case: its words, and the code that runs it. */
export interface Case extends Question {
  /** Whether the case changes the whole client (tokens, URL, clock by hours); it then runs after all others. */
  readonly wholeClient?: boolean
  /** Whether the case runs before all others, which learn from it. */
  readonly first?: boolean
  /** Whether the case may run beside others: it plans no faults, changes no settings and holds no webhooks, and it
   *  looks only at its own orders. */
  readonly sideBySide?: boolean
  /** Simpler cases that find the same problem; if one of them has failed, a failure of this case is not reported
   *  again. */
  readonly explainedBy?: readonly { readonly cases: readonly CaseId[]; readonly defect: Defect }[]
  /** Runs the case.
   *  @throws Finding if the application is wrong, NotSeen if the case is not observable. Otherwise it passes, unless
   *    the stage has noted something that was not observable */
  run(stage: Stage): Promise<void>
}
