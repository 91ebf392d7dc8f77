import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/store/sqlite/database-file.ts'
import { openSqliteStore, sqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { generationOf, refused } from './conformance/given.ts'
import { aWorld, aWorldOrder, fill, inParts, taken } from './conformance/worlds.ts'
import { storeConformance } from './conformance.ts'
import { aClient, anEntry, aSimulation, several, shop } from './factories.ts'

describe('a full disk', () => {
  const full = async () => {
    const sqlite = new Sqlite(':memory:')
    migrate(sqlite)
    const store = sqliteStore(sqlite, () => sqlite.close())
    onTestFinished(() => store.close())
    await store.begin('seed')
    await store.createClient(aClient({ clientId: shop }))
    await fill(store)
    sqlite.pragma(`max_page_count = ${sqlite.pragma('page_count', { simple: true })}`)
    return { store, before: await taken(store) }
  }
  const body = 'x'.repeat(99_999)
  const verbs: readonly (readonly [string, (store: Store) => Promise<unknown>])[] = [
    ['addDelivery', async (store) => store.addDelivery(aSimulation({ body }), await generationOf(store))],
    ['appendRequests', (store) => store.appendRequests([anEntry({ body })], { all: 9, each: 0 })],
    ['saveScenarioText', (store) => store.saveScenarioText('mine', body)],
    ['load', (store) => store.load(inParts({ requests: several(9, () => anEntry({ body })) }), 'all')],
  ]

  test.each(verbs)('is `disk_full` in %s, which has changed nothing', async (_, write) => {
    const { store, before } = await full()
    await refused(write(store), 'disk_full')
    expect(await taken(store)).toEqual(before)
  })

  test('refuses no later write that fits', async () => {
    const { store } = await full()
    await refused(store.saveScenarioText('mine', body), 'disk_full')
    await store.saveCommonSettings({})
  })
})

test('a large removal lets others have their turn, and a small one takes none of its own', async () => {
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  onTestFinished(() => store.close())
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const turnsOf = async (doing: () => Promise<unknown>) => {
    const before = turns
    await doing()
    return turns - before
  }
  for (const [length, least, most] of [
    [1_000, 5, 9],
    [1, 1, 2],
  ] as const)
    for (const remove of [
      () => store.reset({ clients: false }),
      () => store.reset({ clientId: shop, clients: true }),
      () => store.deleteClient(shop),
      () => store.load(inParts(), [shop]),
    ]) {
      const orders = several(length, () => aWorldOrder({ clientId: shop }))
      await store.load(inParts(aWorld({ clients: [aClient({ clientId: shop })], orders })), [shop])
      const taken = await turnsOf(remove)
      expect(taken).toBeGreaterThanOrEqual(least)
      expect(taken).toBeLessThanOrEqual(most)
    }
  isOver = true
})

// In memory the same SQL runs on the same SQLite. Only what reads or replaces everything differs there.
storeConformance(
  'SQLite in memory',
  async () => {
    const store = await openSqliteStore({ file: ':memory:', durable: false })
    return { store, dispose: () => store.close() }
  },
  { wholeOnly: true },
)

storeConformance(
  'SQLite in a file',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'poe-store-'))
    const options = { file: join(folder, 'test.db'), durable: false }
    let store = await openSqliteStore(options)
    return {
      store,
      reopen: async () => {
        await store.close()
        store = await openSqliteStore(options)
        return store
      },
      dispose: async () => {
        await store.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
  { reopening: true },
)
