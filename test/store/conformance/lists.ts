import { describe, expect, test } from 'vitest'
import { listFields } from '../../../src/store/list-fields.ts'
import type { ListQuery, Page, Store } from '../../../src/store/store.ts'
import { aBinding, aDelivery, anEntry, anOrder, aSimulation, several, shop } from '../factories.ts'
import { another, atMost, claim, committed, deliver, type Given, ids, pages, refused } from './given.ts'

interface Listed {
  readonly id: string
}

/** The lists of what is made, alike: what is put in comes back as ids. */
const lists: Readonly<
  Record<
    string,
    { list(store: Store, query: ListQuery): Promise<Page<Listed>>; add(store: Store): Promise<Listed> }
  >
> = {
  orders: {
    list: async (store, query) => {
      const { items, next } = await store.listOrders(query)
      return { items: items.map(({ orderId }) => ({ id: orderId })), next }
    },
    add: async (store) => ({ id: (await committed(store)).orderId }),
  },
  deliveries: {
    list: (store, query) => store.listDeliveries(query),
    add: async (store) => {
      const delivery = aDelivery()
      await deliver(store, delivery)
      return delivery
    },
  },
  requests: {
    list: (store, query) => store.listRequests(query),
    add: async (store) => {
      const entry = anEntry()
      await store.appendRequests([entry], atMost(1_000))
      return entry
    },
  },
  bindings: {
    list: (store, query) => store.listBindings(query),
    add: async (store) => {
      const binding = aBinding()
      await store.addBinding(binding)
      return binding
    },
  },
}

