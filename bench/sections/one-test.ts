import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Section } from '../frame/section.ts'

const runs = 5
const project = fileURLToPath(new URL('../one-test', import.meta.url))
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

const report = z.object({
  numPassedTests: z.number(),
  testResults: z.tuple([z.object({ startTime: z.number(), endTime: z.number() })]),
})

/** A test as users write it, 200 times one after the other in one file of vitest: from the start of the first test to
 *  the end of the last one. */
export const oneTest: Section = {
  name: 'test',
  async run({ folder }) {
    const values: number[] = []
    for (let n = 0; n < runs; n++) {
      const output = join(folder, 'tests.json')
      const words = ['run', '--root', project, '--reporter', 'json', '--outputFile', output]
      await promisify(execFile)(process.execPath, [vitest, ...words])
      const { numPassedTests, testResults } = report.parse(JSON.parse(readFileSync(output, 'utf8')))
      const [{ startTime, endTime }] = testResults
      values.push((endTime - startTime) / numPassedTests)
    }
    return [{ goal: 'a test', values }]
  },
}
