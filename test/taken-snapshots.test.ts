import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TakenSnapshot } from '../src/store/snapshot.ts'
import { TakenSnapshots } from '../src/taken-snapshots.ts'

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
  const snapshot = (name: string): TakenSnapshot => ({
    schema: 1,
    parts: (async function* () {
      yield { name: 'a', columns: [], rows: [] }
      yield { name: 'b', columns: [], rows: [] }
    })(),
    close: async () => void log.push(`${name} closed`),
  })
  const take = (name: string) =>
    taken.take(async () => {
      log.push(`${name} taken`)
      return snapshot(name)
    })
  return { first: take('first'), second: take('second'), log }
}

async function read({ parts }: TakenSnapshot): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of parts) names.push(name)
  return names
}

test('the next is taken when the one before has been read to its end', async () => {
  const { first, second, log } = two()
  const snapshot = await first
  expect(log).toEqual(['first taken'])
  expect(await read(snapshot)).toEqual(['a', 'b'])
  expect(await read(await second)).toEqual(['a', 'b'])
  expect(log).toEqual(['first taken', 'first closed', 'second taken', 'second closed'])
})

test('or when its reader has gone', async () => {
  const { first, second, log } = two()
  for await (const _ of (await first).parts) break
  await second
  expect(log).toEqual(['first taken', 'first closed', 'second taken'])
})

test('or when nothing of it was read for 30 seconds: then it cannot be read on, and does not look whole', async () => {
  const { first, second } = two()
  const parts = (await first).parts[Symbol.asyncIterator]()
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
  const parts = (async function* () {})()
  expect(await taken.take(async () => ({ schema: 7, parts, close: async () => {} }))).toMatchObject({
    schema: 7,
  })
})
