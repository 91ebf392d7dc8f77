import { describe, expect, test } from 'vitest'
import type { NewDelivery } from '../../../src/domain/webhook/delivery.ts'
import { aClient, aDelivery, aResult, aSimulation, several, shop } from '../factories.ts'
import {
  another,
  claim,
  claimed,
  deliver,
  due,
  endOf,
  finish,
  type Given,
  ids,
  release,
  stored,
} from './given.ts'

const failed = (dueAt: number) =>
  aResult({
    outcome: 'timeout',
    status: null,
    responseBody: null,
    error: 'slow',
    next: { status: 'pending', dueAt },
  })

export function claimsConform(given: Given): void {
  const add = (...deliveries: readonly NewDelivery[]) => deliver(given.store, ...deliveries)
  const claimedIds = async (options = {}) => ids(await claim(given.store, options))
  const skip = async (until: number, limit: number) =>
    given.store.skipDeliveries(await due(given.store, { until, limit }))

  describe('a claim', () => {
    test('answers the delivery as it was added, with its attempt', async () => {
      const delivery = aDelivery()
      await add(delivery)
      expect(await claim(given.store)).toStrictEqual([{ ...delivery, attempt: 1 }])
    })

    test('writes the attempt as unknown, and where it goes', async () => {
      const delivery = aDelivery()
      await add(delivery)
      const { store } = given
      await claimed(store, { until: 1_234, wallNow: 5_678, url: 'http://a.test/' })
      expect(await stored(store, delivery.id)).toMatchObject({
        status: 'pending',
        url: 'http://a.test/',
        dueAt: 1_000,
        attempts: [
          {
            n: 1,
            at: 1_234,
            wallAt: 5_678,
            url: 'http://a.test/',
            outcome: 'unknown',
            status: null,
            ms: null,
            requestHeaders: {},
            responseBody: null,
            error: null,
          },
        ],
      })
    })

    test('takes nothing twice', async () => {
      await add(aDelivery())
      expect(await claimedIds()).toHaveLength(1)
      expect(await claimedIds()).toEqual([])
    })

    test('takes nothing twice when several run at once', async () => {
      const deliveries = several(10, () => aDelivery())
      await add(...deliveries)
      const claims = await Promise.all(several(4, () => claim(given.store, { limit: 3 })))
      expect(claims.map((one) => one.length)).toEqual([3, 3, 3, 1])
      expect(ids(claims.flat())).toEqual(ids(deliveries))
    })

    test('takes by due time, then by order of commit, up to its limit', async () => {
      const late = aDelivery({ dueAt: 900 })
      const [first, second] = [aDelivery({ dueAt: 800 }), aDelivery({ dueAt: 800 })]
      await add(late, first, second)
      expect(await claimedIds({ limit: 2 })).toEqual(ids([first, second]))
      expect(await claimedIds({ limit: 2 })).toEqual([late.id])
    })

    test('answers by due time too, whatever was committed first', async () => {
      const deliveries = [aDelivery({ dueAt: 900 }), aDelivery({ dueAt: 700 }), aDelivery({ dueAt: 800 })]
      await add(...deliveries)
      expect((await claim(given.store)).map(({ dueAt }) => dueAt)).toEqual([700, 800, 900])
    })

    test('takes what is due at the moment, not after it', async () => {
      const now = aDelivery({ dueAt: 1_000 })
      await add(now, aDelivery({ dueAt: 1_001 }))
      expect(await claimedIds({ now: 1_000 })).toEqual([now.id])
    })

    test('passes over what waits, is skipped, or is of another client', async () => {
      const { clientId } = await another(given.store)
      await add(aDelivery({ dueAt: null }), aDelivery({ status: 'skipped' }), aDelivery({ clientId }))
      expect(await claimedIds()).toEqual([])
    })
  })

  describe('the order of first attempts', () => {
    const first = () => aDelivery({ id: 'first', orderId: 'o', sequence: 1 })
    const second = () => aDelivery({ id: 'second', orderId: 'o', sequence: 2, dueAt: 500 })
    const third = () => aDelivery({ id: 'third', orderId: 'o', sequence: 3, dueAt: 600 })

    test('holds when later events were due earlier', async () => {
      await add(first(), second(), third())
      expect(await claimedIds()).toEqual(['first'])
      expect(await claimedIds()).toEqual([])
      await finish(given.store, 'first', 1, aResult())
      expect(await claimedIds()).toEqual(['second'])
      expect(await claimedIds()).toEqual([])
      await finish(given.store, 'second', 1, aResult())
      expect(await claimedIds()).toEqual(['third'])
    })

    test('holds when the later event was committed earlier', async () => {
      await add(second(), first())
      expect(await claimedIds()).toEqual(['first'])
    })

    test('holds only from the moment when the first event is due: a delayed one blocks nothing (N46)', async () => {
      const plan = { delayed: true } as const
      await add({ ...first(), dueAt: 2_000, plan }, second(), { ...third(), dueAt: 2_000, plan })
      expect(await claimedIds({ now: 1_999 })).toEqual(['second'])
      expect(await claimedIds({ now: 2_000 })).toEqual(['first'])
      expect(await claimedIds({ now: 2_000 })).toEqual([])
      await finish(given.store, 'first', 1, aResult())
      await finish(given.store, 'second', 1, aResult())
      expect(await claimedIds({ now: 2_000 })).toEqual(['third'])
    })

    test('lets go those of one sequence together, and the next one after both', async () => {
      await add(first(), { ...first(), id: 'twin' }, second())
      expect(await claimedIds()).toEqual(['first', 'twin'])
      await finish(given.store, 'first', 1, aResult())
      expect(await claimedIds()).toEqual([])
      await finish(given.store, 'twin', 1, aResult())
      expect(await claimedIds()).toEqual(['second'])
    })

    test('holds while the first event waits for the answer of its create call', async () => {
      await add({ ...first(), dueAt: null }, second())
      expect(await claimedIds()).toEqual([])
      await release(given.store, 'o', 1_000)
      expect(await claimedIds()).toEqual(['first'])
    })

    test('holds when the answer left after the moment that is claimed for', async () => {
      await add({ ...first(), dueAt: null }, second())
      await release(given.store, 'o', 1_003)
      expect(await claimedIds({ now: 1_002 })).toEqual([])
      expect(await given.store.nextDeliveryDue(shop, 1_002)).toBe(1_003)
      expect(await claimedIds({ now: 1_003 })).toEqual(['first'])
    })

    test('holds when the answer makes the first event due later than the second', async () => {
      await add({ ...first(), dueAt: null, plan: { delayed: true, delayMs: 500 } }, second())
      await release(given.store, 'o', 1_000)
      expect(await claimedIds({ now: 1_500 })).toEqual(['first'])
    })

    test.each([
      ['delivered', aResult()],
      ['dead', aResult({ outcome: 'refused', status: 410, next: { status: 'dead' } })],
      ['to be retried', failed(9_000)],
    ])('goes on when the first event is %s', async (_, result) => {
      await add(first(), second())
      await claim(given.store)
      await finish(given.store, 'first', 1, result)
      expect(await claimedIds()).toEqual(['second'])
    })

    test('is not that of retries: they block nothing, also while in flight', async () => {
      await add(first(), second(), third())
      await claim(given.store)
      await finish(given.store, 'first', 1, failed(400))
      expect(await claimedIds()).toEqual(['first', 'second'])
      await finish(given.store, 'second', 1, aResult())
      expect(await claimedIds()).toEqual(['third'])
    })

    test('goes on past an event that was born skipped', async () => {
      await add({ ...first(), status: 'skipped' }, second())
      expect(await claimedIds()).toEqual(['second'])
    })

    test('is each order’s own', async () => {
      await add(first(), second(), aDelivery({ id: 'other', orderId: 'o2', sequence: 2 }))
      expect(await claimedIds()).toEqual(['first', 'other'])
    })

    test('is no concern of simulations: they neither block nor wait', async () => {
      await add(
        aSimulation({ id: 'before', orderId: 'o' }),
        first(),
        second(),
        aSimulation({ id: 'after', orderId: 'o' }),
      )
      expect(await claimedIds()).toEqual(['before', 'first', 'after'])
      await finish(given.store, 'first', 1, aResult())
      expect(await claimedIds()).toEqual(['second'])
    })

    test('is taken one by one, however many are due at once', async () => {
      await add(...several(5, (n) => aDelivery({ orderId: 'o', sequence: n + 1 })))
      const lengths: number[] = []
      for (let round = 0; round < 5; round++) {
        const claimed = await claim(given.store)
        lengths.push(claimed.length)
        for (const { id, attempt } of claimed) await finish(given.store, id, attempt, aResult())
      }
      expect(lengths).toEqual([1, 1, 1, 1, 1])
    })
  })

  describe('finishing an attempt', () => {
    test('keeps its result', async () => {
      const delivery = aDelivery()
      await add(delivery)
      await claim(given.store)
      const result = aResult({ requestHeaders: { 'x-ü': '\u{1F9FE}' }, responseBody: 'a\0b' })
      expect(await finish(given.store, delivery.id, 1, result)).toBe(true)
      const { next, ...told } = result
      expect(await stored(given.store, delivery.id)).toMatchObject({
        status: 'delivered',
        attempts: [{ n: 1, ...told }],
      })
    })

    test('keeps what is known of earlier attempts, whole', async () => {
      const delivery = aDelivery()
      await add(delivery)
      const { store } = given
      const results = [
        failed(2_000),
        aResult({
          outcome: 'refused',
          status: 503,
          requestHeaders: { n: '2' },
          next: { status: 'pending', dueAt: 3_000 },
        }),
        aResult({ requestHeaders: { n: '3' } }),
      ]
      const attempts = []
      for (const [index, { next, ...told }] of results.entries()) {
        const moment = { at: 1_000 * (index + 1), wallAt: 7_000 + index, url: `http://a.test/${index}` }
        const { at: now, wallAt: wallNow, url } = moment
        await claimed(store, { until: now, wallNow, url })
        await finish(store, delivery.id, index + 1, { ...told, next })
        attempts.push({ n: index + 1, ...moment, ...told })
        expect((await stored(store, delivery.id)).attempts).toEqual(attempts)
      }
      expect(await stored(store, delivery.id)).toMatchObject({ status: 'delivered', url: 'http://a.test/2' })
    })

    test('with a retry makes it claimable at its new due time, as the next attempt', async () => {
      const delivery = aDelivery()
      await add(delivery)
      await claim(given.store)
      await finish(given.store, delivery.id, 1, failed(1_500))
      expect(await given.store.nextDeliveryDue(shop, 0)).toBe(1_500)
      expect(await claimedIds({ now: 1_499 })).toEqual([])
      expect(await claim(given.store, { now: 1_500 })).toStrictEqual([
        { ...delivery, dueAt: 1_500, attempt: 2 },
      ])
    })

    test.each(['delivered', 'dead'] as const)('ends the delivery: %s', async (status) => {
      const delivery = aDelivery()
      await add(delivery)
      await claim(given.store)
      await finish(given.store, delivery.id, 1, aResult({ next: { status } }))
      expect((await stored(given.store, delivery.id)).status).toBe(status)
      expect(await claimedIds({ now: 9_999 })).toEqual([])
      expect(await given.store.nextDeliveryDue(shop, 0)).toBeNull()
    })

    test('answers false and changes nothing for an attempt that is not in flight', async () => {
      const delivery = aDelivery()
      await add(delivery)
      const { store } = given
      const unchanged = async (attempt: number) => {
        const before = await stored(store, delivery.id)
        expect(await finish(store, delivery.id, attempt, failed(1))).toBe(false)
        expect(await stored(store, delivery.id)).toEqual(before)
      }
      await unchanged(0)
      await unchanged(1)
      await claim(store)
      await unchanged(2)
      await finish(store, delivery.id, 1, failed(1_000))
      await unchanged(1)
      await claim(store)
      await unchanged(1)
      await finish(store, delivery.id, 2, aResult())
      await unchanged(2)
    })

    test('happens once when two finish it at once', async () => {
      const delivery = aDelivery()
      await add(delivery)
      await claim(given.store)
      const end = await endOf(given.store, delivery.id, 1, failed(2_000))
      const answers = [end, { ...end, result: aResult() }].map((each) => given.store.finishAttempt(each))
      expect(await Promise.all(answers)).toEqual([true, false])
      expect(await stored(given.store, delivery.id)).toMatchObject({ status: 'pending', dueAt: 2_000 })
    })

    test('answers false for a delivery that never was', async () => {
      expect(await finish(given.store, 'nothing', 1, aResult())).toBe(false)
    })

    test('answers false where the delivery is not of the client', async () => {
      const { clientId } = await another(given.store)
      const delivery = aDelivery()
      await add(delivery)
      await claim(given.store)
      expect(await finish(given.store, delivery.id, 1, aResult(), clientId)).toBe(false)
      expect((await stored(given.store, delivery.id)).attempts).toMatchObject([{ outcome: 'unknown' }])
    })

    test.each([
      ['reset', () => given.store.reset({ clients: false })],
      ['reset of the client', () => given.store.reset({ clientId: shop, clients: false })],
      ['deletion of the client', () => given.store.deleteClient(shop)],
    ])('answers false after the %s, also when the same delivery comes again', async (_, wipe) => {
      const delivery = aDelivery()
      await add(delivery)
      await claim(given.store)
      const end = await endOf(given.store, delivery.id)
      await wipe()
      expect(await given.store.finishAttempt(end)).toBe(false)
      if ((await given.store.clients()).length === 0)
        await given.store.createClient(aClient({ clientId: shop }))
      await add(delivery)
      await claim(given.store)
      expect(await given.store.finishAttempt(end)).toBe(false)
      const untouched = { status: 'pending', attempts: [{ outcome: 'unknown' }] }
      expect(await stored(given.store, delivery.id)).toMatchObject(untouched)
    })
  })

  describe('skipping', () => {
    test('takes what a claim would take, in its order, and answers it', async () => {
      const [late, early] = [aDelivery({ dueAt: 900 }), aDelivery({ dueAt: 800 })]
      await add(late, early, aDelivery({ dueAt: 1_001 }), aDelivery({ dueAt: null }))
      const skipped = await skip(1_000, 9)
      expect(skipped).toStrictEqual(
        [early, late].map((one) => ({ ...one, status: 'skipped', url: null, attempts: [] })),
      )
      expect(await stored(given.store, late.id)).toEqual(skipped[1])
      expect(await skip(1_000, 9)).toEqual([])
    })

    test('keeps to its limit and its client', async () => {
      const { clientId } = await another(given.store)
      await add(...several(3, () => aDelivery()), aDelivery({ clientId }))
      expect(await skip(1_000, 2)).toHaveLength(2)
      expect(await skip(1_000, 2)).toHaveLength(1)
      expect(await given.store.nextDeliveryDue(clientId, 0)).toBe(1_000)
    })

    test('leaves what is in flight', async () => {
      const delivery = aDelivery()
      await add(delivery)
      await claim(given.store)
      expect(await skip(1_000, 9)).toEqual([])
      expect(await finish(given.store, delivery.id, 1, aResult())).toBe(true)
    })

    test('ends the waiting of later events, one by one', async () => {
      const events = several(3, (n) => aDelivery({ orderId: 'o', sequence: n + 1 }))
      await add(...events)
      for (const { id } of events) expect(ids(await skip(1_000, 9))).toEqual([id])
    })

    test('keeps the attempts of what was to be retried', async () => {
      const delivery = aDelivery()
      await add(delivery)
      await claim(given.store)
      await finish(given.store, delivery.id, 1, failed(1_000))
      const [skipped] = await skip(1_000, 9)
      expect(skipped?.attempts).toHaveLength(1)
    })
  })

  test('orders with deliveries due: pending ones, also in flight or behind an earlier one, and no others', async () => {
    const { store } = given
    await deliver(
      store,
      aDelivery({ id: 'flying', orderId: 'a', sequence: 1 }),
      aDelivery({ id: 'behind', orderId: 'a', sequence: 2 }),
      aDelivery({ id: 'done', orderId: 'b', sequence: 1 }),
      aDelivery({ id: 'later', orderId: 'c', sequence: 1, dueAt: 5_000 }),
      aDelivery({ id: 'unanswered', orderId: 'd', sequence: 1, dueAt: null }),
    )
    await claim(store)
    await finish(store, 'done', 1, aResult())
    expect(await store.ordersWithDeliveriesDue(shop, 1_000)).toEqual(['a'])
    await finish(store, 'flying', 1, aResult())
    expect(await store.ordersWithDeliveriesDue(shop, 1_000), 'the one behind is left').toEqual(['a'])
    expect(await store.ordersWithDeliveriesDue(shop, 5_000, ['c', 'x'])).toEqual(['c'])
    expect(await store.ordersWithDeliveriesDue('another', 5_000)).toEqual([])
  })
}
