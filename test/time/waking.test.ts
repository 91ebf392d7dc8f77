import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClockState } from '../../src/domain/client/client.ts'
import { Scheduler } from '../../src/time/scheduler.ts'
import { FakeQueue } from './fake-queue.ts'

// setImmediate is not faked, so a pump that was woken can finish.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

function aClient(mode: ClockState['mode']) {
  const queue = new FakeQueue()
  const errors: unknown[] = []
  const scheduler = new Scheduler({
    wall: Date.now,
    keep: async () => {},
    onError: (error) => errors.push(error),
  })
  scheduler.addQueue(queue)
  scheduler.add('c', { mode, speed: mode === 'real' ? 1 : 0, anchor: 0, anchorWall: 0 })
  scheduler.start()
  const looks = vi.spyOn(queue, 'nextDue')
  /** Puts something into the queue, and says when it is due. */
  const commit = (name: string, dueAt: number) => {
    queue.add({ clientId: 'c', dueAt, name })
    scheduler.wakeFor('c', dueAt)
  }
  const advance = (by: number) =>
    scheduler.advance({
      clientIds: ['c'],
      target: (now) => now + by,
      timeoutMs: 5_000,
      onBegin: () => undefined,
    })
  return { scheduler, queue, looks, errors, commit, advance }
}

