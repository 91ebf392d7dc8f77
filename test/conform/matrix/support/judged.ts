import { type CaseId, type CaseResult, type ConformReport, conform } from '../../../../src/conform/index.ts'
import type { Chosen } from './running-application.ts'
import { withApplication } from './with-application.ts'

/** The result of a run against a reference application. */
export interface Judged {
  readonly report: ConformReport
  /** The end of what the application has written. */
  readonly log: string
}

/** Runs conform against a reference application.
 *  @param options.only only these cases; all if left out */
export const judged = (
  chosen: Chosen,
  { only, seed }: { readonly only?: readonly CaseId[]; readonly seed?: string } = {},
): Promise<Judged> =>
  withApplication(chosen, async (emulator, application) => {
    const options = { only, seed, process: application }
    const report = await conform(emulator, application.config, options)
    return { report, log: application.log }
  })

/** The longest that a whole run may take, in seconds: of a slow application, one of several runs at once, and one that
 *  has the machine to itself. */
const longest = { slow: 240, besideOthers: 90, alone: 60 }
/** The longest that the fastest correct application may take, if it has the machine to itself. */
const longestOfTheFastest = 45

/** A line that says so if a whole run took too long; none if it did not. */
export function tooLate({ slow }: Chosen, { ms }: ConformReport, atOnce: number): string[] {
  const limit = slow ? longest.slow : atOnce > 1 ? longest.besideOthers : longest.alone
  return ms > limit * 1000 ? [`took ${seconds(ms)} s, and may take ${limit}`] : []
}

/** A line that says so if even the fastest of runs took too long. */
export function allTooLate(reports: readonly ConformReport[], atOnce: number): string[] {
  const fastest = Math.min(...reports.map(({ ms }) => ms))
  if (reports.length === 0 || atOnce > 1 || fastest <= longestOfTheFastest * 1000) return []
  return [`the fastest took ${seconds(fastest)} s, and may take ${longestOfTheFastest}`]
}

const seconds = (ms: number): number => Math.round(ms / 1000)

/** The wrong verdicts of a run, one line each. */
export function mistakes({ bug }: Chosen, report: ConformReport): string[] {
  const problems = report.problems.map(({ member, message }) => `problem with ${member}: ${message}`)
  const failed = report.cases.filter(({ verdict }) => verdict === 'FAIL')
  if (bug === null || bug === undefined) {
    const warned = report.cases.filter(({ verdict }) => verdict === 'WARN')
    return [...problems, ...[...failed, ...warned].map(told)]
  }
  const meant = report.cases.find(({ id }) => id === bug.caughtBy)
  const missed = found(meant)
    ? []
    : [`not caught by ${bug.caughtBy}: ${meant === undefined ? 'not run' : told(meant)}`]
  const others = failed.filter(({ id }) => id !== bug.caughtBy)
  return [...problems, ...missed, ...(others.length > 1 ? others.map(told) : [])]
}

const found = (result: CaseResult | undefined): boolean =>
  result?.verdict === 'FAIL' || (result?.verdict === 'WARN' && result.level === 'SHOULD')

const told = ({ id, verdict, note, finding }: CaseResult): string =>
  `${id} ${verdict}: ${finding === null ? (note ?? 'nothing') : `${finding.defect}, ${finding.did}`}`
