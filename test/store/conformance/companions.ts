import { describe, expect, test } from 'vitest'
import type { ClientChange } from '../../../src/domain/order/decision.ts'
import { aChange, aDecision, aDelivery, anOrder, aToken, shop } from '../factories.ts'
import {
  another,
  clientIn,
  commit,
  committed,
  type Given,
  generationOf,
  historyOf,
  refused,
} from './given.ts'

/** Changes that can accompany a change of an order: another order that begins, and a changed client. */
export function companionsConform(given: Given): void {
  const changed: ClientChange = {
    webhookUrl: 'http://127.0.0.1:9/moved',
    webhookPaused: false,
    pausedAfter: null,
    failedInARow: 0,
    settings: { 'auth.tokenLifetime': '30s' },
    ownTokenExpired: true,
    tokensRefusedUntil: 5_000,
    tokensExpireAt: 2_000,
  }
  const { tokensExpireAt: _, ...members } = changed

  describe('an order that begins with the change of another', () => {
    const secondCharge = () => {
      const order = anOrder({ requestId: 'r', charge: 2, subscription: null })
      const delivery = aDelivery({ orderId: order.orderId, requestId: 'r' })
      return aDecision(order, { history: [{ at: 9, what: 'created' }], events: [delivery] })
    }

    test('is there with it, its history and its events too', async () => {
      const first = await committed(given.store, { requestId: 'r', charge: 1 })
      const opens = secondCharge()
      await commit(given.store, aChange(first, {}, { opens }))
      expect(await given.store.findOrder(opens.order.orderId)).toEqual(opens.order)
      expect(await given.store.ordersOf(shop, 'r')).toHaveLength(2)
      expect(await historyOf(given.store, opens.order.orderId)).toEqual(opens.history)
      expect((await given.store.listDeliveries({ limit: 10 })).items).toHaveLength(1)
    })

    test('is not there if the change is stale', async () => {
      const first = await committed(given.store, { requestId: 'r', charge: 1 })
      await commit(given.store, aChange(first))
      await refused(commit(given.store, aChange(first, {}, { opens: secondCharge() })), 'stale_order')
      expect(await given.store.ordersOf(shop, 'r')).toHaveLength(1)
    })

    test('takes the change with it if its number is taken', async () => {
      const first = await committed(given.store, { requestId: 'r', charge: 1 })
      await committed(given.store, { requestId: 'r', charge: 2 })
      const change = aChange(first, { orderStatus: 'MOVED' }, { opens: secondCharge() })
      await refused(commit(given.store, change), 'order_exists')
      expect(await given.store.findOrder(first.orderId)).toEqual(first)
    })
  })

  describe('a client that changes with an order', () => {
    test('is changed in these members and in no other', async () => {
      const before = await another(given.store, { clientId: 'c' })
      const order = await committed(given.store, { clientId: 'c' })
      await commit(given.store, aChange(order, {}, { client: changed }))
      expect((await clientIn(given.store, 'c')).client).toEqual({ ...before, ...members })
    })

    test('loses the tokens that live longer, and no other client does', async () => {
      const { clientId } = await another(given.store)
      const order = await committed(given.store)
      for (const token of [
        aToken({ token: 'long', expiresAt: 9_000 }),
        aToken({ token: 'short', expiresAt: 1_000 }),
        aToken({ token: 'other', clientId, expiresAt: 9_000 }),
      ])
        await given.store.saveToken(token, await generationOf(given.store, token.clientId), 0)
      await commit(given.store, aChange(order, {}, { client: changed }))
      const tokens = (await given.store.tokens()).map(({ token, expiresAt }) => [token, expiresAt])
      expect(tokens).toEqual([
        ['long', 2_000],
        ['short', 1_000],
        ['other', 9_000],
      ])
    })

    test('stays as it is if the change is stale', async () => {
      const order = await committed(given.store)
      await commit(given.store, aChange(order))
      const before = await given.store.clients()
      await refused(commit(given.store, aChange(order, {}, { client: changed })), 'stale_order')
      expect(await given.store.clients()).toEqual(before)
    })

    test('has its tokens back after a reset', async () => {
      const order = await committed(given.store)
      await commit(given.store, aChange(order, {}, { client: changed }))
      await given.store.reset({ clients: false })
      expect((await clientIn(given.store)).client).toMatchObject({
        ownTokenExpired: false,
        tokensRefusedUntil: null,
      })
    })
  })
}
