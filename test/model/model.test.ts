import { test } from 'vitest'
import { makeRuns } from './runs.ts'

/** The long version, with chance in it, is `test/hard/model.test.ts`. */
test('sixteen short lives go as the model says', { timeout: 60_000 }, async () => {
  const plan = { seed: 1, runs: 16, commands: 20 }
  await makeRuns(plan, [...Array(plan.runs).keys()], () => undefined)
})
