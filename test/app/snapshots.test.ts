import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TakenSnapshots } from '../../src/app/snapshots.ts'
import type { WorldPart } from '../../src/domain/fixture/world.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Two that are taken one after the other, the first of two parts. */
function two() {
  const taken = new TakenSnapshots()
  const log: string[] = []
  const snapshot = (name: string) => {
    const left: WorldPart[] = [{ clients: [] }, { orders: [] }]
    let isOpen = true
    const close = async (): Promise<IteratorResult<WorldPart, undefined>> => {
      if (isOpen) log.push(`${name} closed`)
      isOpen = false
      return { done: true, value: undefined }
    }
    return {
      next: async () => {
        const part = left.shift()
        return part === undefined ? close() : { done: false as const, value: part }
      },
      return: close,
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
  const take = (name: string) =>
    taken.take(async () => {
      log.push(`${name} taken`)
      return snapshot(name)
    })
  return { first: take('first'), second: take('second'), log }
}

async function read(parts: AsyncIterable<WorldPart>): Promise<string[]> {
  const names: string[] = []
  for await (const part of parts) names.push(...Object.keys(part))
  return names
}

test('the next is taken when the one before has been read to its end', async () => {
  const { first, second, log } = two()
  const snapshot = await first
  expect(log).toEqual(['first taken'])
  expect(await read(snapshot)).toEqual(['clients', 'orders'])
  expect(await read(await second)).toEqual(['clients', 'orders'])
  expect(log).toEqual(['first taken', 'first closed', 'second taken', 'second closed'])
})

test('or when its reader has gone', async () => {
  const { first, second, log } = two()
  for await (const _ of await first) break
  await second
  expect(log).toEqual(['first taken', 'first closed', 'second taken'])
})

test('or when nothing of it was read for 30 seconds: then it cannot be read on, and does not look whole', async () => {
  const { first, second } = two()
  const parts = await first
  await parts.next()
  vi.advanceTimersByTime(29_999)
  await parts.next()
  vi.advanceTimersByTime(30_000)
  await second
  await expect(parts.next()).rejects.toThrow('not read in time')
})

test('one that is never begun is let go too', async () => {
  const { first, second, log } = two()
  await first
  vi.advanceTimersByTime(30_000)
  await second
  expect(log).toEqual(['first taken', 'first closed', 'second taken'])
})

test('one that cannot be taken keeps nobody waiting', async () => {
  const taken = new TakenSnapshots()
  await expect(taken.take(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  async function* parts(): AsyncGenerator<WorldPart, undefined> {
    yield { orders: [] }
    return undefined
  }
  expect(await read(await taken.take(async () => parts()))).toEqual(['orders'])
})
