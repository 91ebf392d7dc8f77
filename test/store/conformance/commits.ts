import { describe, expect, test } from 'vitest'
import type { OrderPatch } from '../../../src/domain/change.ts'
import { orderIds } from '../../../src/domain/ids.ts'
import type { Order } from '../../../src/domain/order.ts'
import { aBinding, aChange, aDecision, aDelivery, anOrder, several, shop } from '../factories.ts'
import { another, committed, type Given, historyOf, ids, kept, refused } from './given.ts'

/** All that a change may alter. */
const changed: Required<OrderPatch> & Pick<Order, 'terms' | 'updatedAt' | 'nextDueAt' | 'events'> = {
  orderStatus: 'FAILED',
  paymentStatus: 'DECLINED',
  settlementStatus: 'NONE',
  metadata: '{"__proto__":{"a":1},"n":1e400}',
  errorReason: { errorCode: 'E1', errorDesc: 'declined' },
  receivedAmount: '9.99',
  txnHash: '0xabc',
  refunds: [{ refundId: 'f', fiatAmount: '1.00', status: 'REFUND_INITIATED', at: 7 }],
  refundError: { errorCode: '9006.1', errorDesc: '', at: 1_000 },
  crypto: { shown: false, status: null },
  stepAt: 1_500,
  lookups: { orders: 2 },
  subscription: { anchor: 2_000, second: 3_000, next: 2, nextAt: 3_000, cancelled: false },
  paidAt: 2_000,
  terms: { onExpiry: 'abandon', trialMs: 5, updatedTsSkewMs: -5 },
  nextStep: 3,
  shiftMs: -500,
  waitsForPayer: true,
  updatedAt: 1_700_000_000_000,
  nextDueAt: 1_700_000_000_123,
  events: 4,
}

const everything: Partial<Order> = {
  ...changed,
  kind: 'subscription',
  request: {
    userId: 'u',
    deviceContext: { deviceOS: 'IOS' },
    billingData: { city: 'Zürich' },
    trialPeriodDays: '7',
  },
  scenario: { id: 's', why: 'e-mail tag', version: 'sha256-x' },
}

