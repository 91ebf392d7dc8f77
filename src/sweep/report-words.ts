import { type BehaviourResult, type Outcome, outcomes, type SweepReport } from './report.ts'

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
