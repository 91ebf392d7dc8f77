import { expect, test } from 'vitest'
import { aChange, aClient, aDecision, aDelivery, anEntry, anOrder, shop } from '../factories.ts'
import { atMost, committed, type Given, generationOf, ids, refused } from './given.ts'
import { aWorld, inParts, taken, worldOf } from './worlds.ts'

export function orderOfCallsConforms(given: Given): void {
  test('what is read after a write that has not been awaited shows it, and what is read before does not', async () => {
    const { store } = given
    const generation = await generationOf(store)
    const order = anOrder()
    const event = aDelivery({ orderId: order.orderId })
    const before = [store.findOrder(order.orderId), store.findDelivery(event.id)]
    const committing = store.commit(aDecision(order, { events: [event] }), generation)
    const after = [store.findOrder(order.orderId), store.findDelivery(event.id)] as const
    expect(await Promise.all(before)).toEqual([null, null])
    expect(await Promise.all(after)).toMatchObject([order, event])
    await committing
  })

  test('every kind of read waits for its turn', async () => {
    const { store } = given
    const generation = await generationOf(store)
    const { clientId } = { clientId: shop }
    const order = anOrder({ requestId: 'r', nextDueAt: 700 })
    const event = aDelivery({ orderId: order.orderId, requestId: 'r' })
    void store.commit(
      aDecision(order, { history: [{ at: 1, what: 'created' }], events: [event] }),
      generation,
    )
    void store.appendRequests([anEntry({ id: 'logged' })], atMost(9))
    void store.saveScenarioText('mine', 'text')
    const reads = await Promise.all([
      store.clients(),
      store.findOrderByToken(order.token),
      store.ordersOf(clientId, 'r'),
      store.usedByAnotherClient('another', 'r'),
      store.listOrders({ limit: 9 }),
      store.listUsers({ limit: 9 }),
      store.pastsOf([order.orderId]),
      store.dueOrders(clientId, 700, 9),
      store.ordersDue(clientId, 700),
      store.nextOrderDue(clientId),
      store.scenarioTexts(),
      store.nextDeliveryDue(clientId, 0),
      store.ordersWithDeliveriesDue(clientId, 1_000),
      store.listDeliveries({ limit: 9 }),
      store.findRequest('logged'),
      store.listRequests({ limit: 9 }),
      store.backlog(),
      store.counts(),
    ])
    expect(reads).toMatchObject([
      [{ newestMoment: 1_000 }],
      order,
      [order],
      true,
      { items: [order] },
      { items: [{ userKey: order.email }] },
      new Map([[order.orderId, { history: [{ at: 1, what: 'created' }], deliveryIds: [event.id] }]]),
      [order],
      [order.orderId],
      700,
      [{ id: 'mine' }],
      1_000,
      [order.orderId],
      { items: [{ id: event.id }] },
      { id: 'logged' },
      { items: [{ id: 'logged' }] },
      { orders: 1, pendingDeliveries: 1, keptRequests: 1 },
      { orders: new Map([[shop, { CREATED: 1 }]]) },
    ])
  })

  test('writes take effect in the order of their calls, also past one that is refused', async () => {
    const { store } = given
    const generation = await generationOf(store)
    const order = anOrder()
    const second = aChange(order, { orderStatus: 'PAID' })
    const third = aChange(second.order, { orderStatus: 'COMPLETED' })
    const calls = [
      store.commit(aDecision(order), generation),
      store.commit(second, generation),
      store.commit(aDecision(anOrder({ requestId: order.requestId })), generation),
      store.commit(third, generation),
    ]
    const statuses = (await Promise.allSettled(calls)).map(({ status }) => status)
    expect(statuses).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(await store.findOrder(order.orderId)).toEqual(third.order)
  })

  test('a load has its place too: what is called while its world is read waits for its end', async () => {
    const { store } = given
    const old = await committed(store)
    const generation = await generationOf(store)
    const world = aWorld({ clients: [aClient({ clientId: shop })], orders: [] })
    const reading = Promise.withResolvers<void>()
    const resume = Promise.withResolvers<void>()
    async function* slowly() {
      yield { clients: world.clients }
      reading.resolve()
      await resume.promise
      yield { scenarios: world.scenarios }
    }
    const before = store.findOrder(old.orderId)
    const loading = store.load(slowly(), [shop])
    await reading.promise
    const late = anOrder()
    const refusing = refused(store.commit(aDecision(late), generation), 'world_ended')
    const after = store.findOrder(old.orderId)
    const scenario = store.findScenarioVersion('v1')
    resume.resolve()
    expect(await before).toEqual(old)
    expect(await after).toBeNull()
    expect(await scenario).not.toBeNull()
    await refusing
    expect(await loading).toEqual(new Map([[shop, await generationOf(store)]]))
  })

  test('a snapshot has what was called for before it, and nothing that was called for after', async () => {
    const { store } = given
    const generation = await generationOf(store)
    const [before, after] = [anOrder(), anOrder()]
    void store.commit(aDecision(before), generation)
    const snapshot = store.snapshot()
    void store.commit(aDecision(after), generation)
    const { orders } = await worldOf(await snapshot)
    expect(orders.map(({ order }) => order)).toEqual([before])
    expect((await taken(store)).orders).toHaveLength(2)
  })

  test('a load of what a snapshot shows, of the same store, needs no other turn', async () => {
    const { store } = given
    const order = await committed(store)
    await store.load(await store.snapshot(), 'all')
    expect(ids((await store.listOrders({ limit: 9 })).items.map(({ orderId }) => ({ id: orderId })))).toEqual(
      [order.orderId],
    )
  })

  test('a load that ends badly holds nothing up', async () => {
    const { store } = given
    const bad = inParts({ clients: [aClient({ clientId: shop })] })
    const [loading, reading] = [store.load(bad, []), store.clients()]
    await refused(loading, 'client_exists')
    expect(await reading).toHaveLength(1)
  })
}
