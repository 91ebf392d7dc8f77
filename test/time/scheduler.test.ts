import { describe, expect, test, vi } from 'vitest'
import type { ClockState } from '../../src/domain/client/client.ts'
import { type ClockMove, Scheduler } from '../../src/time/scheduler.ts'
import { FakeQueue } from './fake-queue.ts'

const manual = (anchor: number): ClockState => ({ mode: 'manual', speed: 0, anchor, anchorWall: 0 })

function aScheduler(clients: Record<string, number> = { c: 0 }) {
  const queue = new FakeQueue()
  const kept: Record<string, number> = {}
  const errors: unknown[] = []
  const wall = { now: 0 }
  const scheduler = new Scheduler({
    wall: () => wall.now,
    keep: async (clocks) => {
      for (const { clientId, clock } of clocks) kept[clientId] = clock.anchor
    },
    onError: (error) => errors.push(error),
  })
  scheduler.addQueue(queue)
  for (const [clientId, anchor] of Object.entries(clients)) scheduler.add(clientId, manual(anchor))
  scheduler.start()
  const advance = (
    by: number,
    options: { clientIds?: string[]; timeoutMs?: number; onBegin?: () => void } = {},
  ) =>
    scheduler.advance({
      clientIds: options.clientIds ?? Object.keys(clients),
      target: (now) => now + by,
      timeoutMs: options.timeoutMs ?? 5_000,
      onBegin: options.onBegin ?? (() => undefined),
    })
  return { scheduler, queue, kept, errors, wall, advance }
}

test('an advance walks to each due moment in turn', async () => {
  const { queue, advance, scheduler } = aScheduler()
  queue.add({ clientId: 'c', dueAt: 30, name: 'late' }, { clientId: 'c', dueAt: 10, name: 'early' })
  await advance(100)
  expect(queue.started).toEqual(['early@10', 'late@30'])
  expect(scheduler.now('c')).toBe(100)
})

test('what a step makes due within the walk is done in its turn: a retry at 15 comes before a step at 20', async () => {
  const { queue, advance } = aScheduler()
  const retry = { clientId: 'c', dueAt: 15, name: 'retry' }
  queue.add(
    { clientId: 'c', dueAt: 10, name: 'step', makesDue: retry },
    { clientId: 'c', dueAt: 20, name: 'next step' },
  )
  await advance(20)
  expect(queue.started).toEqual(['step@10', 'retry@15', 'next step@20'])
})

test('time moves on only when all of a moment has ended', async () => {
  const { queue, advance, scheduler } = aScheduler()
  const { promise, resolve } = Promise.withResolvers<void>()
  queue.add(
    { clientId: 'c', dueAt: 10, name: 'slow', ends: promise },
    { clientId: 'c', dueAt: 20, name: 'next' },
  )
  const walked = advance(100)
  await vi.waitUntil(() => queue.started.length === 1)
  expect(scheduler.now('c')).toBe(10)
  resolve()
  await walked
  expect(queue.started).toEqual(['slow@10', 'next@20'])
})

test('what was due at the start is waited for before the walk begins', async () => {
  const { queue, advance, scheduler } = aScheduler()
  const { promise, resolve } = Promise.withResolvers<void>()
  queue.add({ clientId: 'c', dueAt: 0, name: 'due already', ends: promise })
  scheduler.wake('c')
  const began = vi.fn()
  const walked = advance(10, { onBegin: began })
  await vi.waitUntil(() => queue.started.length === 1)
  expect(began).not.toHaveBeenCalled()
  resolve()
  await walked
  expect(began).toHaveBeenCalledOnce()
})

test('what ends while the advance looks for due work, and makes some, is waited for', async () => {
  const { queue, advance, scheduler } = aScheduler()
  const { promise, resolve } = Promise.withResolvers<void>()
  queue.add({ clientId: 'c', dueAt: 0, name: 'an answer that leaves', ends: promise })
  scheduler.wake('c')
  await vi.waitUntil(() => queue.started.length === 1)
  queue.afterLook = () => {
    queue.add({ clientId: 'c', dueAt: 0, name: 'its webhook' })
    resolve()
  }
  await advance(0)
  expect(queue.started).toEqual(['an answer that leaves@0', 'its webhook@0'])
})

