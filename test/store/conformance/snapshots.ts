import { describe, expect, test } from 'vitest'
import { orderIds } from '../../../src/domain/ids.ts'
import { scenarioFormat } from '../../../src/domain/scenario/scenario.ts'
import type { GivenSnapshot } from '../../../src/store/snapshot.ts'
import type { Store } from '../../../src/store/store.ts'
import { aScenario } from '../../domain/factories.ts'
import { aBinding, aDelivery, anEntry, aToken, shop } from '../factories.ts'
import { another, atMost, claim, committed, type Given, ids, refused, stored, taken } from './given.ts'

export function snapshotsConform(given: Given): void {
  const keepScenario = () =>
    given.store.saveScenarioVersion('v1', {
      scenarioJson: JSON.stringify(aScenario([])),
      format: scenarioFormat,
    })
  /** Something of everything, of a client. */
  const fill = async (clientId: string) => {
    const { store } = given
    await keepScenario()
    const delivery = aDelivery({ clientId })
    await committed(store, { clientId, nextDueAt: 5_000 }, { events: [delivery] })
    await store.saveToken(aToken({ clientId }))
    await store.addBinding(aBinding({ clientId }))
    await store.appendRequests([anEntry({ clientId })], atMost(99))
    return delivery
  }
  const everything = async () => {
    const { store } = given
    return {
      clients: await store.clients(),
      orders: (await store.listOrders({ limit: 99 })).items,
      deliveries: (await store.listDeliveries({ limit: 99 })).items,
      tokens: await store.tokens(),
      requests: (await store.listRequests({ limit: 99 })).items,
      settings: await store.commonSettings(),
      texts: await store.scenarioTexts(),
      due: [await store.nextOrderDue(shop), await store.nextDeliveryDue(shop, 0)],
      binding: await store.bindingFor(shop, 'r'),
      seed: await store.seed('another'),
    }
  }
  const put = async (snapshot: GivenSnapshot, clientId?: string) => {
    const read = await given.store.readSnapshot(snapshot)
    await read.write(2_000, clientId)
    read.close()
  }

  describe('a snapshot', () => {
    test('brings back all that was there, and nothing else', async () => {
      const { store } = given
      await fill(shop)
      await store.saveCommonSettings({ 'orders.expiry': '7m' })
      await store.saveScenarioText('mine', 'text')
      await store.seed('seed')
      const before = await everything()
      const snapshot = await taken(store)
      await another(store)
      await fill(shop)
      await store.saveCommonSettings({})
      await put(snapshot)
      expect(await everything()).toEqual(before)
      await put(snapshot)
      expect(await everything(), 'as often as one likes').toEqual(before)
    })

    test('has nothing of what comes while it is read', async () => {
      const { store } = given
      await fill(shop)
      const { parts } = await store.snapshot()
      await fill(shop)
      let orders = 0
      for await (const { name, rows } of parts) if (name === 'orders') orders += rows.length
      expect(orders).toBe(1)
    })

    test('has what was asked for before it, though that is still being written', async () => {
      const { store } = given
      const [, snapshot] = await Promise.all([fill(shop), taken(store)])
      const saving = store.saveScenarioText('mine', 'text')
      const read = await store.readSnapshot(await taken(store))
      expect(read.scenarioTexts).toEqual([{ id: 'mine', text: 'text' }])
      read.close()
      await saving
      expect(snapshot.schema).toBeGreaterThan(0)
    })

    test('finds bindings again, though there was none a moment before', async () => {
      const { store } = given
      await store.addBinding(aBinding({ id: 'planned' }))
      const snapshot = await taken(store)
      await store.reset({ clients: false })
      expect(await store.bindingFor(shop, 'r')).toBeNull()
      await put(snapshot)
      for (const requestId of ['r', 'and again'])
        expect((await store.bindingFor(shop, requestId))?.id).toBe('planned')
    })

    test('makes what was in flight due again, as after a crash', async () => {
      const { store } = given
      const delivery = await fill(shop)
      await claim(store)
      const snapshot = await taken(store)
      await put(snapshot)
      expect((await claim(store)).map(({ id, attempt }) => [id, attempt])).toEqual([[delivery.id, 2]])
      expect((await stored(store, delivery.id)).attempts[0]).toMatchObject({ n: 1, outcome: 'unknown' })
    })

    test('sets the clocks going from the wall’s now', async () => {
      const snapshot = await taken(given.store)
      await put(snapshot)
      expect((await given.store.clients())[0]?.clock).toMatchObject({ anchor: 1_000, anchorWall: 2_000 })
    })
  })

  /** A snapshot with the rows of one table changed. */
  const withRows = (
    snapshot: GivenSnapshot,
    table: 'orders' | 'deliveries',
    change: (row: Record<string, unknown>) => Record<string, unknown>[],
  ) => {
    const { columns = [], rows = [] } = snapshot.tables[table] ?? {}
    const changed = rows
      .map((row) =>
        Object.fromEntries(columns.map((name, index) => [name, Array.isArray(row) ? row[index] : null])),
      )
      .flatMap(change)
      .map((row) => columns.map((name) => row[name]))
    return { ...snapshot, tables: { ...snapshot.tables, [table]: { columns, rows: changed } } }
  }

  test.each([
    ['an orderId', { request_id: 'another', token: 'another' }],
    ['a charge of a requestId', { order_id: 'another', token: 'another' }],
    ['a token', { order_id: 'another', request_id: 'another' }],
  ])('a snapshot with %s twice is refused', async (_, changed) => {
    const { store } = given
    await keepScenario()
    await committed(store)
    const twice = withRows(await taken(store), 'orders', (row) => [row, { ...row, seq: 99, ...changed }])
    await refused(put(twice), 'snapshot_invalid')
  })

  test('a snapshot of another version is refused with both versions', async () => {
    const snapshot = await taken(given.store)
    const { schema } = snapshot
    const reading = (members: Partial<GivenSnapshot>) => given.store.readSnapshot({ ...snapshot, ...members })
    await expect(reading({ schema: schema - 1 })).rejects.toMatchObject({
      code: 'snapshot_invalid',
      message: expect.stringMatching(new RegExp(`schema ${schema - 1}.*only ${schema}`)),
    })
    await expect(reading({ version: '7.0.0', schema: schema + 1 })).rejects.toMatchObject({
      code: 'snapshot_newer',
      message: expect.stringMatching(new RegExp(`7\\.0\\.0.*${schema + 1}.*${schema}`)),
    })
  })

  test('a webhook of whose attempts a snapshot tells nothing is sent again as the next one', async () => {
    const { store } = given
    const { id } = await fill(shop)
    await claim(store)
    const snapshot = await taken(store)
    const untold = Object.fromEntries(
      ['attempt_at', 'attempt_wall_at', 'outcome', 'request_headers'].map((name) => [name, null]),
    )
    await put(withRows(snapshot, 'deliveries', (row) => [{ ...row, ...untold }]))
    expect(await stored(store, id)).toMatchObject({ attempts: [] })
    expect(await claim(store)).toMatchObject([{ id, attempt: 2 }])
    expect(await stored(store, id)).toMatchObject({ attempts: [{ n: 2, outcome: 'unknown' }] })
  })

  describe('the snapshot of one client', () => {
    test('takes the place of that client alone', async () => {
      const { store } = given
      const { clientId } = await another(store)
      await fill(shop)
      await fill(clientId)
      const orders = async (owner: string) => ids(await ordersOf(store, owner))
      const before = [await orders(shop), await orders(clientId)]
      const snapshot = await taken(store, shop)
      await fill(shop)
      await fill(clientId)
      const [, theirs] = [await orders(shop), await orders(clientId)]
      await put(snapshot, shop)
      expect(await orders(shop)).toEqual(before[0])
      expect(await orders(clientId)).toEqual(theirs)
      expect(await store.nextDeliveryDue(shop, 0)).toBe(1_000)
    })

    test('is refused where something of it is another’s, and nothing changes', async () => {
      const { store } = given
      await store.saveToken(aToken({ token: 'taken' }))
      const snapshot = await taken(store, shop)
      await store.deleteClient(shop)
      const { clientId } = await another(store)
      await store.saveToken(aToken({ clientId, token: 'taken' }))
      await refused(put(snapshot, shop), 'snapshot_taken')
      expect((await store.clients()).map((client) => client.clientId)).toEqual([clientId])
    })

    test.each([
      ['that follows from its requestId', orderIds('seed', shop, 'r', 1, 1_000).orderId],
      ['of its own', 'order-of-march'],
    ])('is refused where another client has one of its orderIds, %s', async (_, orderId) => {
      const { store } = given
      await keepScenario()
      await committed(store, { requestId: 'r', orderId })
      const snapshot = await taken(store, shop)
      await store.deleteClient(shop)
      const { clientId } = await another(store)
      await committed(store, { clientId, orderId })
      await refused(put(snapshot, shop), 'snapshot_taken')
    })
  })
}

const ordersOf = async (store: Store, clientId: string) =>
  (await store.listOrders({ clientId, limit: 99 })).items.map(({ orderId }) => ({ id: orderId }))
