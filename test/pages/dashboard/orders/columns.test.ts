import { expect, test } from 'vitest'
import { columnsOf } from '../../../../src/pages/dashboard/orders/timeline-columns.ts'

const place = { left: 100, width: 900, open: false }
const xs = (moments: readonly number[], wanted = place) =>
  columnsOf(moments, wanted).columns.map(({ x }) => Math.round(x))

test('moments stand in order, from the left edge to the right one', () => {
  expect(xs([5_000, 0, 2_000])).toEqual([100, expect.any(Number), 1_000])
})

test('a longer gap is wider, but a year does not leave two seconds without room', () => {
  const { gaps } = columnsOf([0, 2_000, 2_000 + 365 * 86_400_000], place)
  const [short = 0, long = 0] = gaps.map(({ width }) => width)
  expect(long).toBeGreaterThan(short)
  expect(short).toBeGreaterThan(long / 6)
})

test('what lies within a blink stands in one column', () => {
  expect(xs([0, 3, 79, 2_000])).toEqual([100, 1_000])
})

test('a row of close moments does not grow into one endless column', () => {
  const moments = Array.from({ length: 10 }, (_, index) => index * 50)
  expect(xs(moments).length).toBeGreaterThan(3)
})

test('too many moments take more room than there is, and none is lost', () => {
  const moments = Array.from({ length: 100 }, (_, index) => index * 1_000)
  const columns = xs(moments)
  expect(columns).toHaveLength(100)
  expect(columns.at(-1)).toBeGreaterThan(1_000)
  const steps = columns.slice(1).map((x, index) => x - (columns[index] ?? 0))
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(14)
})

test('a gap says how long it is only where the words fit', () => {
  expect(columnsOf([0, 2_000], place).gaps.map(({ label }) => label)).toEqual(['2 s'])
  const many = Array.from({ length: 100 }, (_, index) => index * 90_000)
  expect(columnsOf(many, place).gaps.every(({ label }) => label === null)).toBe(true)
})

test('what nobody can date stands behind everything else', () => {
  const { columns, xOf, end } = columnsOf([0, 2_000], { ...place, open: true })
  expect(columns.at(-1)).toEqual({ x: end, at: null })
  expect(xOf(null)).toBeGreaterThan(xOf(2_000))
  expect(end).toBeLessThanOrEqual(1_000)
})

test('one moment alone is a drawing too', () => {
  expect(xs([7])).toEqual([100])
})
