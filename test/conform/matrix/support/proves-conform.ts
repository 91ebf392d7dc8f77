import { expect, test } from 'vitest'
import { judged, mistakes } from './judged.ts'
import { type ApplicationName, bugsOf } from './references.ts'

/** Tests that conform finds nothing wrong with an application, and each bug that is put into it. */
export function provesConform(application: ApplicationName): void {
  const bugs = bugsOf(application)

  test('nothing is found where all is right', async () => {
    const { report, log } = await judged({ application })
    expect(mistakes({ application }, report), log).toEqual([])
    expect(report.counts.PASS).toBeGreaterThan(report.cases.length / 2)
  })

  test.concurrent.each(bugs)('$name is caught by $caughtBy', async (bug) => {
    const chosen = { application, bug }
    const { report, log } = await judged(chosen, { only: [bug.caughtBy] })
    expect(mistakes(chosen, report), log).toEqual([])
  })
}
