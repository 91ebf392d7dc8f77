import { expect, test } from 'vitest'
import { WritePace } from '../../src/journal/write-pace.ts'

/** At which ticks something is written. */
function due(came: readonly number[]): boolean[] {
  const pace = new WritePace()
  return came.map((count) => pace.isDue(count))
}

test('what came is written at each tick, as long as it is not a load', () => {
  expect(due([1, 0, 250, 125])).toEqual([true, true, true, true])
})

test('under load 59 ticks are left out, and not a sixtieth', () => {
  const load = Array.from({ length: 121 }, () => 1_250)
  expect(due(load).flatMap((isDue, tick) => (isDue ? [tick] : []))).toEqual([59, 119])
})

test('the first tick after a load writes, and the next load begins to count anew', () => {
  const load = Array.from({ length: 60 }, () => 1_250)
  const isDue = due([1_250, 1_250, 3, ...load])
  expect(isDue.flatMap((each, tick) => (each ? [tick] : []))).toEqual([2, 62])
})
