import { expect, test } from 'vitest'
import { rateBeside } from '../../bench/frame/rounds.ts'
import { median, quantile, ratios, spread } from '../../bench/frame/statistics.ts'

test.each([
  [[3, 1, 2], 2],
  [[10, 2, 4, 100], 7],
  [[100, 9, 20], 20],
  [[5], 5],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected)
})

test('nothing has no median', () => {
  expect(median([])).toBeNaN()
})

test('a quantile between two values lies between them', () => {
  expect(quantile([0, 10], 0.99)).toBeCloseTo(9.9)
})

test('the spread is a share of the median', () => {
  expect(spread([90, 100, 120])).toBe(0.3)
})

test('a machine that slows down in a round slows both, and changes no ratio', () => {
  expect(ratios([50, 5, 100], [100, 10, 200])).toEqual([0.5, 0.5, 0.5])
})

test('a round without its counterpart has no ratio', () => {
  expect(ratios([50, 50], [100])[1]).toBeNaN()
})

const rounds = (perSecond: number, busy: number) => [{ perSecond, p50Ms: 1, busy }]

test.each([
  [0.95, true],
  [0.85, false],
])('a load process that used %d of its core is reported as too slow: %s', (busy, tooSlow) => {
  const { note } = rateBeside(rounds(50, 0.2), rounds(100, busy))
  expect(note.includes('THE LOAD WAS TOO SLOW')).toBe(tooSlow)
})
