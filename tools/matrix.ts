// Puts conform to the proof: every reference application, right and broken, through all cases, and what came of it as a
// table in test/conform/matrix/matrix.md. `npm run matrix -- --runs 2 --bugs ships-twice`

import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { CaseId, ConformReport, Verdict } from '../src/conform/index.ts'
import { allTooLate, judged, mistakes, tooLate } from '../test/conform/matrix/support/judged.ts'
import { allBugs, applicationNames, slowVariants } from '../test/conform/matrix/support/references.ts'
import { type Chosen, nameOf } from '../test/conform/matrix/support/running-application.ts'
import { exitOnSignals, printEnd, tableOf, writeTable } from './matrix/page.ts'

/** A run of an application, right or broken. */
interface MatrixRow extends Chosen {
  readonly report: ConformReport
}

const marks: Readonly<Record<Verdict, string>> = { PASS: '·', FAIL: '**F**', WARN: '**W**', 'NOT-SEEN': '' }
/** The worst first. */
const badness: readonly Verdict[] = ['FAIL', 'WARN', 'NOT-SEEN', 'PASS']

const { values } = parseArgs({
  options: {
    /** How often each correct application is run. */
    runs: { type: 'string', default: '20' },
    /** Only bugs whose names contain that; then nothing is written. */
    bugs: { type: 'string' },
    parallel: { type: 'string', default: String(availableParallelism()) },
  },
})

exitOnSignals()

const runs = Number(values.runs)
const bugs = allBugs().filter(({ name }) => values.bugs === undefined || name.includes(values.bugs))
const parallel = Number(values.parallel)
const correct: readonly Chosen[] = [
  ...applicationNames.map((application) => ({ application })),
  ...slowVariants().map((slow) => ({ application: slow.application, slow })),
]
const jobs: Chosen[] = [
  ...correct.flatMap((chosen) => Array.from({ length: runs }, () => chosen)),
  ...bugs.map((bug) => ({ application: bug.application, bug })),
]

const rows: MatrixRow[] = []
let wrong = 0

async function work(): Promise<void> {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    const name = nameOf(job)
    const ended = await judged(job).catch((error: unknown) => String(error))
    if (typeof ended === 'string') {
      wrong += 1
      console.log(`WRONG ${name}: ${ended}`)
      continue
    }
    const { report, log } = ended
    const found = [...mistakes(job, report), ...tooLate(job, report, parallel)]
    wrong += found.length === 0 ? 0 : 1
    rows.push({ ...job, report })
    printEnd(`${name}: ${Math.round(report.ms / 1000)} s`, found, log)
  }
}

await Promise.all(Array.from({ length: parallel }, work))

const fast = rows.filter(({ slow, bug }) => !slow && !bug).map(({ report }) => report)
for (const line of allTooLate(fast, parallel)) {
  wrong += 1
  console.log(`WRONG ${line}`)
}

console.log(`\n${matrixTable(rows)}\n`)
if (values.bugs === undefined) writeTable('npm run matrix', matrixTable(rows))
console.log(
  wrong === 0 ? 'All as it should be.' : `${wrong} of ${rows.length} runs are not as they should be.`,
)
process.exitCode = wrong === 0 ? 0 : 1

/** The generated table of the page: a row for each application, a column for each case. */
function matrixTable(rows: readonly MatrixRow[]): string {
  const cases = [...new Set(rows.flatMap(({ report }) => report.cases.map(({ id }) => id)))].toSorted()
  return tableOf([
    ['application', 's', ...cases.map((id) => id.slice(1))],
    ['---', '--:', ...cases.map(() => ':-:')],
    ...grouped(rows).map((runs) => rowOf(runs, cases)),
  ])
}

/** The runs of one application each: the correct ones first, then the broken ones of each. */
function grouped(rows: readonly MatrixRow[]): MatrixRow[][] {
  const place = ({ application, slow, bug }: MatrixRow) =>
    `${bug ? 2 : slow ? 1 : 0}${applicationNames.indexOf(application)}${bug?.name ?? ''}`
  return [...Map.groupBy(rows, place)].toSorted(([a], [b]) => a.localeCompare(b)).map(([, runs]) => runs)
}

/** A case of several runs shows what it was at worst; the time is the longest. */
function rowOf(runs: readonly MatrixRow[], cases: readonly CaseId[]): string[] {
  const [first] = runs
  const seconds = Math.max(...runs.map(({ report }) => report.ms)) / 1000
  const name =
    first === undefined ? '' : first.bug ? nameOf(first) : `**${nameOf(first)}**, ${runs.length} runs`
  return [name, String(Math.round(seconds)), ...cases.map((id) => marks[worst(runs, id)])]
}

function worst(runs: readonly MatrixRow[], id: CaseId): Verdict {
  const met = runs.map(({ report }) => report.cases.find((each) => each.id === id)?.verdict ?? 'NOT-SEEN')
  return badness.find((verdict) => met.includes(verdict)) ?? 'NOT-SEEN'
}
