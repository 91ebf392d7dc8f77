import type { CaseResult, ConformReport, Verdict } from '../report.ts'
import { plainLine } from './lines.ts'

/** Formats the result of a run on one line: `27 passed, 1 failed, 2 warnings, 10 skipped in 34 s; seed 1a2b3c4d`. A
 *  warning about too few observable cases comes first. */
export function summaryOf(report: ConformReport): string {
  const { counts, ms, seed } = report
  const words = countWords(counts)
  const little = littleSeen(report)
  return `${little === null ? '' : `${little}. `}${words === '' ? 'No test case ran' : words} in ${secondsOf(ms)}; seed ${plainLine(seed)}`
}

/** The warning `Only 16 of 40 cases were observable`, if that is fewer than half or than required; null otherwise. */
export function littleSeen({ cases, counts, sawTooLittle }: ConformReport): string | null {
  const of = cases.length
  const seen = of - counts['NOT-SEEN']
  if (!sawTooLittle && seen * 2 >= of) return null
  const words = seen === 0 ? 'No case was observable' : `Only ${seen} of ${of} cases were observable`
  return sawTooLittle && seen > 0 ? `${words}, fewer than this run requires` : words
}

/** Counts the verdicts; absent ones are left out, except passed and failed. */
export function countWords(counts: Readonly<Record<Verdict, number>>): string {
  if (Object.values(counts).every((count) => count === 0)) return ''
  return [
    `${counts.PASS} passed`,
    `${counts.FAIL} failed`,
    ...(counts.WARN === 0 ? [] : [counts.WARN === 1 ? '1 warning' : `${counts.WARN} warnings`]),
    ...(counts['NOT-SEEN'] === 0 ? [] : [`${counts['NOT-SEEN']} skipped`]),
  ].join(', ')
}

/** Formats milliseconds as `0.6 s` or `34 s`. */
export const secondsOf = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`

/** Suggests the configuration option that makes most further cases observable; null if none does. */
export function nextStepOf(cases: readonly CaseResult[]): string | null {
  const unseen = cases.filter(({ verdict, needs }) => verdict === 'NOT-SEEN' && needs.length > 0)
  const steps = unseen
    .map(({ needs }) => ({ needs, shows: unseen.filter((each) => isWithin(each.needs, needs)).length }))
    .toSorted((a, b) => b.shows / b.needs.length - a.shows / a.needs.length || b.shows - a.shows)
  const [best] = steps
  if (best === undefined) return null
  const names = best.needs.map((name) => `\`${name}\`${onlyIf[name] ?? ''}`).join(' and ')
  return `Set ${names} in the configuration to make ${best.shows} more ${best.shows === 1 ? 'case' : 'cases'} observable.`
}

/** Options that only some applications can use, each with its condition. */
const onlyIf: Readonly<Record<string, string>> = {
  webhookSignature: ' (if your application verifies webhooks)',
  startSubscription: ' (if it sells subscriptions)',
}

const isWithin = (some: readonly string[], all: readonly string[]): boolean =>
  some.every((name) => all.includes(name))

/** Returns the results sorted by case number. */
export const inOrder = (cases: readonly CaseResult[]): CaseResult[] =>
  cases.toSorted((a, b) => a.id.localeCompare(b.id))

/** The remark that a report shows beside a case: why the case was not observable, or its warning; empty if there is
 *  none. */
export const remarkOn = ({ note, finding }: CaseResult): string => note ?? finding?.did ?? ''

/** The headline for a wrong configuration, which must not read like a verdict; null if it is valid. */
export function problemHeadline({ problems, cases }: ConformReport): string | null {
  if (problems.length === 0) return null
  return cases.length === 0
    ? 'The configuration has problems, so no test case ran. Fix these and run `conform` again:'
    : 'Problems in the configuration showed up during the run, so these verdicts are not final. Fix these and run `conform` again:'
}
