import { expect, test } from 'vitest'
import { type ExploreOptions, explore } from '../../../src/conform/index.ts'
import type { TestEmulator } from '../../../src/index.ts'

/** No option is right enough to use it. */
const unused = {} as TestEmulator

test.each<[string, ExploreOptions]>([
  ['timeMs: expected a number above 0, not 0', { timeMs: 0 }],
  ['timeMs: expected a number above 0, not NaN', { timeMs: Number.NaN }],
  ['stories: expected a whole number of at least 1, not 0.5', { stories: 0.5 }],
  ['acts: expected a whole number from 2 to 30, not 1', { acts: 1 }],
  ['acts: expected a whole number from 2 to 30, not Infinity', { acts: Number.POSITIVE_INFINITY }],
  ['atOnce: expected a whole number from 1 to 64, not 0', { atOnce: 0 }],
  ['without: `pay` cannot be left out', { without: ['pay'] }],
  ['without: there is no act "pya"; did you mean `pay`?', { without: ['pya' as 'pay'] }],
  ['near: `pay` is not possible: a story begins with one of the acts', { near: [['pay']] }],
  ['near: there is no act "toString"', { near: [['create'], ['toString' as 'pay']] }],
])('%s', async (message, options) => {
  const exploring = explore(unused, {}, options)
  await expect(exploring).rejects.toThrow(RangeError)
  await expect(exploring).rejects.toThrow(message)
})
