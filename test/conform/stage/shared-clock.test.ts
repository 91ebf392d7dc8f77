import { expect, test } from 'vitest'
import { type CaseClock, SharedClock } from '../../../src/conform/stage/shared-clock.ts'

/** A clock that begins at 0, with the times to which it was moved. */
function aClock({ onMove = async () => {} }: { onMove?: (nowMs: number) => Promise<void> } = {}) {
  const moves: number[] = []
  let nowMs = 0
  const clock = {
    now: async () => nowMs,
    advanceTo: async (timeMs: number) => {
      if (timeMs < nowMs) throw new RangeError(`${timeMs} is in the past`)
      nowMs = timeMs
      moves.push(timeMs)
      return { now: nowMs }
    },
  }
  return { clock, moves, shared: new SharedClock({ clock }, onMove) }
}

/** Lets everything run that does not wait for the clock. */
const idle = () => new Promise((resolve) => setImmediate(resolve))

/** Runs cases on one clock. */
const sideBySide = <T>(shared: SharedClock, ...cases: readonly ((clock: CaseClock) => Promise<T>)[]) =>
  Promise.all(cases.map((run) => shared.during(run)))

const exactly = (by: string) => (clock: CaseClock) => clock.advance(by, false)
const atLeast = (by: string) => (clock: CaseClock) => clock.advance(by, true)

test('the clock moves only once every case waits for it', async () => {
  const { shared, moves } = aClock()
  const { promise: working, resolve: work } = Promise.withResolvers<void>()
  const ended = sideBySide(shared, exactly('10s'), async (clock) => {
    await working
    return clock.advance('10s', false)
  })
  await idle()
  expect(moves).toEqual([])
  work()
  expect(await ended).toEqual([10_000, 10_000])
  expect(moves).toEqual([10_000])
})

test('it never moves past a time for which a case waits exactly', async () => {
  const { shared, moves } = aClock()
  const ended = await sideBySide(
    shared,
    async (clock) => [await clock.advance('5s', false), await clock.advance('3s', false)],
    async (clock) => [await clock.advance('7s', true)],
    async (clock) => [await clock.advance('1h', true)],
  )
  expect(moves).toEqual([5_000, 8_000, 3_600_000])
  expect(ended).toEqual([[5_000, 8_000], [8_000], [3_600_000]])
})

test('of several exact times it moves to the earliest', async () => {
  const { shared, moves } = aClock()
  await sideBySide(shared, exactly('30s'), exactly('10s'), exactly('20s'))
  expect(moves).toEqual([10_000, 20_000, 30_000])
})

test('it moves to the latest time if all cases can wait longer', async () => {
  const { shared, moves } = aClock()
  expect(await sideBySide(shared, atLeast('5s'), atLeast('20m'), atLeast('10s'))).toEqual([
    1_200_000, 1_200_000, 1_200_000,
  ])
  expect(moves).toEqual([1_200_000])
})

test('a case that has let go no longer holds it, and can still wait for it', async () => {
  const { shared, moves } = aClock()
  const { promise: lastCheck, resolve: checked } = Promise.withResolvers<void>()
  const ended = sideBySide(
    shared,
    async (clock) => {
      clock.letGo()
      await lastCheck
      return clock.advance('1s', true)
    },
    async (clock) => {
      const nowMs = await clock.advance('1h', false)
      checked()
      return nowMs
    },
  )
  expect(await ended).toEqual([3_601_000, 3_600_000])
  expect(moves).toEqual([3_600_000, 3_601_000])
})

test('a case that has let go and waits does not make it move while another case works', async () => {
  const { shared, moves } = aClock()
  const { promise: working, resolve: work } = Promise.withResolvers<void>()
  const ended = sideBySide(
    shared,
    async (clock) => {
      clock.letGo()
      return clock.advance('1s', true)
    },
    async () => {
      await working
      return 0
    },
  )
  await idle()
  expect(moves).toEqual([])
  work()
  expect(await ended).toEqual([1_000, 0])
})

test.each([
  ['passes', async () => 0],
  ['fails', () => Promise.reject(new Error('a finding'))],
])('a case that %s no longer holds it', async (_, run) => {
  const { shared, moves } = aClock()
  await Promise.allSettled([shared.during(run), shared.during(exactly('10s'))])
  expect(moves).toEqual([10_000])
})

test('outside of all cases it moves at once', async () => {
  const { shared } = aClock()
  expect(await shared.free.advance('10s', false)).toBe(10_000)
})

test('no case goes on before the application has heard of the new time', async () => {
  const heard: number[] = []
  const onMove = async (nowMs: number) => {
    await idle()
    heard.push(nowMs)
  }
  const { shared } = aClock({ onMove })
  await sideBySide(shared, async (clock) => {
    await clock.advance('10s', false)
    expect(heard).toEqual([10_000])
  })
})

test('a move that fails rejects every wait, and the next one works', async () => {
  let isBroken = true
  const onMove = async () => {
    if (isBroken) throw new Error('the application has no clock')
  }
  const { shared } = aClock({ onMove })
  const ended = await Promise.allSettled([shared.during(exactly('5s')), shared.during(atLeast('1h'))])
  expect(ended).toMatchObject([
    { status: 'rejected', reason: { message: 'the application has no clock' } },
    { status: 'rejected' },
  ])
  isBroken = false
  expect(await shared.during(exactly('5s'))).toBe(10_000)
})

test('a wait that begins while the clock moves may be over afterwards', async () => {
  const { clock } = aClock()
  const { promise: moved, resolve: hasMoved } = Promise.withResolvers<void>()
  let reads = 0
  const late = {
    ...clock,
    // The second reading arrives only after the move.
    now: async () => {
      const nowMs = await clock.now()
      reads += 1
      if (reads === 2) await moved
      return nowMs
    },
  }
  const shared = new SharedClock({ clock: late }, async () => {})
  const first = shared.free.advance('1h', false)
  const second = shared.free.advance('5s', false)
  expect(await first).toBe(3_600_000)
  hasMoved()
  expect(await second).toBe(3_600_000)
})

test('what is no duration is refused', async () => {
  const { shared } = aClock()
  await expect(shared.free.advance('soon', false)).rejects.toThrow(/not a duration: soon/)
})
