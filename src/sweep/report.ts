/** One line of what became of the behaviours: "29 of 34 behaviours survived, 1 broke, 2 waited". */
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

/** What a reader has to know about a result, line by line. */
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

/** What an outcome means, for those who see it for the first time. */
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
