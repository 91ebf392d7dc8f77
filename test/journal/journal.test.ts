import { expect, onTestFinished, test, vi } from 'vitest'
import { KnownSecrets } from '../../src/domain/journal/known-secrets.ts'
import { Feed } from '../../src/journal/feed.ts'
import type { RawEntry } from '../../src/journal/journal.ts'
import { Journal } from '../../src/journal/journal.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aRawEntry } from '../store/factories.ts'

async function aJournal(secrets = new KnownSecrets()) {
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  const onError = (error: unknown) => {
    throw error
  }
  const feed = new Feed(onError)
  const journal = new Journal({ store, feed, startedAt: 0, secrets, onError })
  onTestFinished(async () => {
    await journal.close()
    await store.close()
  })
  const record = (raw: RawEntry) => journal.record(raw)
  return { store, feed, journal, record }
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
  expect((await store.listRequests({ limit: 1 })).pruned).toBe(pruned)
})

test('a great many entries are written in several transactions, with a turn for everybody else in between', async () => {
  const { store, journal, record } = await aJournal()
  const append = vi.spyOn(store, 'appendRequests')
  for (let n = 1; n <= 9_000; n++) record(aRawEntry())
  let turns = 0
  let written = false
  journal.flush().then(() => {
    written = true
  })
  for (; !written; turns += 1) await new Promise(setImmediate)
  expect(Math.max(...append.mock.calls.map(([entries]) => entries.length))).toBeLessThanOrEqual(2_000)
  expect(turns).toBeGreaterThanOrEqual(5)
})

test('what nobody reads is written within a fifth of a second, however much it is', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { store, journal, record } = await aJournal()
  for (const recorded of [1, 1_000, 4_000]) {
    for (let n = 1; n <= recorded; n++) record(aRawEntry({ id: `${recorded}-${n}` }))
    const list = vi.spyOn(store, 'appendRequests')
    vi.advanceTimersByTime(200)
    await vi.waitUntil(async () => (await store.findRequest(`${recorded}-${recorded}`)) !== null)
    expect(list).toHaveBeenCalled()
  }
  await journal.flush()
})

test('what cannot be written is dropped and counted: while the disk is full it would take room, and fail again each time', async () => {
  const { store, journal, record } = await aJournal()
  for (let n = 1; n <= 100; n++) record(aRawEntry())
  const append = vi.spyOn(store, 'appendRequests').mockRejectedValueOnce(new Error('full'))
  const written = journal.flush()
  await expect(written).rejects.toThrow('full')
  expect(append).toHaveBeenCalledOnce()
  record(aRawEntry({ id: 'later' }))
  expect((await journal.list({ limit: 1_000 })).items.map(({ id }) => id)).toEqual(['later'])
  expect((await store.listRequests({ limit: 1 })).pruned).toBe(100)
})

test('what was written before makes room for what comes', async () => {
  const { store, journal, record } = await aJournal()
  for (let n = 1; n <= 3_000; n++) record(aRawEntry())
  await journal.flush()
  for (let n = 1; n <= 3_000; n++) record(aRawEntry())
  await journal.flush()
  expect((await store.listRequests({ limit: 1 })).pruned).toBe(1_000)
})

test('a client that calls a great deal takes nothing from what the others may have', async () => {
  const { store, journal, record } = await aJournal()
  const quiet = Array.from({ length: 500 }, (_, n) => aRawEntry({ clientId: 'quiet', id: `quiet-${n}` }))
  for (const entry of quiet) record(entry)
  for (let n = 0; n < 12_000; n++) record(aRawEntry({ clientId: 'busy' }))
  const { items } = await journal.list({ clientId: 'quiet', limit: 1_000 })
  expect(items.map(({ id }) => id)).toEqual(quiet.map(({ id }) => id))
  expect((await store.listRequests({ limit: 1 })).pruned).toBe(7_500)
})

test('what waits is bounded in bytes, and what gave way is counted', async () => {
  const { store, journal, record } = await aJournal()
  for (let n = 1; n <= 4_000; n++) record(aRawEntry({ id: `e${n}`, body: 'x'.repeat(16_000) }))
  const { items } = await journal.list({ limit: 5_000 })
  expect(items.length * 16_000).toBeLessThan(32 * 1024 * 1024)
  expect(items.length * 16_000).toBeGreaterThan(15 * 1024 * 1024)
  expect(items.at(-1)?.id).toBe('e4000')
  expect((await store.listRequests({ limit: 1 })).pruned).toBe(4_000 - items.length)
})

