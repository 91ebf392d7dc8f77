import { expect, test } from 'vitest'
import { WritePace } from '../../src/journal/write-pace.ts'

/** At which ticks something is written. */
function due(came: readonly number[]): boolean[] {
  const pace = new WritePace()
  return came.map((count) => pace.isDue(count))
}

test('what came is written at each tick, as long as it is not a load', () => {
  expect(due([1, 0, 1_000, 500])).toEqual([true, true, true, true])
})

test('under load fourteen ticks are left out, and not a fifteenth', () => {
  const load = Array.from({ length: 31 }, () => 5_000)
  expect(due(load).flatMap((isDue, tick) => (isDue ? [tick] : []))).toEqual([14, 29])
})

test('the first tick after a load writes, and the next load begins to count anew', () => {
  const load = Array.from({ length: 15 }, () => 5_000)
  const isDue = due([5_000, 5_000, 3, ...load])
  expect(isDue.flatMap((each, tick) => (each ? [tick] : []))).toEqual([2, 17])
})
