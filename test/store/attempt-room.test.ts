import Sqlite, { type Database } from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { sqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { claim, deliver, taken } from './conformance/given.ts'
import { aClient, aDelivery, aResult, aSimulation, several, shop } from './factories.ts'

async function opened(): Promise<{ store: Store; sqlite: Database }> {
  const sqlite = new Sqlite(':memory:')
  migrate(sqlite)
  const store = sqliteStore(sqlite, () => sqlite.close())
  onTestFinished(() => store.close())
  await store.createClient(aClient({ clientId: shop }))
  return { store, sqlite }
}

/** How many pages the deliveries' rows take. */
const pages = (sqlite: Database) =>
  sqlite.prepare<[], number>(`select count(*) from dbstat where name = 'deliveries'`).pluck().get()

const room = (sqlite: Database) =>
  sqlite.prepare<[], Buffer | null>('select room from deliveries').pluck().all()

const body = JSON.stringify({ filling: 'x'.repeat(200) })

/** As the standard headers of a webhook are. */
const requestHeaders = {
  'content-type': 'application/json',
  'user-agent': 'payment-order-emulator',
  'webhook-id': `msg_${'0'.repeat(32)}_1`,
  'webhook-timestamp': '1790000000',
  'webhook-signature': `v1,${'0'.repeat(44)}`,
}

test('attempts take no more pages than their deliveries have taken before', async () => {
  const { store, sqlite } = await opened()
  await deliver(store, ...several(200, () => aDelivery({ body })))
  const before = pages(sqlite)
  expect(before).toBeGreaterThan(30)
  const claimed = await claim(store, { limit: 500 })
  expect(claimed).toHaveLength(200)
  expect(pages(sqlite)).toBe(before)
  for (const { id } of claimed) await store.finishAttempt(id, 1, aResult({ requestHeaders }))
  expect(pages(sqlite)).toBe(before)
  expect(room(sqlite)).toEqual(several(200, () => null))
})

test('what leaves to nobody has no room for an attempt', async () => {
  const { store, sqlite } = await opened()
  await deliver(store, aDelivery({ status: 'skipped' }))
  expect(room(sqlite)).toEqual([null])
})

test('a snapshot tells nothing of it, and what is made of one is tried nevertheless', async () => {
  const { store } = await opened()
  const delivery = aSimulation({ body })
  await deliver(store, delivery)
  const snapshot = await taken(store)
  expect(snapshot.tables.deliveries?.columns).toContain('attempt_error')
  expect(snapshot.tables.deliveries?.columns).not.toContain('room')
  const { store: other } = await opened()
  const read = await other.readSnapshot(snapshot)
  await read.write(2_000)
  read.close()
  expect(await claim(other)).toMatchObject([{ id: delivery.id, attempt: 1 }])
  await other.finishAttempt(delivery.id, 1, aResult({ requestHeaders }))
  expect(await other.findDelivery(delivery.id)).toMatchObject({ attempts: [{ n: 1, requestHeaders }] })
})
