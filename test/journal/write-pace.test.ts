import { expect, test } from 'vitest'
import { WritePace } from '../../src/journal/write-pace.ts'

/** At which ticks something is written. */
function due(came: readonly number[]): number[] {
  const pace = new WritePace()
  return came.flatMap((count, tick) => (pace.isDue(count) ? [tick] : []))
}

const ticks = (count: number, came: number): number[] => Array.from({ length: count }, () => came)

test('what came is written at each tick, as long as it is not a load', () => {
  expect(due([1, 0, ...ticks(6, 250), 0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('a load is one from its first tick on', () => {
  expect(due([0, 251, 251, 251])).toEqual([0])
})

test('under load 59 ticks are left out, and not a sixtieth', () => {
  expect(due(ticks(121, 1_250))).toEqual([59, 119])
})

test('up to three ticks in which little came are not the end of a load, four are', () => {
  expect(due([...ticks(10, 1_250), 0, 0, 0, ...ticks(10, 1_250)])).toEqual([])
  expect(due([...ticks(10, 1_250), 0, 0, 0, 0, ...ticks(10, 1_250)])).toEqual([13])
})

test('after a load each tick writes, and the next load begins to count anew', () => {
  expect(due([...ticks(2, 1_250), ...ticks(5, 3), ...ticks(60, 1_250)])).toEqual([5, 6, 66])
})
