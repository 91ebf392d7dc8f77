import { expect, test } from 'vitest'
import type { DeliveryFault, FittingFault, StoredFault } from '../../../src/domain/faults/planned-fault.ts'
import { aClient, aDelivery, aFault, anOrder, aResult, several, shop } from '../factories.ts'
import {
  another,
  claimed,
  clientIn,
  deliver,
  due,
  finish,
  type Given,
  ids,
  refused,
  stored,
} from './given.ts'

export function faultsConform(given: Given): void {
  const plan = async (members: Partial<StoredFault> = {}): Promise<string> =>
    (await given.store.addFault(aFault(members), 's')).id
  const fitting = (id: string, limits: Partial<FittingFault['limits']> = {}): FittingFault => ({
    id,
    limits: { skip: 0, times: 1, probability: null, ...limits },
    endsAt: null,
    at: 0,
  })

  test('a fault is kept as it is, and nothing has met it', async () => {
    const { store } = given
    const planned = await store.addFault(aFault(), 's')
    expect(planned).toEqual({ ...aFault(), id: expect.stringMatching(/^flt_/), calls: 0, hits: 0 })
    expect(await store.faults()).toEqual([planned])
  })

  test('ids follow from the seed, the owner and its own place, also when others have gone', async () => {
    const { store } = given
    const { clientId } = await another(store)
    const first = await plan()
    await store.deleteFaults({ id: first })
    const planned = [await plan(), await plan({ clientId }), await plan({ clientId: null }), await plan()]
    expect(new Set([first, ...planned]).size).toBe(5)
    await store.reset({ clients: false })
    expect(await plan()).toBe(first)
    expect(await plan({ clientId })).toBe(planned[1])
    expect(await plan({ clientId: null })).toBe(planned[2])
    await store.reset({ clientId: shop, clients: false })
    expect((await store.addFault(aFault(), 't')).id).not.toBe(first)
    expect(await plan()).toBe(planned[0])
  })

  test('a client that is saved keeps its place and its beginning', async () => {
    const { store } = given
    const began = { at: 7, wallAt: 8 }
    const client = aClient({ began })
    await store.createClient(client)
    const planned = [await plan({ clientId: client.clientId })]
    await store.saveClient({ ...client, began: { at: 1, wallAt: 1 } })
    expect((await clientIn(store, client.clientId)).client.began).toEqual(began)
    planned.push(await plan({ clientId: client.clientId }))
    expect(new Set(planned).size).toBe(2)
  })

  test('a fault of a client that is gone is refused', async () => {
    await refused(plan({ clientId: 'nobody' }), 'client_unknown')
  })

  test('faults come in the order of their planning', async () => {
    const { clientId } = await another(given.store)
    const planned: string[] = []
    for (const owner of [shop, null, clientId, shop]) planned.push(await plan({ clientId: owner }))
    expect(ids(await given.store.faults())).toEqual(planned)
  })

  test('the first that is not over is hit, and those before it are counted', async () => {
    const { store } = given
    const [one, two, three] = [await plan(), await plan(), await plan()]
    const candidates = [fitting(one, { skip: 1 }), fitting(two), fitting(three)]
    const met = await store.countFault(candidates)
    expect(met).toEqual({
      hit: { id: two, calls: 1, hits: 1 },
      counts: [
        { id: one, calls: 1, hits: 0 },
        { id: two, calls: 1, hits: 1 },
      ],
      gone: [],
    })
    expect((await store.countFault(candidates)).hit).toEqual({ id: one, calls: 2, hits: 1 })
    expect((await store.countFault(candidates)).hit).toEqual({ id: three, calls: 1, hits: 1 })
    expect((await store.countFault(candidates)).hit).toBeNull()
    expect(await store.faults()).toMatchObject([
      { calls: 2, hits: 1 },
      { calls: 1, hits: 1 },
      { calls: 1, hits: 1 },
    ])
  })

  test('a fault that has ended counts nothing more', async () => {
    const { store } = given
    const one = await plan()
    const fault = { ...fitting(one, { times: null }), endsAt: 2_000 }
    expect((await store.countFault([{ ...fault, at: 1_999 }])).hit).toEqual({ id: one, calls: 1, hits: 1 })
    expect(await store.countFault([{ ...fault, at: 2_000 }])).toEqual({
      hit: null,
      counts: [{ id: one, calls: 1, hits: 1 }],
      gone: [],
    })
  })

  test('of many calls at once exactly as many are hit as the fault says', async () => {
    const { store } = given
    const one = await plan()
    const met = await Promise.all(several(20, () => store.countFault([fitting(one, { times: 3 })])))
    expect(met.flatMap(({ hit }) => (hit === null ? [] : [hit.hits])).toSorted()).toEqual([1, 2, 3])
  })

  test('a fault that is gone is passed over, and told', async () => {
    const two = await plan()
    const met = await given.store.countFault([fitting('one'), fitting(two)])
    expect(met).toMatchObject({ hit: { id: two }, gone: ['one'] })
  })

  test('faults are removed by their id, by their client, by both, or all', async () => {
    const { store } = given
    const planned: string[] = []
    for (const clientId of [shop, null, shop, shop]) planned.push(await plan({ clientId }))
    const [first = '', ofAll = '', ...others] = planned
    expect(await store.deleteFaults({ id: first, clientId: 'other' })).toBe(0)
    expect(await store.deleteFaults({ id: ofAll, clientId: shop })).toBe(0)
    expect(await store.deleteFaults({ id: first, clientId: shop })).toBe(1)
    expect(await store.deleteFaults({ id: first })).toBe(0)
    expect(ids(await store.faults())).toEqual([ofAll, ...others])
    expect(await store.deleteFaults({ clientId: shop })).toBe(2)
    expect(await store.deleteFaults({})).toBe(1)
    expect(await store.deleteFaults({})).toBe(0)
  })

  test('a reset of a client removes its faults, one of all removes all', async () => {
    const { store } = given
    const planned: string[] = []
    for (const clientId of [shop, null]) planned.push(await plan({ clientId }))
    await store.reset({ clientId: shop, clients: false })
    expect(ids(await store.faults())).toEqual([planned[1]])
    await store.reset({ clients: false })
    expect(await store.faults()).toEqual([])
  })

  test('a client that has faults can be removed', async () => {
    const { clientId } = await another(given.store)
    await plan({ clientId })
    await given.store.deleteClient(clientId)
    expect(await given.store.faults()).toEqual([])
  })

  /** Claims everything up to 1000 under some faults. */
  const claimUnder = (...faults: readonly DeliveryFault[]) => claimed(given.store, { faults })
  const aDeliveryFault = (id: string, members: Partial<DeliveryFault> = {}): DeliveryFault => ({
    ...fitting(id),
    where: {},
    effect: { faults: { countAs: 500 }, delayMs: 0 },
    ...members,
  })

  test('a claim meets the faults that fit it, and its plan says so for this attempt', async () => {
    const { store } = given
    const one = await plan()
    const [first, second] = [aDelivery({ requestId: 'r1' }), aDelivery({ requestId: 'r2' })]
    await deliver(store, first, second)
    const {
      claimed: taken,
      late,
      met,
    } = await claimUnder(aDeliveryFault(one, { where: { requestId: 'r2' } }))
    expect(late).toBe(0)
    expect(taken.map(({ id, plan }) => [id, plan])).toEqual([
      [first.id, null],
      [second.id, { faults: [{ fault: one, attempt: 1, countAs: 500 }] }],
    ])
    expect(met).toEqual({ counts: [{ id: one, calls: 1, hits: 1 }], gone: [] })
    expect((await stored(store, second.id)).plan).toEqual(taken[1]?.plan)
  })

  test('a claim meets a fault once for each attempt, and as often as the fault says', async () => {
    const { store } = given
    const one = await plan()
    const delivery = aDelivery()
    await deliver(store, delivery)
    const fault = aDeliveryFault(one, { limits: { skip: 0, times: 2, probability: null } })
    for (const attempt of [1, 2, 3]) {
      await claimUnder(fault)
      await finish(store, delivery.id, attempt, aResult({ next: { status: 'pending', dueAt: 1_000 } }))
    }
    expect((await stored(store, delivery.id)).plan?.faults).toEqual([
      { fault: one, attempt: 1, countAs: 500 },
      { fault: one, attempt: 2, countAs: 500 },
    ])
  })

  test('what a fault delays is put off, waits for nobody, and does not meet it again', async () => {
    const { store } = given
    const one = await plan()
    const order = anOrder()
    const { orderId, requestId } = order
    const [first, second] = [1, 2].map((sequence) => aDelivery({ orderId, requestId, sequence }))
    if (first === undefined || second === undefined) throw new Error('two deliveries')
    await deliver(store, first, second)
    const putOff = aDeliveryFault(one, {
      limits: { skip: 0, times: null, probability: null },
      where: { id: first.id },
      effect: { faults: {}, delayMs: 200 },
    })
    expect(await claimUnder(putOff)).toMatchObject({ claimed: [], late: 1 })
    expect(await stored(store, first.id)).toMatchObject({ status: 'pending', dueAt: 1_200, attempts: [] })
    expect((await claimUnder(putOff)).claimed.map(({ id }) => id)).toEqual([second.id])
    const later = await claimed(store, { until: 1_200, faults: [putOff] })
    expect(later.claimed.map(({ id }) => id)).toEqual([first.id])
  })

  test('what is held meets no fault before it is let go', async () => {
    const { store } = given
    const one = await plan()
    await deliver(store, aDelivery())
    await store.holdDeliveries(await due(store, { holds: [{}] }))
    await claimUnder(aDeliveryFault(one))
    expect(await store.faults()).toMatchObject([{ id: one, calls: 0 }])
  })

  test('what is dropped stays dropped after a crash', async () => {
    const { store } = given
    const one = await plan()
    const delivery = aDelivery()
    await deliver(store, delivery)
    const drop = aDeliveryFault(one, { effect: { faults: { drop: true }, delayMs: 0 } })
    await claimUnder(drop)
    await store.begin('s')
    const { claimed: again } = await claimUnder(drop)
    expect(again).toMatchObject([{ attempt: 2, plan: { faults: [{ fault: one, drop: true }] } }])
    expect(await store.faults()).toMatchObject([{ id: one, calls: 1 }])
  })
}
