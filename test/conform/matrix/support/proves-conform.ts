import { expect, test } from 'vitest'
import { judged, mistakes } from './judged.ts'
import { type ApplicationName, bugsOf } from './references.ts'

/** Tests that conform finds each bug that is put into an application. That it finds nothing in the application as it is:
 *  `whole-runs.test.ts`. */
export function provesConform(application: ApplicationName): void {
  test.concurrent.each(bugsOf(application))('$name is caught by $caughtBy', async (bug) => {
    const chosen = { application, bug }
    const { report, log } = await judged(chosen, { only: [bug.caughtBy] })
    expect(mistakes(chosen, report), log).toEqual([])
  })
}
