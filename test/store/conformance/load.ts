import { describe, expect, test } from 'vitest'
import type { World, WorldPart } from '../../../src/domain/fixture/world.ts'
import type { Store } from '../../../src/store/store.ts'
import {
  aBinding,
  aClient,
  aCountedCall,
  aDelivery,
  aFault,
  anEntry,
  anOrder,
  aRule,
  aSimulation,
  aToken,
  shop,
} from '../factories.ts'
import {
  another,
  atMost,
  claim,
  clientIn,
  commit,
  committed,
  deliver,
  due,
  type Given,
  generationOf,
  ids,
  refused,
} from './given.ts'
import {
  anAttempt,
  aWorld,
  aWorldDelivery,
  aWorldOrder,
  everythingIn,
  fill,
  fillCommon,
  inOneForm,
  inParts,
  taken,
} from './worlds.ts'

const clientId = 'loaded'

/** A world of one client with something in each member. */
function fullWorld(): World {
  const client = aClient({ clientId })
  const first = aWorldOrder({ clientId })
  const second = aWorldOrder({ clientId })
  const over = aWorldDelivery(first.order, {
    ...{ status: 'delivered', attempts: [anAttempt(1), anAttempt(2)] },
  })
  const { status: _, ...simulation } = aSimulation({ clientId })
  const calls = { calls: 2, since: 900 }
  return aWorld({
    clients: [{ ...client, plannedFaults: 3 }],
    tokens: [aToken({ clientId, expiresAt: 3_000 }), aToken({ clientId, expiresAt: 2_000 })],
    bindings: [aBinding({ clientId }), aBinding({ clientId, requestId: 'r', remaining: 3 })],
    faults: [{ ...aFault({ clientId }), id: 'flt_1', calls: 4, hits: 1 }],
    answerCounts: [{ clientId, requestId: 'r', scenarioId: 'flaky', rule: '0', ...calls }],
    orders: [
      { ...first, deliveries: [over, aWorldDelivery(first.order, { sequence: 2, status: 'dead' })] },
      { ...second, deliveries: [aWorldDelivery(second.order, { status: 'skipped', dueAt: null })] },
    ],
    deliveries: [{ ...simulation, status: 'held', url: null, attempts: [] }],
    requests: [anEntry({ clientId }), anEntry({ clientId })],
  })
}

