import { describe, expect, test } from 'vitest'
import type { Where } from '../../../src/domain/text/where.ts'
import type { NewDelivery } from '../../../src/domain/webhook/delivery.ts'
import { aDecision, aDelivery, anOrder, aResult, aSimulation, several, shop } from '../factories.ts'
import {
  another,
  claim,
  claimed,
  commit,
  deliver,
  due,
  finish,
  type Given,
  ids,
  refused,
  stored,
} from './given.ts'

const retry = aResult({ outcome: 'refused', status: 500, next: { status: 'pending', dueAt: 1_000 } })

export function holdsConform(given: Given): void {
  const add = (...deliveries: readonly NewDelivery[]) => deliver(given.store, ...deliveries)
  const holdOf = async (clientId: string, until: number, ...holds: readonly Where[]) =>
    given.store.holdDeliveries(await due(given.store, { clientId, until, holds }))
  const hold = (...holds: readonly Where[]) => holdOf(shop, 1_000, ...holds)
  const holdAll = async () => {
    while ((await hold({})).length > 0);
  }
  const claimedIds = async () => ids(await claim(given.store))
  const statusOf = async (id: string) => (await stored(given.store, id)).status

  describe('holding', () => {
    test('keeps back what is due and fits, and leaves the rest', async () => {
      const [fits, begins, other, late] = [
        aDelivery({ eventType: 'e1' }),
        aDelivery({ eventType: 'x-2' }),
        aDelivery({ eventType: 'e2' }),
        aDelivery({ eventType: 'e1', dueAt: 1_001 }),
      ]
      await add(fits, begins, other, late)
      expect(await hold({ eventType: 'e1' }, { eventType: 'x-*' })).toEqual(ids([fits, begins]))
      expect(await hold({ eventType: 'e1' }, { eventType: 'x-*' })).toEqual([])
      expect(await statusOf(fits.id)).toBe('held')
      expect(await statusOf(begins.id)).toBe('held')
      expect(await statusOf(late.id)).toBe('pending')
      expect(await claimedIds()).toEqual([other.id])
    })

    test('asks for all members at once', async () => {
      const created = aDelivery({ orderId: 'o', sequence: 1 })
      const completed = aDelivery({ orderId: 'o', sequence: 2, orderStatus: 'COMPLETED' })
      await add(created, completed)
      expect(await hold({ orderId: 'o', orderStatus: 'COMPLETED' }), 'it waits behind the first').toEqual([])
      expect(await hold({ orderId: 'o', orderStatus: 'CREATED' })).toEqual([created.id])
      expect(await claimedIds(), 'what is held blocks nothing').toEqual([completed.id])
    })

    test('keeps to its client and leaves what is in flight', async () => {
      const { clientId } = await another(given.store)
      const flying = aDelivery()
      await add(flying)
      await claim(given.store)
      await add(aDelivery({ clientId }))
      expect(await hold({})).toEqual([])
      expect(await finish(given.store, flying.id, 1, aResult())).toBe(true)
    })

    test('comes before a claim, in the same transaction: nothing that fits is claimed', async () => {
      const deliveries = several(3, () => aDelivery({ eventType: 'e1' }))
      const other = aDelivery({ dueAt: 999 })
      await add(...deliveries, other)
      const asked = { limit: 3, holds: [{ eventType: 'e1' }] }
      expect(await claimed(given.store, asked)).toMatchObject({ claimed: [], held: ids(deliveries) })
      const next = await claimed(given.store, asked)
      expect([ids(next.claimed), next.held]).toEqual([[other.id], []])
    })

    test('keeps a retry back too', async () => {
      const delivery = aDelivery()
      await add(delivery)
      await claim(given.store)
      await finish(given.store, delivery.id, 1, retry)
      expect(await hold({})).toEqual([delivery.id])
      expect(await stored(given.store, delivery.id)).toMatchObject({ status: 'held', attempts: [{ n: 1 }] })
    })

    test('makes nothing due', async () => {
      await add(aDelivery())
      await hold({})
      expect(await given.store.nextDeliveryDue(shop, 0)).toBeNull()
      expect(await given.store.ordersWithDeliveriesDue(shop, 9_999)).toEqual([])
      const skipped = await given.store.skipDeliveries(await due(given.store, { until: 9_999, limit: 9 }))
      expect(skipped).toEqual([])
    })
  })

  describe('releasing', () => {
    test('makes due what fits, past every hold, and leaves the rest held', async () => {
      const [one, other] = [aDelivery({ eventType: 'e1' }), aDelivery()]
      await add(one, other)
      await hold({})
      expect(await given.store.releaseDeliveries(shop, { eventType: 'e1' }, 1_500)).toEqual({
        released: [one.id],
        next: null,
      })
      expect(await stored(given.store, one.id)).toMatchObject({ status: 'pending', dueAt: 1_500 })
      expect(await holdOf(shop, 1_500, {})).toEqual([])
      expect(ids(await claim(given.store, { now: 1_500 }))).toEqual([one.id])
      expect(await statusOf(other.id)).toBe('held')
    })

    test('lets one attempt pass: the retry after it is kept back again', async () => {
      const delivery = aDelivery()
      await add(delivery)
      await hold({})
      await given.store.releaseDeliveries(shop, {}, 1_000)
      await claim(given.store)
      await finish(given.store, delivery.id, 1, retry)
      expect(await hold({})).toEqual([delivery.id])
    })

    test('puts first attempts of one order back in sequence, and retries and simulations not', async () => {
      const events = several(3, (n) => aDelivery({ orderId: 'o', sequence: n + 1 }))
      const simulation = aSimulation({ orderId: 'o' })
      await add(...events, simulation)
      await holdAll()
      const released = await given.store.releaseDeliveries(shop, {}, 1_000)
      expect(released).toEqual({ released: ids([...events, simulation]), next: null })
      expect(await claimedIds()).toEqual([events[0]?.id, simulation.id])
    })

    test('goes through many a part at a time, in order', async () => {
      const events = several(2_100, () => aDelivery({ orderId: 'o', sequence: 0 }))
      const order = anOrder({ orderId: 'o' })
      await commit(given.store, aDecision(order, { events }))
      await holdAll()
      const released: string[] = []
      let after: number | null = 0
      do {
        const part = await given.store.releaseDeliveries(shop, {}, 1_000, after)
        released.push(...part.released)
        after = part.next
      } while (after !== null)
      expect(released).toEqual(ids(events))
    })

    test('is of one client', async () => {
      const { clientId } = await another(given.store)
      const theirs = aDelivery({ clientId })
      await add(theirs)
      await holdOf(clientId, 1_000, {})
      expect(await given.store.releaseDeliveries(shop, {}, 1_000)).toEqual({ released: [], next: null })
      expect(await statusOf(theirs.id)).toBe('held')
    })
  })

  describe('sending again', () => {
    test.each(['delivered', 'dead'] as const)(
      'makes a %s one due, with its id and bytes, as its next attempt',
      async (status) => {
        const delivery = aDelivery()
        await add(delivery)
        await claim(given.store)
        await finish(given.store, delivery.id, 1, aResult({ next: { status } }))
        const again = await given.store.resendDelivery(delivery.id, 2_000)
        expect(again).toMatchObject({
          id: delivery.id,
          status: 'pending',
          dueAt: 2_000,
          attempts: [{ n: 1 }],
        })
        expect(await claim(given.store, { now: 2_000 })).toStrictEqual([
          { ...delivery, dueAt: 2_000, attempt: 2 },
        ])
      },
    )

    test('makes due what was skipped, what is held and what waits', async () => {
      const [skipped, held, waiting] = [
        aDelivery({ status: 'skipped' }),
        aDelivery(),
        aDelivery({ dueAt: null }),
      ]
      await add(skipped, held, waiting)
      await hold({ id: held.id })
      for (const { id } of [skipped, held, waiting]) await given.store.resendDelivery(id, 1_000)
      expect(await hold({}), 'no hold keeps it back').toEqual([])
      expect(await claimedIds()).toEqual(ids([skipped, held, waiting]))
    })

    test('refuses during an attempt, and for what is not there', async () => {
      const delivery = aDelivery()
      await add(delivery)
      await claim(given.store)
      await refused(given.store.resendDelivery(delivery.id, 1), 'delivery_in_flight')
      await refused(given.store.resendDelivery('nothing', 1), 'delivery_unknown')
    })
  })
}
