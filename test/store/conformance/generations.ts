import { describe, expect, test } from 'vitest'
import type { Generation } from '../../../src/domain/client/client.ts'
import type { Store } from '../../../src/store/store.ts'
import {
  aChange,
  aClient,
  aCountedCall,
  aDecision,
  aDelivery,
  anOrder,
  aResult,
  aRule,
  aSimulation,
  aToken,
  shop,
} from '../factories.ts'
import {
  another,
  claim,
  commit,
  committed,
  deliver,
  finish,
  type Given,
  generationOf,
  refused,
} from './given.ts'
import { aWorld, everythingIn, fill, inParts, taken } from './worlds.ts'

const due = { clientId: shop, until: 9_000 }

/** The verbs that refuse an old world, each with something to do in it. */
const deciding: Readonly<Record<string, (store: Store, generation: Generation) => Promise<unknown>>> = {
  saveToken: (store, generation) => store.saveToken(aToken(), generation, 9_999_999),
  'commit of a new order': (store, generation) => store.commit(aDecision(anOrder()), generation),
  'commit of a change': async (store, generation) => {
    const { items } = await store.listOrders({ clientId: shop, limit: 1 })
    return store.commit(aChange(items[0] ?? anOrder()), generation)
  },
  countAnswer: (store, generation) => store.countAnswer({ ...aCountedCall([aRule()]), generation }),
  addDelivery: (store, generation) => store.addDelivery(aSimulation(), generation),
  addByHand: (store, generation) =>
    store.addByHand(aSimulation(), { url: 'http://a.test/', at: 1, wallAt: 2, copies: 1 }, generation),
  releaseAnswer: (store, generation) =>
    store.releaseAnswer({ orderId: 'waiting', clientId: shop }, 1, generation),
  claimDeliveries: (store, generation) => {
    const claim = { now: 9_000, wallNow: 1, url: 'http://a.test/', limit: 9, holds: [] }
    return store.claimDeliveries({ ...due, ...claim, generation })
  },
  holdDeliveries: (store, generation) => store.holdDeliveries({ ...due, generation, holds: [{}] }),
  skipDeliveries: (store, generation) => store.skipDeliveries({ ...due, generation, limit: 9 }),
}

/** The verbs that end a world and begin another. */
const replacing: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'a reset of all': (store) => store.reset({ clients: false }),
  'a reset of the client': (store) => store.reset({ clientId: shop, clients: false }),
  'a deletion, and another client of that name': async (store) => {
    const deleting = store.deleteClient(shop)
    await Promise.all([deleting, store.createClient(aClient({ clientId: shop }))])
  },
  'a load in its place': (store) =>
    store.load(inParts(aWorld({ clients: [aClient({ clientId: shop })] })), [shop]),
  'a load of everything': (store) =>
    store.load(inParts(aWorld({ clients: [aClient({ clientId: shop })] })), 'all'),
}

