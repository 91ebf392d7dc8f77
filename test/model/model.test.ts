import { test } from 'vitest'
import { makeRuns } from './runs.ts'

/** The long version, with chance in it, is `test/hard/model.test.ts`. */
test('twenty-five short lives go as the model says', async () => {
  const plan = { seed: 1, runs: 25, commands: 20 }
  await makeRuns(plan, [...Array(plan.runs).keys()], () => undefined)
})
