import type { CaseId, ConformReport, Verdict } from '../../src/conform/index.ts'
import { applicationNames } from '../../test/conform/matrix/support/references.ts'
import type { Chosen } from '../../test/conform/matrix/support/running-application.ts'

/** A run of an application, right or broken. */
export interface MatrixRow extends Chosen {
  readonly report: ConformReport
}

const marks: Readonly<Record<Verdict, string>> = { PASS: '·', FAIL: '**F**', WARN: '**W**', 'NOT-SEEN': '' }

const begin = '<!-- Written by npm run matrix. -->'
const end = '<!-- End of what is written by npm run matrix. -->'

/** What stands between the marks of the page: a row for each application, a column for each case. */
export function matrixTable(rows: readonly MatrixRow[]): string {
  const cases = [...new Set(rows.flatMap(({ report }) => report.cases.map(({ id }) => id)))].toSorted()
  const lines = [
    ['application', 's', ...cases.map((id) => id.slice(1))],
    ['---', '--:', ...cases.map(() => ':-:')],
    ...grouped(rows).map((runs) => rowOf(runs, cases)),
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The page with another table. @throws Error if its marks are gone */
export function withTable(page: string, rows: readonly MatrixRow[]): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/conform-matrix.md has no ${begin} and ${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${matrixTable(rows)}\n\n${page.slice(to)}`
}

/** The runs of one application each: the correct ones first, then the broken ones of each. */
function grouped(rows: readonly MatrixRow[]): MatrixRow[][] {
  const place = ({ application, bug }: MatrixRow) =>
    `${bug ? 1 : 0}${applicationNames.indexOf(application)}${bug?.name ?? ''}`
  return [...Map.groupBy(rows, place)].toSorted(([a], [b]) => a.localeCompare(b)).map(([, runs]) => runs)
}

/** A case of several runs shows what it was at worst; the time is the longest. */
function rowOf(runs: readonly MatrixRow[], cases: readonly CaseId[]): string[] {
  const [{ application, bug } = { application: '', bug: null }] = runs
  const seconds = Math.max(...runs.map(({ report }) => report.ms)) / 1000
  const name = bug ? `${application}: ${bug.name}` : `**${application}**, ${runs.length} runs`
  return [name, String(Math.round(seconds)), ...cases.map((id) => marks[worst(runs, id)])]
}

const badness: readonly Verdict[] = ['FAIL', 'WARN', 'NOT-SEEN', 'PASS']

function worst(runs: readonly MatrixRow[], id: CaseId): Verdict {
  const met = runs.map(({ report }) => report.cases.find((each) => each.id === id)?.verdict ?? 'NOT-SEEN')
  return badness.find((verdict) => met.includes(verdict)) ?? 'NOT-SEEN'
}
