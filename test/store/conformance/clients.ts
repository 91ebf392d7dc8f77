import { expect, test } from 'vitest'
import { aBinding, aChange, aClient, aDelivery, anEntry, aToken, shop } from '../factories.ts'
import {
  another,
  atMost,
  claim,
  clientIn,
  commit,
  committed,
  type Given,
  generationOf,
  historyOf,
  refused,
} from './given.ts'

export function clientsConform(given: Given): void {
  test('a client comes back as it was given', async () => {
    const client = await another(given.store, {
      webhookUrl: 'https://example.com/hook?a=1&b=ü',
      webhookPaused: true,
      clock: { mode: 'real', speed: 2.5, anchor: 1_700_000_000_123, anchorWall: 1_700_000_000_456 },
    })
    expect((await given.store.clients()).at(-1)?.client).toEqual(client)
  })

  test('clients come in the order of their making, also after one is saved', async () => {
    const first = await another(given.store)
    const second = await another(given.store)
    await given.store.saveClient({ ...first, defaultScenario: 'other' })
    expect((await given.store.clients()).map(({ client }) => client.clientId)).toEqual([
      shop,
      first.clientId,
      second.clientId,
    ])
  })

  test('a taken clientId is refused and leaves its client as it is', async () => {
    const before = await given.store.clients()
    await refused(given.store.createClient(aClient({ clientId: shop })), 'client_exists')
    expect(await given.store.clients()).toEqual(before)
  })

  test('a taken access token is refused', async () => {
    const before = await given.store.clients()
    await refused(given.store.createClient(aClient({ accessToken: 'access-of-the-shop' })), 'client_exists')
    expect(await given.store.clients()).toEqual(before)
  })

  test('an access token that was given out to another client is refused, also in saving', async () => {
    const { store } = given
    const { clientId } = await another(store)
    const { token } = aToken()
    await store.saveToken(aToken({ token }), await generationOf(store), 0)
    const before = await store.clients()
    await refused(store.createClient(aClient({ accessToken: token })), 'client_exists')
    await refused(store.saveClient(aClient({ clientId, accessToken: token })), 'client_exists')
    await refused(store.saveClient(aClient({ accessToken: token })), 'client_unknown')
    expect(await store.clients()).toEqual(before)
    await store.reset({ clientId: shop, clients: false })
    await store.saveClient(aClient({ clientId, accessToken: token }))
  })

  test('of two clients with one clientId made at once, one is made', async () => {
    const results = await Promise.allSettled([
      given.store.createClient(aClient({ clientId: 'twin' })),
      given.store.createClient(aClient({ clientId: 'twin' })),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  test('saving replaces every member but the beginning', async () => {
    const client = await another(given.store, { began: { at: 7, wallAt: 8 } })
    const changed = {
      ...aClient({ clientId: client.clientId, webhookUrl: 'http://x.test/', webhookPaused: true }),
      clock: { mode: 'real', speed: 1, anchor: 7, anchorWall: 8 },
    } as const
    await given.store.saveClient(changed)
    const { began } = client
    expect((await given.store.clients()).at(-1)?.client).toEqual({ ...changed, began })
  })

  test('saving a client under its own access token is no conflict', async () => {
    const client = await another(given.store)
    await given.store.saveClient({ ...client, webhookPaused: true })
    expect((await given.store.clients()).at(-1)?.client.webhookPaused).toBe(true)
  })

  test('saving an unknown client is refused and makes none', async () => {
    await refused(given.store.saveClient(aClient()), 'client_unknown')
    expect(await given.store.clients()).toHaveLength(1)
  })

  test('saving a client with the access token of another is refused and changes nothing', async () => {
    const client = await another(given.store)
    const before = await given.store.clients()
    const stolen = { ...client, accessToken: 'access-of-the-shop', defaultScenario: 'other' }
    await refused(given.store.saveClient(stolen), 'client_exists')
    expect(await given.store.clients()).toEqual(before)
  })

  test('an unknown client cannot be deleted', async () => {
    await refused(given.store.deleteClient('nobody'), 'client_unknown')
  })

  test('deleting a client removes all that belongs to it', async () => {
    const { store } = given
    const event = aDelivery()
    const order = await committed(store, {}, { history: [{ at: 1, what: 'created' }], events: [event] })
    await claim(store)
    await store.saveToken(aToken(), await generationOf(store), 0)
    await store.addBinding(aBinding({ clientId: shop }))
    const entry = anEntry()
    await store.appendRequests([entry], atMost(10))

    await store.deleteClient(shop)
    expect(await store.clients()).toEqual([])
    expect(await store.findOrder(order.orderId)).toBeNull()
    expect(await historyOf(store, order.orderId)).toEqual([])
    expect(await store.findDelivery(event.id)).toBeNull()
    expect(await store.tokens()).toEqual([])
    expect(await store.bindingFor(shop, 'any')).toBeNull()
    expect(await store.findRequest(entry.id)).toBeNull()
  })

  test('deleting a client leaves what belongs to others', async () => {
    const { store } = given
    const other = await another(store)
    const event = aDelivery()
    const order = await committed(store, {}, { events: [event] })
    await store.saveToken(aToken(), await generationOf(store), 0)
    await store.appendRequests([anEntry({ clientId: null })], atMost(10))

    await store.deleteClient(other.clientId)
    expect(await store.findOrder(order.orderId)).toEqual(order)
    expect(await store.findDelivery(event.id)).not.toBeNull()
    expect(await store.tokens()).toHaveLength(1)
    expect((await store.listRequests({ limit: 9 })).items).toHaveLength(1)
  })

  test('a deleted client can be made anew, and starts with nothing', async () => {
    const { store } = given
    const order = await committed(store)
    await store.deleteClient(shop)
    await store.createClient(aClient({ clientId: shop }))
    expect(await store.ordersOf(shop, order.requestId)).toEqual([])
    await committed(store, { requestId: order.requestId })
  })

  test('clocks move together, and unknown clients are passed over', async () => {
    const { store } = given
    const { clientId } = await another(store)
    const clock = { mode: 'real', speed: 60, anchor: 11, anchorWall: 12 } as const
    await store.saveClocks([
      { clientId: shop, generation: await generationOf(store), clock },
      { clientId: 'nobody', generation: 1, clock },
      { clientId, generation: await generationOf(store, clientId), clock: { ...clock, speed: 1 } },
    ])
    expect((await store.clients()).map(({ client }) => client.clock.speed)).toEqual([60, 1])
    expect((await clientIn(store)).client.clock).toEqual(clock)
  })

  test('without orders there is no newest moment', async () => {
    const { clientId } = await another(given.store)
    await committed(given.store, { clientId })
    expect((await clientIn(given.store)).newestMoment).toBeNull()
    expect((await clientIn(given.store, clientId)).newestMoment).toBe(1_000)
  })

  test('the newest moment is the latest createdAt, whatever was committed last', async () => {
    const { store } = given
    for (const createdAt of [1_000, 3_000, 2_000]) {
      const order = await committed(store, { createdAt, updatedAt: 9_000 })
      await commit(store, aChange(order))
    }
    expect((await clientIn(store)).newestMoment).toBe(3_000)
  })
}
