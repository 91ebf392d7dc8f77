import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { behaviours } from '../../src/domain/sweep/behaviours.ts'
import type { SweepReport } from '../../src/sweep/report.ts'
import { type ApplicationName, applicationNames } from '../conform/matrix/support/references.ts'
import { isWhole } from './support/size.ts'

const run = promisify(execFile)

/** Sweeps the ordinary suite of a reference application, right or with a bug. */
async function swept(application: ApplicationName, bug: string | null, only: readonly string[]) {
  const suite = ['--import', 'tsx', 'test/sweep/matrix/ordinary-suite.ts', application]
  const argv = ['dist/cli.js', 'sweep', '--json', '--clock', 'manual', '--only', only.join(), '--']
  const words = [...argv, process.execPath, ...suite, ...(bug === null ? [] : [bug])]
  const { stdout } = await run(process.execPath, words).catch((error: { stdout: string }) => error)
  const { results }: SweepReport = JSON.parse(stdout)
  return results.map(({ name, outcome, failed }) => ({ name, outcome, failed }))
}

const all = behaviours.filter(({ quick }) => isWhole || quick).map(({ name }) => name)

test.each(applicationNames)('%s, where all is right, is broken by nothing', async (application) => {
  const results = await swept(application, null, all)
  expect(results.filter(({ outcome }) => outcome === 'BROKE')).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'survived').length).toBeGreaterThan(all.length / 2)
})

/** Bugs that a day's first tests, which are green, cannot see by themselves. */
const bugs = [
  ['hono', 'dies-with-the-connection', 'webhook-cut'],
  ['hono', 'opens-another-order', 'create-answer-lost'],
  ['hono', 'takes-unknown-for-paid', 'lookup-unknown-status'],
  ['express', 'takes-7001-for-a-bad-token', 'create-answer-lost'],
  ['python', 'believes-lost-creates', 'create-503'],
  ['python', 'takes-7001-for-a-bad-token', 'create-answer-lost'],
] as const

test.each(bugs.filter((_, n) => isWhole || n % 3 === 0))(
  '%s: the bug %s is found by %s',
  async (application, bug, behaviour) => {
    const results = await swept(application, bug, [behaviour])
    expect(results).toMatchObject([{ name: behaviour, outcome: 'BROKE' }])
  },
)
