/** How a suite fared under one behaviour.
 *  BROKE: it is red, and nothing excuses it. waited: it is red, and a webhook, a status or an answer was still kept back.
 *  gave up: it is red, and the application sent nothing more after a refused call, as it may. survived: the behaviour
 *  showed, and all tests passed. not met: it never showed. flaky: red once, then green. skipped: on request. */
export type Outcome = 'BROKE' | 'waited' | 'gave up' | 'survived' | 'not met' | 'flaky' | 'skipped'

/** A test that failed. */
export interface FailedTest {
  readonly name: string
  /** One line. */
  readonly message: string
}

export interface BehaviourResult {
  readonly name: string
  readonly does: string
  /** Why the behaviour is legal. */
  readonly ground: string
  readonly outcome: Outcome
  /** How often it showed in the run that decided. */
  readonly strikes: number
  /** Why it was not met or was skipped; how long a hung suite was waited for. */
  readonly reason?: string | undefined
  /** Of a run that was red. Empty if no report says which. */
  readonly failed?: readonly FailedTest[] | undefined
  /** The last lines of its output, where no report says which tests failed. */
  readonly tail?: readonly string[] | undefined
  /** The command that plays just this behaviour. */
  readonly again: string
}

/** What a sweep has found. The shape of `--json`. */
export interface SweepReport {
  readonly version: 1
  readonly startedAt: string
  /** Wall milliseconds. */
  readonly ms: number
  readonly command: readonly string[]
  readonly seed: string
  readonly baseline: { readonly tests: number | null; readonly ms: number }
  readonly results: readonly BehaviourResult[]
  readonly counts: Readonly<Record<Outcome, number>>
  /** It was interrupted: behaviours without a result are missing. */
  readonly interrupted: boolean
}

export const outcomes = ['BROKE', 'waited', 'gave up', 'survived', 'not met', 'flaky', 'skipped'] as const

export function countsOf(results: readonly BehaviourResult[]): SweepReport['counts'] {
  const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length
  return {
    BROKE: count('BROKE'),
    waited: count('waited'),
    'gave up': count('gave up'),
    survived: count('survived'),
    'not met': count('not met'),
    flaky: count('flaky'),
    skipped: count('skipped'),
  }
}