/** Until everything has been done that was to be done without waiting. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
  await quiet()
}

test.each(['real', 'manual'] as const)('what is due now is started at once: %s clock', async (mode) => {
  const { queue, commit } = aClient(mode)
  await quiet()
  commit('now', 0)
  commit('later', 50)
  await quiet()
  expect(queue.started).toEqual(['now@0'])
})

test('what is due later than what the world waits for is not looked for, and started at its time', async () => {
  const { queue, looks, commit } = aClient('real')
  commit('first', 100)
  await quiet()
  looks.mockClear()
  commit('same moment', 100)
  commit('later', 150)
  await quiet()
  expect(looks).not.toHaveBeenCalled()
  await pass(100)
  expect(queue.started).toEqual(['first@100', 'same moment@100'])
  await pass(50)
  expect(queue.started).toEqual(['first@100', 'same moment@100', 'later@150'])
})

test('what is due sooner than what the world waits for is started at its time', async () => {
  const { queue, commit } = aClient('real')
  commit('first', 100)
  await quiet()
  commit('sooner', 40)
  await quiet()
  await pass(40)
  expect(queue.started).toEqual(['sooner@40'])
  await pass(60)
  expect(queue.started).toEqual(['sooner@40', 'first@100'])
})

test('what is due already is started, though the timer for something earlier has not fired yet', async () => {
  const { queue, commit } = aClient('real')
  commit('first', 100)
  await quiet()
  vi.setSystemTime(120)
  commit('second', 110)
  await quiet()
  expect(queue.started).toEqual(['first@100', 'second@110'])
})

test('what comes while the world is looking is found', async () => {
  const { queue, scheduler, commit } = aClient('real')
  commit('first', 100)
  await quiet()
  const nextDue = queue.nextDue.bind(queue)
  vi.spyOn(queue, 'nextDue').mockImplementationOnce(async (clientId) => {
    const found = await nextDue(clientId)
    commit('sooner', 40)
    return found
  })
  scheduler.wake('c')
  await quiet()
  await pass(40)
  expect(queue.started).toEqual(['sooner@40'])
})

test('a world that waits for nothing any more looks for what comes', async () => {
  const { queue, commit } = aClient('real')
  commit('first', 10)
  await quiet()
  await pass(10)
  commit('second', 30)
  await quiet()
  await pass(20)
  expect(queue.started).toEqual(['first@10', 'second@30'])
})

test('while a clock stands still, what is due later is not looked for; a move of it starts that', async () => {
  const { queue, looks, commit, advance } = aClient('manual')
  await quiet()
  looks.mockClear()
  commit('second', 80)
  commit('first', 30)
  await pass(1_000)
  expect(looks).not.toHaveBeenCalled()
  await advance(100)
  expect(queue.started).toEqual(['first@30', 'second@80'])
})

test('a clock that is set going starts at its time what came while it stood still', async () => {
  const { queue, scheduler, commit } = aClient('manual')
  await quiet()
  commit('second', 80)
  commit('first', 30)
  await scheduler.setPace('c', 'real', 1)
  await quiet()
  await pass(30)
  expect(queue.started).toEqual(['first@30'])
  await pass(50)
  expect(queue.started).toEqual(['first@30', 'second@80'])
})

test('a clock that is set to go faster starts sooner what the world waits for', async () => {
  const { queue, scheduler, commit } = aClient('real')
  commit('first', 1_000)
  await quiet()
  await scheduler.setPace('c', 'real', 10)
  commit('second', 2_000)
  await quiet()
  await pass(100)
  expect(queue.started).toEqual(['first@1000'])
  await pass(100)
  expect(queue.started).toEqual(['first@1000', 'second@2000'])
})

test('what comes while a walk holds a running clock is started at its time: in the walk, or after it', async () => {
  const { queue, advance, commit } = aClient('real')
  commit('first', 100)
  await quiet()
  const start = queue.start.bind(queue)
  vi.spyOn(queue, 'start').mockImplementationOnce((clientId, until) => {
    commit('in the walk', 300)
    commit('after it', 700)
    return start(clientId, until)
  })
  await advance(500)
  expect(queue.started).toEqual(['first@100', 'in the walk@300'])
  await quiet()
  await pass(200)
  expect(queue.started).toEqual(['first@100', 'in the walk@300', 'after it@700'])
})

test('a start looks for what came before it', async () => {
  const queue = new FakeQueue()
  const scheduler = new Scheduler({ wall: Date.now, keep: async () => {}, onError: () => undefined })
  scheduler.addQueue(queue)
  scheduler.add('c', { mode: 'real', speed: 1, anchor: 0, anchorWall: 0 })
  queue.add({ clientId: 'c', dueAt: 20, name: 'from before' })
  scheduler.wakeFor('c', 20)
  scheduler.start()
  await quiet()
  await pass(20)
  expect(queue.started).toEqual(['from before@20'])
})

test('a failure is told once and tried again once, however often the world was woken meanwhile', async () => {
  const { queue, scheduler, errors, looks, commit } = aClient('real')
  commit('due', 0)
  vi.spyOn(queue, 'start').mockRejectedValueOnce(new Error('disk full'))
  for (let n = 0; n < 10; n++) scheduler.wake('c')
  await quiet()
  expect(errors).toEqual([new Error('disk full')])
  expect(queue.started).toEqual([])
  expect(vi.getTimerCount()).toBe(1)
  looks.mockClear()
  await pass(1_000)
  expect(queue.started).toEqual(['due@0'])
  expect(errors).toHaveLength(1)
  // The pass that started it, and the one that found nothing more.
  expect(looks).toHaveBeenCalledTimes(2)
  await pass(60_000)
  expect(looks).toHaveBeenCalledTimes(2)
})

test('each failure is told, also of what an advance began and somebody woke', async () => {
  const { queue, scheduler, errors, commit, advance } = aClient('manual')
  commit('due', 0)
  await quiet()
  queue.add({ clientId: 'c', dueAt: 0, name: 'too' })
  vi.spyOn(queue, 'start').mockRejectedValueOnce(new Error('one')).mockRejectedValueOnce(new Error('two'))
  const advanced = advance(10)
  const refused = expect(advanced).rejects.toThrow('one')
  await Promise.resolve()
  scheduler.wake('c')
  await refused
  await quiet()
  await pass(1_000)
  expect(errors).toEqual([new Error('one'), new Error('two')])
  await pass(1_000)
  expect(queue.started).toEqual(['due@0', 'too@0'])
})

test('after a failure the world does not rely on what it waited for', async () => {
  const { queue, scheduler, errors, commit } = aClient('real')
  commit('first', 500)
  await quiet()
  vi.spyOn(queue, 'nextDue').mockRejectedValueOnce(new Error('disk full'))
  scheduler.wake('c')
  await quiet()
  expect(errors).toHaveLength(1)
  commit('second', 600)
  await quiet()
  await pass(500)
  expect(queue.started).toEqual(['first@500'])
  await pass(100)
  expect(queue.started).toEqual(['first@500', 'second@600'])
})
