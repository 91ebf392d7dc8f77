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

test('under load four ticks are left out, and not a fifth', () => {
  const load = Array.from({ length: 11 }, () => 5_000)
  expect(due(load).flatMap((isDue, tick) => (isDue ? [tick] : []))).toEqual([4, 9])
})

test('the first tick after a load writes, and the next load begins to count anew', () => {
  expect(due([5_000, 5_000, 3, 5_000, 5_000, 5_000, 5_000, 5_000])).toEqual([
    ...[false, false, true],
    ...[false, false, false, false, true],
  ])
})