test('what is due beyond the target stays', async () => {
  const { queue, advance } = aScheduler()
  queue.add({ clientId: 'c', dueAt: 11, name: 'beyond' })
  await advance(10)
  expect(queue.started).toEqual([])
})

test('several clients move by the same amount, their moments merged by the time elapsed', async () => {
  const { queue, advance, scheduler } = aScheduler({ a: 1000, b: 0 })
  queue.add(
    { clientId: 'a', dueAt: 1020, name: 'a20' },
    { clientId: 'b', dueAt: 10, name: 'b10' },
    { clientId: 'b', dueAt: 30, name: 'b30' },
  )
  await advance(50)
  expect(queue.started).toEqual(['b10@10', 'a20@1020', 'b30@30'])
  expect([scheduler.now('a'), scheduler.now('b')]).toEqual([1050, 50])
})

test('two advances of one client queue', async () => {
  const { scheduler, advance } = aScheduler()
  await Promise.all([advance(10), advance(10), advance(10)])
  expect(scheduler.now('c')).toBe(30)
})

test('crossing advances over several clients do not wait for each other for ever', async () => {
  const { scheduler, advance } = aScheduler({ a: 0, b: 0 })
  await Promise.all([advance(10, { clientIds: ['a', 'b'] }), advance(10, { clientIds: ['b', 'a'] })])
  expect([scheduler.now('a'), scheduler.now('b')]).toEqual([20, 20])
})

test('a target in the past is refused for all, and no clock has moved', async () => {
  const { scheduler } = aScheduler({ a: 0, b: 100 })
  const request = { clientIds: ['a', 'b'], target: () => 50, timeoutMs: 1000, onBegin: () => undefined }
  await expect(scheduler.advance(request)).rejects.toMatchObject({ code: 'clock_in_past' })
  expect([scheduler.now('a'), scheduler.now('b')]).toEqual([0, 100])
})

test('a walk that takes too long gives up, and time stays where it got to', async () => {
  const { queue, advance, scheduler } = aScheduler()
  queue.add({ clientId: 'c', dueAt: 10, name: 'hangs', ends: new Promise(() => undefined) })
  const end = await advance(100, { timeoutMs: 20 })
  expect(end.timedOut).toBe(true)
  expect(scheduler.now('c')).toBe(10)
})

test('a moved clock is kept', async () => {
  const { advance, kept } = aScheduler()
  await advance(10)
  expect(kept).toEqual({ c: 10 })
})

test('a clock never starts below the newest moment its client has seen', () => {
  const { scheduler } = aScheduler()
  scheduler.add('restarted', manual(5), 9)
  expect(scheduler.now('restarted')).toBe(9)
})

test('on a manual clock what is due at its now is carried out at once', async () => {
  const { queue, scheduler } = aScheduler()
  queue.add({ clientId: 'c', dueAt: 0, name: 'due' }, { clientId: 'c', dueAt: 1, name: 'not yet' })
  scheduler.wake('c')
  await vi.waitUntil(() => queue.started.length > 0)
  expect(queue.started).toEqual(['due@0'])
})

test('what became due while nobody looked is carried out in order of its due time', async () => {
  const { queue, scheduler } = aScheduler({ c: 100 })
  queue.add({ clientId: 'c', dueAt: 90, name: 'second' }, { clientId: 'c', dueAt: 10, name: 'first' })
  scheduler.wake('c')
  await vi.waitUntil(() => queue.started.length === 2)
  expect(queue.started).toEqual(['first@10', 'second@90'])
})

test('a queue that fails is told of and tried again, and an advance over it fails', async () => {
  const { queue, advance, errors, scheduler } = aScheduler()
  queue.add({ clientId: 'c', dueAt: 0, name: 'due' })
  const failing = vi.spyOn(queue, 'start').mockRejectedValue(new Error('disk full'))
  await expect(advance(10)).rejects.toThrow('disk full')
  expect(scheduler.now('c')).toBe(0)
  failing.mockRestore()
  await advance(10)
  expect(scheduler.now('c')).toBe(10)
  expect(errors.every((error) => error instanceof Error)).toBe(true)
})

