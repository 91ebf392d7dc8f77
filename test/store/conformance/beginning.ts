import { describe, expect, test } from 'vitest'
import { aDelivery, aResult, aSimulation, shop } from '../factories.ts'
import { claim, deliver, finish, type Given, generationOf, ids, stored } from './given.ts'

export function beginningConforms(given: Given): void {
  test('the first seed holds', async () => {
    expect(await given.store.begin('another')).toBe('seed')
    expect(await given.store.begin('')).toBe('seed')
  })

  describe('what another has left open', () => {
    test('in flight is due again at its old due time, with that attempt as unknown', async () => {
      const { store } = given
      const delivery = aDelivery({ dueAt: 700 })
      await deliver(store, delivery)
      await claim(store)
      await store.begin('')
      expect(await store.nextDeliveryDue(shop, 0)).toBe(700)
      expect(await claim(store)).toStrictEqual([{ ...delivery, attempt: 2 }])
      expect((await stored(store, delivery.id)).attempts.map(({ n, outcome }) => [n, outcome])).toEqual([
        [1, 'unknown'],
        [2, 'unknown'],
      ])
    })

    test('does not end when its result comes after all', async () => {
      const { store } = given
      const delivery = aDelivery()
      await deliver(store, delivery)
      await claim(store)
      await store.begin('')
      expect(await finish(store, delivery.id)).toBe(false)
    })

    test('keeps the order of first attempts: an unknown one may not have been sent', async () => {
      const { store } = given
      await deliver(
        store,
        aDelivery({ id: 'first', orderId: 'o', sequence: 1 }),
        aDelivery({ orderId: 'o', sequence: 2 }),
      )
      await claim(store)
      await store.begin('')
      expect(ids(await claim(store))).toEqual(['first'])
    })

    test.each([
      ['at its creation', null, 333],
      ['as much later as its plan says', { delayMs: 200 }, 533],
    ])('waiting for an answer is due %s', async (_, plan, dueAt) => {
      const { store } = given
      await deliver(store, aDelivery({ createdAt: 333, dueAt: null, plan }))
      await store.begin('')
      expect(await store.nextDeliveryDue(shop, 0)).toBe(dueAt)
    })

    test('is all that changes: no delivery else, and no generation', async () => {
      const { store } = given
      const done = aDelivery()
      await deliver(store, done)
      await claim(store)
      await finish(store, done.id, 1, aResult())
      await deliver(store, aDelivery({ dueAt: 5_000 }), aSimulation({ status: 'skipped', dueAt: null }))
      const before = await store.listDeliveries({ limit: 9 })
      const generation = await generationOf(store)
      await store.begin('')
      await store.begin('')
      expect(await store.listDeliveries({ limit: 9 })).toEqual(before)
      expect(await generationOf(store)).toBe(generation)
    })
  })

  test('closing completes what was called before, and nothing is done afterwards', async () => {
    const { store } = given
    const saving = store.saveScenarioText('early', 'text')
    const reading = store.scenarioTexts()
    const closing = store.close()
    const late = [store.saveScenarioText('late', 'text'), store.clients(), store.begin(''), store.snapshot()]
    for (const result of await Promise.allSettled(late)) expect(result.status).toBe('rejected')
    await closing
    await saving
    expect(await reading).toEqual([{ id: 'early', text: 'text' }])
    await expect(store.commonSettings()).rejects.toThrow()
    await store.close()
  })
}
