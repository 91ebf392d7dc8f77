import { expect, test } from 'vitest'
import { aDecision, aDelivery, anOrder, aResult, aSimulation, several, shop } from '../factories.ts'
import {
  another,
  claim,
  commit,
  committed,
  deliver,
  finish,
  type Given,
  generationOf,
  ids,
  refused,
  release,
  stored,
} from './given.ts'

export function deliveriesConform(given: Given): void {
  test('a delivery comes back as it was added, not yet tried', async () => {
    const delivery = aDelivery({ body: '{"text":"\\u0000 ß \u{1F9FE}\0"}', dueAt: null })
    await deliver(given.store, delivery)
    expect(await given.store.findDelivery(delivery.id)).toStrictEqual({
      ...delivery,
      url: null,
      attempts: [],
    })
  })

  test('a delivery that is not there is null', async () => {
    expect(await given.store.findDelivery('nothing')).toBeNull()
  })

  test('a simulation that names another client’s order is not that order’s, and goes with its own client', async () => {
    const order = await committed(given.store)
    const other = await another(given.store)
    await deliver(given.store, aSimulation({ clientId: other.clientId, orderId: order.orderId }))
    await given.store.deleteClient(shop)
    expect(await given.store.findOrder(order.orderId)).toBeNull()
    expect((await given.store.listDeliveries({ limit: 10 })).items).toHaveLength(1)
  })

  test('a simulation with a taken id is refused, and leaves the delivery that has it', async () => {
    const { store } = given
    const first = aSimulation()
    const generation = await generationOf(store)
    const second = aSimulation({ id: first.id, body: 'second' })
    const answers = [first, second].map((one) => store.addDelivery(one, generation))
    await refused(Promise.all(answers), 'delivery_exists')
    expect((await store.listDeliveries({ limit: 9 })).items).toMatchObject([first])
  })

  test("an order's deliveries come in the order of their commit", async () => {
    const deliveries = [
      aDelivery({ orderId: 'o' }),
      aSimulation({ orderId: 'o' }),
      aDelivery({ orderId: 'o', sequence: 2 }),
    ]
    for (const delivery of [...deliveries, aDelivery()]) await deliver(given.store, delivery)
    expect((await given.store.pastsOf(['o'])).get('o')?.deliveryIds).toEqual(ids(deliveries))
  })

  test('deliveries of several orders come apart', async () => {
    const { store } = given
    const [a1, b1, a2] = [
      aDelivery({ orderId: 'a' }),
      aDelivery({ orderId: 'b' }),
      aDelivery({ orderId: 'a', sequence: 2 }),
    ]
    for (const delivery of [a1, b1, a2, aDelivery()]) await deliver(store, delivery)
    expect(await store.pastsOf(['b', 'nothing', 'a', 'a'])).toEqual(
      new Map([
        ['a', { history: [], deliveryIds: ids([a1, a2]) }],
        ['b', { history: [], deliveryIds: ids([b1]) }],
      ]),
    )
  })

  test('simulations are found by the orderId they tell of, also those from before there was such an order', async () => {
    const { store } = given
    const early = aSimulation({ orderId: 'o' })
    const event = aDelivery({ orderId: 'o' })
    const late = aSimulation({ orderId: 'o' })
    await deliver(store, early, event, late, aSimulation())
    expect((await store.pastsOf(['o'])).get('o')?.deliveryIds).toEqual(ids([early, event, late]))
    const listed = await store.listDeliveries({ orderId: 'o', limit: 2 })
    expect(ids(listed.items)).toEqual(ids([early, event]))
    const rest = await store.listDeliveries({ orderId: 'o', limit: 2, cursor: listed.next ?? '' })
    expect(ids(rest.items)).toEqual([late.id])
  })

  test('simulations are counted by client and requestId, and events are not', async () => {
    const { store } = given
    const { clientId } = await another(store)
    expect(await store.countSimulations(shop, 'r')).toBe(0)
    await deliver(store, aSimulation({ requestId: 'r' }))
    await deliver(store, aSimulation({ requestId: 'r', status: 'skipped' }))
    await deliver(store, aSimulation({ requestId: 'r2' }))
    await deliver(store, aSimulation({ requestId: 'r', clientId }))
    await deliver(store, aDelivery({ requestId: 'r' }))
    expect(await store.countSimulations(shop, 'r')).toBe(2)
  })

  test('a list shows each delivery with its own attempts, in order', async () => {
    const { store } = given
    const [twice, never, once] = [aDelivery(), aDelivery({ dueAt: null }), aDelivery()]
    for (const delivery of [twice, never, once]) await deliver(store, delivery)
    await claim(store)
    const failed = aResult({ outcome: 'refused', status: 500, next: { status: 'pending', dueAt: 1_000 } })
    await finish(store, twice.id, 1, failed)
    await finish(store, once.id, 1, aResult())
    await claim(store)
    const { items } = await store.listDeliveries({ limit: 9 })
    expect(
      items.map(({ id, attempts }) => [id, attempts.map(({ n, outcome }) => `${n} ${outcome}`)]),
    ).toEqual([
      [twice.id, ['1 refused', '2 unknown']],
      [never.id, []],
      [once.id, ['1 accepted']],
    ])
    expect(items[0]).toEqual(await stored(store, twice.id))
  })

  test('the answer releases what waited for it, and nothing else', async () => {
    const { store } = given
    const waiting = aDelivery({ orderId: 'o', dueAt: null })
    const due = aDelivery({ orderId: 'o', sequence: 2, dueAt: 5_000 })
    const skipped = aDelivery({ orderId: 'o', sequence: 3, dueAt: null, status: 'skipped' })
    const other = aDelivery({ dueAt: null })
    for (const delivery of [waiting, due, skipped, other]) await deliver(store, delivery)
    await release(store, 'o', 1_234)
    await release(store, 'o', 9_999)
    const dueTimes = (await store.listDeliveries({ limit: 9 })).items.map(({ dueAt }) => dueAt)
    expect(dueTimes).toEqual([1_234, 5_000, null, null])
  })

  test('the answer of an order that was removed meanwhile releases nothing of the one in its place', async () => {
    const { store } = given
    const removed = anOrder()
    await commit(
      store,
      aDecision(removed, { events: [aDelivery({ orderId: removed.orderId, dueAt: null })] }),
    )
    await store.reset({ clients: false })
    const order = anOrder()
    const waiting = aDelivery({ orderId: order.orderId, dueAt: null })
    await commit(store, aDecision(order, { events: [waiting] }))
    await release(store, removed.orderId, 1)
    expect((await stored(store, waiting.id)).dueAt).toBeNull()
    await release(store, order.orderId, 2)
    expect((await stored(store, waiting.id)).dueAt).toBe(2)
  })

  test('the answer makes an event due as much later as its plan says', async () => {
    const { store } = given
    const event = aDelivery({ orderId: 'o', dueAt: null, plan: { delayMs: 500 } })
    await deliver(store, event)
    await release(store, 'o', 1_000)
    expect((await stored(store, event.id)).dueAt).toBe(1_500)
  })

  test('releasing an unknown order does nothing', async () => {
    await release(given.store, 'nothing', 1)
  })

  test('the next due time is that of the earliest claimable delivery', async () => {
    const { store } = given
    expect(await store.nextDeliveryDue(shop, 0)).toBeNull()
    await deliver(store, aDelivery({ dueAt: null }))
    await deliver(store, aDelivery({ status: 'skipped' }))
    await deliver(store, aDelivery({ clientId: (await another(store)).clientId }))
    expect(await store.nextDeliveryDue(shop, 0)).toBeNull()
    await deliver(store, aDelivery({ dueAt: 9_000_000_000_000 }))
    expect(await store.nextDeliveryDue(shop, 0)).toBe(9_000_000_000_000)
    await deliver(store, aDelivery({ dueAt: 1_000 }))
    expect(await store.nextDeliveryDue(shop, 0)).toBe(1_000)
    await claim(store)
    expect(await store.nextDeliveryDue(shop, 0)).toBe(9_000_000_000_000)
  })

  test('the next due time passes over what is blocked', async () => {
    const { store } = given
    const [first, second] = several(2, (n) =>
      aDelivery({ orderId: 'o', sequence: n + 1, dueAt: 2_000 - n * 1_000 }),
    )
    for (const delivery of [first, second]) if (delivery) await deliver(store, delivery)
    expect(await store.nextDeliveryDue(shop, 2_000)).toBe(2_000)
    await claim(store, { now: 2_000 })
    expect(await store.nextDeliveryDue(shop, 2_000)).toBeNull()
    await finish(store, first?.id ?? '', 1, aResult())
    expect(await store.nextDeliveryDue(shop, 2_000)).toBe(1_000)
  })

  test('the next due time is that of a later event before a delayed one is due', async () => {
    const { store } = given
    for (const [sequence, dueAt] of [
      [1, 2_000],
      [2, 1_000],
      [3, 3_000],
    ] as const)
      await deliver(store, aDelivery({ orderId: 'o', sequence, dueAt, plan: { delayed: true } }))
    expect(await store.nextDeliveryDue(shop, 0)).toBe(1_000)
    expect(await store.nextDeliveryDue(shop, 0, 1_000), 'and then its own').toBe(2_000)
    expect(await store.nextDeliveryDue(shop, 0, 2_000), 'which the last one waits for').toBeNull()
    expect(await store.nextDeliveryDue(shop, 2_000), 'once it is due, the later one too').toBe(2_000)
  })
}
