import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { behaviours } from '../../src/domain/sweep/behaviours.ts'
import type { SweepReport } from '../../src/sweep/report.ts'
import { type ApplicationName, applicationNames } from '../conform/matrix/support/references.ts'
import { bugs } from '../sweep/matrix/visible-bugs.ts'
import { isWhole } from './support/size.ts'

const run = promisify(execFile)

/** Sweeps the ordinary suite of a reference application, right or with a bug.
 *  @throws Error with what it has written, if the suite is red without any behaviour */
async function swept(application: ApplicationName, bug: string | null, only: readonly string[]) {
  const suite = ['--import', 'tsx', 'test/sweep/matrix/ordinary-suite.ts', application]
  const argv = ['dist/cli.js', 'sweep', '--json', '--clock', 'manual', '--only', only.join(), '--']
  const words = [...argv, process.execPath, ...suite, ...(bug === null ? [] : [bug])]
  const { stdout } = await run(process.execPath, words).catch((error) => {
    if (error.code === 1) return error
    throw error
  })
  const { results }: SweepReport = JSON.parse(stdout)
  return results.map(({ name, outcome, failed }) => ({ name, outcome, failed }))
}

const all = behaviours.filter(({ quick }) => isWhole || quick).map(({ name }) => name)

test.each(applicationNames.filter((name) => isWhole || name === 'hono'))(
  '%s, where all is right, is broken by nothing',
  async (application) => {
    const results = await swept(application, null, all)
    expect(results.filter(({ outcome }) => outcome === 'BROKE')).toEqual([])
    expect(results.filter(({ outcome }) => outcome === 'survived').length).toBeGreaterThan(all.length / 2)
  },
)

const listed = applicationNames.flatMap((application) =>
  Object.entries(bugs[`test/conform/applications/${application}`] ?? {}).map(([name, sight]) => ({
    application,
    name,
    sight,
  })),
)
const visible = listed.flatMap(({ sight, ...bug }) => ('by' in sight ? { ...bug, ...sight } : []))
const few = ['dies-with-the-connection']

test.each(visible.filter(({ name }) => isWhole || few.includes(name)))(
  '$application with the bug $name: $sees',
  async ({ application, name, by, missed }) => {
    const results = await swept(application, name, by)
    const broke = results.some(({ outcome }) => outcome === 'BROKE')
    expect(broke, JSON.stringify(results)).toBe(missed === undefined)
  },
)

test.runIf(isWhole).each(listed.filter(({ sight }) => 'alone' in sight))(
  '$application with the bug $name: the suite is red without a sweep',
  async ({ application, name }) => {
    await expect(swept(application, name, all)).rejects.toMatchObject({ code: 2 })
  },
)
