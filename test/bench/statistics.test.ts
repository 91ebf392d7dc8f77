import { expect, test } from 'vitest'
import { median, quantile, rangeOfMedian, spread, uncertainty } from '../../bench/frame/statistics.ts'

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

test('a median is the more certain the nearer its neighbours are, whatever lies far off', () => {
  expect(uncertainty([1, 98, 99, 100, 100, 100, 101, 102, 1000])).toBeCloseTo(0.02)
  expect(uncertainty([1, 80, 90, 100, 100, 100, 110, 120, 1000])).toBeCloseTo(0.2)
})

test('a median is the more certain the more values there are', () => {
  const values = [80, 90, 95, 98, 100, 102, 105, 110, 120]
  const often = [...values, ...values, ...values]
  expect(uncertainty(often)).toBeLessThan(uncertainty(values))
})

test('of a few values nothing is certain', () => {
  expect(uncertainty([100, 100, 100, 100, 100])).toBe(Number.POSITIVE_INFINITY)
  expect(uncertainty([])).toBe(Number.POSITIVE_INFINITY)
})

test('where the median of many more values lies is told by their places, whatever lies far off', () => {
  expect(rangeOfMedian([1, 98, 99, 100, 100, 100, 101, 102, 1000])).toEqual([98, 102])
  expect(rangeOfMedian([1, 2, 3, 4, 5])).toBeNull()
})
