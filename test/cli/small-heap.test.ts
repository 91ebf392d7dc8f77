import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { keepHeapSmall } from '../../src/cli/serve/small-heap.ts'
import { Feed } from '../../src/journal/feed.ts'

const collected = vi.hoisted(() => vi.fn())
vi.mock('node:vm', () => ({ runInNewContext: vi.fn(() => collected) }))

test('new objects are collected once it is quiet: after the start and after each load', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const feed = new Feed((error) => {
    throw error
  })
  keepHeapSmall(feed)
  const busy = (seconds: number) => {
    for (let n = 0; n < seconds; n += 1) {
      feed.tell({ type: 'setup' })
      vi.advanceTimersByTime(1_000)
    }
  }
  busy(20)
  expect(collected).not.toHaveBeenCalled()
  vi.advanceTimersByTime(4_000)
  expect(collected).toHaveBeenCalledExactlyOnceWith({ type: 'minor' })
  expect(runInNewContext).toHaveBeenLastCalledWith('gc')
  // An idle program sleeps.
  expect(vi.getTimerCount()).toBe(0)
  busy(20)
  expect(collected).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(4_000)
  expect(collected).toHaveBeenCalledTimes(2)
  expect(vi.getTimerCount()).toBe(0)
})
