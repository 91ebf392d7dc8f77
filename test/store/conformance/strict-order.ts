import { describe, expect, test } from 'vitest'
import type { AttemptResult, NewDelivery } from '../../../src/domain/webhook/delivery.ts'
import { aDelivery, aResult, aSimulation, shop } from '../factories.ts'
import { another, claimed, clientIn, deliver, due, endOf, finish, type Given, ids, stored } from './given.ts'

const retryAt = (dueAt: number): AttemptResult =>
  aResult({ outcome: 'refused', status: 500, next: { status: 'pending', dueAt } })

/** Strict order (N71): each delivery of a client waits for all older ones, whatever their orders. */
export function strictOrderConform(given: Given): void {
  const add = (...deliveries: readonly NewDelivery[]) => deliver(given.store, ...deliveries)
  const claim = async (now = 1_000) =>
    ids((await claimed(given.store, { until: now, now, strict: true })).claimed)
  const nextDue = (now = 1_000) => given.store.nextDeliveryDue(shop, now, undefined, { strict: true })
  const blockers = async (...of: string[]) => Object.fromEntries(await given.store.blockersOf(of, 1_000))

  const [old, young, last] = ['old', 'young', 'last'].map((id) => aDelivery({ id, orderId: `of-${id}` }))
  if (old === undefined || young === undefined || last === undefined) throw new Error('three deliveries')

  describe('in strict order', () => {
    test('deliveries of different orders leave one after the other', async () => {
      await add(old, young, last)
      for (const id of ['old', 'young', 'last']) {
        expect(await claim()).toEqual([id])
        expect(await claim(), 'while it is in flight').toEqual([])
        await finish(given.store, id)
      }
    })

    test('the oldest leaves first, though a newer one was due earlier', async () => {
      await add(old, { ...young, dueAt: 500 })
      expect(await claim()).toEqual(['old'])
    })

    test('a retry holds newer ones back until it is accepted', async () => {
      await add(old, young)
      await claim()
      await finish(given.store, 'old', 1, retryAt(5_000))
      expect(await claim(4_999)).toEqual([])
      expect(await nextDue(), 'time may pass to the retry').toBe(5_000)
      expect(await claim(5_000)).toEqual(['old'])
      await finish(given.store, 'old', 2)
      expect(await claim(5_000)).toEqual(['young'])
    })

    test('a dead one holds nothing back, nor does a skipped one', async () => {
      await add(old, { ...young, status: 'skipped' }, last)
      await claim()
      await finish(given.store, 'old', 1, aResult({ outcome: 'refused', next: { status: 'dead' } }))
      expect(await claim()).toEqual(['last'])
    })

    test('a held one holds newer ones back, and nothing is due until it is released', async () => {
      await add(old, young)
      const { held } = await claimed(given.store, { strict: true, holds: [{ id: 'old' }] })
      expect(held).toEqual(['old'])
      expect(await claim(9_000)).toEqual([])
      expect(await nextDue()).toBeNull()
      expect(await given.store.ordersWithDeliveriesDue(shop, 9_000, undefined, { strict: true })).toEqual([])
      await given.store.releaseDeliveries(shop, {}, 1_000)
      expect(await claim()).toEqual(['old'])
    })

    test('a hold takes only the oldest: newer ones wait for it anyway', async () => {
      await add(old, young)
      const { held } = await claimed(given.store, { strict: true, holds: [{}] })
      expect(held).toEqual(['old'])
      expect((await stored(given.store, 'young')).status).toBe('pending')
    })

    test('a delayed one, or one without its create answer, holds back only once it is due', async () => {
      await add({ ...old, dueAt: 2_000, plan: { delayed: true } }, { ...young, dueAt: null }, last)
      expect(await claim()).toEqual(['last'])
      await finish(given.store, 'last', 1, retryAt(2_000))
      expect(await claim(2_000)).toEqual(['old'])
    })

    test('simultaneous copies still leave together', async () => {
      await add(old, { ...old, id: 'twin' }, young)
      expect(await claim()).toEqual(['old', 'twin'])
      await finish(given.store, 'old')
      expect(await claim()).toEqual([])
      await finish(given.store, 'twin')
      expect(await claim()).toEqual(['young'])
    })

    test('a further copy of an accepted one is no retry', async () => {
      await add(old, young)
      await claim()
      await finish(given.store, 'old', 1, aResult({ next: { status: 'pending', dueAt: 5_000 } }))
      expect(await claim()).toEqual(['young'])
    })

    test('simulations wait and hold back like events', async () => {
      await add(aSimulation({ id: 'first' }), young, aSimulation({ id: 'third' }))
      expect(await claim()).toEqual(['first'])
      await finish(given.store, 'first')
      expect(await claim()).toEqual(['young'])
      await finish(given.store, 'young')
      expect(await claim()).toEqual(['third'])
    })

    test('each client has its own order', async () => {
      const { clientId } = await another(given.store)
      await add({ ...old, clientId }, young)
      expect(await claim()).toEqual(['young'])
    })

    test('a crash in the middle of an attempt leaves the oldest the first', async () => {
      await add(old, young)
      await claim()
      await given.store.begin('later')
      expect(await claim()).toEqual(['old'])
    })

    test('an order that waits for a retry of another is not due; one behind an attempt in flight is', async () => {
      await add(old, young)
      await claim()
      const ordersDue = () => given.store.ordersWithDeliveriesDue(shop, 1_000, undefined, { strict: true })
      expect((await ordersDue()).toSorted()).toEqual(['of-old', 'of-young'])
      await finish(given.store, 'old', 1, retryAt(5_000))
      expect(await ordersDue()).toEqual([])
    })

    test('the store names the oldest that a due delivery waits for', async () => {
      await add(old, young, { ...last, dueAt: 2_000 })
      await claim()
      await finish(given.store, 'old', 1, retryAt(5_000))
      expect(await blockers('old', 'young', 'last', 'nothing')).toEqual({ young: 'old' })
      await given.store.holdDeliveries(await due(given.store, { until: 5_000, holds: [{ id: 'old' }] }))
      expect(await blockers('young')).toEqual({ young: 'old' })
    })

    test('nothing changes for those who do not ask for it', async () => {
      await add(old, young)
      expect(ids((await claimed(given.store)).claimed)).toEqual(['old', 'young'])
    })
  })

  describe('the end of an attempt with a state of the endpoint', () => {
    const endpoint = { webhookPaused: true, pausedAfter: 3, failedInARow: 3 }

    test('writes both, and keeps the rest of the client', async () => {
      await add(old)
      await claim()
      const { client } = await clientIn(given.store)
      const end = await endOf(given.store, 'old', 1, retryAt(5_000))
      expect(await given.store.finishAttempt({ ...end, endpoint })).toBe(true)
      expect((await clientIn(given.store)).client).toEqual({ ...client, ...endpoint })
    })

    test('writes neither if the attempt is not in flight', async () => {
      await add(old)
      const { client } = await clientIn(given.store)
      const end = await endOf(given.store, 'old', 1, retryAt(5_000))
      expect(await given.store.finishAttempt({ ...end, endpoint })).toBe(false)
      expect((await clientIn(given.store)).client).toEqual(client)
    })
  })

  test('a client keeps the secret before its rotation, and loses it again', async () => {
    const { client } = await clientIn(given.store)
    const rotated = { ...client, previousWebhookSecret: { secret: 'whsec_b2xk', validUntil: 5_000 } }
    await given.store.saveClient(rotated)
    expect((await clientIn(given.store)).client).toEqual(rotated)
    await given.store.saveClient(client)
    expect((await clientIn(given.store)).client).toEqual(client)
  })
}
