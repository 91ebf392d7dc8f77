import type { CaseId, ConfigurationProblem, Defect } from './report.ts'

/** Describes what the application did wrong. */
export interface FindingWords {
  readonly defect: Defect
  readonly did: string
  /** The right behaviour; default: the words of the case. */
  readonly should?: string | undefined
  /** The requestId of the order; default: the last order of the case. */
  readonly requestId?: string | undefined
  /** The webhook that shows the error; default: the last one of the order; null: none. */
  readonly deliveryId?: string | null | undefined
  /** The command that shows the error, if it is not a webhook. */
  readonly curl?: string | undefined
}

/** Thrown by a case: the application is wrong. */
export class Finding extends Error {
  override readonly name = 'Finding'
  readonly words: FindingWords

  constructor(words: FindingWords) {
    super(words.did)
    this.words = words
  }
}

/** Thrown by a case that is not observable with this configuration. */
export class NotSeen extends Error {
  override readonly name: string = 'NotSeen'
}

/** Thrown if something was already wrong before the act of a case. */
export class WrongBefore extends NotSeen {
  override readonly name = 'WrongBefore'

  constructor(what: string, found: CaseId) {
    super(`${what}, already before this case began: see ${found}`)
  }
}

/** Thrown if the conform configuration turns out to be wrong. */
export class WrongConfiguration extends Error {
  override readonly name = 'WrongConfiguration'
  readonly problem: ConfigurationProblem

  constructor(member: string, message: string) {
    super(`${member}: ${message}`)
    this.problem = { member, message }
  }
}
