import Sqlite, { type Database } from 'better-sqlite3'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { orderIds } from '../../src/domain/ids.ts'
import type { Order } from '../../src/domain/order.ts'
import { orderKey } from '../../src/domain/order-key.ts'
import { scenarioFormat } from '../../src/domain/scenario/scenario.ts'
import { commitVerbs } from '../../src/store/sqlite/commits.ts'
import { type Connection, connect } from '../../src/store/sqlite/connection.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { orderVerbs } from '../../src/store/sqlite/orders.ts'
import { sqliteStore } from '../../src/store/sqlite/store.ts'
import { worldVerbs } from '../../src/store/sqlite/world.ts'
import type { Store } from '../../src/store/store.ts'
import { aScenario } from '../domain/factories.ts'
import { taken } from './conformance/given.ts'
import { aClient, aDecision, anOrder, several, shop } from './factories.ts'

const named = (requestId: string, clientId = shop): Order =>
  anOrder({ clientId, requestId, ...orderIds('seed', clientId, requestId, 1, 1_000) })
const many = (count: number, prefix = 'r', clientId = shop) =>
  several(count, (n) => named(`${prefix}${n}`, clientId))

/** What the table has, by `seq`. */
const written = (sqlite: Database): number[] =>
  sqlite.prepare<[], number>('select order_seq from order_keys order by 1').pluck().all()
const boundOf = (sqlite: Database) => sqlite.prepare('select seq from order_keys_bound').pluck().get()
const seqs = (count: number) => several(count, (n) => n + 1)

/** Each order is found in all three ways, and whatever another client asks for is not. */
async function expectFound(
  store: Pick<Store, 'ordersOf' | 'findOrder' | 'findOrderByToken'>,
  orders: readonly Order[],
) {
  for (const { clientId, requestId, orderId, token } of orders) {
    const ids = { clientId, requestId, orderId }
    expect(await store.ordersOf(clientId, requestId)).toMatchObject([ids])
    expect(await store.findOrder(orderId)).toMatchObject(ids)
    expect(await store.findOrderByToken(token)).toMatchObject(ids)
    expect(await store.ordersOf('nobody', requestId)).toEqual([])
  }
}

let sqlite: Database
let connection: Connection
let store: Pick<Store, 'commit' | 'reset' | 'ordersOf' | 'findOrder' | 'findOrderByToken' | 'listOrders'>

function open(database: Database, atMost: number): void {
  sqlite = database
  connection = connect(sqlite, atMost)
  store = { ...commitVerbs(connection), ...orderVerbs(connection), ...worldVerbs(connection) }
}

/** A store that lets so many keys wait. */
function openStore(atMost: number): void {
  const database = new Sqlite(':memory:')
  migrate(database)
  open(database, atMost)
  for (const clientId of [shop, 'other']) {
    const { apiSecret, accessToken, webhookSecret } = aClient({
      clientId,
      accessToken: `token-of-${clientId}`,
    })
    sqlite
      .prepare(
        `insert into clients (client_id, api_secret, access_token, webhook_secret, webhook_paused, default_scenario,
           clock_mode, clock_speed, clock_anchor, clock_anchor_wall, settings)
         values (?, ?, ?, ?, 0, 'happy', 'manual', 0, 0, 0, '{}')`,
      )
      .run(clientId, apiSecret, accessToken, webhookSecret)
  }
}

const commit = (orders: readonly Order[]) =>
  Promise.all(orders.map((order) => store.commit(aDecision(order))))

/** What is there if the process is killed now, opened again. */
async function afterCrash<T>(look: (store: Store, sqlite: Database) => Promise<T> | T): Promise<T> {
  const left = new Sqlite(sqlite.serialize())
  const reopened = sqliteStore(left, () => left.close())
  try {
    return await look(reopened, left)
  } finally {
    await reopened.close()
  }
}

