import { expect, test } from 'vitest'
import { aChange, aClient, aDelivery, anEntry, shop } from '../factories.ts'
import { another, atMost, claim, commit, committed, type Given, ids } from './given.ts'
import { everythingIn, fill, fillCommon, inOneForm, inParts, taken, worldOf } from './worlds.ts'

export function plainDataConforms(given: Given): void {
  test('answers that a caller changes change nothing', async () => {
    const { store } = given
    const { clientId } = await another(store)
    for (const owner of [shop, clientId]) await fill(store, owner)
    await fillCommon(store)
    const before = await everythingIn(store)
    const world = inOneForm(await taken(store))
    spoil(await everythingIn(store))
    spoil(await taken(store))
    for (const { orderId, requestId } of before.orders.items) {
      spoil(await store.findOrder(orderId))
      spoil(await store.ordersOf(shop, requestId))
    }
    for (const id of ids(before.deliveries.items)) spoil(await store.findDelivery(id))
    for (const id of ids(before.requests.items)) spoil(await store.findRequest(id))
    spoil(await store.dueOrders(shop, 9_999, 9))
    spoil(await store.ordersDue(shop, 9_999))
    spoil(await store.findScenarioVersion('v1'))
    spoil(await store.snapshot().then(worldOf))
    expect(await everythingIn(store)).toEqual(before)
    expect(inOneForm(await taken(store))).toEqual(world)
  })

  test('what a verb that writes has answered is not what is kept', async () => {
    const { store } = given
    const delivery = aDelivery({ plan: { attempts: 3 } })
    await committed(store, {}, { events: [delivery] })
    const [claimed] = await claim(store)
    spoil(claimed)
    expect(await store.findDelivery(delivery.id)).toMatchObject({ plan: { attempts: 3 }, status: 'pending' })
  })

  test('arguments that a caller changes afterwards change nothing', async () => {
    const { store } = given
    const client = aClient({ holds: [{ requestId: 'r' }] })
    const entry = anEntry()
    const order = await committed(store, { request: { userId: 'u' } }, { history: [{ at: 1, what: 'a' }] })
    const change = aChange(order, {}, { history: [{ at: 2, what: 'b' }], events: [aDelivery()] })
    await store.createClient(client)
    await store.appendRequests([entry], atMost(9))
    await commit(store, change)
    const world = { clients: [aClient()] }
    await store.load(inParts(world), [])
    const before = await everythingIn(store)
    for (const argument of [client, entry, order, change, world]) spoil(argument)
    expect(await everythingIn(store)).toEqual(before)
  })
}

/** Changes all that can be changed in something. Strict code throws where it is frozen; that is as good. */
function spoil(thing: unknown): void {
  if (typeof thing !== 'object' || thing === null) return
  if (thing instanceof Map) {
    for (const value of thing.values()) spoil(value)
    thing.clear()
    return
  }
  for (const [name, value] of Object.entries(thing)) {
    spoil(value)
    Reflect.set(thing, name, 'spoilt')
  }
  Reflect.set(thing, 'spoilt', true)
}
