import { expect, test } from 'vitest'
import type { Client } from '../../../src/domain/client.ts'
import type { Attempt, Delivery } from '../../../src/domain/delivery.ts'
import type { World, WorldOrder } from '../../../src/domain/fixture/world.ts'
import { scenarioFormat } from '../../../src/domain/scenario/scenario.ts'
import { happy } from '../../domain/factories.ts'
import { aBinding, aClient, aDelivery, anOrder, aToken, shop } from '../factories.ts'
import { claim, committed, type Given, historyOf, ids, refused } from './given.ts'

const attempt = (n: number): Attempt => ({
  n,
  at: 900 + n,
  wallAt: 2_000,
  url: 'http://receiver.test/hook',
  outcome: 'refused',
  status: 500,
  ms: 0,
  requestHeaders: {},
  responseBody: null,
  error: null,
})

function aWorldOrder(client: Client, members: Partial<WorldOrder> = {}): WorldOrder {
  const order = anOrder({ clientId: client.clientId, version: 4, events: 2, nextDueAt: 5_000 })
  return {
    order,
    history: [{ at: 1, what: 'created' }],
    deliveries: [],
    uniqueAcrossClients: false,
    ...members,
  }
}

/** A delivery of a loaded order. */
function loaded({ order }: WorldOrder, members: Partial<Delivery>): Delivery {
  const { orderId, requestId, clientId } = order
  return { ...aDelivery({ orderId, requestId, clientId }), url: null, attempts: [], ...members }
}

function aWorld(members: Partial<World> = {}): World {
  const client = aClient()
  const scenarios = [{ version: 'v1', scenario: happy }]
  const tokens = [aToken({ clientId: client.clientId })]
  return { clients: [client], tokens, scenarios, orders: [aWorldOrder(client)], ...members }
}

