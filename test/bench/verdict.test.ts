import { expect, test } from 'vitest'
import type { Goal, Section } from '../../bench/frame/section.ts'
import { allOk, verdictOf } from '../../bench/frame/verdict.ts'

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
  [0.34, atLeast, 'ok', '85 % of what is to be reached'],
  [0.339, atLeast, 'MISSED', 'just below'],
  [2, atMost, 'ok', 'what may not be passed, over 0.85'],
  [2.01, atMost, 'MISSED', 'just above'],
  [Number.NaN, atMost, 'MISSED', 'what could not be measured'],
])('%d with the aim %j is %s: %s', (value, goal, verdict) => {
  expect(verdictOf(result(value, goal), [])).toBe(verdict)
})

test('information is neither ok nor missed', () => {
  expect(verdictOf(result(0), [])).toBeNull()
})

const asQuick = [2]
const halfAsQuick = [3, 4, 9]
const tenTimesSlower = [20]
const perSecond: Goal = { aim: 1_000, better: 'higher', timed: true }
const milliseconds: Goal = { aim: 17, better: 'lower', timed: true }

test.each([
  [850, perSecond, asQuick, 'ok'],
  [849, perSecond, asQuick, 'MISSED'],
  [849, perSecond, [1], 'MISSED'],
  [425, perSecond, halfAsQuick, 'ok at this pace'],
  [424, perSecond, halfAsQuick, 'MISSED'],
  [40, milliseconds, halfAsQuick, 'ok at this pace'],
  [41, milliseconds, halfAsQuick, 'MISSED'],
  [60, milliseconds, tenTimesSlower, 'ok at this pace'],
  [61, milliseconds, tenTimesSlower, 'MISSED'],
  [61, milliseconds, [], 'MISSED'],
])('%d with the aim %j on a machine whose work took %j ms is %s', (value, goal, pace, verdict) => {
  expect(verdictOf(result(value, goal), pace)).toBe(verdict)
})

test('a ratio is the same on a slow machine', () => {
  expect(verdictOf(result(0.339, atLeast), halfAsQuick)).toBe('MISSED')
})

test.each([
  [2, 3, 'ok', 'it reaches its must, though the least program does not'],
  [3, 2.6, 'ok beside its floor', 'both miss it, the one near the other'],
  [3.1, 2.6, 'MISSED', 'both miss it, the one far from the other'],
  [2.1, 2, 'MISSED', 'the least program reaches it'],
])('%d of at most 2 where the least program came to %d is %s: %s', (value, floor, verdict) => {
  expect(verdictOf({ ...result(value, atMost), floor }, [])).toBe(verdict)
})

test('a missed must, or a section without results, fails the bench', () => {
  expect(allOk([{ section, results: [result(1, atLeast), result(0)], othersCores: 0, paceMs: [] }])).toBe(
    true,
  )
  expect(
    allOk([{ section, results: [result(1, atLeast), result(0.1, atLeast)], othersCores: 0, paceMs: [] }]),
  ).toBe(false)
  expect(allOk([{ section, results: [], failure: 'it ended', othersCores: 0, paceMs: [] }])).toBe(false)
  const slow = { section, results: [result(500, perSecond)], othersCores: 0 }
  expect(allOk([{ ...slow, paceMs: halfAsQuick }])).toBe(true)
  expect(allOk([{ ...slow, paceMs: asQuick }])).toBe(false)
})
