import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { World, WorldPart } from '../../src/domain/fixture/world.ts'
import { migrate } from '../../src/store/sqlite/database-file.ts'
import { sqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { claim, commit, committed, deliver, finish, generationOf } from './conformance/given.ts'
import {
  anAttempt,
  aWorld,
  aWorldDelivery,
  aWorldOrder,
  inParts,
  taken,
  worldOf,
} from './conformance/worlds.ts'
import {
  aBinding,
  aChange,
  aClient,
  aCountedCall,
  aDelivery,
  anEntry,
  aResult,
  aRule,
  aSimulation,
  several,
  shop,
} from './factories.ts'

// How the SQLite store keeps the moment of a snapshot while it is read.

const guest = 'guest'
const keepAll = { all: 999, each: 999 }

describe.each(['in memory', 'in a file'])('%s', (where) => {
  let folder: string
  let sqlite: Database
  let store: Store

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'poe-snapshots-'))
    sqlite = new Sqlite(where === 'in memory' ? ':memory:' : join(folder, 'test.db'))
    sqlite.pragma('journal_mode = wal')
    migrate(sqlite)
    store = sqliteStore(sqlite, () => sqlite.close())
    await store.begin('seed')
    await store.load(both(), 'all')
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  /** The snapshots that are stored beside the database. */
  const left = async () => {
    await store.backlog()
    return sqlite.prepare('select name from sqlite_temp_schema').pluck().all()
  }

  test('nothing is left of one that was read, and of one that was not', async () => {
    await taken(store)
    expect(await left()).toEqual([])
    const begun = await store.snapshot(shop)
    await begun.next()
    expect(await left()).not.toEqual([])
    await begun.return?.()
    expect(await left()).toEqual([])
    const untouched = await store.snapshot()
    await untouched.return?.()
    expect(await left()).toEqual([])
    expect(await untouched.next()).toEqual({ done: true, value: undefined })
  })

  /** Possible changes to orders that have been read, and to those that have not. */
  const changes: Record<string, () => Promise<unknown>> = {
    'changes of all orders': async () => {
      for (const order of (await store.listOrders({ limit: 999 })).items)
        await commit(store, aChange(order, { orderStatus: 'PAID' }, { history: [{ at: 2, what: 'order' }] }))
    },
    'attempts of all deliveries': async () => {
      const { items } = await store.listDeliveries({ clientId: shop, limit: 999 })
      for (const { id } of items) await store.resendDelivery(id, 1_000)
      for (const { id, attempt } of await claim(store, { limit: 999 }))
        await finish(store, id, attempt, aResult({ next: { status: 'pending', dueAt: 1_000 } }))
      await claim(store, { limit: 999 })
    },
    'new orders, deliveries and requests': async () => {
      const { orderId, requestId } = await committed(store)
      await deliver(store, aDelivery({ orderId, requestId }), aSimulation())
      await store.appendRequests([anEntry()], { all: 3, each: 3 })
      await store.addBinding(aBinding())
      await store.countAnswer({ ...aCountedCall([aRule()]), generation: await generationOf(store) })
    },
    'a reset': () => store.reset({ clients: false, scenarios: true }),
    'a reset, and orders with the same numbers': async () => {
      await store.reset({ clients: false })
      for (const clientId of [guest, shop]) await fill(clientId)
    },
    'a reset of the client that came last, and orders of the other with its numbers': async () => {
      await store.reset({ clientId: guest, clients: false })
      await fill(shop)
    },
    'a load in place of everything': () => store.load(both(7), 'all'),
    'a load in place of a client': () => store.load(inParts(filled(shop)), [shop]),
    'a load that fails': async () => {
      const world = filled(shop)
      await expect(store.load(inParts(world, world), [shop])).rejects.toThrow()
    },
    'a client that is gone': () => store.deleteClient(shop),
  }
  const fill = async (clientId: string) => {
    for (const _ of several(300, String)) {
      const { orderId, requestId } = await committed(store, { clientId })
      await deliver(store, aDelivery({ orderId, requestId, clientId }), aSimulation({ clientId, requestId }))
      await store.appendRequests([anEntry({ clientId })], keepAll)
    }
  }

  test.each(Object.keys(changes))('one that is being read shows nothing of %s', async (what) => {
    const before = { all: await taken(store), ofShop: await taken(store, shop) }
    const all = await store.snapshot()
    const ofShop = await store.snapshot(shop)
    const parts = { all: await readTo(all, 'orders'), ofShop: await readTo(ofShop, 'orders') }
    const unread = await store.snapshot()
    await changes[what]?.()
    const late = await store.snapshot(guest)
    expect(await worldOf(chained(parts.all, all))).toEqual(before.all)
    expect(await worldOf(chained(parts.ofShop, ofShop))).toEqual(before.ofShop)
    expect(await worldOf(unread)).toEqual(before.all)
    expect(await worldOf(late)).toEqual(await taken(store, guest))
    expect(await left()).toEqual([])
  })

  test('a free number that a later delivery gets is not of that moment', async () => {
    const client = aClient({ clientId: 'sparse' })
    const order = aWorldOrder({ clientId: client.clientId })
    const [near, far] = [1, 1_000].map((place) => aWorldDelivery(order.order, { place }))
    const world = aWorld({ clients: [client], orders: [{ ...order, deliveries: near ? [near] : [] }] })
    await store.load(inParts(world, { deliveries: far ? [far] : [] }), 'all')
    const before = await taken(store)
    const snapshot = await store.snapshot()
    sqlite.prepare('delete from deliveries where id = ?').run(far?.id)
    await deliver(store, aSimulation({ clientId: client.clientId, orderId: order.order.orderId }))
    expect(await worldOf(snapshot)).toEqual(before)
  })

  test('one can be loaded into its own store while it is read', async () => {
    const before = await taken(store)
    await store.load(await store.snapshot(), 'all')
    expect(await taken(store)).toEqual(before)
    await store.load(await store.snapshot(guest), [guest])
    const after = await taken(store)
    expect(after.orders.map(({ order }) => order)).toEqual(before.orders.map(({ order }) => order))
    expect(await left()).toEqual([])
  })

  test('a client that is put back again and again does not run out of numbers', async () => {
    await store.load(both(9), 'all')
    for (const _ of several(60, String)) {
      await store.load(await store.snapshot(shop), [shop])
      await deliver(store, aSimulation({ clientId: guest }))
    }
    const newest = sqlite.prepare('select max(seq) from deliveries').pluck().get()
    expect(newest).toBeLessThan(100_000)
  })

  test('the store closes while one is read', async () => {
    const snapshot = await store.snapshot()
    await snapshot.next()
    await store.close()
    await expect(snapshot.next()).rejects.toThrow()
    await expect(snapshot.return?.()).resolves.toMatchObject({ done: true })
    const another = await store.snapshot().catch((error: Error) => error.message)
    expect(another).toBe('the store is closed')
  })

  test('others have their turn while orders are read and loaded', async () => {
    let turns = 0
    let isOver = false
    const turn = () => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    turn()
    await store.load(await store.snapshot(), 'all')
    isOver = true
    // 600 orders, at most 200 of them in one turn, out and in.
    expect(turns).toBeGreaterThan(6)
  })
})

