import type { CaseId, ConfigurationProblem, Defect } from './report.ts'

/** What is said about something that an application did wrong. */
export interface FindingWords {
  readonly defect: Defect
  /** What the application did, in a sentence. */
  readonly did: string
  /** What it should have done; the case's own words if left out. */
  readonly should?: string | undefined
  /** The order it is about; the last one of the case if left out. */
  readonly requestId?: string | undefined
  /** The webhook that shows it; the last one of the order if left out, none if null. */
  readonly deliveryId?: string | null | undefined
  /** The command that shows it, where that is no webhook. */
  readonly curl?: string | undefined
}

/** Thrown by a case: the application did something wrong. */
export class Finding extends Error {
  override readonly name = 'Finding'
  readonly words: FindingWords

  constructor(words: FindingWords) {
    super(words.did)
    this.words = words
  }
}

/** Thrown by a case: no channel shows what it is about. */
export class NotSeen extends Error {
  override readonly name: string = 'NotSeen'
}

/** Thrown where something was wrong already before the act of a case. */
export class WrongBefore extends NotSeen {
  override readonly name = 'WrongBefore'

  constructor(what: string, found: CaseId) {
    super(`${what}, already before this case began: see ${found}`)
  }
}

/** Thrown when the configuration turns out to be wrong. */
export class WrongConfiguration extends Error {
  override readonly name = 'WrongConfiguration'
  readonly problem: ConfigurationProblem

  constructor(member: string, message: string) {
    super(`${member}: ${message}`)
    this.problem = { member, message }
  }
}