export function loadConforms(given: Given): void {
  const owner = ({ clients: [client] }: World) => client?.clientId ?? ''

  test('a world comes back as it was given', async () => {
    const { store } = given
    const world = aWorld()
    await store.load(world)
    expect((await store.clients()).slice(1)).toEqual(world.clients)
    expect(await store.tokens()).toEqual(world.tokens)
    expect(await store.findScenarioVersion('v1')).toEqual({
      scenarioJson: JSON.stringify(happy),
      format: scenarioFormat,
    })
    const [first] = world.orders
    const { items } = await store.listOrders({ clientId: owner(world), limit: 9 })
    expect(items).toEqual([first?.order])
    expect(await historyOf(store, first?.order.orderId ?? '')).toEqual(first?.history)
  })

  test('deliveries come back with their attempts; those that are over are never claimed', async () => {
    const { store } = given
    const world = aWorld()
    const order = aWorldOrder(world.clients[0] ?? aClient())
    const over = (['delivered', 'dead'] as const).map((status, index) =>
      loaded(order, { sequence: index + 1, status, url: attempt(1).url, attempts: [attempt(1), attempt(2)] }),
    )
    await store.load({ ...world, orders: [{ ...order, deliveries: over }] })
    expect((await store.listDeliveries({ clientId: owner(world), limit: 9 })).items).toEqual(over)
    expect(await store.nextDeliveryDue(owner(world), 0)).toBeNull()
  })

  test('one in retry is claimed as its next attempt, and keeps no later event waiting', async () => {
    const { store } = given
    const world = aWorld()
    const order = aWorldOrder(world.clients[0] ?? aClient())
    const deliveries = [
      loaded(order, { sequence: 1, dueAt: 3_000, attempts: [attempt(1), attempt(2)] }),
      loaded(order, { sequence: 2, dueAt: 1_000 }),
      loaded(order, { sequence: 3, dueAt: 1_000 }),
    ]
    await store.load({ ...world, orders: [{ ...order, deliveries }] })
    const clientId = owner(world)
    const first = await claim(store, { clientId, now: 3_000 })
    expect(first.map(({ sequence, attempt }) => [sequence, attempt])).toEqual([
      [2, 1],
      [1, 3],
    ])
  })

  test('a loaded order goes on: it is due, and its next version can be committed', async () => {
    const { store } = given
    const world = aWorld()
    await store.load(world)
    expect(await store.nextOrderDue(owner(world))).toBe(5_000)
    const [due] = await store.dueOrders(owner(world), 5_000, 9)
    if (due === undefined) throw new Error('nothing is due')
    await store.commit({ order: { ...due, version: 5, nextDueAt: null }, history: [], events: [] })
    expect(await store.nextOrderDue(owner(world))).toBeNull()
  })

  test.each<[string, (world: World) => Partial<World>, Parameters<typeof refused>[1]]>([
    [
      'a clientId that is taken',
      ({ clients }) => ({ clients: [...clients, aClient({ clientId: shop })] }),
      'client_exists',
    ],
    [
      'an access token that is taken',
      ({ clients }) => ({ clients: [...clients, aClient({ accessToken: 'access-of-the-shop' })] }),
      'client_exists',
    ],
    ['a token twice', ({ tokens }) => ({ tokens: [...tokens, ...tokens] }), 'client_exists'],
    [
      'an orderId twice',
      ({ orders }) => ({ orders: twice(orders, { requestId: 'another' }) }),
      'order_id_taken',
    ],
    [
      'a requestId twice',
      ({ orders }) => ({ orders: twice(orders, { orderId: 'another' }) }),
      'order_exists',
    ],
  ])('of a world with %s nothing is written', async (_, wrong, code) => {
    const { store } = given
    const world = aWorld()
    await refused(store.load({ ...world, ...wrong(world) }), code)
    expect(await store.clients()).toHaveLength(1)
    expect(await store.tokens()).toEqual([])
    expect((await store.listOrders({ limit: 9 })).items).toEqual([])
    expect(await store.findScenarioVersion('v1')).toBeNull()
  })

  test('a requestId that must be unique everywhere is looked for everywhere', async () => {
    const { store } = given
    const { requestId } = await committed(store)
    const world = aWorld()
    const order = aWorldOrder(world.clients[0] ?? aClient())
    const same = { ...order, order: { ...order.order, requestId } }
    await refused(store.load({ ...world, orders: [{ ...same, uniqueAcrossClients: true }] }), 'order_exists')
    await store.load({ ...world, orders: [same] })
  })

  test('what is replaced goes with all that belongs to it, and nothing else goes', async () => {
    const { store } = given
    const event = aDelivery()
    const old = await committed(store, {}, { events: [event] })
    await store.saveToken(aToken())
    await store.addBinding(aBinding({ clientId: shop }))
    const kept = aWorld()
    await store.load(kept)
    const client = aClient({ clientId: shop, accessToken: 'access-of-the-shop' })
    await store.load({ ...aWorld({ clients: [client], tokens: [] }), orders: [aWorldOrder(client)] }, [shop])
    expect(await store.findOrder(old.orderId)).toBeNull()
    expect(await store.findDelivery(event.id)).toBeNull()
    expect(await store.bindingFor(shop, 'r')).toBeNull()
    expect(ids((await store.tokens()).map(({ token }) => ({ id: token })))).toEqual([kept.tokens[0]?.token])
    expect((await store.listOrders({ clientId: shop, limit: 9 })).items).toHaveLength(1)
    expect((await store.clients()).map(({ clientId }) => clientId)).toEqual([owner(kept), shop])
  })

  test('a replacement that fails leaves what was there', async () => {
    const { store } = given
    const old = await committed(store)
    const client = aClient({ clientId: shop })
    const [first] = [aWorldOrder(client)]
    const world = aWorld({ clients: [client], tokens: [], orders: twice([first], {}) })
    await refused(store.load(world, [shop]), 'order_exists')
    expect(await store.findOrder(old.orderId)).toEqual(old)
    expect(await store.clients()).toHaveLength(1)
  })
}

/** The same orders once more, changed. */
function twice(orders: readonly WorldOrder[], members: Partial<WorldOrder['order']>): WorldOrder[] {
  return [...orders, ...orders.map((each) => ({ ...each, order: { ...each.order, ...members } }))]
}
