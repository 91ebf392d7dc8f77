import { expect, test } from 'vitest'
import type { Goal, Section } from '../../bench/frame/section.ts'
import { allOk, isOk } from '../../bench/frame/verdict.ts'

const result = (value: number, goal?: Goal) => ({
  name: 'ours',
  value,
  unit: 'x',
  spread: null,
  ...(goal && { goal }),
})
const atLeast: Goal = { aim: 0.4, better: 'higher' }
const atMost: Goal = { aim: 1.7, better: 'lower' }
const section: Section = { name: 'one', goal: 1, runs: 'always', run: async () => [] }

test.each([
  [0.34, atLeast, true, '85 % of what is to be reached'],
  [0.339, atLeast, false, 'just below'],
  [2, atMost, true, 'what may not be passed, over 0.85'],
  [2.01, atMost, false, 'just above'],
  [Number.NaN, atMost, false, 'what could not be measured'],
])('%d with the aim %j is ok: %s, %s', (value, goal, ok) => {
  expect(isOk(result(value, goal))).toBe(ok)
})

test('information is neither ok nor missed', () => {
  expect(isOk(result(0))).toBeNull()
})

test('a missed must, or a section without results, fails the bench', () => {
  expect(allOk([{ section, results: [result(1, atLeast), result(0)], othersCores: 0, paceMs: [] }])).toBe(
    true,
  )
  expect(
    allOk([{ section, results: [result(1, atLeast), result(0.1, atLeast)], othersCores: 0, paceMs: [] }]),
  ).toBe(false)
  expect(allOk([{ section, results: [], failure: 'it ended', othersCores: 0, paceMs: [] }])).toBe(false)
})
