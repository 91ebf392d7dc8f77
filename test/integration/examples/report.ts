import { existsSync, readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import * as z from 'zod'

/** How the tests of an example ended: their names, as `test/webhooks.test.ts > refuses forged webhooks`. */
export interface Outcomes {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
}

interface Ended {
  readonly name: string
  readonly passed: boolean
}

/** The report format of vitest and jest. */
const jestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
})

/** The report format of playwright; suites are not nested here. */
const playwrightReport = z.object({
  suites: z.array(
    z.object({ file: z.string(), specs: z.array(z.object({ title: z.string(), ok: z.boolean() })) }),
  ),
})

/** Reads the report of a test run in `folder`. @throws Error with the run's output if it has written none */
export function readReport(file: string, folder: string, output: string): Outcomes {
  if (!existsSync(file)) throw new Error(`The tests did not get as far as a report:\n${output}`)
  const report: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const ofPlaywright = playwrightReport.safeParse(report)
  const all = ofPlaywright.success
    ? playwrightTests(ofPlaywright.data)
    : jestTests(jestReport.parse(report), folder)
  const names = (wanted: boolean) =>
    all.flatMap(({ name, passed }) => (passed === wanted ? name : [])).toSorted()
  return { passed: names(true), failed: names(false) }
}

function jestTests({ testResults }: z.output<typeof jestReport>, folder: string): Ended[] {
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      // One that skips itself has not failed: conform does where it cannot see.
      .filter(({ status }) => ['passed', 'failed'].includes(status))
      .map(({ title, status }) => ({
        name: `${relative(folder, file)} > ${title}`,
        passed: status === 'passed',
      })),
  )
}

function playwrightTests({ suites }: z.output<typeof playwrightReport>): Ended[] {
  return suites.flatMap(({ file, specs }) =>
    specs.map(({ title, ok }) => ({ name: `test/${basename(file)} > ${title}`, passed: ok })),
  )
}