export function loadConforms(given: Given): void {
  const load = (world: WorldPart, replaced: readonly string[] | 'all' = []) =>
    given.store.load(inParts(world), replaced)

  describe('a world', () => {
    test('comes back as it was given, and leaves what was there', async () => {
      const { store } = given
      await fill(store)
      const before = inOneForm(await taken(store, shop))
      const world = fullWorld()
      await load(world)
      expect(inOneForm(await taken(store, clientId))).toEqual(inOneForm(world))
      expect(inOneForm(await taken(store, shop))).toEqual(before)
    })

    test('may come in many parts', async () => {
      const world = fullWorld()
      const { clients, tokens, scenarios, bindings, faults, answerCounts, orders, deliveries, requests } =
        world
      const each = orders.map((order) => ({ orders: [order] }))
      const parts = [{}, { clients }, { tokens, scenarios }, { bindings, faults, answerCounts }]
      await given.store.load(inParts(...parts, ...each, { deliveries }, {}, { requests }), [])
      expect(inOneForm(await taken(given.store, clientId))).toEqual(inOneForm(world))
    })

    test('is read once, from its beginning to its end', async () => {
      const log: string[] = []
      const parts = [{ clients: [aClient({ clientId })] }, { orders: [] }]
      const next = async () => {
        const value = parts.shift()
        log.push('next')
        return value === undefined ? { done: true as const, value } : { done: false, value }
      }
      const iterable: AsyncIterable<WorldPart> = {
        [Symbol.asyncIterator]() {
          log.push('begin')
          return { next }
        },
      }
      await given.store.load(iterable, [])
      expect(log).toEqual(['begin', 'next', 'next', 'next'])
    })

    test('of nothing adds nothing', async () => {
      const before = await taken(given.store)
      expect(await given.store.load(inParts(), [])).toEqual(new Map())
      expect(await taken(given.store)).toEqual(before)
    })

    test('answers the generations of the clients that came, and no others', async () => {
      const clients = [aClient({ clientId }), aClient({ clientId: 'second' })]
      const generations = await load({ clients })
      expect([...generations]).toEqual([
        [clientId, await generationOf(given.store, clientId)],
        ['second', await generationOf(given.store, 'second')],
      ])
    })

    test('goes on: an order is due, and its next version can be committed', async () => {
      const { store } = given
      await load(aWorld({ clients: [aClient({ clientId })] }))
      expect(await store.nextOrderDue(clientId)).toBe(5_000)
      const [order] = await store.dueOrders(clientId, 5_000, 9)
      if (order === undefined) throw new Error('nothing is due')
      await commit(store, { order: { ...order, version: 5, nextDueAt: null }, history: [], events: [] })
      expect(await store.nextOrderDue(clientId)).toBeNull()
    })

    test('goes on counting: calls of rules, faults, bindings', async () => {
      const { store } = given
      await load(fullWorld())
      const generation = await generationOf(store, clientId)
      const call = { ...aCountedCall([aRule({ times: 3 })], { clientId }), generation }
      expect(await store.countAnswer(call)).toMatchObject({ calls: 3 })
      expect(await store.countAnswer(call)).toBeNull()
      const { hit } = await store.countFault([
        { id: 'flt_1', limits: { ...aFault().asked, times: 2 }, endsAt: null, at: 0 },
      ])
      expect(hit).toEqual({ id: 'flt_1', calls: 5, hits: 2 })
      expect(await store.bindingFor(clientId, 'r')).toMatchObject({ remaining: 3 })
    })

    test('has as many faults behind it as it says: the ids of the next ones follow', async () => {
      const { store } = given
      const planned: string[] = []
      for (let n = 0; n < 4; n++) planned.push((await store.addFault(aFault(), 's')).id)
      const next = async (plannedFaults?: number) => {
        await load({ clients: [{ ...aClient({ clientId: shop }), plannedFaults }] }, [shop])
        return (await store.addFault(aFault(), 's')).id
      }
      expect(await next(3)).toBe(planned[3])
      expect(await next()).toBe(planned[0])
    })

    test('does not change a scenario version that is there', async () => {
      await given.store.saveScenarioVersion('v1', { scenarioJson: '{}', format: 1 })
      await load(aWorld())
      expect(await given.store.findScenarioVersion('v1')).toEqual({ scenarioJson: '{}', format: 1 })
    })

    test('of one client says nothing of what there is once', async () => {
      const { store } = given
      await fillCommon(store)
      const before = await everythingIn(store)
      const common = { seed: 'x', settings: {}, scenarioTexts: [], plannedFaults: 9, prunedRequests: 9 }
      await load({ common })
      expect(await everythingIn(store)).toEqual(before)
      expect(await store.begin('')).toBe('seed')
    })
  })

  describe('loaded deliveries', () => {
    const order = () => aWorldOrder({ clientId })
    const loadOrders = (...orders: World['orders']) =>
      load(aWorld({ clients: [aClient({ clientId })], orders }))
    const claimedIds = async (until = 1_000) => ids(await claim(given.store, { clientId, now: until }))

    test('in retry are claimed as their next attempt, and keep no later event waiting', async () => {
      const each = order()
      const deliveries = [
        aWorldDelivery(each.order, { sequence: 1, dueAt: 3_000, attempts: [anAttempt(1), anAttempt(2)] }),
        aWorldDelivery(each.order, { sequence: 2, dueAt: 1_000 }),
        aWorldDelivery(each.order, { sequence: 3, dueAt: 1_000 }),
      ]
      await loadOrders({ ...each, deliveries })
      const first = await claim(given.store, { clientId, now: 3_000 })
      expect(first.map(({ sequence, attempt }) => [sequence, attempt])).toEqual([
        [2, 1],
        [1, 3],
      ])
    })

    test('block what comes after them if they say so, and not if they say not', async () => {
      const [a, b] = [order(), order()]
      const pair = (each: typeof a, name: string, members: object) => ({
        ...each,
        deliveries: [
          aWorldDelivery(each.order, { id: `${name}1`, sequence: 1, dueAt: 900, ...members }),
          aWorldDelivery(each.order, { id: `${name}2`, sequence: 2, dueAt: 900 }),
        ],
      })
      await loadOrders(
        pair(a, 'a', { attempts: [anAttempt(1)], blocking: true }),
        pair(b, 'b', { blocking: false }),
      )
      expect(await claimedIds()).toEqual(['a1', 'b1', 'b2'])
    })

    test('that were let go by hand are kept back by no hold, for one attempt', async () => {
      const { store } = given
      const each = order()
      await loadOrders({
        ...each,
        deliveries: [
          aWorldDelivery(each.order, { id: 'released', sequence: 1, released: true }),
          aWorldDelivery(each.order, { id: 'not', sequence: 1 }),
        ],
      })
      expect(await store.holdDeliveries(await due(store, { clientId, holds: [{}] }))).toEqual(['not'])
      expect(await claimedIds()).toEqual(['released'])
    })

    test('that are held can be released', async () => {
      const each = order()
      await loadOrders({ ...each, deliveries: [aWorldDelivery(each.order, { id: 'held', status: 'held' })] })
      expect((await given.store.releaseDeliveries(clientId, {}, 1_000)).released).toEqual(['held'])
      expect(await claimedIds()).toEqual(['held'])
    })

    test('that are over are never claimed', async () => {
      await load(fullWorld())
      expect(await given.store.nextDeliveryDue(clientId, 0)).toBeNull()
      expect(await claimedIds(9_999)).toEqual([])
    })

    test('come in their places among all of their world, whatever they belong to', async () => {
      const { store } = given
      await deliver(store, aSimulation({ id: 'before' }))
      const [a, b] = [order(), order()]
      const { status: _, ...simulation } = aSimulation({ id: 'p2', clientId })
      await load(
        aWorld({
          clients: [aClient({ clientId })],
          orders: [
            { ...a, deliveries: [1, 4].map((place) => aWorldDelivery(a.order, { id: `p${place}`, place })) },
            { ...b, deliveries: [3, 5].map((place) => aWorldDelivery(b.order, { id: `p${place}`, place })) },
          ],
          deliveries: [{ ...simulation, status: 'pending', url: null, attempts: [], place: 2 }],
        }),
      )
      const inPlace = ['p1', 'p2', 'p3', 'p4', 'p5']
      expect(ids((await store.listDeliveries({ limit: 9, clientId })).items)).toEqual(inPlace)
      expect(await claimedIds()).toEqual(inPlace)
      await deliver(store, aSimulation({ id: 'after', clientId }))
      expect(ids((await store.listDeliveries({ limit: 9, clientId })).items)).toEqual([...inPlace, 'after'])
    })

    test('without a place come behind all that were there before', async () => {
      const { store } = given
      await deliver(store, aSimulation({ id: 'before' }))
      const each = order()
      const deliveries = ['one', 'two'].map((id) => aWorldDelivery(each.order, { id }))
      await loadOrders({ ...each, deliveries })
      expect(ids((await store.listDeliveries({ limit: 9 })).items)).toEqual(['before', 'one', 'two'])
      expect((await store.pastsOf([each.order.orderId])).get(each.order.orderId)?.deliveryIds).toEqual([
        'one',
        'two',
      ])
    })
  })

  describe('of a world that cannot be added', () => {
    const theirs = { clientId: 'theirs' }
    const made = anOrder({ requestId: 'r-there', orderId: 'o-there', token: 't-there' })
    /** The existing data that the load collides with. */
    const prepare = async (store: Store) => {
      await fill(store)
      await commit(store, {
        order: made,
        history: [],
        events: [aDelivery({ id: 'd-there', orderId: 'o-there' })],
      })
      await store.saveToken(aToken({ token: 'token-there' }), await generationOf(store), 0)
      await store.addBinding(aBinding({ id: 'b-there' }))
      await store.appendRequests([anEntry({ id: 'q-there' })], atMost(99))
    }
    type Wrong = (world: World, store: Store) => WorldPart | Promise<WorldPart>
    const wrongs: readonly (readonly [string, Parameters<typeof refused>[1], Wrong])[] = [
      [
        'a clientId that is taken',
        'client_exists',
        () => ({ clients: [aClient(theirs), aClient({ clientId: shop })] }),
      ],
      ['a clientId twice', 'client_exists', () => ({ clients: [aClient(theirs), aClient(theirs)] })],
      [
        'an access token that is taken',
        'client_exists',
        () => ({ clients: [aClient(theirs), aClient({ accessToken: 'access-of-the-shop' })] }),
      ],
      [
        'a token that is taken',
        'client_exists',
        () => ({ tokens: [aToken({ ...theirs, token: 'token-there' })] }),
      ],
      [
        'a token twice',
        'client_exists',
        () => ({ tokens: [1, 2].map(() => aToken({ ...theirs, token: 't' })) }),
      ],
      [
        'an access token that was given out',
        'client_exists',
        () => ({ clients: [aClient(theirs), aClient({ accessToken: 'token-there' })] }),
      ],
      [
        'a token that is another client’s own',
        'client_exists',
        () => ({ tokens: [aToken({ ...theirs, token: 'access-of-the-shop' })] }),
      ],
      [
        'calls that are counted twice',
        'snapshot_taken',
        () => {
          const count = { ...theirs, requestId: 'r', scenarioId: 'flaky', rule: '0' }
          return { answerCounts: [1, 2].map((calls) => ({ ...count, calls, since: calls })) }
        },
      ],
      [
        'an orderId that is taken',
        'order_id_taken',
        () => ({ orders: [aWorldOrder({ ...theirs, orderId: 'o-there' })] }),
      ],
      [
        'an orderId twice',
        'order_id_taken',
        () => ({ orders: [1, 2].map(() => aWorldOrder({ ...theirs, orderId: 'o' })) }),
      ],
      [
        'a requestId twice',
        'order_exists',
        () => ({ orders: [1, 2].map(() => aWorldOrder({ ...theirs, requestId: 'r' })) }),
      ],
      [
        'a requestId of another client that must be unique',
        'order_exists',
        () => ({
          orders: [aWorldOrder({ ...theirs, requestId: 'r-there' }, { uniqueAcrossClients: true })],
        }),
      ],
      [
        'a delivery id that is taken',
        'snapshot_taken',
        () => {
          const order = aWorldOrder(theirs)
          return { orders: [{ ...order, deliveries: [aWorldDelivery(order.order, { id: 'd-there' })] }] }
        },
      ],
      [
        'a delivery twice',
        'snapshot_taken',
        () => {
          const order = aWorldOrder(theirs)
          const deliveries = [aWorldDelivery(order.order, { id: 'd' })]
          return { orders: [{ ...order, deliveries }], deliveries }
        },
      ],
      [
        'a binding id that is taken',
        'snapshot_taken',
        () => ({ bindings: [aBinding({ ...theirs, id: 'b-there' })] }),
      ],
      [
        'a fault id that is taken',
        'snapshot_taken',
        async (_, store) => {
          const [fault] = await store.faults()
          return { faults: fault === undefined ? [] : [{ ...fault, ...theirs }] }
        },
      ],
      [
        'a request id that is taken',
        'snapshot_taken',
        () => ({ requests: [anEntry({ ...theirs, id: 'q-there' })] }),
      ],
    ]

    test.each(wrongs)('nothing is written: %s', async (_, code, wrong) => {
      const { store } = given
      await prepare(store)
      const world = aWorld({ clients: [aClient(theirs)] })
      const before = [await taken(store), await store.clients()]
      await refused(load({ ...world, ...(await wrong(world, store)) }), code)
      expect([await taken(store), await store.clients()]).toEqual(before)
      expect((await load(world)).size, 'and without that it can').toBe(1)
    })

    test.each([[[shop]], ['all' as const]])('what it should have replaced stays: %j', async (replaced) => {
      const { store } = given
      await fill(store)
      await fillCommon(store)
      const generation = await generationOf(store)
      const before = [await everythingIn(store), inOneForm(await taken(store))]
      const world = aWorld({ clients: [aClient({ clientId: shop })] })
      await refused(load({ ...world, orders: [...world.orders, ...world.orders] }, replaced), 'order_exists')
      expect([await everythingIn(store), inOneForm(await taken(store))]).toEqual(before)
      expect(await generationOf(store)).toBe(generation)
    })

    test.each([[[shop]], ['all' as const]])(
      'nor if its parts end with an error, which comes out: %j',
      async (replaced) => {
        const { store } = given
        await fill(store)
        const before = [await everythingIn(store), await store.clients()]
        async function* broken() {
          yield { clients: [aClient({ clientId: shop })] }
          yield { orders: [aWorldOrder({ clientId: shop })] }
          throw new Error('the file ended')
        }
        await expect(store.load(broken(), replaced)).rejects.toThrow('the file ended')
        expect([await everythingIn(store), await store.clients()]).toEqual(before)
      },
    )

    test('and its parts are closed', async () => {
      const { store } = given
      let isClosed = false
      async function* closing() {
        try {
          yield { clients: [aClient({ clientId: shop })] }
          yield { orders: [] }
        } finally {
          isClosed = true
        }
      }
      await refused(store.load(closing(), []), 'client_exists')
      expect(isClosed).toBe(true)
    })

    test('nor what there is once, with a scenario text twice', async () => {
      const { store } = given
      await fillCommon(store)
      const before = await everythingIn(store)
      const scenarioTexts = [1, 2].map((n) => ({ id: 'twice', text: String(n) }))
      const common = { seed: 's', settings: {}, scenarioTexts, plannedFaults: 0, prunedRequests: 0 }
      await refused(load({ common }, 'all'), 'snapshot_taken')
      expect(await everythingIn(store)).toEqual(before)
    })

    test('a requestId of another client is none of its own where it need not be unique', async () => {
      const { requestId } = await committed(given.store)
      await load(aWorld({ clients: [aClient(theirs)], orders: [aWorldOrder({ ...theirs, requestId })] }))
      expect(await given.store.ordersOf('theirs', requestId)).toHaveLength(1)
    })
  })

  describe('what is replaced', () => {
    test('goes with all that belongs to it, and nothing else goes', async () => {
      const { store } = given
      const other = await another(store)
      for (const owner of [shop, other.clientId]) await fill(store, owner)
      await fillCommon(store)
      const before = inOneForm(await taken(store, other.clientId))
      const { common } = await taken(store)
      const world = aWorld({ clients: [aClient({ clientId: shop, accessToken: 'access-of-the-shop' })] })
      await load(world, [shop, 'nobody'])
      expect(inOneForm(await taken(store, shop))).toEqual(inOneForm(world))
      expect(inOneForm(await taken(store, other.clientId))).toEqual(before)
      expect((await taken(store)).common).toEqual(common)
      expect((await store.clients()).map(({ client }) => client.clientId)).toEqual([other.clientId, shop])
    })

    test('need not come again', async () => {
      await load({}, [shop])
      expect(await given.store.clients()).toEqual([])
    })

    test('may leave its names to another', async () => {
      const order = await committed(given.store)
      const client = aClient({ clientId, accessToken: 'access-of-the-shop' })
      await load(aWorld({ clients: [client], orders: [aWorldOrder({ ...order, clientId })] }), [shop])
      expect((await given.store.findOrder(order.orderId))?.clientId).toBe(clientId)
    })

    test('is everything with `all`, and what there is once is as the world has it', async () => {
      const { store } = given
      await another(store)
      await fill(store)
      await fillCommon(store)
      const common = {
        seed: 'of the world',
        settings: { 'orders.expiry': '9m' },
        scenarioTexts: [{ id: 'a', text: 'b' }],
        plannedFaults: 2,
        prunedRequests: 7,
      }
      const world = { ...fullWorld(), common }
      await load(world, 'all')
      expect(inOneForm(await taken(store))).toEqual(inOneForm(world))
      expect(await store.begin('')).toBe('of the world')
      expect((await store.clients()).map(({ client }) => client.clientId)).toEqual([clientId])
      expect((await store.listRequests({ limit: 1 })).pruned).toBe(7)
      expect(await clientIn(store, clientId)).toMatchObject({ newestMoment: 1_000 })
    })

    test('is all that there was once too, with `all`, if the world has nothing of it', async () => {
      const { store } = given
      const ofAll = { ...aFault(), clientId: null }
      const first = await store.addFault(ofAll, 's')
      await fillCommon(store)
      await store.appendRequests([anEntry(), anEntry()], atMost(1))
      await store.saveScenarioVersion('sha', { scenarioJson: '{}', format: 1 })
      await load({ clients: [aClient({ clientId: shop })] }, 'all')
      expect(await everythingIn(store)).toMatchObject({ settings: {}, texts: [], faults: [] })
      expect(await store.backlog()).toMatchObject({ keptRequests: 0, prunedRequests: 0 })
      expect((await store.addFault(ofAll, 's')).id, 'counted from the beginning').toBe(first.id)
      expect(await store.begin(''), 'but for the seed').toBe('seed')
      expect(await store.findScenarioVersion('sha')).not.toBeNull()
    })
  })
}