test('a removed client is no longer looked at', async () => {
  const { queue, scheduler } = aScheduler()
  await scheduler.remove('c')
  queue.add({ clientId: 'c', dueAt: 0, name: 'orphan' })
  scheduler.wake('c')
  await scheduler.stop()
  expect(queue.started).toEqual([])
  expect(() => scheduler.now('c')).toThrow('c')
})

test('setting a clock running leaves its reading, and its timer finds what is due', async () => {
  const { queue, scheduler, wall } = aScheduler()
  queue.add({ clientId: 'c', dueAt: 5, name: 'soon' })
  await scheduler.setPace('c', 'real', 1)
  expect(scheduler.now('c')).toBe(0)
  wall.now = 5
  await vi.waitUntil(() => queue.started.length === 1)
  expect(queue.started).toEqual(['soon@5'])
  await scheduler.stop()
})

test('a step a year ahead sets no timer that fires at once', async () => {
  const { queue, scheduler } = aScheduler()
  queue.add({ clientId: 'c', dueAt: 365 * 86_400_000, name: 'far' })
  const timers = vi.spyOn(globalThis, 'setTimeout')
  await scheduler.setPace('c', 'real', 1)
  await vi.waitUntil(() => timers.mock.calls.length > 0)
  expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([60_000])
  timers.mockRestore()
  await scheduler.stop()
  expect(queue.started).toEqual([])
})

test.each([
  ['a removed client', (scheduler: Scheduler) => scheduler.remove('c'), 'client_unknown'],
  ['a stop', (scheduler: Scheduler) => scheduler.stop(), 'stopping'],
])('an advance under way ends with the reason: %s', async (_, end, code) => {
  const { queue, advance, scheduler } = aScheduler()
  const { promise, resolve } = Promise.withResolvers<void>()
  queue.add(
    { clientId: 'c', dueAt: 10, name: 'slow', ends: promise },
    { clientId: 'c', dueAt: 20, name: 'never' },
  )
  const walked = advance(100)
  await vi.waitUntil(() => queue.started.length === 1)
  await end(scheduler)
  resolve()
  await expect(walked).rejects.toMatchObject({ code })
  expect(queue.started).toEqual(['slow@10'])
})

test('what becomes due while the pump is looking is not forgotten', async () => {
  const { queue, scheduler, wall } = aScheduler()
  await scheduler.setPace('c', 'real', 1)
  queue.add({ clientId: 'c', dueAt: 5, name: 'just now' })
  // A timer may fire a little early: nothing is due when the pump starts things, and something is when it ends.
  const nextDue = queue.nextDue.bind(queue)
  vi.spyOn(queue, 'nextDue').mockImplementationOnce((clientId) => {
    wall.now = 5
    return nextDue(clientId)
  })
  scheduler.wake('c')
  await vi.waitUntil(() => queue.started.length === 1)
  expect(queue.started).toEqual(['just now@5'])
  await scheduler.stop()
})

test('a clock is kept at each moment of a walk, so that a crash in it does not turn the clock back', async () => {
  const { queue, advance, kept } = aScheduler()
  const { promise, resolve } = Promise.withResolvers<void>()
  queue.add({ clientId: 'c', dueAt: 10, name: 'slow', ends: promise })
  const walked = advance(100)
  await vi.waitUntil(() => queue.started.length === 1)
  expect(kept).toEqual({ c: 10 })
  resolve()
  await walked
  expect(kept).toEqual({ c: 100 })
})

test('a running clock that starts again is not moved on twice by the newest moment of its client', () => {
  const { scheduler, wall } = aScheduler()
  wall.now = 60_000
  scheduler.add('restarted', { mode: 'real', speed: 1, anchor: 0, anchorWall: 0 }, 50_000)
  expect(scheduler.now('restarted')).toBe(60_000)
})

test('an advance of all clients goes on without one that is deleted meanwhile', async () => {
  const { queue, advance, scheduler } = aScheduler({ a: 0, b: 0 })
  queue.add({ clientId: 'b', dueAt: 10, name: 'hangs', ends: new Promise(() => undefined) })
  const walked = advance(100)
  await vi.waitUntil(() => queue.started.length === 1)
  await scheduler.remove('b')
  await walked
  expect(scheduler.now('a')).toBe(100)
})

