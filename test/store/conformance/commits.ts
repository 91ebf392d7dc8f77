import { describe, expect, test } from 'vitest'
import type { OrderPatch } from '../../../src/domain/order/change.ts'
import { orderIds } from '../../../src/domain/order/ids.ts'
import type { Order } from '../../../src/domain/order/order.ts'
import { aBinding, aChange, aDecision, aDelivery, anOrder, several, shop } from '../factories.ts'
import {
  another,
  commit,
  committed,
  type Given,
  generationOf,
  historyOf,
  ids,
  kept,
  refused,
} from './given.ts'

/** All that a change may alter. */
const changed: Required<OrderPatch> &
  Pick<Order, 'terms' | 'updatedAt' | 'replaced' | 'nextDueAt' | 'events'> = {
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
  replaced: { orderStatus: 'CREATED', refunds: null, metadata: null, updatedAt: 1_000, paidAt: null },
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
    await commit(given.store, decision)
    expect(await given.store.findOrder(order.orderId)).toEqual(decision.order)
  })

  test('a later version keeps its identity, whatever the decision says of it', async () => {
    const { store } = given
    const order = await committed(store)
    const decision = aChange(order, {
      requestId: 'another',
      charge: 7,
      token: 'another',
      orderStatus: 'PAID',
    })
    await commit(store, decision)
    const { requestId, charge, token } = order
    expect(await store.findOrder(order.orderId)).toEqual({ ...decision.order, requestId, charge, token })
    expect(await store.findOrderByToken('another')).toBeNull()
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
        await commit(given.store, change)
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
    await commit(given.store, aChange(order, {}, { history: [third] }))
    expect(await historyOf(given.store, order.orderId)).toStrictEqual([first, second, third])
  })

  test('the pasts of several orders come apart, and unknown orders are left out', async () => {
    const { store } = given
    const [one, two] = [
      { at: 1, what: 'one' },
      { at: 2, what: 'two' },
    ]
    await committed(store, { orderId: 'a' }, { history: [one, two] })
    await committed(store, { orderId: 'b' }, { history: [two] })
    await committed(store, { orderId: 'c' })
    expect(await store.pastsOf(['b', 'c', 'a', 'nothing', 'a'])).toEqual(
      new Map([
        ['a', { history: [one, two], deliveryIds: [] }],
        ['b', { history: [two], deliveryIds: [] }],
        ['c', { history: [], deliveryIds: [] }],
      ]),
    )
    expect(await store.pastsOf([])).toEqual(new Map())
  })

  test('an order of an unknown client is refused', async () => {
    const order = anOrder({ clientId: 'nobody' })
    await refused(given.store.commit(aDecision(order), 1), 'world_ended')
    expect(await given.store.findOrder(order.orderId)).toBeNull()
  })

  describe('a requestId', () => {
    test('can be used once by a client, and the refused order leaves nothing', async () => {
      const first = await committed(given.store)
      const second = anOrder({ requestId: first.requestId })
      const event = aDelivery({ orderId: second.orderId })
      const decision = aDecision(second, { history: [{ at: 1, what: 'created' }], events: [event] })
      await refused(commit(given.store, decision), 'order_exists')
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
      await refused(commit(given.store, aDecision(order, { uniqueAcrossClients: true })), 'order_exists')
      expect(await given.store.ordersOf(clientId, requestId)).toEqual([])
    })

    test('that must be unique across clients is refused to its own client too', async () => {
      const { requestId } = await committed(given.store)
      const decision = aDecision(anOrder({ requestId }), { uniqueAcrossClients: true })
      await refused(commit(given.store, decision), 'order_exists')
    })

    test('takes several charges, each once', async () => {
      const { requestId } = await committed(given.store)
      await committed(given.store, { requestId, charge: 2 })
      await refused(commit(given.store, aDecision(anOrder({ requestId, charge: 2 }))), 'order_exists')
    })

    test('is won by one of 50 orders committed at once', async () => {
      const orders = several(50, () => anOrder({ requestId: 'contested' }))
      const generation = await generationOf(given.store)
      const results = await Promise.allSettled(
        orders.map((order) => given.store.commit(aDecision(order), generation)),
      )
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
    await refused(commit(given.store, aDecision(second)), 'order_id_taken')
    expect(await given.store.ordersOf(shop, second.requestId)).toEqual([])
  })

  describe('a changed order', () => {
    test('that moved since it was read is stale, and the decision leaves nothing', async () => {
      const order = await committed(given.store)
      const winner = aChange(order, { orderStatus: 'PAID' })
      await commit(given.store, winner)
      const event = aDelivery({ orderId: order.orderId })
      const loser = aChange(
        order,
        { orderStatus: 'FAILED' },
        { history: [{ at: 1, what: 'order' }], events: [event] },
      )
      await refused(commit(given.store, loser), 'stale_order')
      expect(await given.store.findOrder(order.orderId)).toEqual(winner.order)
      expect(await historyOf(given.store, order.orderId)).toEqual([])
      expect(await given.store.findDelivery(event.id)).toBeNull()
    })

    test('is changed by one of 20 decisions committed at once', async () => {
      const order = await committed(given.store)
      const decisions = several(20, (n) => aChange(order, { shiftMs: n }))
      const generation = await generationOf(given.store)
      expect(
        kept(await Promise.allSettled(decisions.map((one) => given.store.commit(one, generation)))),
      ).toBe(1)
      expect((await given.store.findOrder(order.orderId))?.version).toBe(2)
    })

    test('that skips a version is stale', async () => {
      const order = await committed(given.store)
      await refused(commit(given.store, aChange({ ...order, version: 2 })), 'stale_order')
    })

    test('is found again where another took its place since it was read', async () => {
      const { store } = given
      const order = anOrder({ nextDueAt: 1 })
      await commit(store, aDecision(order))
      expect(await store.dueOrders(shop, 1, 9)).toEqual([order])
      await store.reset({ clients: false })
      const other = await committed(store)
      await commit(store, aDecision(order))
      const change = aChange(order, { orderStatus: 'PAID' })
      await commit(store, change)
      expect(await store.findOrder(order.orderId)).toEqual(change.order)
      expect(await store.findOrder(other.orderId)).toEqual(other)
    })

    test('that does not exist any more is stale, and whatever took its place is not touched', async () => {
      const { store } = given
      const order = anOrder({ nextDueAt: 1 })
      await commit(store, aDecision(order))
      await store.dueOrders(shop, 1, 9)
      await store.reset({ clients: false })
      const other = await committed(store)
      await refused(commit(store, aChange(order)), 'stale_order')
      expect(await store.findOrder(other.orderId)).toEqual(other)
    })

    test('that does not exist is stale, and is not made', async () => {
      const order = anOrder()
      await refused(commit(given.store, aChange(order)), 'stale_order')
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
      await expect(commit(store, decision)).rejects.toThrow()
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
      await expect(commit(store, decision)).rejects.toThrow()
      expect(await store.findOrder(order.orderId)).toEqual(order)
      expect(await historyOf(store, order.orderId)).toEqual([])
      await commit(store, aChange(order))
    })

    test('takes no decision of the same moment with it', async () => {
      const { store } = given
      const event = aDelivery()
      const orders = several(10, () => anOrder())
      const generation = await generationOf(store)
      const results = await Promise.allSettled(
        orders.map((order, n) =>
          store.commit(aDecision(order, { events: n < 5 ? [event] : [aDelivery()] }), generation),
        ),
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
    expect((await given.store.pastsOf(['o'])).get('o')?.deliveryIds).toEqual(ids(events))
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
      await refused(commit(store, aDecision(order, { takesBinding: binding.id })), 'binding_used')
      expect(await store.findOrder(order.orderId)).toBeNull()
    })

    test('for 3 orders is taken by 3 of 20 committed at once', async () => {
      const { store } = given
      const binding = aBinding({ remaining: 3 })
      await store.addBinding(binding)
      const decisions = several(20, () => aDecision(anOrder(), { takesBinding: binding.id }))
      const generation = await generationOf(store)
      expect(kept(await Promise.allSettled(decisions.map((one) => store.commit(one, generation))))).toBe(3)
    })

    test('is not used up by an order whose requestId is taken', async () => {
      const { store } = given
      const { requestId } = await committed(store)
      const binding = aBinding()
      await store.addBinding(binding)
      const decision = aDecision(anOrder({ requestId }), { takesBinding: binding.id })
      await refused(commit(store, decision), 'order_exists')
      expect(await store.bindingFor(shop, 'r')).toEqual(binding)
    })
  })
}
