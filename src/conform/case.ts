import type { CaseId, Defect, Level } from './report.ts'
import type { Stage } from './stage.ts'

/** A question that is put to an application. */
export interface Case {
  readonly id: CaseId
  readonly level: Level
  /** A few words. */
  readonly title: string
  /** What happens, in a sentence. */
  readonly happens: string
  /** The right behaviour, in a sentence. */
  readonly right: string
  /** Why it matters, in a line. */
  readonly why: string
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
