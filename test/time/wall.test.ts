import { expect, test } from 'vitest'
import { steadyWall } from '../../src/time/wall.ts'

/** A process that began at a moment and has run for so long, and its wall clock. */
function aProcess(begun: { origin: number; ranMs: number; wall: number }) {
  const now = { passedMs: 0, wall: begun.wall, uptime: 100 }
  const wall = steadyWall({
    origin: begun.origin,
    stopwatch: () => begun.ranMs + now.passedMs,
    wall: () => now.wall,
    uptime: () => now.uptime,
  })
  const after = (passedMs: number) => {
    now.passedMs = passedMs
    return wall()
  }
  return { now, after }
}

test('it turns to the next millisecond when the wall does, whatever the moment it began at', () => {
  const { after } = aProcess({ origin: 1_000.25, ranMs: 5.5, wall: 1_005 })
  expect([0, 0.24, 0.25, 1.24, 1.25].map(after)).toEqual([1_005, 1_005, 1_006, 1_006, 1_007])
})

test('it is not a millisecond behind because the wall turned while it was looked at', () => {
  const { after } = aProcess({ origin: 1_000, ranMs: 6.03, wall: 1_005 })
  expect([0, 0.96, 0.98].map(after)).toEqual([1_006, 1_006, 1_007])
})

test('nor any further behind because the process lost its processor between the looks at wall and stopwatch', () => {
  const readings = { wall: [4_005, 4_013], stopwatch: [3_012.9, 3_013.5, 3_014.25] }
  const wall = steadyWall({
    origin: 1_000,
    wall: () => readings.wall.shift() ?? Number.NaN,
    stopwatch: () => readings.stopwatch.shift() ?? Number.NaN,
    uptime: () => 100,
  })
  expect(wall()).toBe(4_014)
})

test.each([
  ['forward', 9_005],
  ['back', 905],
])('it begins at what the wall reads, if that was set %s since the process began', (_, wall) => {
  const { after } = aProcess({ origin: 1_000.25, ranMs: 5.5, wall })
  expect([0, 0.99, 1].map(after)).toEqual([wall, wall, wall + 1])
})

test('nobody who sets the wall moves it', () => {
  const { now, after } = aProcess({ origin: 1_000, ranMs: 5, wall: 1_005 })
  now.wall = 1_000_000
  expect(after(10)).toBe(1_015)
})

test('it has passed the time for which the machine slept, when its stopwatch stood still', () => {
  const { now, after } = aProcess({ origin: 1_000, ranMs: 5, wall: 1_005 })
  now.uptime += 3_600 + 2
  expect(after(2_000)).toBe(1_005 + 3_602_000)
  now.uptime += 1
  expect(after(3_000)).toBe(1_005 + 3_603_000)
})
