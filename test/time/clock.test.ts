import { expect, test } from 'vitest'
import { Clock, newClock } from '../../src/time/clock.ts'

/** A wall that the test moves. */
function aWall(start = 1_000_000) {
  const wall = { now: start }
  return { wall, read: () => wall.now }
}

test('a real clock passes with the wall', () => {
  const { wall, read } = aWall()
  const clock = new Clock(newClock({ mode: 'real', speed: 1 }, read()), read)
  wall.now += 1500
  expect(clock.now()).toBe(1_001_500)
})

test('a manual clock stands, whatever the wall does', () => {
  const { wall, read } = aWall()
  const clock = new Clock(newClock({ mode: 'manual', speed: 0 }, read()), read)
  wall.now += 86_400_000
  expect(clock.now()).toBe(1_000_000)
})

test('a manual clock begins at whole seconds, a real one where the wall is', () => {
  expect(newClock({ mode: 'manual', speed: 0 }, 1_234_567).anchor).toBe(1_234_000)
  expect(newClock({ mode: 'real', speed: 1 }, 1_234_567).anchor).toBe(1_234_567)
  expect(newClock({ mode: 'manual', speed: 0 }, 1_234_567, 42).anchor).toBe(42)
})

test('a scaled clock passes as many seconds in one', () => {
  const { wall, read } = aWall()
  const clock = new Clock(newClock({ mode: 'real', speed: 60 }, read()), read)
  wall.now += 1000
  expect(clock.now()).toBe(1_060_000)
  expect(clock.wallMsUntil(clock.now() + 60_000)).toBe(1000)
})

test('a wall that was set back holds the clock, and does not turn it back', () => {
  const { wall, read } = aWall()
  const clock = new Clock(newClock({ mode: 'real', speed: 1 }, read()), read)
  wall.now -= 3_600_000
  expect(clock.now()).toBe(1_000_000)
})

test('a clock refuses to be moved back', () => {
  const { read } = aWall()
  const clock = new Clock(newClock({ mode: 'manual', speed: 0 }, read()), read)
  clock.pin(2_000_000)
  expect(() => clock.pin(1_999_999)).toThrow(RangeError)
})

test('a clock that was held goes on from where it was held', () => {
  const { wall, read } = aWall()
  const clock = new Clock(newClock({ mode: 'real', speed: 1 }, read()), read)
  clock.pin(5_000_000)
  wall.now += 10_000
  expect(clock.now()).toBe(5_000_000)
  clock.unpin()
  wall.now += 100
  expect(clock.now()).toBe(5_000_100)
})

test('holding a running clock never fails, though time passes between two looks', () => {
  let ticks = 0
  const clock = new Clock({ mode: 'real', speed: 1, anchor: 0, anchorWall: 0 }, () => ticks++)
  for (let i = 0; i < 100; i++) {
    clock.hold()
    clock.unpin()
  }
  expect(clock.now()).toBeGreaterThan(0)
})

test('its state, kept and read again, tells the same time', () => {
  const { wall, read } = aWall()
  const clock = new Clock(newClock({ mode: 'real', speed: 10 }, read()), read)
  wall.now += 500
  const again = new Clock(clock.state(), read)
  wall.now += 500
  expect(again.now()).toBe(clock.now())
})

test('a change of pace leaves the reading as it is', () => {
  const { wall, read } = aWall()
  const clock = new Clock(newClock({ mode: 'real', speed: 1 }, read()), read)
  wall.now += 700
  clock.setPace('manual', 0)
  wall.now += 700
  expect(clock.now()).toBe(1_000_700)
  clock.setPace('real', 2)
  wall.now += 100
  expect(clock.now()).toBe(1_000_900)
})

test('what a clock never reaches by itself has no timer', () => {
  const { read } = aWall()
  const clock = new Clock(newClock({ mode: 'manual', speed: 0 }, read()), read)
  expect(clock.wallMsUntil(clock.now() + 1)).toBeNull()
  expect(clock.wallMsUntil(clock.now())).toBe(0)
})

test('a timer never fires early: its milliseconds are rounded up', () => {
  const { read } = aWall()
  const clock = new Clock(newClock({ mode: 'real', speed: 3 }, read()), read)
  expect(clock.wallMsUntil(clock.now() + 1)).toBe(1)
  expect(clock.wallMsUntil(clock.now() + 10)).toBe(4)
})

test('a clock that is kept and goes on is as early as before, though the wall goes on at each look', () => {
  let looks = 0
  const wall = () => looks++
  let clock = new Clock({ mode: 'real', speed: 1, anchor: 5_000, anchorWall: 0 }, wall)
  for (let starts = 0; starts < 10; starts++) clock = new Clock(clock.state(), wall)
  const { anchor, anchorWall } = clock.state()
  expect(anchor - anchorWall).toBe(5_000)
})