test('the journal is bounded in bytes, also if everyone stays within the number that each may have', async () => {
  const { store, journal, record } = await aJournal()
  const body = 'x'.repeat(16_000)
  for (let n = 1; n <= 9_000; n++) {
    record(aRawEntry({ clientId: `C${n % 20}`, body, response: n === 9_000 ? 'last' : '{}' }))
    if (n % 1_000 === 0) await journal.flush()
  }
  const { items } = await journal.list({ limit: 9_000 })
  const bytes = items.reduce((sum, entry) => sum + entry.body.length, 0)
  expect(bytes).toBeLessThanOrEqual(72 * 1024 * 1024)
  expect(bytes).toBeGreaterThan(48 * 1024 * 1024)
  expect(items.at(-1)?.response).toBe('last')
  expect((await store.listRequests({ limit: 1 })).pruned).toBe(9_000 - items.length)
})

test.each([1, 400, 5_000])(
  'of %i entries that are being written none is left of a world that ends, at whatever turn it ends',
  async (recorded) => {
    for (let turns = 0; turns <= 8; turns++) {
      const { store, journal, record } = await aJournal()
      record(aRawEntry({ clientId: 'C2', id: 'other' }))
      for (let n = 0; n < recorded; n++) record(aRawEntry({ clientId: 'C1', id: `e${n}` }))
      const written = journal.flush()
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      await journal.whileItWaits(async () => {
        await store.reset({ clientId: 'C1', clients: false })
        journal.forget('C1')
      })
      record(aRawEntry({ clientId: 'C1', id: 'new' }))
      await written
      const { items } = await journal.list({ limit: 6_000 })
      expect([turns, ...items.map(({ id }) => id)]).toEqual([turns, 'other', 'new'])
    }
  },
)

test('of a world that ends no entry is left that waits, nor of all worlds', async () => {
  const { journal, record } = await aJournal()
  for (const clientId of ['C1', 'C2', null]) record(aRawEntry({ id: `of ${clientId}`, clientId }))
  journal.forget('C1')
  expect((await journal.list({ limit: 10 })).items.map(({ id }) => id)).toEqual(['of C2', 'of null'])
  record(aRawEntry({ id: 'late', clientId: null }))
  journal.forget()
  expect((await journal.list({ limit: 10 })).items.map(({ id }) => id)).toEqual(['of C2', 'of null'])
})

test('whoever is told of an entry finds it in the journal', async () => {
  const { feed, journal, record } = await aJournal()
  const found: Promise<unknown>[] = []
  feed.listen((event) => event.type === 'request' && found.push(journal.get(event.entry.id)))
  record(aRawEntry({ id: 'e1' }))
  expect(await Promise.all(found)).toMatchObject([{ id: 'e1' }])
})

test('what was secret when it was sent is shown nowhere, though it is no secret any more when the entry is written', async () => {
  const secrets = new KnownSecrets()
  secrets.add('secret-of-C1', 'C1')
  const { feed, journal, record } = await aJournal(secrets)
  const told: unknown[] = []
  feed.listen((event) => told.push(event))
  record(aRawEntry({ id: 'e1', clientId: 'C1', body: '{"note":"secret-of-C1"}' }))
  secrets.remove('secret-of-C1', 'C1')
  expect(JSON.stringify([told, await journal.get('e1')])).not.toContain('secret-of-C1')
})

test('a refused request shows no secret of another client: it may have been meant for that one', async () => {
  const secrets = new KnownSecrets()
  secrets.add('secret-of-C2', 'C2')
  const { journal, record } = await aJournal(secrets)
  const diagnosis = { cause: 'credentials.wrong', message: 'sent: secret-of-C2' } as const
  record(aRawEntry({ id: 'e1', clientId: 'C1', body: '{"note":"secret-of-C2"}', diagnosis }))
  expect(JSON.stringify(await journal.get('e1'))).not.toContain('secret-of-C2')
})