describe('keys', () => {
  beforeEach(() => openStore(100))

  test('wait until there are many, and are then written together', async () => {
    await commit(many(99))
    expect(written(sqlite)).toEqual([])
    await commit([named('last')])
    expect(written(sqlite)).toEqual(seqs(100))
    expect(boundOf(sqlite)).toBe(100)
  })

  test('lead to their orders, waiting or written', async () => {
    const orders = many(250)
    await commit(orders)
    expect(written(sqlite)).toHaveLength(200)
    await expectFound(store, orders)
    const listed = await Promise.all(orders.map(({ requestId }) => store.listOrders({ requestId, limit: 5 })))
    expect(listed.map(({ items }) => items.map(({ requestId }) => requestId))).toEqual(
      orders.map(({ requestId }) => [requestId]),
    )
  })

  test('that wait are written by the next start after a crash, and only those', async () => {
    const orders = many(150)
    await commit(orders)
    await afterCrash(async (reopened, left) => {
      expect(written(left)).toEqual(seqs(150))
      expect(boundOf(left)).toBe(150)
      await expectFound(reopened, orders)
    })
  })

  test('are all written at the end, so that the next start has nothing to do', async () => {
    const whole = sqliteStore(sqlite, () => {})
    await Promise.all(many(3).map((order) => whole.commit(aDecision(order))))
    expect(written(sqlite)).toEqual([])
    await whole.close()
    expect(written(sqlite)).toEqual(seqs(3))
    expect(boundOf(sqlite)).toBe(3)
  })

  test('of an order that was refused after all lead to no order, and to the next one', async () => {
    const order = named('r')
    const refused = store.commit({ ...aDecision(order), takesBinding: 'b1' })
    await expect(refused).rejects.toMatchObject({ code: 'binding_used' })
    expect(await store.ordersOf(shop, 'r')).toEqual([])
    await commit([named('before')])
    await commit([order])
    await expectFound(store, [named('before'), order])
    await afterCrash((reopened) => expectFound(reopened, [named('before'), order]))
  })

  test('go on waiting when another order of their turn is refused', async () => {
    const orders = many(60)
    const refused = store.commit({ ...aDecision(named('refused')), takesBinding: 'b1' })
    const outcomes = await Promise.allSettled([
      commit(orders.slice(0, 30)),
      refused,
      commit(orders.slice(30)),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(written(sqlite)).toEqual([])
    await expectFound(store, orders)
  })

  test('of refused orders take nothing from the others of their turn', async () => {
    const orders = many(120)
    const outcomes = await Promise.allSettled([
      ...orders.slice(0, 60).map((order) => store.commit(aDecision(order))),
      store.commit({ ...aDecision(named('refused')), takesBinding: 'b1' }),
      ...orders.slice(60).map((order) => store.commit(aDecision(order))),
    ])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    await expectFound(store, orders)
    await afterCrash((reopened) => expectFound(reopened, orders))
  })
})

describe('keys that are written by a transaction', () => {
  beforeEach(() => openStore(100))

  const failing = () =>
    connection.write(() => {
      connection.orderKeys.writeAll()
      throw new Error('for a test')
    })

  test('wait again if it is undone', async () => {
    const orders = many(3)
    await commit(orders)
    await expect(failing()).rejects.toThrow('for a test')
    expect(written(sqlite)).toEqual([])
    await expectFound(store, orders)
    await connection.write(() => connection.orderKeys.writeAll())
    expect(written(sqlite)).toEqual(seqs(3))
  })

  test('stay written if only a part of it is undone', async () => {
    const orders = many(3)
    await commit(orders)
    const outcomes = await Promise.allSettled([commit([named('s')]), failing(), commit([named('t')])])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    await expectFound(store, [...orders, named('s'), named('t')])
    await connection.write(() => connection.orderKeys.writeAll())
    expect(written(sqlite)).toEqual(seqs(5))
  })

  test('wait for no second time, whatever is undone later', async () => {
    await commit(many(3))
    await connection.write(() => connection.orderKeys.writeAll())
    await expect(failing()).rejects.toThrow('for a test')
    expect(connection.orderKeys.waiting(orderKey(shop, 'r0'))).toBeUndefined()
    await expectFound(store, many(3))
  })

  test('are written by the second run, when another verb fails', async () => {
    const orders = many(3)
    await commit(orders)
    const fine = connection.write(() => connection.orderKeys.writeAll())
    const other = connection.write(() => {
      throw new Error('for a test')
    })
    await Promise.allSettled([fine, other])
    expect(written(sqlite)).toEqual(seqs(3))
    await expectFound(store, orders)
  })
})

describe('of thousands of keys', () => {
  test('those that go on waiting are written after a crash', async () => {
    openStore(1_500)
    const orders = many(1_500)
    await commit(orders)
    const before = written(sqlite).length
    expect(before).toBeGreaterThanOrEqual(1_024)
    expect(before).toBeLessThan(1_100)
    await afterCrash((_, left) => expect(written(left)).toEqual(seqs(1_500)))
  })
})

describe('a snapshot', () => {
  test('is followed by the keys of its orders, and no others', async () => {
    sqlite = new Sqlite(':memory:')
    migrate(sqlite)
    const whole = sqliteStore(sqlite, () => {}, 5)
    await whole.createClient(aClient({ clientId: shop }))
    const { version } = anOrder().scenario
    await whole.saveScenarioVersion(version, {
      scenarioJson: JSON.stringify(aScenario([])),
      format: scenarioFormat,
    })
    const add = (orders: readonly Order[]) =>
      Promise.all(orders.map((order) => whole.commit(aDecision(order))))
    await add(many(3))
    const snapshot = await taken(whole)
    await add(many(12, 's'))
    const read = await whole.readSnapshot(snapshot)
    await read.write(2_000)
    read.close()
    expect(written(sqlite)).toEqual(seqs(3))
    await expectFound(whole, many(3))
    await whole.close()
  })
})

describe('a reset', () => {
  test.each([100, 4])('of one client leaves the keys of others, of which %i may wait', async (atMost) => {
    openStore(atMost)
    const others = many(6, 'o', 'other')
    await commit([...many(6), ...others])
    await store.reset({ clientId: shop, clients: false, scenarios: false })
    expect(written(sqlite)).toEqual(seqs(12).slice(6))
    await expectFound(store, others)
    expect(await store.ordersOf(shop, 'r1')).toEqual([])
  })

  test.each([undefined, shop])(
    'is followed by keys that a crash leaves unwritten too, of %s',
    async (clientId) => {
      openStore(5)
      await commit(many(12))
      await store.reset({ clientId, clients: false, scenarios: false })
      expect(written(sqlite)).toEqual([])
      const again = many(3)
      await commit(again)
      await afterCrash((reopened) => expectFound(reopened, again))
    },
  )
})

describe('a new order', () => {
  beforeEach(() => openStore(5))

  const refusedWith = (order: Order) =>
    store.commit(aDecision(order)).then(
      () => null,
      ({ code }) => code,
    )
  /** Somebody else's, under the id that an order would get. */
  const withIdOf = (order: Order) => anOrder({ clientId: 'other', orderId: order.orderId })

  test('is refused if its key waits, or is written, with an order of the same requestId', async () => {
    const orders = many(7)
    await commit(orders)
    expect(written(sqlite)).toEqual(seqs(5))
    for (const order of orders) expect(await refusedWith(order)).toBe('order_exists')
    expect(await refusedWith(named('r1', 'other'))).toBeNull()
  })

  test.each(['alone', 'beside others'])(
    'is refused if the one before was removed by a transaction, %s, that was undone',
    async (where) => {
      const order = named('r')
      const neighbour = named('r', 'other')
      await commit([order, ...many(4)])
      open(new Sqlite(sqlite.serialize()), 5)
      const idsOf = ({ orderId, charge, clientId, requestId }: Order) => ({
        orderId,
        charge,
        idKey: orderKey(clientId, requestId),
      })
      const removing = connection.write(() => {
        connection.orderKeys.remove(undefined)
        expect(connection.orderKeys.mayBeTaken(idsOf(neighbour))).toBe(false)
        throw new Error('for a test')
      })
      const others = where === 'alone' ? [] : [named('s')]
      const outcomes = await Promise.allSettled([removing, commit(others)])
      expect(outcomes).toMatchObject([{ reason: { message: 'for a test' } }, { status: 'fulfilled' }])
      expect(await refusedWith(order)).toBe('order_exists')
      await expectFound(store, [order, ...many(4), ...others])
    },
  )

  test("is refused if its id is another order's own", async () => {
    await commit([withIdOf(named('r'))])
    expect(await refusedWith(named('r'))).toBe('order_id_taken')
    expect(await refusedWith(named('s'))).toBeNull()
    open(new Sqlite(sqlite.serialize()), 5)
    expect(await refusedWith(named('r'))).toBe('order_id_taken')
  })

  test.each([undefined, shop])('is refused if its key came with a snapshot, of %s', async (clientId) => {
    await commit([named('before')])
    expect(await refusedWith(named('r', 'other'))).toBeNull()
    sqlite.exec(`update orders set request_id = 'r', order_id = '${named('r').orderId}',
      id_key = '${orderKey(shop, 'r')}' where request_id = 'before'`)
    await connection.write(() => {
      connection.orderKeys.remove(clientId)
      connection.orderKeys.rebuild(clientId)
    })
    expect(await refusedWith(named('r'))).toBe('order_exists')
  })

  test.each([undefined, shop])(
    "is refused if its id came with a snapshot, of %s, as another order's own",
    async (clientId) => {
      await commit([named('before')])
      sqlite.exec(`update orders set order_id = '${named('r').orderId}'`)
      await connection.write(() => {
        connection.orderKeys.remove(clientId)
        connection.orderKeys.rebuild(clientId)
      })
      expect(await refusedWith(named('r'))).toBe('order_id_taken')
      expect(await refusedWith(named('before'))).toBe('order_exists')
    },
  )
})

test('whatever happens, each order is found as long as it is there, and nothing else', async () => {
  // The last two have one key.
  const requestIds = ['a', 'b', 'c', 'd', 'r42431', 'r117151']
  const which = fc.record({
    clientId: fc.constantFrom(shop, 'other'),
    requestId: fc.constantFrom(...requestIds),
    charge: fc.constantFrom(1, 1, 2),
    isRefused: fc.constantFrom(false, false, true),
  })
  const deed = fc.oneof(
    { weight: 5, arbitrary: fc.array(which, { minLength: 1, maxLength: 5 }) },
    fc.constantFrom(shop, 'everybody' as const).map((reset) => ({ reset })),
    fc.boolean().map((fails) => ({ writes: fails ? ('in vain' as const) : ('all' as const) })),
    fc.integer({ min: 1, max: 5 }).map((crash) => ({ crash })),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(deed, { maxLength: 15 }),
      async (atMost, deeds) => {
        openStore(atMost)
        const there = new Map<string, Order>()
        for (const done of deeds) {
          if (Array.isArray(done)) {
            const asked = done.map(({ isRefused, ...ids }) => ({ isRefused, order: charged(ids) }))
            const outcomes = await Promise.allSettled(
              asked.map(({ isRefused, order }) =>
                store.commit({ ...aDecision(order), ...(isRefused ? { takesBinding: 'none' } : {}) }),
              ),
            )
            for (const [index, { isRefused, order }] of asked.entries()) {
              const isNew = !isRefused && !there.has(order.orderId)
              expect(outcomes[index]?.status).toBe(isNew ? 'fulfilled' : 'rejected')
              if (isNew) there.set(order.orderId, order)
            }
          } else if ('reset' in done) {
            const clientId = done.reset === 'everybody' ? undefined : done.reset
            await store.reset({ clientId, clients: false, scenarios: false })
            for (const order of there.values())
              if (clientId === undefined || order.clientId === clientId) there.delete(order.orderId)
          } else if ('writes' in done) {
            const writing = connection.write(() => {
              connection.orderKeys.writeAll()
              if (done.writes === 'in vain') throw new Error('for a test')
            })
            await writing.catch(() => {})
          } else open(new Sqlite(sqlite.serialize()), done.crash)
          await expectExactly([...there.values()], requestIds)
        }
      },
    ),
    { numRuns: 40 },
  )
}, 30_000)

const charged = (ids: { clientId: string; requestId: string; charge: number }): Order =>
  anOrder({ ...ids, ...orderIds('seed', ids.clientId, ids.requestId, ids.charge, 1_000) })

async function expectExactly(orders: readonly Order[], requestIds: readonly string[]) {
  for (const clientId of [shop, 'other'])
    for (const requestId of requestIds) {
      const made = orders.filter((order) => order.clientId === clientId && order.requestId === requestId)
      const found = await store.ordersOf(clientId, requestId)
      expect(found.map(({ orderId }) => orderId).toSorted()).toEqual(
        made.map(({ orderId }) => orderId).toSorted(),
      )
    }
  for (const { orderId, token } of orders) {
    expect(await store.findOrder(orderId)).toMatchObject({ orderId })
    expect(await store.findOrderByToken(token)).toMatchObject({ orderId })
  }
  const listed = await Promise.all(requestIds.map((requestId) => store.listOrders({ requestId, limit: 9 })))
  expect(listed.flatMap(({ items }) => items)).toHaveLength(orders.length)
}
