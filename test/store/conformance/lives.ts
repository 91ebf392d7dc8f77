import { describe, expect, test } from 'vitest'
import type { LifeSpan } from '../../../src/domain/life-span.ts'
import type { Store } from '../../../src/store/store.ts'
import { aDecision, aDelivery, anOrder, aSimulation, aToken, shop } from '../factories.ts'
import { committed, type Given, refused, stored, taken } from './given.ts'

export function livesConform(given: Given): void {
  describe('what was decided in a world is refused in the next', () => {
    /** Ends the life in the turn in which the verb resolves, as its caller does. */
    const ending = (verb: Promise<unknown>) => {
      const life = { ended: false }
      const over = verb.then(() => {
        life.ended = true
      })
      return { life, over }
    }
    const replacing: readonly (readonly [string, (store: Store) => Promise<Promise<unknown>[]>])[] = [
      ['a reset', async (store) => [store.reset({ clients: false })]],
      ['a deletion', async (store) => [store.deleteClient(shop)]],
      [
        'a load',
        async (store) => [
          store.load({ clients: await store.clients(), tokens: [], scenarios: [], orders: [] }, [shop]),
        ],
      ],
      [
        'a restore',
        async (store) => {
          const snapshot = await store.readSnapshot(await taken(store))
          return [snapshot.write(1).finally(() => snapshot.close())]
        },
      ],
    ]

    test.each(replacing)('after %s that was asked for in the same turn', async (_, replace) => {
      const { store } = given
      const [verb = Promise.reject(new Error('nothing replaces'))] = await replace(store)
      const { life, over } = ending(verb)
      const order = anOrder()
      const committing = refused(store.commit(aDecision(order), life), 'world_ended')
      await over
      await committing
      expect(await store.findOrder(order.orderId)).toBeNull()
    })

    const writes: readonly (readonly [string, (store: Store, life: LifeSpan) => Promise<void>])[] = [
      ['a token', (store, life) => store.saveToken(aToken(), life)],
      ['a simulation', (store, life) => store.addDelivery(aSimulation(), life)],
      ['the release of an answer', (store, life) => store.releaseAnswer('o', 1, life)],
    ]

    test.each(writes)('%s', async (_, write) => {
      await refused(write(given.store, { ended: true }), 'world_ended')
      await write(given.store, { ended: false })
    })

    test('and what waits for its answer goes on waiting', async () => {
      const { store } = given
      const delivery = aDelivery({ orderId: 'o', dueAt: null })
      await committed(store, { orderId: 'o' }, { events: [delivery] })
      await refused(store.releaseAnswer('o', 1, { ended: true }), 'world_ended')
      expect((await stored(store, delivery.id)).dueAt).toBeNull()
    })
  })
}
