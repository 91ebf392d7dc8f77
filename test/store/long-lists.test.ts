import Sqlite from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/store/sqlite/database-file.ts'
import { batchSize } from '../../src/store/sqlite/lists.ts'
import { sqliteStore } from '../../src/store/sqlite/open.ts'
import type { ListQuery } from '../../src/store/store.ts'
import { aClient, aDecision, anOrder, shop } from './factories.ts'

const sqlite = new Sqlite(':memory:')
migrate(sqlite)
const store = sqliteStore(sqlite, () => sqlite.close())
afterAll(() => store.close())

// Three orders far apart, as others that were removed leave them.
const length = 3 * batchSize
const generation = await store.createClient(aClient({ clientId: shop }))
for (const [requestId, seq] of [
  ['first', 1],
  ['middle', length / 2],
  ['last', length],
] as const) {
  await store.commit(aDecision(anOrder({ requestId, orderStatus: 'PAID' })), generation)
  sqlite.prepare('update orders set seq = ? where request_id = ?').run(seq, requestId)
}

/** The items on each page of a list. */
async function pagesOf(query: Partial<ListQuery>): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const { items, next } = await store.listOrders({ limit: 2, ...query, cursor })
    pages.push(items.map(({ requestId }) => requestId))
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return pages
}

describe.each([
  [false, 'oldest first', ['first', 'middle', 'last']],
  [true, 'newest first', ['last', 'middle', 'first']],
])('newestFirst %s', (newestFirst, _, all) => {
  test('what no index finds is looked for part by part, and each thing found once', async () => {
    const pages = await pagesOf({ newestFirst, status: 'PAID' })
    expect(pages.flat()).toEqual(all)
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.length).toBeLessThan(6)
  })

  test('a search without a hit goes once through the list', async () => {
    expect(await pagesOf({ newestFirst, search: 'nowhere' })).toEqual([[], [], []])
    expect(await pagesOf({ newestFirst, clientId: shop, where: { email: 'nobody*' } })).toEqual([[], [], []])
  })

  test('what an index finds is not looked for', async () => {
    expect(await pagesOf({ newestFirst })).toEqual([all.slice(0, 2), all.slice(2)])
    expect(await pagesOf({ newestFirst, clientId: shop })).toHaveLength(2)
    expect(await pagesOf({ newestFirst, requestId: 'last', status: 'PAID' })).toEqual([['last']])
    expect(await pagesOf({ newestFirst, requestId: 'last', search: 'nowhere' })).toEqual([[]])
  })
})

test('of an empty list a search has one empty page', async () => {
  expect(await store.listDeliveries({ search: 'x', limit: 5 })).toEqual({ items: [], next: null })
  expect(await store.listDeliveries({ search: 'x', limit: 5, newestFirst: true })).toEqual({
    items: [],
    next: null,
  })
})
