import { expect, test } from 'vitest'
import { median, quantile, spread } from '../../bench/frame/statistics.ts'

test.each([
  [[3, 1, 2], 2],
  [[10, 2, 4, 100], 7],
  [[5], 5],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected)
})

test('numbers are put in order as numbers', () => {
  expect(quantile([100, 9, 20], 1)).toBe(100)
})

test('a quantile between two values lies between them', () => {
  expect(quantile([0, 10], 0.99)).toBeCloseTo(9.9)
})

test('nothing has no median', () => {
  expect(median([])).toBeNaN()
})

test('the spread is a share of the median', () => {
  expect(spread([90, 100, 120])).toBe(0.3)
})
