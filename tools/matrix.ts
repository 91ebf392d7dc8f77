// Puts conform to the proof: every reference application, right and broken, through all cases, and what came of it as a
// table in docs/conform-matrix.md. `npm run matrix -- --runs 2 --bugs ships-twice`

import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { judged, mistakes, tooLate } from '../test/conform/matrix/support/judged.ts'
import { allBugs, applicationNames } from '../test/conform/matrix/support/references.ts'
import type { Chosen } from '../test/conform/matrix/support/running-application.ts'
import { type MatrixRow, matrixTable, withTable } from './matrix/table.ts'

const page = new URL('../docs/conform-matrix.md', import.meta.url)

const { values } = parseArgs({
  options: {
    /** How often each correct application is run. */
    runs: { type: 'string', default: '20' },
    /** Only bugs whose names contain that; then nothing is written. */
    bugs: { type: 'string' },
    parallel: { type: 'string', default: String(availableParallelism()) },
  },
})

// Leaves no application behind: what runs is ended when this process exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

const runs = Number(values.runs)
const bugs = allBugs().filter(({ name }) => values.bugs === undefined || name.includes(values.bugs))
const jobs: Chosen[] = [
  ...applicationNames.flatMap((application) => Array.from({ length: runs }, () => ({ application }))),
  ...bugs.map((bug) => ({ application: bug.application, bug })),
]

const rows: MatrixRow[] = []
let wrong = 0

async function work(): Promise<void> {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    const name = `${job.application}${job.bug ? `, ${job.bug.name}` : ''}`
    const ended = await judged(job).catch((error: unknown) => String(error))
    if (typeof ended === 'string') {
      wrong += 1
      console.log(`WRONG ${name}: ${ended}`)
      continue
    }
    const { report, log } = ended
    const found = [...mistakes(job, report), ...tooLate(report)]
    wrong += found.length === 0 ? 0 : 1
    rows.push({ ...job, report })
    console.log(`${found.length === 0 ? 'ok   ' : 'WRONG'} ${name}: ${Math.round(report.ms / 1000)} s`)
    for (const line of found) console.log(`      ${line}`)
    if (found.length > 0 && log !== '') console.log(log.trimEnd().slice(-2_000).replaceAll(/^/gm, '      | '))
  }
}

await Promise.all(Array.from({ length: Number(values.parallel) }, work))

console.log(`\n${matrixTable(rows)}\n`)
if (values.bugs === undefined) writeFileSync(page, withTable(readFileSync(page, 'utf8'), rows))
console.log(
  wrong === 0 ? 'All as it should be.' : `${wrong} of ${rows.length} runs are not as they should be.`,
)
process.exitCode = wrong === 0 ? 0 : 1