export function listsConform(given: Given): void {
  describe.each(Object.entries(lists))('%s', (name, { list, add }) => {
    const addSeveral = async (n: number) => {
      const made: string[] = []
      for (let i = 0; i < n; i++) made.push((await add(given.store)).id)
      return made
    }

    test('an empty list is one empty page', async () => {
      expect(await list(given.store, { limit: 5 })).toMatchObject({ items: [], next: null })
    })

    test.each([
      [false, 'oldest'],
      [true, 'newest'],
    ])('pages show each thing once, newestFirst %s', async (newestFirst) => {
      const made = await addSeveral(7)
      const seen = await pages((cursor) => list(given.store, { limit: 3, newestFirst, cursor }))
      expect(ids(seen.flat())).toEqual(newestFirst ? made.toReversed() : made)
      expect(seen.map(({ length }) => length)).toEqual([3, 3, 1])
    })

    test('a page that ends with the list has no next', async () => {
      await addSeveral(3)
      expect((await list(given.store, { limit: 3 })).next).toBeNull()
      expect((await list(given.store, { limit: 2 })).next).not.toBeNull()
    })

    test('what is added while a reader pages comes at the end', async () => {
      const made = await addSeveral(2)
      const { next } = await list(given.store, { limit: 1 })
      made.push(...(await addSeveral(1)))
      const rest = await list(given.store, { limit: 9, cursor: next ?? '' })
      expect(ids(rest.items)).toEqual(made.slice(1))
    })

    test('a cursor that no page gave is refused', async () => {
      await addSeveral(2)
      const next = (await list(given.store, { limit: 1 })).next ?? ''
      for (const cursor of ['', 'x', '-', `${next} `, ` ${next}`, `${next}.5`, `${next}!`, `${next}\0`])
        await refused(list(given.store, { limit: 1, cursor }), 'bad_cursor')
    })

    test('a cursor of another list is refused', async () => {
      for (const [other, { list: listOther, add: addOther }] of Object.entries(lists)) {
        if (other === name) continue
        await addOther(given.store)
        await addOther(given.store)
        const cursor = (await listOther(given.store, { limit: 1 })).next ?? ''
        await refused(list(given.store, { limit: 1, cursor }), 'bad_cursor')
      }
    })

    test('a filter that nothing equals leaves nothing', async () => {
      await addSeveral(1)
      for (const filter of ['clientId', 'requestId', 'orderId', 'status', 'operation'] as const)
        for (const value of ['', 'nothing', '%', "' or 1=1 --"])
          expect(await list(given.store, { limit: 5, [filter]: value })).toMatchObject({
            items: [],
            next: null,
          })
    })
  })

  test('orders are filtered by any of their members together', async () => {
    const { store } = given
    const { clientId } = await another(store)
    const wanted = await committed(store, { requestId: 'r', orderStatus: 'PAID' })
    const other = await committed(store, { requestId: 'r', orderStatus: 'PAID', clientId })
    await committed(store, { requestId: 'r2', orderStatus: 'PAID' })
    await committed(store, { requestId: 'r', charge: 2, orderStatus: 'FAILED' })
    const found = async (query: Partial<ListQuery>) => (await store.listOrders({ limit: 9, ...query })).items
    expect(await found({ requestId: 'r', clientId: shop, status: 'PAID' })).toEqual([wanted])
    expect(await found({ clientId, status: 'PAID' })).toEqual([other])
    expect(await found({ orderId: wanted.orderId })).toEqual([wanted])
    expect(await found({ orderId: wanted.orderId, clientId })).toEqual([])
    expect(await found({ requestId: 'r', newestFirst: true })).toHaveLength(3)
    expect(await found({ status: 'PAID' })).toHaveLength(3)
  })

  test('deliveries are filtered by requestId, of orders and of simulations', async () => {
    const { store } = given
    const events = several(2, (n) => aDelivery({ orderId: 'o', requestId: 'r', sequence: n + 1 }))
    await committed(store, { orderId: 'o', requestId: 'r' }, { events })
    const alone = aSimulation({ requestId: 'r' })
    const onOrder = aSimulation({ requestId: 'r', orderId: 'o' })
    for (const delivery of [alone, onOrder, aSimulation(), aDelivery()]) await deliver(store, delivery)
    const found = async (query: Partial<ListQuery>) =>
      ids((await store.listDeliveries({ limit: 9, ...query })).items)
    expect(await found({ requestId: 'r' })).toEqual(ids([...events, alone, onOrder]))
    expect(await found({ requestId: 'r', newestFirst: true })).toEqual(
      ids([...events, alone, onOrder]).toReversed(),
    )
    expect(await found({ orderId: 'o', requestId: 'r' })).toEqual(ids([...events, onOrder]))
    expect(await found({ status: 'pending' })).toHaveLength(6)
    expect(await found({ requestId: 'r', status: 'delivered' })).toEqual([])
  })

  test('bindings are filtered by client and requestId, and asked for no member', async () => {
    const { store } = given
    const [any, ofRequest] = [aBinding(), aBinding({ requestId: 'r' })]
    const ofBoth = aBinding({ requestId: 'r', clientId: shop })
    for (const binding of [any, ofRequest, ofBoth]) await store.addBinding(binding)
    const found = async (query: Partial<ListQuery>) =>
      ids((await store.listBindings({ limit: 9, ...query })).items)
    expect(await found({ requestId: 'r' })).toEqual(ids([ofRequest, ofBoth]))
    expect(await found({ requestId: 'r', clientId: shop, newestFirst: true })).toEqual([ofBoth.id])
    for (const query of [
      { where: { scenario: any.scenario } },
      { where: { requestId: '*' } },
      { search: '' },
    ])
      expect(await found(query), JSON.stringify(query)).toEqual([])
  })

  test('requests are filtered by client, operation, requestId and HTTP status', async () => {
    const { store } = given
    const refusal = anEntry({ status: 401, requestId: 'r', operation: 'fiat-refunds' })
    const unknown = anEntry({ clientId: null, operation: null })
    await store.appendRequests([anEntry(), refusal, unknown], atMost(9))
    const found = async (query: Partial<ListQuery>) =>
      ids((await store.listRequests({ limit: 9, ...query })).items)
    expect(await found({ status: '401' })).toEqual([refusal.id])
    expect(await found({ operation: 'fiat-refunds', requestId: 'r', clientId: shop })).toEqual([refusal.id])
    expect(await found({ clientId: shop })).toHaveLength(2)
    expect(await found({ status: '40' })).toEqual([])
  })

  test('lists are asked for further members, whole or by their beginning', async () => {
    const { store } = given
    const failed = await committed(store, {
      requestId: 'a-1',
      kind: 'payout',
      charge: 12,
      errorReason: { errorCode: '9004', errorDesc: '' },
    })
    const other = await committed(store, { requestId: 'a_2', errorReason: null })
    await committed(store, { requestId: 'b' })
    const found = async (where: Readonly<Record<string, string>>) =>
      (await store.listOrders({ where, limit: 9 })).items.map(({ requestId }) => requestId)
    expect(await found({ requestId: 'a*' })).toEqual(['a-1', 'a_2'])
    expect(await found({ requestId: 'a_*' })).toEqual(['a_2'])
    expect(await found({ requestId: '*' })).toHaveLength(3)
    expect(await found({ requestId: 'a*', orderId: other.orderId })).toEqual(['a_2'])
    expect(await found({ kind: 'payout', charge: '12' })).toEqual(['a-1'])
    expect(await found({ charge: '1*', kind: 'p*' })).toEqual(['a-1'])
    expect(await found({ 'errorReason.errorCode': '9004' })).toEqual(['a-1'])
    expect(await found({ 'errorReason.errorCode': '*' })).toEqual(['a-1'])
    expect(await found({ 'scenario.id': failed.scenario.id })).toHaveLength(3)
    expect(await found({ nothing: '*' })).toEqual([])
    expect(await found({ kind: '' })).toEqual([])
  })

  test('each list is asked for each of its members', async () => {
    const { store } = given
    const order = await committed(store, { errorReason: { errorCode: 'E1', errorDesc: '' }, charge: 3 })
    await committed(store)
    const [delivery, other] = [aDelivery(), aDelivery({ dueAt: null })]
    await deliver(store, delivery, other)
    await claim(store)
    const entry = anEntry({ requestId: 'r', diagnosis: { cause: 'token.missing', message: '' } })
    await store.appendRequests([entry, anEntry()], atMost(9))
    const things = {
      orders: { ...order, status: order.orderStatus },
      deliveries: { ...delivery, outcome: 'unknown' },
      requests: entry,
    }
    const idsOf = {
      orders: async (query: ListQuery) => (await store.listOrders(query)).items.map(({ orderId }) => orderId),
      deliveries: async (query: ListQuery) => ids((await store.listDeliveries(query)).items),
      requests: async (query: ListQuery) => ids((await store.listRequests(query)).items),
    }
    const wantedId = { orders: order.orderId, deliveries: delivery.id, requests: entry.id }
    for (const kind of ['orders', 'deliveries', 'requests'] as const)
      for (const member of listFields[kind]) {
        const value = String(member.split('.').reduce<unknown>(memberOf, things[kind]))
        const found = (text: string) => idsOf[kind]({ where: { [member]: text }, limit: 9 })
        expect(await found(value), member).toContain(wantedId[kind])
        expect(await found(`${value.slice(0, 1)}*`), member).toContain(wantedId[kind])
        expect(await found(`${value}x`), member).toEqual([])
      }
  })

  test.each([
    ['AbC', ['abc-1', 'xABCx']],
    ['%', ['50%']],
    ['_', ['a_b']],
    ['\\', ['back\\slash']],
    ['*', ['star*']],
    ['"', ['quo"te']],
    ['ÉTÉ', ['L’été']],
    ['\0x', ['nul\0x']],
    ['nowhere', []],
  ])('a search for %j finds it anywhere in a text, in small letters or large ones', async (search, found) => {
    const { store } = given
    const texts = [
      'abc-1',
      'xABCx',
      '50%',
      'a_b',
      'back\\slash',
      'star*',
      'quo"te',
      'L’été',
      'nul\0x',
      'other',
    ]
    for (const requestId of texts) await committed(store, { requestId })
    const { items } = await store.listOrders({ search, limit: 20 })
    expect(items.map(({ requestId }) => requestId)).toEqual(found)
  })

  test('a search looks into the texts by which people know a thing, and no others', async () => {
    const { store } = given
    const { request } = anOrder()
    const order = await committed(store, {
      requestId: 'here-r',
      orderId: 'here-o',
      email: 'here@example.com',
      request: { ...request, userId: 'here-u' },
      token: 'secret-token',
      kind: 'payout',
    })
    const [delivery] = several(1, () =>
      aDelivery({ id: 'here-d', webhookId: 'here-w', body: '{"a":"secret"}' }),
    )
    if (delivery !== undefined) await deliver(store, delivery)
    const entry = anEntry({ id: 'here-q', path: '/here-p', body: 'secret' })
    await store.appendRequests([entry], atMost(9))
    const found = async (search: string) => [
      ...(await store.listOrders({ search, limit: 9 })).items.map(({ orderId }) => orderId),
      ...ids((await store.listDeliveries({ search, limit: 9 })).items),
      ...ids((await store.listRequests({ search, limit: 9 })).items),
    ]
    for (const search of ['HERE-R', 'here-o', '@EXAMPLE', 'here-u'])
      expect(await found(search)).toContain(order.orderId)
    for (const search of ['here-d', 'HERE-W']) expect(await found(search)).toEqual(['here-d'])
    for (const search of ['here-q', '/HERE-P']) expect(await found(search)).toEqual(['here-q'])
    for (const search of ['secret', 'payout']) expect(await found(search)).toEqual([])
  })

  test('a search goes with filters and page by page', async () => {
    const { store } = given
    const { clientId } = await another(store)
    for (const requestId of ['a1', 'b', 'a2', 'a3'])
      await committed(store, { requestId, orderStatus: 'PAID' })
    await committed(store, { requestId: 'a4', orderStatus: 'PAID', clientId })
    await committed(store, { requestId: 'a5' })
    const query = { clientId: shop, status: 'PAID', where: { requestId: 'a*' }, search: 'A', limit: 2 }
    const found = async (newestFirst: boolean) =>
      (await pages((cursor) => store.listOrders({ ...query, cursor, newestFirst }))).flat()
    expect((await found(false)).map(({ requestId }) => requestId)).toEqual(['a1', 'a2', 'a3'])
    expect((await found(true)).map(({ requestId }) => requestId)).toEqual(['a3', 'a2', 'a1'])
  })

  test('pages of what fits show each once', async () => {
    const { store } = given
    for (const requestId of ['a1', 'b1', 'a2', 'b2', 'a3', 'b3']) await committed(store, { requestId })
    const query = { where: { requestId: 'a*' }, limit: 2 }
    const seen = await pages((cursor) => store.listOrders({ ...query, cursor }))
    expect(seen.flat().map(({ requestId }) => requestId)).toEqual(['a1', 'a2', 'a3'])
  })

  test('deliveries are asked for the outcome of their latest attempt, requests for their cause', async () => {
    const { store } = given
    const [tried, waiting] = [aDelivery({ eventType: 'e1' }), aDelivery({ eventType: 'e1', dueAt: 9_999 })]
    for (const delivery of [tried, waiting]) await deliver(store, delivery)
    await claim(store)
    const found = async (where: Readonly<Record<string, string>>) =>
      ids((await store.listDeliveries({ where, limit: 9 })).items)
    expect(await found({ outcome: 'unknown' })).toEqual([tried.id])
    expect(await found({ outcome: 'accepted' })).toEqual([])
    expect(await found({ eventType: 'e*' })).toEqual([tried.id, waiting.id])
    const refusal = anEntry({ diagnosis: { cause: 'token.missing', message: '' }, status: 401 })
    await store.appendRequests([anEntry(), refusal], atMost(9))
    const journalled = async (where: Readonly<Record<string, string>>) =>
      ids((await store.listRequests({ where, limit: 9 })).items)
    expect(await journalled({ 'diagnosis.cause': 'token.*' })).toEqual([refusal.id])
    expect(await journalled({ status: '4*' })).toEqual([refusal.id])
  })
}

const memberOf = (thing: unknown, name: string): unknown =>
  typeof thing === 'object' && thing !== null ? Reflect.get(thing, name) : undefined
