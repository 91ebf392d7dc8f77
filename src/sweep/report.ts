/** Counts the outcomes on one line: "29 of 34 behaviours survived, 1 broke, 2 waited". */
export function summaryOf({
  counts,
  results,
  interrupted,
}: Pick<SweepReport, 'counts' | 'results' | 'interrupted'>): string {
  const others = outcomes
    .filter((outcome) => outcome !== 'survived' && counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcome === 'BROKE' ? 'broke' : outcome}`)
  const of = results.length === 1 ? '1 behaviour' : `${results.length} behaviours`
  const words = [`${counts.survived} of ${of} survived`, ...others].join(', ')
  return interrupted ? `Interrupted. So far: ${words}` : words
}

/** Returns the details of a result, line by line. */
export function detailsOf({
  outcome,
  failed = [],
  tail = [],
  strikes,
  reason,
  ground,
  again,
}: BehaviourResult): string[] {
  if (outcome === 'survived') return [`struck ${times(strikes)}`]
  if (outcome === 'not met' || outcome === 'skipped') return [reason ?? '']
  const shown = failed
    .slice(0, mostFailed)
    .map(({ name, message }) => (message === '' ? name : `${name}: ${message}`))
  const more = failed.length > mostFailed ? [`and ${failed.length - mostFailed} more`] : []
  const output = failed.length === 0 ? tail : []
  const hung = reason === undefined ? [] : [reason]
  return [
    ...hung,
    ...shown,
    ...more,
    ...output,
    `struck ${times(strikes)} · legal: ${ground} · again: ${again}`,
  ]
}

const mostFailed = 3

const times = (n: number): string => (n === 1 ? 'once' : `${n} times`)

/** Explains each outcome for newcomers. */
export const meaningOf: Readonly<Record<Outcome, string>> = {
  BROKE: 'a test failed, and the behaviour gives no excuse for that',
  waited:
    'a test failed while a webhook, a status or an answer was still delayed: the test allows less time than the service may take',
  'gave up': 'a test failed because the application did not retry after an error, which is allowed',
  survived: 'the behaviour occurred, and all tests passed',
  'not met': 'the behaviour never occurred',
  flaky: 'a test failed once, and passed in a second run',
  skipped: 'left out with --skip',
}

/** Result of the test suite under one behaviour. BROKE: tests failed without an excuse. waited: tests failed while a
 *  webhook, a status or an answer was still held. gave up: tests failed, and the application sent nothing more after
 *  a refused call, as it may. survived: the behaviour was applied, and all tests passed. not met: it was never
 *  applied. flaky: failed once, then passed. skipped: on request. */
export type Outcome = 'BROKE' | 'waited' | 'gave up' | 'survived' | 'not met' | 'flaky' | 'skipped'

export interface FailedTest {
  readonly name: string
  /** The message of the failed test, on one line. */
  readonly message: string
}

export interface BehaviourResult {
  readonly name: string
  readonly does: string
  /** Why the provider may behave in this way. */
  readonly ground: string
  readonly outcome: Outcome
  /** How often the behaviour was applied in the deciding run. */
  readonly strikes: number
  /** Why it was not met or was skipped; how long a hung suite was waited for. */
  readonly reason?: string | undefined
  /** The failed tests; empty if no report names them. */
  readonly failed?: readonly FailedTest[] | undefined
  /** The last lines of the output, if no report names the failed tests. */
  readonly tail?: readonly string[] | undefined
  /** The command that runs only this behaviour. */
  readonly again: string
}

/** The report of a sweep. The shape of `--json`. */
export interface SweepReport {
  readonly version: 1
  readonly startedAt: string
  /** The duration of the sweep in wall-clock milliseconds. */
  readonly ms: number
  readonly command: readonly string[]
  readonly seed: string
  readonly baseline: { readonly tests: number | null; readonly ms: number }
  readonly results: readonly BehaviourResult[]
  readonly counts: Readonly<Record<Outcome, number>>
  /** Whether the sweep was interrupted, so that some behaviours have no result. */
  readonly interrupted: boolean
}

const outcomes = ['BROKE', 'waited', 'gave up', 'survived', 'not met', 'flaky', 'skipped'] as const

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