export function commitsConform(given: Given): void {
  test.each([
    ['everything set', everything],
    ['nothing set', {}],
    [
      'NUL and emoji',
      { email: 'a\0b\u{1F9FE}@x', metadata: '"\0"', request: { userMessage: '\0\u{1F9FE}' } },
    ],
    ['a megabyte of text', { metadata: JSON.stringify('ß'.repeat(500_000)) }],
    [
      'words of SQL and JSON',
      { requestId: `'; drop table orders; --`, email: '"null"', cryptoCurId: 'null' },
    ],
    ['amounts that look like numbers', { fiatAmount: '010.500', receivedAmount: '1e3', txnHash: '0x10' }],
  ])('an order comes back as it was committed: %s', async (_, members) => {
    const order = await committed(given.store, members)
    expect(await given.store.findOrder(order.orderId)).toEqual(order)
  })

  test.each(Object.entries(everything))(
    'an order comes back with nothing set but %s',
    async (member, value) => {
      const order = await committed(given.store, { [member]: value })
      expect(await given.store.findOrder(order.orderId)).toEqual(order)
    },
  )

  test('a changed order comes back as it was committed', async () => {
    const order = await committed(given.store)
    const decision = aChange(order, changed)
    await given.store.commit(decision)
    expect(await given.store.findOrder(order.orderId)).toEqual(decision.order)
  })

  test('what comes to a history stands behind it, whatever either of them is', async () => {
    const odd = [
      { at: 1, what: '[],[' },
      { at: 2, what: ',]}]', from: '[', to: ']' },
      { at: 3, what: '' },
    ]
    const parts = [[], [], odd, [], odd.toReversed(), odd.slice(1, 2)]
    for (const [at, first] of parts.entries()) {
      let order = await committed(given.store, { requestId: `r${at}`, orderId: `o${at}` }, { history: first })
      const told = [...first]
      for (const history of parts) {
        const change = aChange(order, {}, { history })
        await given.store.commit(change)
        order = change.order
        told.push(...history)
        expect(await historyOf(given.store, order.orderId)).toStrictEqual(told)
      }
    }
  })

  test('history comes back oldest first, with the members it was given', async () => {
    const first = { at: 5, what: 'created' }
    const second = { at: 5, what: 'order', from: 'CREATED', to: 'PAID', step: 0 }
    const third = { at: 1, what: 'payment', to: 'DONE' }
    const order = await committed(given.store, {}, { history: [first, second] })
    await given.store.commit(aChange(order, {}, { history: [third] }))
    expect(await historyOf(given.store, order.orderId)).toStrictEqual([first, second, third])
  })

  test('histories of several orders come apart, and orders without any are left out', async () => {
    const { store } = given
    const [one, two] = [
      { at: 1, what: 'one' },
      { at: 2, what: 'two' },
    ]
    await committed(store, { orderId: 'a' }, { history: [one, two] })
    await committed(store, { orderId: 'b' }, { history: [two] })
    await committed(store, { orderId: 'c' })
    expect(await store.historiesOf(['b', 'c', 'a', 'nothing', 'a'])).toEqual(
      new Map([
        ['a', [one, two]],
        ['b', [two]],
      ]),
    )
    expect(await store.historiesOf([])).toEqual(new Map())
  })

  test('an order of an unknown client is refused', async () => {
    const order = anOrder({ clientId: 'nobody' })
    await refused(given.store.commit(aDecision(order)), 'client_unknown')
    expect(await given.store.findOrder(order.orderId)).toBeNull()
  })

  describe('a requestId', () => {
    test('can be used once by a client, and the refused order leaves nothing', async () => {
      const first = await committed(given.store)
      const second = anOrder({ requestId: first.requestId })
      const event = aDelivery({ orderId: second.orderId })
      const decision = aDecision(second, { history: [{ at: 1, what: 'created' }], events: [event] })
      await refused(given.store.commit(decision), 'order_exists')
      expect(await given.store.findOrder(second.orderId)).toBeNull()
      expect(await historyOf(given.store, second.orderId)).toEqual([])
      expect(await given.store.findDelivery(event.id)).toBeNull()
      expect(await given.store.findOrder(first.orderId)).toEqual(first)
    })

    test('can be used by another client too', async () => {
      const { requestId } = await committed(given.store)
      const { clientId } = await another(given.store)
      await committed(given.store, { clientId, requestId })
    })

    test('used by another client is refused where it must be unique across clients', async () => {
      const { requestId } = await committed(given.store)
      const { clientId } = await another(given.store)
      const order = anOrder({ clientId, requestId })
      await refused(given.store.commit(aDecision(order, { uniqueAcrossClients: true })), 'order_exists')
      expect(await given.store.ordersOf(clientId, requestId)).toEqual([])
    })

    test('that must be unique across clients is refused to its own client too', async () => {
      const { requestId } = await committed(given.store)
      const decision = aDecision(anOrder({ requestId }), { uniqueAcrossClients: true })
      await refused(given.store.commit(decision), 'order_exists')
    })

    test('takes several charges, each once', async () => {
      const { requestId } = await committed(given.store)
      await committed(given.store, { requestId, charge: 2 })
      await refused(given.store.commit(aDecision(anOrder({ requestId, charge: 2 }))), 'order_exists')
    })

    test('is won by one of 50 orders committed at once', async () => {
      const orders = several(50, () => anOrder({ requestId: 'contested' }))
      const results = await Promise.allSettled(orders.map((order) => given.store.commit(aDecision(order))))
      expect(kept(results)).toBe(1)
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'order_exists' })
      expect(await given.store.ordersOf(shop, 'contested')).toHaveLength(1)
    })
  })

  test.each([
    ['that follows from its requestId', orderIds('seed', shop, 'r', 1, 1_000).orderId],
    ['of its own', 'order-of-march'],
  ])('an order with the orderId of another, %s, is refused', async (_, orderId) => {
    const first = await committed(given.store, { requestId: 'r', orderId })
    const second = anOrder({ orderId: first.orderId })
    await refused(given.store.commit(aDecision(second)), 'order_id_taken')
    expect(await given.store.ordersOf(shop, second.requestId)).toEqual([])
  })

  test('an order whose orderId follows from its requestId is refused if another was given it', async () => {
    const { orderId } = orderIds('seed', shop, 'r', 1, 1_000)
    await committed(given.store, { requestId: 'another', orderId })
    await refused(given.store.commit(aDecision(anOrder({ requestId: 'r', orderId }))), 'order_id_taken')
    expect(await given.store.ordersOf(shop, 'r')).toEqual([])
  })

  describe('a changed order', () => {
    test('that moved since it was read is stale, and the decision leaves nothing', async () => {
      const order = await committed(given.store)
      const winner = aChange(order, { orderStatus: 'PAID' })
      await given.store.commit(winner)
      const event = aDelivery({ orderId: order.orderId })
      const loser = aChange(
        order,
        { orderStatus: 'FAILED' },
        { history: [{ at: 1, what: 'order' }], events: [event] },
      )
      await refused(given.store.commit(loser), 'stale_order')
      expect(await given.store.findOrder(order.orderId)).toEqual(winner.order)
      expect(await historyOf(given.store, order.orderId)).toEqual([])
      expect(await given.store.findDelivery(event.id)).toBeNull()
    })

    test('is changed by one of 20 decisions committed at once', async () => {
      const order = await committed(given.store)
      const decisions = several(20, (n) => aChange(order, { shiftMs: n }))
      expect(kept(await Promise.allSettled(decisions.map((one) => given.store.commit(one))))).toBe(1)
      expect((await given.store.findOrder(order.orderId))?.version).toBe(2)
    })

    test('that skips a version is stale', async () => {
      const order = await committed(given.store)
      await refused(given.store.commit(aChange({ ...order, version: 2 })), 'stale_order')
    })

    test('is found again where another took its place since it was read', async () => {
      const { store } = given
      const order = anOrder({ nextDueAt: 1 })
      await store.commit(aDecision(order))
      expect(await store.dueOrders(shop, 1, 9)).toEqual([order])
      await store.reset({ clients: false })
      const other = await committed(store)
      await store.commit(aDecision(order))
      const change = aChange(order, { orderStatus: 'PAID' })
      await store.commit(change)
      expect(await store.findOrder(order.orderId)).toEqual(change.order)
      expect(await store.findOrder(other.orderId)).toEqual(other)
    })

    test('that does not exist any more is stale, and whatever took its place is not touched', async () => {
      const { store } = given
      const order = anOrder({ nextDueAt: 1 })
      await store.commit(aDecision(order))
      await store.dueOrders(shop, 1, 9)
      await store.reset({ clients: false })
      const other = await committed(store)
      await refused(store.commit(aChange(order)), 'stale_order')
      expect(await store.findOrder(other.orderId)).toEqual(other)
    })

    test('that does not exist is stale, and is not made', async () => {
      const order = anOrder()
      await refused(given.store.commit(aChange(order)), 'stale_order')
      expect(await given.store.findOrder(order.orderId)).toBeNull()
    })
  })

  describe('an impossible event', () => {
    test('leaves nothing of a new order', async () => {
      const { store } = given
      const existing = aDelivery()
      await committed(store, {}, { events: [existing] })
      const binding = aBinding()
      await store.addBinding(binding)
      const order = anOrder()
      const possible = aDelivery({ orderId: order.orderId })
      const decision = aDecision(order, {
        history: [{ at: 1, what: 'created' }],
        events: [possible, aDelivery({ id: existing.id })],
        takesBinding: binding.id,
      })
      await expect(store.commit(decision)).rejects.toThrow()
      expect(await store.findOrder(order.orderId)).toBeNull()
      expect(await historyOf(store, order.orderId)).toEqual([])
      expect(await store.findDelivery(possible.id)).toBeNull()
      expect(await store.bindingFor(shop, order.requestId)).toEqual(binding)
    })

    test('leaves a changed order as it was', async () => {
      const { store } = given
      const event = aDelivery()
      const order = await committed(store, {}, { events: [event] })
      const decision = aChange(
        order,
        { orderStatus: 'PAID' },
        { history: [{ at: 1, what: 'order' }], events: [event] },
      )
      await expect(store.commit(decision)).rejects.toThrow()
      expect(await store.findOrder(order.orderId)).toEqual(order)
      expect(await historyOf(store, order.orderId)).toEqual([])
      await store.commit(aChange(order))
    })

    test('takes no decision of the same moment with it', async () => {
      const { store } = given
      const event = aDelivery()
      const orders = several(10, () => anOrder())
      const results = await Promise.allSettled(
        orders.map((order, n) => store.commit(aDecision(order, { events: n < 5 ? [event] : [aDelivery()] }))),
      )
      expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
        ...[true, false, false, false, false],
        ...[true, true, true, true, true],
      ])
      expect((await store.listOrders({ limit: 99 })).items).toHaveLength(6)
    })
  })

  test('events come back in their order', async () => {
    const events = several(3, (n) => aDelivery({ orderId: 'o', sequence: n + 1 }))
    await committed(given.store, { orderId: 'o' }, { events })
    expect(await given.store.deliveryIdsOf(['o'])).toEqual(new Map([['o', ids(events)]]))
  })

  describe('a binding', () => {
    test('is used up by the orders that take it', async () => {
      const { store } = given
      const binding = aBinding({ remaining: 2 })
      await store.addBinding(binding)
      await committed(store, {}, { takesBinding: binding.id })
      expect(await store.bindingFor(shop, 'r')).toEqual({ ...binding, remaining: 1 })
      await committed(store, {}, { takesBinding: binding.id })
      expect(await store.bindingFor(shop, 'r')).toBeNull()
      const order = anOrder()
      await refused(store.commit(aDecision(order, { takesBinding: binding.id })), 'binding_used')
      expect(await store.findOrder(order.orderId)).toBeNull()
    })

    test('for 3 orders is taken by 3 of 20 committed at once', async () => {
      const { store } = given
      const binding = aBinding({ remaining: 3 })
      await store.addBinding(binding)
      const decisions = several(20, () => aDecision(anOrder(), { takesBinding: binding.id }))
      expect(kept(await Promise.allSettled(decisions.map((one) => store.commit(one))))).toBe(3)
    })

    test('is not used up by an order whose requestId is taken', async () => {
      const { store } = given
      const { requestId } = await committed(store)
      const binding = aBinding()
      await store.addBinding(binding)
      const decision = aDecision(anOrder({ requestId }), { takesBinding: binding.id })
      await refused(store.commit(decision), 'order_exists')
      expect(await store.bindingFor(shop, 'r')).toEqual(binding)
    })
  })
}