test('an advance that waits for another to end gives up in its own time', async () => {
  const { queue, advance } = aScheduler()
  queue.add({ clientId: 'c', dueAt: 10, name: 'hangs', ends: new Promise(() => undefined) })
  const first = advance(100, { timeoutMs: 200 })
  const second = await advance(100, { timeoutMs: 20 })
  expect(second.timedOut).toBe(true)
  expect((await first).timedOut).toBe(true)
})

test('what waits for something in flight does not keep later work from its time', async () => {
  const { queue, scheduler, wall } = aScheduler()
  await scheduler.setPace('c', 'real', 1)
  queue.add({ clientId: 'c', dueAt: 5, name: 'later' })
  const blocked = new FakeQueue()
  vi.spyOn(blocked, 'nextDue').mockResolvedValue(0)
  vi.spyOn(blocked, 'start').mockResolvedValue(0)
  scheduler.addQueue(blocked)
  scheduler.wake('c')
  await vi.waitUntil(() => vi.mocked(blocked.start).mock.calls.length > 0)
  wall.now = 5
  await vi.waitUntil(() => queue.started.length === 1)
  await scheduler.stop()
})

test('a stream of new work does not keep an advance from getting anywhere', async () => {
  const { queue, advance, scheduler } = aScheduler()
  const start = queue.start.bind(queue)
  let made = 0
  // Whatever is started leaves something new that is due at once and takes a while.
  vi.spyOn(queue, 'start').mockImplementation(async (clientId, until) => {
    const started = await start(clientId, until)
    const ends = new Promise((resolve) => setImmediate(resolve))
    queue.add({ clientId, dueAt: until, name: `new ${made++}`, ends })
    return started
  })
  queue.add({ clientId: 'c', dueAt: 10, name: 'step' })
  await advance(100)
  expect(scheduler.now('c')).toBe(100)
  expect(queue.started).toContain('step@10')
  await scheduler.stop()
})

test('a walk keeps no clock of a world that has gone: the next of its name has one of its own', async () => {
  const { queue, advance, scheduler, kept } = aScheduler({ a: 0, b: 0 })
  const { promise, resolve } = Promise.withResolvers<void>()
  queue.add({ clientId: 'a', dueAt: 10, name: 'slow', ends: promise })
  const walked = advance(100)
  await vi.waitUntil(() => queue.started.length === 1)
  await scheduler.remove('b')
  scheduler.add('b', manual(5_000))
  resolve()
  await walked
  expect(kept).toEqual({ a: 100, b: 10 })
  expect([scheduler.now('a'), scheduler.now('b')]).toEqual([100, 5_000])
})

describe('on a machine that is slow from line to line', () => {
  function onSlowMachine(mode: ClockState['mode'], speed: number) {
    const moves: Pick<ClockMove, 'from' | 'now'>[] = []
    let wall = 0
    const scheduler = new Scheduler({
      wall: () => {
        wall += 50
        return wall
      },
      keep: async () => {},
      onError: () => {},
      onMoved: (told) => moves.push(...told.map(({ from, now }) => ({ from, now }))),
    })
    scheduler.addQueue(new FakeQueue())
    scheduler.add('c', { mode, speed, anchor: 0, anchorWall: 0 })
    const walk = (by: number, moments?: number) =>
      scheduler.advance({
        clientIds: ['c'],
        target: (now) => now + by,
        moments,
        timeoutMs: 5_000,
        onBegin: () => undefined,
      })
    return { scheduler, moves, walk }
  }

  test('a clock that is set to another pace is not told as moved', async () => {
    const { scheduler, moves } = onSlowMachine('manual', 0)
    await scheduler.setPace('c', 'real', 60)
    expect(moves).toEqual([{ from: 0, now: 0 }])
  })

  test('an advance is told by what it went, not by what the clock goes by itself before and after', async () => {
    const { moves, walk } = onSlowMachine('real', 60)
    await walk(1_000)
    await walk(1_000, 1)
    expect(moves.map(({ from, now }) => now - from)).toEqual([1_000, 0])
  })
})
