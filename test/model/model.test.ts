import { test } from 'vitest'
import { storeKind } from '../support/store.ts'
import { makeRuns } from './runs.ts'

/** The long version, with chance in it, is `test/hard/model.test.ts`. */
test.each([
  ['the program’s database', storeKind, 16],
  ['a store without any', 'memory', 4],
])('short lives on %s go as the model says', { timeout: 60_000 }, async (_, kind, runs) => {
  await makeRuns({ seed: 1, runs, commands: 20 }, [...Array(runs).keys()], () => undefined, kind)
})
