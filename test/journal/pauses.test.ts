import { expect, onTestFinished, test, vi } from 'vitest'
import { Pauses } from '../../src/journal/pauses.ts'

function pausesOf(count: number) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const pauses = new Pauses()
  let over = 0
  const take = async () => {
    await pauses.take(40)
    over += 1
  }
  for (let n = 0; n < count; n++) void take()
  return { pauses, take, over: () => over }
}

test('a pause is over when its time is, and not before', async () => {
  const { over } = pausesOf(1)
  await vi.advanceTimersByTimeAsync(39)
  expect(over()).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(over()).toBe(1)
})

test('all pauses end at once when somebody begins to wait, and leave no timer', async () => {
  const { pauses, over } = pausesOf(2)
  void pauses.without(new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(0)
  expect([over(), vi.getTimerCount()]).toEqual([2, 0])
})

test('there are no pauses until the last who waits has what it waited for, or its failure', async () => {
  const { pauses, take, over } = pausesOf(0)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const waits = [pauses.without(first.promise), pauses.without(second.promise)]
  const failed = expect(waits[0]).rejects.toThrow('disk full')
  first.reject(new Error('disk full'))
  await failed
  await take()
  expect(over()).toBe(1)
  second.resolve()
  await waits[1]
  void take()
  await vi.advanceTimersByTimeAsync(39)
  expect(over()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(over()).toBe(2)
})
