import { GCProfiler } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { collectNewObjects, keepHeapSmall } from '../../src/cli/serve/small-heap.ts'
import { Feed } from '../../src/journal/feed.ts'

test('new objects are collected once it is quiet: after the start and after each load', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const feed = new Feed((error) => {
    throw error
  })
  const collected = vi.fn()
  keepHeapSmall(feed, collected)
  const busy = (seconds: number) => {
    for (let n = 0; n < seconds; n += 1) {
      feed.tell({ type: 'setup' })
      vi.advanceTimersByTime(1_000)
    }
  }
  busy(20)
  expect(collected).not.toHaveBeenCalled()
  vi.advanceTimersByTime(4_000)
  expect(collected).toHaveBeenCalledOnce()
  // An idle program sleeps.
  expect(vi.getTimerCount()).toBe(0)
  busy(20)
  expect(collected).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(4_000)
  expect(collected).toHaveBeenCalledTimes(2)
  expect(vi.getTimerCount()).toBe(0)
})

test('new objects alone are collected, and no program finds a `gc` afterwards', () => {
  const profiler = new GCProfiler()
  profiler.start()
  collectNewObjects()
  expect(profiler.stop()?.statistics.map(({ gcType }) => gcType)).toContain('Scavenge')
  expect(() => runInNewContext('gc')).toThrow('gc is not defined')
})
