import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { aChange, aClient, aDelivery, aFault, anOrder, aSimulation, several, shop } from '../factories.ts'
import {
  another,
  claim,
  commit,
  committed,
  deliver,
  due,
  finish,
  type Given,
  generationOf,
  ids,
  release,
  stored,
} from './given.ts'
import {
  aWorld,
  aWorldDelivery,
  aWorldOrder,
  everythingIn,
  fill,
  fillCommon,
  inOneForm,
  inParts,
  taken,
  worldOf,
} from './worlds.ts'

export function snapshotsConform(given: Given): void {
  /** Two clients with something of everything, and what there is once; answers the other client's name. */
  const filled = async () => {
    const { clientId } = await another(given.store)
    for (const owner of [shop, clientId, shop]) await fill(given.store, owner)
    await fillCommon(given.store)
    return clientId
  }
  /** Another store, with what a snapshot of this one shows. */
  const moved = async (clientId?: string): Promise<Store> => {
    const store = await given.another()
    await store.load(await given.store.snapshot(clientId), 'all')
    return store
  }

  describe('what a snapshot shows', () => {
    test('is all that was there: loaded again, into the same or another store, it shows the same', async () => {
      const { store } = given
      await filled()
      const before = await everythingIn(store)
      const world = inOneForm(await taken(store))
      for (const each of [await moved(), store]) {
        await each.load(inParts(await taken(store)), 'all')
        expect(await everythingIn(each)).toEqual(before)
        expect(inOneForm(await taken(each))).toEqual(world)
        expect(await each.begin('')).toBe('seed')
      }
    })

    test('goes on as what it was taken of', async () => {
      await filled()
      const copy = await moved()
      const on = async (store: Store) => {
        const { id } = await store.addFault({ clientId: shop, asked: anyFault, ends: null }, 'seed')
        const claimed = await claim(store, { now: 4_000 })
        for (const delivery of claimed) await finish(store, delivery.id, delivery.attempt)
        for (const order of await store.dueOrders(shop, 9_999, 9)) await commit(store, aChange(order))
        return [id, claimed, await everythingIn(store)]
      }
      expect(await on(copy)).toEqual(await on(given.store))
    })

    test('is nothing but the seed of a store that is empty', async () => {
      const world = await taken(await given.another())
      expect(inOneForm(world)).toMatchObject({ clients: [], orders: [], requests: [] })
      expect(world.common).toEqual({
        seed: 'other',
        settings: {},
        scenarioTexts: [],
        plannedFaults: 0,
        prunedRequests: 0,
      })
    })

    test('has no attempt in flight: it is due again, unknown, and later events wait for it', async () => {
      const { store } = given
      const [first, second] = several(2, (n) => aDelivery({ orderId: 'o', sequence: n + 1, dueAt: 800 }))
      await deliver(store, ...[first, second].flatMap((event) => event ?? []))
      await claim(store)
      const copy = await moved()
      expect((await stored(copy, first?.id ?? '')).attempts).toMatchObject([{ n: 1, outcome: 'unknown' }])
      expect((await claim(copy)).map(({ id, attempt }) => [id, attempt])).toEqual([[first?.id, 2]])
      expect(await finish(store, first?.id ?? ''), 'where it was taken, it goes on').toBe(true)
    })

    test('has what waits for an answer as it is: it goes on waiting', async () => {
      const { store } = given
      await deliver(store, aDelivery({ orderId: 'o', createdAt: 333, dueAt: null, plan: { delayMs: 200 } }))
      const copy = await moved()
      expect(await copy.nextDeliveryDue(shop, 0)).toBeNull()
      await release(copy, 'o', 1_000)
      expect(await copy.nextDeliveryDue(shop, 0)).toBe(1_200)
    })

    test('knows what is held, what was let go, and in which order all were made', async () => {
      const { store } = given
      const events = several(6, (n) =>
        aDelivery({ eventType: 'e', orderId: `o${n % 2}`, sequence: 1 + Math.floor(n / 2) }),
      )
      await deliver(store, ...events, aSimulation({ id: 'free' }))
      for (let held = 1; held > 0; )
        held = (await store.holdDeliveries(await due(store, { holds: [{ eventType: 'e' }] }))).length
      await store.releaseDeliveries(shop, { orderId: 'o0' }, 1_000)
      const copy = await moved()
      expect(await everythingIn(copy)).toEqual(await everythingIn(store))
      const hold = async () => copy.holdDeliveries(await due(copy, { holds: [{ eventType: 'e' }] }))
      expect(await hold(), 'what was let go passes').toEqual([])
      expect(ids(await claim(copy)), 'and is in sequence').toEqual([events[0]?.id, 'free'])
      expect((await copy.releaseDeliveries(shop, {}, 1_000)).released).toHaveLength(3)
    })
  })

  describe('of one client', () => {
    test('a snapshot has what is its own, and nothing that there is once', async () => {
      const { store } = given
      const clientId = await filled()
      await store.saveScenarioVersion('of nobody', { scenarioJson: '{}', format: 1 })
      const world = await taken(store, clientId)
      expect(world.common).toBeUndefined()
      expect(world.clients.map((client) => client.clientId)).toEqual([clientId])
      expect(world.scenarios.map(({ version }) => version)).toEqual(['v1'])
      const { tokens, bindings = [], faults = [], answerCounts = [], deliveries = [], requests = [] } = world
      const owned = { tokens, bindings, faults, answerCounts, deliveries, requests }
      for (const [name, things] of Object.entries(owned)) {
        expect(things.length, name).toBeGreaterThan(0)
        expect(new Set([...things].map((each) => each.clientId)), name).toEqual(new Set([clientId]))
      }
      expect(world.orders.map(({ order }) => order)).toEqual(
        (await store.listOrders({ clientId, limit: 9 })).items,
      )
    })

    test('it takes the place of that client alone', async () => {
      const { store } = given
      const clientId = await filled()
      const world = await taken(store, shop)
      await fill(store, shop)
      await fill(store, clientId)
      const theirs = inOneForm(await taken(store, clientId))
      await store.load(inParts(world), [shop])
      expect(inOneForm(await taken(store, shop))).toEqual(inOneForm(world))
      expect(inOneForm(await taken(store, clientId))).toEqual(theirs)
    })

    test('its faults are as old among all others as they were: of several that fit, the oldest is done', async () => {
      const { store } = given
      const { clientId } = await another(store)
      const ids: string[] = []
      for (const owner of [clientId, shop, null, shop, clientId])
        ids.push((await store.addFault(aFault({ clientId: owner }), 'seed')).id)
      const world = await taken(store, shop)
      await store.load(inParts(world), [shop])
      expect((await store.faults()).map(({ id }) => id)).toEqual(ids)
      await store.deleteFaults({ clientId: shop })
      const later = []
      for (let n = 0; n < 6; n++) later.push((await store.addFault(aFault({ clientId }), 'seed')).id)
      await store.load(inParts(world), [shop])
      const now = (await store.faults()).map(({ id }) => id)
      expect(now.filter((id) => ids[1] === id || ids[3] === id)).toEqual([ids[1], ids[3]])
      expect(now).toHaveLength(ids.length + later.length)
    })

    test('it is empty where there is no such client', async () => {
      await filled()
      expect(inOneForm(await taken(given.store, 'nobody'))).toEqual(inOneForm(await worldOf(inParts())))
    })

    test('a simulation that tells of another’s order is its own', async () => {
      const { store } = given
      const { orderId } = await committed(store)
      const { clientId } = await another(store)
      const simulation = aSimulation({ clientId, orderId })
      await deliver(store, simulation)
      expect((await taken(store, clientId)).deliveries).toMatchObject([{ id: simulation.id }])
      expect((await taken(store, shop)).deliveries ?? []).toEqual([])
    })
  })

  describe('a snapshot that is being read', () => {
    /** So much that no part has all of it, and what it is. */
    const loadMany = async () => {
      const orders = several(1_500, () => {
        const order = aWorldOrder({ clientId: 'many', nextDueAt: 1_000 })
        return { ...order, deliveries: [aWorldDelivery(order.order)] }
      })
      await given.store.load(inParts(aWorld({ clients: [aClient({ clientId: 'many' })], orders })), [])
    }
    /** Everything that can happen to a world. */
    const timelineEvents: readonly ((store: Store) => Promise<unknown>)[] = [
      (store) => fill(store),
      (store) => claim(store, { clientId: 'many', limit: 700 }),
      async (store) => {
        for (const order of (await store.listOrders({ clientId: 'many', limit: 20, newestFirst: true }))
          .items)
          await commit(store, aChange(order, { orderStatus: 'COMPLETED' }))
      },
      async (store) => store.skipDeliveries(await due(store, { clientId: 'many', limit: 700 })),
      (store) => store.saveCommonSettings({ 'orders.expiry': '1m' }),
      (store) => store.reset({ clientId: shop, clients: false }),
      (store) => store.load(inParts(aWorld({ clients: [aClient({ clientId: 'many' })] })), ['many']),
      (store) => store.deleteClient('many'),
      (store) => store.reset({ clients: true, scenarios: true }),
      (store) => store.load(inParts({ clients: [aClient({ clientId: shop })] }), 'all'),
    ]

    test('shows one moment, whatever happens meanwhile', async () => {
      const { store } = given
      await filled()
      await loadMany()
      const before = inOneForm(await taken(store))
      const acts = [...timelineEvents]
      const parts = await store.snapshot()
      let read = 0
      async function* meanwhile() {
        for await (const part of parts) {
          read += 1
          await acts.shift()?.(store)
          yield part
        }
        return undefined
      }
      expect(inOneForm(await worldOf(meanwhile()))).toEqual(before)
      expect(read, 'several parts').toBeGreaterThan(2)
      for (const act of acts) await act(store)
      expect((await taken(store)).clients).toHaveLength(1)
    })

    test('is not in the way of another, and each shows its own moment', async () => {
      const { store } = given
      await loadMany()
      const first = await store.snapshot()
      const early = [await first.next(), await first.next()]
      await committed(store)
      const second = await store.snapshot('many')
      await store.reset({ clients: false })
      const third = taken(store)
      const rest = worldOf(inParts(...early.flatMap(({ value }) => value ?? [])))
      const [a, b] = [await worldOf(first), await worldOf(second)]
      expect((await rest).orders.length + a.orders.length).toBe(1_500)
      expect(b.orders).toHaveLength(1_500)
      expect((await third).orders).toEqual([])
    })

    test('can be let go half-way, or before it is read at all, and all goes on', async () => {
      const { store } = given
      await loadMany()
      const half = await store.snapshot()
      await half.next()
      await half.return?.()
      expect(await half.next()).toEqual({ done: true, value: undefined })
      const unread = await store.snapshot('many')
      await unread.return?.()
      await commit(store, { order: anOrder(), history: [], events: [] })
      expect((await taken(store)).orders).toHaveLength(1_501)
    })

    test('can be the world that is loaded, while it ends', async () => {
      const { store } = given
      await loadMany()
      const before = inOneForm(await taken(store))
      const generation = await generationOf(store, 'many')
      await store.load(await store.snapshot('many'), ['many'])
      const after = await taken(store)
      expect(inOneForm(after)).toEqual(before)
      expect(await generationOf(store, 'many')).toBeGreaterThan(generation)
    })
  })
}

const anyFault = {
  on: 'orders',
  where: {},
  when: 'before',
  effect: { status: 500 },
  skip: 0,
  times: 1,
  for: null,
  probability: null,
} as const
