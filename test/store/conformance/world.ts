import { describe, expect, test } from 'vitest'
import { aBinding, aDelivery, anEntry, aResult, aToken, shop } from '../factories.ts'
import { another, atMost, claim, committed, deliver, type Given, historyOf, ids, stored } from './given.ts'

export function worldConforms(given: Given): void {
  test('the first seed holds', async () => {
    expect(await given.store.seed('one')).toBe('one')
    expect(await given.store.seed('two')).toBe('one')
  })

  test('of two seeds proposed at once, one holds for both', async () => {
    expect(await Promise.all([given.store.seed(''), given.store.seed('b')])).toEqual(['', ''])
  })

  test('common settings are replaced as a whole; there are none at first', async () => {
    const { store } = given
    expect(await store.commonSettings()).toEqual({})
    await store.saveCommonSettings({ 'orders.expiry': '5m', 'signature.checkout': 'short' })
    await store.saveCommonSettings({ 'orders.expiry': '7m' })
    expect(await store.commonSettings()).toEqual({ 'orders.expiry': '7m' })
  })

  describe('a reset', () => {
    test.each([
      ['of all', { clients: false }, {}],
      ['of one client', { clientId: shop, clients: false }, { 'orders.expiry': '7m' }],
    ])('%s leaves as common settings %j', async (_, scope, left) => {
      await given.store.saveCommonSettings({ 'orders.expiry': '7m' })
      await given.store.reset(scope)
      expect(await given.store.commonSettings()).toEqual(left)
    })

    /** Something of everything, of the shop and of another client; answers the other's clientId. */
    const fill = async () => {
      const { clientId } = await another(given.store)
      for (const owner of [shop, clientId]) {
        await committed(given.store, { clientId: owner }, { events: [aDelivery({ clientId: owner })] })
        await given.store.saveToken(aToken({ clientId: owner }))
        await given.store.addBinding(aBinding({ clientId: owner }))
        await given.store.appendRequests([anEntry({ clientId: owner })], atMost(99))
      }
      await given.store.addBinding(aBinding({ id: 'anybody' }))
      await given.store.appendRequests([anEntry({ clientId: null })], atMost(99))
      return clientId
    }
    const counts = async () => {
      const { store } = given
      const all = { limit: 99 }
      return {
        clients: (await store.clients()).length,
        orders: (await store.listOrders(all)).items.length,
        deliveries: (await store.listDeliveries(all)).items.length,
        tokens: (await store.tokens()).length,
        requests: (await store.listRequests(all)).items.length,
      }
    }

    test('of all leaves the clients', async () => {
      const clientId = await fill()
      await given.store.reset({ clients: false })
      expect(await counts()).toEqual({ clients: 2, orders: 0, deliveries: 0, tokens: 0, requests: 0 })
      for (const owner of [shop, clientId]) expect(await given.store.bindingFor(owner, 'r')).toBeNull()
    })

    test('of all with clients leaves none', async () => {
      await fill()
      await given.store.reset({ clients: true })
      expect(await counts()).toEqual({ clients: 0, orders: 0, deliveries: 0, tokens: 0, requests: 0 })
    })

    test('of one client leaves what is others’ or nobody’s', async () => {
      const clientId = await fill()
      await given.store.reset({ clientId, clients: false })
      expect(await counts()).toEqual({ clients: 2, orders: 1, deliveries: 1, tokens: 1, requests: 2 })
      expect((await given.store.bindingFor(clientId, 'r'))?.id).toBe('anybody')
      expect((await given.store.bindingFor(shop, 'r'))?.clientId).toBe(shop)
    })

    test('of one client with clients removes that client', async () => {
      const clientId = await fill()
      await given.store.reset({ clientId, clients: true })
      expect(ids((await given.store.clients()).map((client) => ({ id: client.clientId })))).toEqual([shop])
      expect(await counts()).toEqual({ clients: 1, orders: 1, deliveries: 1, tokens: 1, requests: 2 })
    })

    test('of an unknown client does nothing', async () => {
      await fill()
      const before = await counts()
      await given.store.reset({ clientId: 'nobody', clients: true })
      expect(await counts()).toEqual(before)
    })

    test('keeps the seed, scenario versions and the count of pruned entries', async () => {
      const { store } = given
      await store.seed('one')
      await store.saveScenarioVersion('sha', { scenarioJson: '{}', format: 1 })
      await store.appendRequests([anEntry(), anEntry()], atMost(1))
      await store.reset({ clients: true })
      expect(await store.seed('two')).toBe('one')
      expect((await store.findScenarioVersion('sha'))?.scenarioJson).toBe('{}')
      expect(await store.prunedRequests()).toBe(1)
    })

    test('frees requestIds, and leaves due times nowhere', async () => {
      const { store } = given
      const order = await committed(store, { nextDueAt: 1 }, { events: [aDelivery()] })
      await store.reset({ clients: false })
      expect(await store.nextOrderDue(shop)).toBeNull()
      expect(await store.nextDeliveryDue(shop, 0)).toBeNull()
      expect(await store.newestMoment(shop)).toBeNull()
      await committed(store, { requestId: order.requestId, orderId: order.orderId, token: order.token })
      expect(await historyOf(store, order.orderId)).toEqual([])
    })
  })

  describe('recovery', () => {
    test('makes what was in flight due again at its old due time, and keeps its attempt as unknown', async () => {
      const { store } = given
      const delivery = aDelivery({ dueAt: 700 })
      await deliver(store, delivery)
      await claim(store)
      await store.recover()
      expect(await store.nextDeliveryDue(shop, 0)).toBe(700)
      expect(await claim(store)).toStrictEqual([{ ...delivery, attempt: 2 }])
      expect((await stored(store, delivery.id)).attempts.map(({ n, outcome }) => [n, outcome])).toEqual([
        [1, 'unknown'],
        [2, 'unknown'],
      ])
    })

    test('drops a result that comes too late', async () => {
      const { store } = given
      const delivery = aDelivery()
      await deliver(store, delivery)
      await claim(store)
      await store.recover()
      expect(await store.finishAttempt(delivery.id, 1, aResult())).toBe(false)
    })

    test('keeps the order of first attempts: an unknown one may not have been sent', async () => {
      const { store } = given
      const [first, second] = [1, 2].map((sequence) => aDelivery({ orderId: 'o', sequence }))
      for (const delivery of [first, second]) if (delivery) await deliver(store, delivery)
      await claim(store)
      await store.recover()
      expect(ids(await claim(store))).toEqual([first?.id])
    })

    test.each([
      ['at its creation', null, 333],
      ['as much later as its plan says', { delayMs: 200 }, 533],
    ])('makes what waited for an answer due %s', async (_, plan, dueAt) => {
      const { store } = given
      await deliver(store, aDelivery({ createdAt: 333, dueAt: null, plan }))
      await store.recover()
      expect(await store.nextDeliveryDue(shop, 0)).toBe(dueAt)
    })

    test('changes nothing else', async () => {
      const { store } = given
      const done = aDelivery()
      await deliver(store, done)
      await claim(store)
      await store.finishAttempt(done.id, 1, aResult())
      await deliver(store, aDelivery({ dueAt: 5_000 }))
      await deliver(store, aDelivery({ status: 'skipped', dueAt: null }))
      const before = await store.listDeliveries({ limit: 9 })
      await store.recover()
      await store.recover()
      expect(await store.listDeliveries({ limit: 9 })).toEqual(before)
    })
  })

  test('closing writes what was asked for before, and nothing afterwards', async () => {
    const { store } = given
    const early = store.seed('early')
    await store.close()
    expect(await early).toBe('early')
    await expect(store.seed('late')).rejects.toThrow()
    await expect(store.clients()).rejects.toThrow()
    await store.close()
  })

  test('orders are counted, in all and of one client', async () => {
    const { store } = given
    const { clientId } = await another(store)
    await committed(store)
    await committed(store, { requestId: 'second' })
    await committed(store, { clientId })
    expect(await store.countOrders()).toBe(3)
    expect(await store.countOrders(shop)).toBe(2)
    expect(await store.countOrders('nobody')).toBe(0)
  })

  test('what may pile up is counted as it stands', async () => {
    const { store } = given
    await deliver(store, aDelivery({ dueAt: 5 }))
    await deliver(store, aDelivery({ dueAt: 5, requestId: 'held' }))
    await store.holdDeliveries(shop, 5, [{ requestId: 'held' }])
    await store.appendRequests([anEntry(), anEntry(), anEntry()], atMost(2))
    expect(await store.standing()).toEqual({
      pendingDeliveries: 1,
      heldDeliveries: 1,
      keptRequests: 2,
      prunedRequests: 1,
    })
    expect(await store.standing(shop)).toEqual({
      pendingDeliveries: 1,
      heldDeliveries: 1,
      keptRequests: null,
      prunedRequests: null,
    })
    expect(await store.standing('nobody')).toMatchObject({ pendingDeliveries: 0 })
  })

  test('a census counts what each client has, by status', async () => {
    const { store } = given
    const { clientId } = await another(store)
    await committed(
      store,
      { orderStatus: 'CREATED' },
      { events: [aDelivery(), aDelivery({ status: 'skipped' })] },
    )
    await committed(store, { orderStatus: 'CREATED' })
    await committed(store, { orderStatus: 'FAILED' })
    await committed(store, { clientId, orderStatus: 'COMPLETED' })
    const { orders, deliveries } = await store.census()
    expect(Object.fromEntries(orders)).toEqual({
      [shop]: { CREATED: 2, FAILED: 1 },
      [clientId]: { COMPLETED: 1 },
    })
    expect(Object.fromEntries(deliveries)).toEqual({ [shop]: { pending: 1, skipped: 1 } })
  })

  test('a census of nothing is empty', async () => {
    expect(await given.store.census()).toEqual({ orders: new Map(), deliveries: new Map() })
  })
}