/** A client with 300 orders and everything else. */
function filled(clientId: string, length = 300): World {
  const client = aClient({ clientId })
  const orders = several(length, (n) => {
    const order = aWorldOrder({ clientId, scenario: { id: 'happy', why: 'default', version: `v${n % 2}` } })
    const attempts = several(n % 4, (attempt) => anAttempt(attempt + 1))
    const status = n % 2 === 0 ? 'delivered' : 'pending'
    const url = attempts.length === 0 ? null : anAttempt(1).url
    return {
      ...order,
      deliveries: [aWorldDelivery(order.order, { status, url, attempts, released: n === 3 })],
    }
  })
  const scenarios = ['v0', 'v1', 'unused'].map((version) => ({ version, format: 1, scenario: { version } }))
  const count = { clientId, scenarioId: 'flaky', rule: '0', calls: 1, since: 1 }
  return {
    clients: [{ ...client, plannedFaults: 2 }],
    tokens: [],
    scenarios,
    bindings: [aBinding({ clientId })],
    answerCounts: several(length, (n) => ({ ...count, requestId: `r${n}` })),
    orders,
    deliveries: several(length, () => ({ ...aSimulation({ clientId }), url: null, attempts: [] })),
    requests: several(length, () => anEntry({ clientId })),
  }
}

/** Everything there is. */
function both(length?: number): AsyncIterable<WorldPart> {
  const texts = [{ id: 'mine', text: 'text' }]
  const common = { seed: 'seed', settings: {}, scenarioTexts: texts, plannedFaults: 3, prunedRequests: 4 }
  return inParts({ common }, filled(shop, length), filled(guest, length))
}

/** Reads up to a part that has some member. */
async function readTo(parts: AsyncIterator<WorldPart, undefined>, member: keyof World): Promise<WorldPart[]> {
  const read: WorldPart[] = []
  for (let part = await parts.next(); !part.done; part = await parts.next()) {
    read.push(part.value)
    if (part.value[member] !== undefined) break
  }
  return read
}

async function* chained(
  read: readonly WorldPart[],
  rest: AsyncIterable<WorldPart>,
): AsyncGenerator<WorldPart> {
  yield* read
  yield* rest
}
