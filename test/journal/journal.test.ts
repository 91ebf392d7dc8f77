import { expect, onTestFinished, test, vi } from 'vitest'
import { KnownSecrets } from '../../src/domain/known-secrets.ts'
import { Feed } from '../../src/journal/feed.ts'
import { Journal } from '../../src/journal/journal.ts'
import type { RawEntry } from '../../src/journal/tidied.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { Afterwards } from '../../src/time/afterwards.ts'
import { aRawEntry } from '../store/factories.ts'
import { bytesOutsideOfHeap } from './outside-of-heap.ts'

async function aJournal(secrets = new KnownSecrets()) {
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  const onError = (error: unknown) => {
    throw error
  }
  const feed = new Feed(onError)
  const afterwards = new Afterwards(onError)
  const journal = new Journal({
    store,
    feed,
    startedAt: 0,
    secrets,
    afterwards,
    onError,
  })
  onTestFinished(async () => {
    await journal.close()
    await store.close()
  })
  const record = (raw: RawEntry) => {
    journal.record(() => raw)
    afterwards.settle()
  }
  return { store, feed, journal, record }
}

/** Timers move by what is passed alone, in steps after each of which what is to be written is. */
function fakeTime(): (ms: number) => Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  return async (ms) => {
    for (let passed = 0; passed < ms; passed += 5) {
      await vi.advanceTimersByTimeAsync(5)
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    }
  }
}

test.each([
  [5_001, 1, 'one more than is kept'],
  [10_000, 5_000, 'as many as may wait'],
  [10_001, 5_001, 'more than may wait'],
])('of %i entries recorded at once %i are pruned: %s', async (recorded, pruned) => {
  const { store, journal, record } = await aJournal()
  for (let n = 1; n <= recorded; n++) record(aRawEntry({ id: `e${n}` }))
  const { items } = await journal.list({ limit: 6_000 })
  const ids = items.map(({ id }) => id)
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([5_000, `e${pruned + 1}`, `e${recorded}`])
  expect(await store.prunedRequests()).toBe(pruned)
})

test('what waits is written little by little, with a turn for everybody else in between', async () => {
  const { journal, record } = await aJournal()
  for (let n = 1; n <= 1_000; n++) record(aRawEntry())
  let turns = 0
  let written = false
  journal.flush().then(() => {
    written = true
  })
  for (; !written; turns += 1) await new Promise(setImmediate)
  expect(turns).toBeGreaterThanOrEqual(20)
})

test('what nobody waits for is written over a while, and at once when somebody reads', async () => {
  const pass = fakeTime()
  const { store, journal, record } = await aJournal()
  const written = async () => (await store.listRequests({ limit: 1_000 })).items.length
  for (let n = 1; n <= 200; n++) record(aRawEntry())
  await pass(200)
  expect(await written()).toBe(20)
  await pass(70)
  expect(await written()).toBe(100)
  expect((await journal.list({ limit: 1_000 })).items).toHaveLength(200)
})

test('what nobody waits for is written four tenths of a second after it came', async () => {
  const pass = fakeTime()
  const { store, record } = await aJournal()
  for (let n = 1; n <= 200; n++) record(aRawEntry())
  await pass(400)
  expect((await store.listRequests({ limit: 1_000 })).items).toHaveLength(200)
})

test('of entries that are written over a while none is left of a world that ends meanwhile', async () => {
  const pass = fakeTime()
  const { store, journal, record } = await aJournal()
  for (let n = 1; n <= 200; n++) record(aRawEntry({ clientId: n > 100 ? 'C2' : 'C1' }))
  await pass(200)
  await store.reset({ clients: false })
  journal.forget()
  record(aRawEntry({ id: 'new', clientId: 'C1' }))
  expect((await journal.list({ limit: 1_000 })).items.map(({ id }) => id)).toEqual(['new'])
})

test('what cannot be written is dropped as a whole: while the disk is full it would take room, and fail again each time', async () => {
  const { store, journal, record } = await aJournal()
  for (let n = 1; n <= 100; n++) record(aRawEntry())
  const append = vi.spyOn(store, 'appendRequests').mockRejectedValueOnce(new Error('full'))
  const written = journal.flush()
  record(aRawEntry({ id: 'later' }))
  await expect(written).rejects.toThrow('full')
  expect(append).toHaveBeenCalledOnce()
  expect((await journal.list({ limit: 1_000 })).items.map(({ id }) => id)).toEqual(['later'])
})

test('what was written before makes room for what comes', async () => {
  const { store, journal, record } = await aJournal()
  for (let n = 1; n <= 3_000; n++) record(aRawEntry())
  await journal.flush()
  for (let n = 1; n <= 3_000; n++) record(aRawEntry())
  await journal.flush()
  expect(await store.prunedRequests()).toBe(1_000)
})

test('a client that calls a great deal takes nothing from what the others may have', async () => {
  const { store, journal, record } = await aJournal()
  const quiet = Array.from({ length: 500 }, (_, n) => aRawEntry({ clientId: 'quiet', id: `quiet-${n}` }))
  for (const entry of quiet) record(entry)
  for (let n = 0; n < 12_000; n++) record(aRawEntry({ clientId: 'busy' }))
  const { items } = await journal.list({ clientId: 'quiet', limit: 1_000 })
  expect(items.map(({ id }) => id)).toEqual(quiet.map(({ id }) => id))
  expect(await store.prunedRequests()).toBe(7_500)
})

