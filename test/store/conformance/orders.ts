import { expect, test } from 'vitest'
import { orderIds } from '../../../src/domain/order/ids.ts'
import type { Order } from '../../../src/domain/order/order.ts'
import { aChange, aDelivery, aSimulation, several, shop } from '../factories.ts'
import { another, commit, committed, deliver, type Given, ids } from './given.ts'

export function ordersConform(given: Given): void {
  test('what is not there is null', async () => {
    expect(await given.store.findOrder('nothing')).toBeNull()
  })

  test.each([
    ['that follows from it', (ids: { orderId: string }) => ids.orderId],
    ['that is the same (orders.orderIdEqualsToken)', (ids: { token: string }) => ids.token],
    ['of its own, which a fixture gave', () => 'order-of-march'],
  ])('a token finds its order, with an orderId %s', async (_, orderIdOf) => {
    const { store } = given
    const ids = orderIds('seed', shop, 'r', 1, 1_000)
    await committed(store)
    const order = await committed(store, { token: ids.token, orderId: orderIdOf(ids) })
    expect(await store.findOrderByToken(ids.token)).toEqual(order)
  })

  test('orders of several clients under the same requestIds are found in each way, and go with their client', async () => {
    const { store } = given
    const { clientId } = await another(store)
    const make = (owner: string) =>
      Promise.all(
        several(20, (n) => {
          const requestId = `r${n}`
          return committed(store, {
            clientId: owner,
            requestId,
            ...orderIds('seed', owner, requestId, 1, 1_000),
          })
        }),
      )
    const [ours, theirs] = [await make(shop), await make(clientId)]
    const foundOf = async ({ clientId: owner, requestId, orderId, token }: Order) => [
      ...(await store.ordersOf(owner, requestId)),
      await store.findOrder(orderId),
      await store.findOrderByToken(token),
    ]
    for (const order of [...ours, ...theirs]) expect(await foundOf(order)).toEqual([order, order, order])
    await store.reset({ clientId, clients: false })
    for (const order of ours) expect(await foundOf(order)).toEqual([order, order, order])
    for (const order of theirs) expect(await foundOf(order)).toEqual([null, null])
    expect(await store.usedByAnotherClient(clientId, 'r1')).toBe(true)
    expect(await store.usedByAnotherClient(shop, 'r1')).toBe(false)
  })

  test('nothing but a token finds an order: no orderId, no token in other letters, no part of one', async () => {
    const { store } = given
    const { orderId, token } = orderIds('seed', shop, 'r', 1, 1_000)
    await committed(store, { token, orderId })
    for (const other of [orderId, token.toUpperCase(), token.slice(1), `${token} `, '']) {
      expect(await store.findOrderByToken(other)).toBeNull()
    }
  })

  test('the orders under a requestId come by charge, in whatever order they were stored, and are those of one client', async () => {
    const { store } = given
    const second = await committed(store, { requestId: 'r', charge: 2 })
    const first = await committed(store, { requestId: 'r', charge: 1 })
    await committed(store, { requestId: 'r', clientId: (await another(store)).clientId })
    expect(await store.ordersOf(shop, 'r')).toEqual([first, second])
  })

  test('each of several orders is read with its own terms', async () => {
    const { store } = given
    const terms = [
      { onExpiry: 'keep' },
      { onExpiry: 'fail' },
      { onExpiry: 'keep', updatedTsSkewMs: 5 },
    ] as const
    const orders = []
    for (const each of terms) orders.push(await committed(store, { terms: each }))
    for (const { requestId, terms } of [...orders, ...orders]) {
      expect((await store.ordersOf(shop, requestId)).map((order) => order.terms)).toEqual([terms])
    }
  })

  test('what has become of an order has its events and the simulations of its client, in the order of their making', async () => {
    const { store } = given
    const { clientId } = await another(store)
    const orderId = 'o'
    const early = aSimulation({ orderId })
    const [event, later] = [aDelivery({ orderId }), aDelivery({ orderId, sequence: 2 })]
    const late = aSimulation({ orderId })
    await deliver(store, early, event, late, later, aSimulation({ orderId, clientId }))
    await committed(store)
    const pasts = await store.pastsOf([orderId, 'unknown'])
    expect([...pasts.keys()]).toEqual([orderId])
    expect(pasts.get(orderId)?.deliveryIds).toEqual(ids([early, event, late, later]))
  })

  test('a requestId that another client used is told from one that only this client used', async () => {
    const { store } = given
    const { clientId } = await another(store)
    await committed(store, { requestId: 'r' })
    expect(await store.usedByAnotherClient(shop, 'r')).toBe(false)
    expect(await store.usedByAnotherClient(clientId, 'r')).toBe(true)
    expect(await store.usedByAnotherClient(clientId, 'R')).toBe(false)
  })

  test('due orders come by due time, then in the order of their creation', async () => {
    const { store } = given
    const third = await committed(store, { nextDueAt: 3_000 })
    const first = await committed(store, { nextDueAt: 1_000 })
    const second = await committed(store, { nextDueAt: 1_000 })
    await committed(store, { nextDueAt: null })
    await committed(store, { nextDueAt: 3_001 })
    expect(await store.dueOrders(shop, 3_000, 10)).toEqual([first, second, third])
    expect(await store.dueOrders(shop, 3_000, 2)).toEqual([first, second])
    expect(await store.dueOrders(shop, 999, 10)).toEqual([])
    const ids = (await store.ordersDue(shop, 3_000)).toSorted()
    expect(ids).toEqual([first, second, third].map(({ orderId }) => orderId).toSorted())
    expect(await store.ordersDue(shop, 3_000, [second.orderId, 'unknown'])).toEqual([second.orderId])
    expect(await store.ordersDue(shop, 999)).toEqual([])
  })

  test("other clients' orders are not due here", async () => {
    const { store } = given
    const { clientId } = await another(store)
    await committed(store, { clientId, nextDueAt: 1_000 })
    expect(await store.dueOrders(shop, 9_999, 10)).toEqual([])
    expect(await store.nextOrderDue(shop)).toBeNull()
    expect(await store.nextOrderDue(clientId)).toBe(1_000)
  })

  test('the earliest due time follows the changes of orders', async () => {
    const { store } = given
    const early = await committed(store, { nextDueAt: 1_000 })
    await committed(store, { nextDueAt: 2_000 })
    expect(await store.nextOrderDue(shop)).toBe(1_000)
    await commit(store, aChange(early, { nextDueAt: null }))
    expect(await store.nextOrderDue(shop)).toBe(2_000)
    await commit(store, aChange({ ...early, version: 2 }, { nextDueAt: 0 }))
    expect(await store.nextOrderDue(shop)).toBe(0)
    expect(await store.nextOrderDue(shop, 0), 'of those due later').toBe(2_000)
    expect(await store.nextOrderDue(shop, 2_000)).toBeNull()
  })
}