export function generationsConform(given: Given): void {
  /** A world in which every verb has something to do. */
  const filled = async () => {
    await fill(given.store)
    const waiting = aDelivery({ orderId: 'waiting', dueAt: null })
    await deliver(given.store, waiting, aDelivery({ dueAt: 1_000 }))
  }

  test('each world has a number of its own, and a later one a higher', async () => {
    const { store } = given
    const seen = [await generationOf(store)]
    for (const replace of Object.values(replacing)) {
      await replace(store)
      seen.push(await generationOf(store))
    }
    const { client } = { client: aClient() }
    seen.push(await store.createClient(client))
    await store.deleteClient(client.clientId)
    await store.deleteClient(shop)
    seen.push(await store.createClient(client))
    await store.reset({ clients: true })
    seen.push(await store.createClient(client))
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
  })

  test('no two clients ever share one', async () => {
    const { store } = given
    await another(store)
    const seen: Generation[] = []
    for (const act of [
      () => store.reset({ clients: false }),
      () => store.load(inParts({ clients: [aClient(), aClient()] }), []),
      () => store.reset({ clients: false }),
    ]) {
      await act()
      seen.push(...(await store.clients()).map(({ generation }) => generation))
    }
    // The first two clients are the same from the reset to the load.
    expect(new Set(seen).size).toBe(seen.length - 2)
  })

  test('what changes in a world leaves its number', async () => {
    const { store } = given
    const generation = await generationOf(store)
    await fill(store)
    await store.saveClient(aClient({ clientId: shop }))
    await another(store)
    await taken(store)
    await refused(store.createClient(aClient({ clientId: shop })), 'client_exists')
    expect(await generationOf(store)).toBe(generation)
  })

  describe.each(Object.entries(deciding))('%s', (_, decide) => {
    test('goes through in its own world', async () => {
      await filled()
      const before = await everythingIn(given.store)
      await decide(given.store, await generationOf(given.store))
      const after = await everythingIn(given.store)
      // Counts of answers are in no list.
      if (decide !== deciding.countAnswer) expect(after).not.toEqual(before)
    })

    test('is refused for an old or a coming world or a client that is gone, and changes nothing', async () => {
      const { store } = given
      const old = await generationOf(store)
      await store.reset({ clients: false })
      await filled()
      const before = await taken(store)
      const now = await generationOf(store)
      const { clientId } = await another(store)
      for (const wrong of [old, now + 1, await generationOf(store, clientId)])
        await refused(decide(store, wrong), 'world_ended')
      await store.deleteClient(clientId)
      expect(await taken(store)).toEqual(before)
      await store.deleteClient(shop)
      for (const wrong of [old, now]) await refused(decide(store, wrong), 'world_ended')
      expect(await store.backlog()).toMatchObject({ orders: 0, pendingDeliveries: 0 })
    })
  })

  describe.each(Object.entries(replacing))('after %s', (_, replace) => {
    test('nothing of the old world follows, though it was decided before', async () => {
      const { store } = given
      const generation = await generationOf(store)
      const order = anOrder()
      const over = replace(store)
      await refused(store.commit(aDecision(order), generation), 'world_ended')
      await over
      expect(await store.findOrder(order.orderId)).toBeNull()
    })

    test('an attempt of the old world ends none of the new one', async () => {
      const { store } = given
      const delivery = aSimulation({ dueAt: 900 })
      const sent = { url: 'http://a.test/', at: 1, wallAt: 2, copies: 1 }
      const byHand = aSimulation()
      const begin = async () => {
        await deliver(store, delivery)
        await store.addByHand(byHand, sent, await generationOf(store))
        await claim(store)
      }
      await begin()
      const end = { clientId: shop, generation: await generationOf(store), attempt: 1, result: aResult() }
      await replace(store)
      for (const deliveryId of [delivery.id, byHand.id]) {
        expect(await store.finishAttempt({ ...end, deliveryId })).toBe(false)
        expect(await store.finishByHand({ ...end, deliveryId })).toBe(false)
      }
      await begin()
      const before = await everythingIn(store)
      expect(await store.finishAttempt({ ...end, deliveryId: delivery.id })).toBe(false)
      expect(await store.finishByHand({ ...end, deliveryId: byHand.id })).toBe(false)
      expect(await everythingIn(store)).toEqual(before)
      expect(await finish(store, delivery.id)).toBe(true)
    })

    test('a clock of the old world moves none of the new one', async () => {
      const { store } = given
      const { clientId } = await another(store, { clientId: 'zoo' })
      const generation = await generationOf(store)
      await replace(store)
      if (!(await store.clients()).some(({ client }) => client.clientId === clientId))
        await another(store, { clientId })
      const clock = { mode: 'real', speed: 60, anchor: 11, anchorWall: 12 } as const
      await store.saveClocks([
        { clientId: shop, generation, clock },
        { clientId, generation: await generationOf(store, clientId), clock },
      ])
      const clocks = (await store.clients()).map(({ client }) => [client.clientId, client.clock.speed])
      expect(Object.fromEntries(clocks)).toEqual({ [shop]: 0, [clientId]: 60 })
    })
  })

  test('the world of one client ends without that of another', async () => {
    const { store } = given
    const { clientId } = await another(store)
    const order = await committed(store, { clientId })
    const generation = await generationOf(store, clientId)
    await store.reset({ clientId: shop, clients: false })
    expect(await generationOf(store, clientId)).toBe(generation)
    await commit(store, aChange(order))
  })
}