test.each([
  ['nobody reads is kept outside of the heap', false],
  ['somebody reads at once is not kept twice', true],
])('what waits and %s', async (_, isRead) => {
  const { feed, journal, record } = await aJournal()
  if (isRead) feed.listen((event) => event.type === 'request' && event.entry)
  const before = bytesOutsideOfHeap()
  for (let n = 0; n < 1_000; n++) record(aRawEntry({ body: 'x'.repeat(4_800) }))
  expect(bytesOutsideOfHeap() - before > 4_000_000).toBe(!isRead)
  expect((await journal.list({ limit: 1_000 })).items).toHaveLength(1_000)
})

test('what is kept of clients that seldom call does not hold the room of all that came between', async () => {
  const { journal, record } = await aJournal()
  const body = 'x'.repeat(4_800)
  const before = bytesOutsideOfHeap()
  for (let n = 0; n < 400; n++) {
    record(aRawEntry({ clientId: 'quiet', id: `quiet-${n}`, body: `${body}${n}` }))
    for (let m = 0; m < 50; m++) record(aRawEntry({ clientId: 'busy', body }))
  }
  // Of 100 MB that came, 31 may wait.
  expect(bytesOutsideOfHeap() - before).toBeLessThan(40 * 1024 * 1024)
  const { items } = await journal.list({ clientId: 'quiet', limit: 1_000 })
  expect(items.map(({ id, body: text }) => [id, text.slice(4_800)])).toEqual(
    Array.from({ length: 400 }, (_, n) => [`quiet-${n}`, String(n)]),
  )
})

test('what waits of other clients does not hold the room of one that is forgotten', async () => {
  const { journal, record } = await aJournal()
  const body = 'x'.repeat(4_800)
  const before = bytesOutsideOfHeap()
  for (let n = 0; n < 8; n++) {
    for (let m = 0; m < 3_000; m++)
      record(aRawEntry({ clientId: m % 40 === 0 ? 'quiet' : 'busy', id: `${n}-${m}`, body }))
    journal.forget('busy')
  }
  // 120 MB have come, of which 3 are still wanted.
  expect(bytesOutsideOfHeap() - before).toBeLessThan(40 * 1024 * 1024)
  expect((await journal.list({ limit: 1_000 })).items).toHaveLength(600)
})

test('the journal is bounded in bytes, also if everyone stays within the number that each may have', async () => {
  const { store, journal, record } = await aJournal()
  const body = 'x'.repeat(16_000)
  for (let n = 1; n <= 9_000; n++) {
    record(aRawEntry({ clientId: `C${n % 20}`, body, response: n === 9_000 ? 'last' : '{}' }))
  }
  const { items } = await journal.list({ limit: 9_000 })
  const bytes = items.reduce((sum, entry) => sum + entry.body.length, 0)
  expect(bytes).toBeLessThanOrEqual(72 * 1024 * 1024)
  expect(bytes).toBeGreaterThan(48 * 1024 * 1024)
  expect(items.at(-1)?.response).toBe('last')
  expect(await store.prunedRequests()).toBe(9_000 - items.length)
})

test.each([1, 400, 1_200])(
  'of %i entries that are being written none is left of a world that ends',
  async (recorded) => {
    const { store, journal, record } = await aJournal()
    for (let n = 0; n < recorded; n++) record(aRawEntry({ clientId: 'C1', id: `e${n}` }))
    record(aRawEntry({ clientId: 'C2', id: 'other' }))
    const written = journal.flush()
    // In the turn in which a part of them is written.
    const reset = store.reset({ clients: false }).then(() => journal.forget('C1'))
    await Promise.all([written, reset])
    const { items } = await store.listRequests({ clientId: 'C1', limit: 2_000 })
    expect(items).toEqual([])
  },
)

test('an entry whose answer is about to leave is found, and none is left of a world that ends with it', async () => {
  const { journal } = await aJournal()
  journal.record(() => aRawEntry({ id: 'e1', clientId: 'C1' }))
  expect(await journal.get('e1')).toMatchObject({ id: 'e1' })
  journal.record(() => aRawEntry({ id: 'e2', clientId: 'C1' }))
  journal.forget('C1')
  journal.record(() => aRawEntry({ id: 'e3', clientId: 'C2' }))
  expect((await journal.list({ limit: 10 })).items.map(({ id }) => id)).toEqual(['e1', 'e3'])
})

test('a refused request shows no secret of another client: it may have been meant for that one', async () => {
  const secrets = new KnownSecrets()
  secrets.add('secret-of-C2', 'C2')
  const { journal, record } = await aJournal(secrets)
  const diagnosis = { cause: 'credentials.wrong', message: 'sent: secret-of-C2' } as const
  record(aRawEntry({ id: 'e1', clientId: 'C1', body: '{"note":"secret-of-C2"}', diagnosis }))
  expect(JSON.stringify(await journal.get('e1'))).not.toContain('secret-of-C2')
})
