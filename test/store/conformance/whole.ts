import { describe, expect, test } from 'vitest'
import type { Order } from '../../../src/domain/order/order.ts'
import { aBinding, aChange, aDecision, aDelivery, anEntry, anOrder, aToken, shop } from '../factories.ts'
import {
  another,
  atMost,
  claim,
  clientIn,
  committed,
  deliver,
  due,
  type Given,
  generationOf,
  historyOf,
} from './given.ts'
import { everythingIn, fill, fillCommon } from './worlds.ts'

/** Verbs about all data: counts, common settings, resets. */
export function wholeConforms(given: Given): void {
  test('common settings are replaced as a whole; there are none at first', async () => {
    const { store } = given
    expect(await store.commonSettings()).toEqual({})
    await store.saveCommonSettings({ 'orders.expiry': '5m', 'signature.checkout': 'short' })
    await store.saveCommonSettings({ 'orders.expiry': '7m' })
    expect(await store.commonSettings()).toEqual({ 'orders.expiry': '7m' })
  })

  describe('a reset', () => {
    const nothing = { items: [], next: null }
    /** Fills the shop and another client; answers the other's clientId. */
    const filled = async () => {
      const { clientId } = await another(given.store)
      for (const owner of [shop, clientId]) await fill(given.store, owner)
      await fillCommon(given.store)
      return clientId
    }

    test('of all leaves the clients and the scenario texts, and nothing else', async () => {
      const { store } = given
      await filled()
      const before = await everythingIn(store)
      await store.reset({ clients: false })
      expect(await everythingIn(store)).toEqual({
        clients: before.clients.map(({ client }) => ({ client, newestMoment: null })),
        due: before.due.map(() => [null, null, null]),
        texts: before.texts,
        orders: nothing,
        pasts: new Map(),
        users: nothing,
        tokens: [],
        deliveries: nothing,
        bindings: nothing,
        faults: [],
        requests: { ...nothing, pruned: before.requests.pruned },
        settings: {},
        backlog: { ...before.backlog, orders: 0, pendingDeliveries: 0, heldDeliveries: 0, keptRequests: 0 },
        counts: { orders: new Map(), deliveries: new Map() },
      })
    })

    test('of one client leaves what is another’s or nobody’s', async () => {
      const { store } = given
      const clientId = await filled()
      const before = await everythingIn(store)
      await store.reset({ clientId, clients: false })
      const after = await everythingIn(store)
      const isLeft = (each: { readonly clientId: string | null }) => each.clientId !== clientId
      expect(after.clients.map(({ client }) => client)).toEqual(before.clients.map(({ client }) => client))
      for (const name of ['orders', 'deliveries', 'bindings', 'requests', 'users'] as const) {
        const left = [...before[name].items].filter(isLeft)
        expect(after[name].items, name).toEqual(left)
        expect(left.length).toBeLessThan(before[name].items.length)
      }
      for (const name of ['tokens', 'faults'] as const)
        expect(after[name], name).toEqual([...before[name]].filter(isLeft))
      expect([after.settings, after.texts]).toEqual([before.settings, before.texts])
    })

    test('removes the scenario texts if asked to, also where it is of one client', async () => {
      const { store } = given
      await filled()
      await store.reset({ clientId: shop, clients: false })
      expect(await store.scenarioTexts()).not.toEqual([])
      await store.reset({ clientId: shop, clients: false, scenarios: true })
      expect(await store.scenarioTexts()).toEqual([])
    })

    test('with clients removes them', async () => {
      const clientId = await filled()
      await given.store.reset({ clientId, clients: true })
      expect((await given.store.clients()).map(({ client }) => client.clientId)).toEqual([shop])
      await given.store.reset({ clients: true })
      expect(await given.store.clients()).toEqual([])
    })

    test('of an unknown client does nothing', async () => {
      await filled()
      const before = await everythingIn(given.store)
      expect(await given.store.reset({ clientId: 'nobody', clients: true })).toEqual(new Map())
      expect(await given.store.reset({ clientId: 'nobody', clients: false })).toEqual(new Map())
      expect(await everythingIn(given.store)).toEqual(before)
    })

    test('answers the generations of the clients that are still there', async () => {
      const { store } = given
      const { clientId } = await another(store)
      const ofOne = await store.reset({ clientId, clients: false })
      expect(ofOne).toEqual(new Map([[clientId, await generationOf(store, clientId)]]))
      const ofAll = await store.reset({ clients: false })
      const now = (await store.clients()).map(
        ({ client, generation }) => [client.clientId, generation] as const,
      )
      expect(ofAll).toEqual(new Map(now))
      expect(await store.reset({ clientId, clients: true })).toEqual(new Map())
      expect(await store.reset({ clients: true })).toEqual(new Map())
    })

    test('takes back what scenarios have made of the tokens', async () => {
      const { store } = given
      const { client } = await clientIn(store)
      await store.saveClient({ ...client, ownTokenExpired: true, tokensRefusedUntil: 5_000 })
      await store.reset({ clientId: shop, clients: false })
      expect((await clientIn(store)).client).toEqual(client)
    })

    test('keeps the seed, scenario versions and the count of pruned entries', async () => {
      const { store } = given
      await store.saveScenarioVersion('sha', { scenarioJson: '{}', format: 1 })
      await store.appendRequests([anEntry(), anEntry()], atMost(1))
      await store.reset({ clients: true, scenarios: true })
      expect(await store.begin('two')).toBe('seed')
      expect((await store.findScenarioVersion('sha'))?.scenarioJson).toBe('{}')
      expect((await store.listRequests({ limit: 1 })).pruned).toBe(1)
    })

    test('frees the names of what it removes', async () => {
      const { store } = given
      const event = aDelivery()
      const [binding, token, entry] = [aBinding({ clientId: shop }), aToken(), anEntry()]
      const make = async () => {
        const order = await committed(
          store,
          { requestId: 'r', orderId: 'o', token: 't' },
          { events: [event] },
        )
        await store.addBinding(binding)
        await store.saveToken(token, await generationOf(store), 0)
        await store.appendRequests([entry], atMost(9))
        return order
      }
      await make()
      await store.reset({ clientId: shop, clients: false })
      const { orderId } = await make()
      expect(await historyOf(store, orderId)).toEqual([])
      await store.deleteClient(shop)
      await another(store, { clientId: shop, accessToken: 'access-of-the-shop' })
      await make()
    })
  })

  test('what there is is counted, in all and of one client', async () => {
    const { store } = given
    const { clientId } = await another(store)
    await deliver(store, aDelivery({ dueAt: 5 }), aDelivery({ dueAt: 5, requestId: 'held' }))
    await deliver(store, aDelivery({ clientId, dueAt: 5 }))
    await store.holdDeliveries(await due(store, { until: 5, holds: [{ requestId: 'held' }] }))
    await store.appendRequests([anEntry(), anEntry(), anEntry()], atMost(2))
    const ofOne = { keptRequests: null, prunedRequests: null }
    expect(await store.backlog()).toEqual({
      orders: 3,
      pendingDeliveries: 2,
      heldDeliveries: 1,
      keptRequests: 2,
      prunedRequests: 1,
    })
    expect(await store.backlog(shop)).toEqual({
      orders: 2,
      pendingDeliveries: 1,
      heldDeliveries: 1,
      ...ofOne,
    })
    expect(await store.backlog(clientId)).toMatchObject({ orders: 1, pendingDeliveries: 1 })
    expect(await store.backlog('nobody')).toEqual({
      orders: 0,
      pendingDeliveries: 0,
      heldDeliveries: 0,
      ...ofOne,
    })
  })

  test('a counts counts what each client has, by status', async () => {
    const { store } = given
    const { clientId } = await another(store)
    const events = [aDelivery(), aDelivery({ status: 'skipped' })]
    await committed(store, { orderStatus: 'CREATED' }, { events })
    await committed(store, { orderStatus: 'CREATED' })
    await committed(store, { orderStatus: 'FAILED' })
    await committed(store, { clientId, orderStatus: 'COMPLETED' })
    const { orders, deliveries } = await store.counts()
    expect(Object.fromEntries(orders)).toEqual({
      [shop]: { CREATED: 2, FAILED: 1 },
      [clientId]: { COMPLETED: 1 },
    })
    expect(Object.fromEntries(deliveries)).toEqual({ [shop]: { pending: 1, skipped: 1 } })
  })

  test('a counts is of one instant: what changes later does not count', async () => {
    const { store } = given
    const generation = await generationOf(store)
    const orders: Order[] = []
    for (let n = 0; n < 30; n++) orders.push(await committed(store, {}, { events: [aDelivery()] }))
    const counting = store.counts()
    const changing = orders.map((order) => store.commit(aChange(order, { orderStatus: 'PAID' }), generation))
    const adding = orders.map(() => store.commit(aDecision(anOrder({ orderStatus: 'NEW' })), generation))
    const claiming = claim(store, { limit: 9 }).then(() => store.reset({ clients: false }))
    expect(await counting).toEqual({
      orders: new Map([[shop, { CREATED: 30 }]]),
      deliveries: new Map([[shop, { pending: 30 }]]),
    })
    await Promise.all([...changing, ...adding, claiming])
    expect((await store.counts()).orders).toEqual(new Map())
  })

  test('a counts of nothing is empty', async () => {
    expect(await given.store.counts()).toEqual({ orders: new Map(), deliveries: new Map() })
  })
}
