import { GCProfiler } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { collectors, keepHeapSmall } from '../../src/cli/serve/small-heap.ts'
import { Feed } from '../../src/journal/feed.ts'

function aSmallHeap() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const feed = new Feed((error) => {
    throw error
  })
  const collect = { newObjects: vi.fn(), allThatCanBe: vi.fn() }
  keepHeapSmall(feed, collect)
  const busy = (seconds: number) => {
    for (let n = 0; n < seconds; n += 1) {
      feed.tell({ type: 'setup' })
      vi.advanceTimersByTime(1_000)
    }
  }
  return { collect, busy }
}

/** The kinds of collections that it comes to. */
function collectionsOf(act: () => void): string[] {
  const profiler = new GCProfiler()
  profiler.start()
  act()
  return profiler.stop()?.statistics.map(({ gcType }) => gcType) ?? []
}

test('new objects are collected once it is quiet: after the start and after each load', () => {
  const { collect, busy } = aSmallHeap()
  busy(20)
  expect(collect.newObjects).not.toHaveBeenCalled()
  vi.advanceTimersByTime(4_000)
  expect(collect.newObjects).toHaveBeenCalledOnce()
  busy(20)
  expect(collect.newObjects).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(4_000)
  expect(collect.newObjects).toHaveBeenCalledTimes(2)
})

test('memory is given back after half a minute of quiet, and not in a shorter pause', () => {
  const { collect, busy } = aSmallHeap()
  busy(300)
  vi.advanceTimersByTime(27_000)
  busy(1)
  vi.advanceTimersByTime(27_000)
  expect(collect.allThatCanBe).not.toHaveBeenCalled()
  vi.advanceTimersByTime(6_000)
  expect(collect.allThatCanBe).toHaveBeenCalledOnce()
  // An idle program sleeps.
  expect(vi.getTimerCount()).toBe(0)
})

test('memory is given back once for each load, and not for a few calls: it makes the next one slower', () => {
  const { collect, busy } = aSmallHeap()
  busy(200)
  vi.advanceTimersByTime(60_000)
  expect(collect.allThatCanBe).not.toHaveBeenCalled()
  busy(100)
  vi.advanceTimersByTime(60_000)
  expect(collect.allThatCanBe).toHaveBeenCalledOnce()
  busy(100)
  vi.advanceTimersByTime(60_000)
  expect(collect.allThatCanBe).toHaveBeenCalledOnce()
})

test('new objects alone are collected, and no program finds a `gc` afterwards', () => {
  expect(collectionsOf(collectors.newObjects)).toEqual(['Scavenge'])
  expect(() => runInNewContext('gc')).toThrow('gc is not defined')
})

test('what can be given back is collected the long way', () => {
  expect(collectionsOf(collectors.allThatCanBe)).toContain('MarkSweepCompact')
})
