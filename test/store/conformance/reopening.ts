import { expect, test } from 'vitest'
import {
  aBinding,
  aChange,
  aCountedCall,
  aDelivery,
  anEntry,
  aResult,
  aRule,
  aToken,
  several,
  shop,
} from '../factories.ts'
import { another, atMost, claim, committed, deliver, type Given, historyOf, ids } from './given.ts'

export function reopeningConforms(given: Given): void {
  test('everything is there again', async () => {
    const { store } = given
    await another(store, { settings: {} })
    const event = aDelivery()
    const order = await committed(
      store,
      { nextDueAt: 4_000 },
      { history: [{ at: 1, what: 'created' }], events: [event] },
    )
    await store.commit(aChange(order, { orderStatus: 'PAID' }))
    await store.saveToken(aToken())
    await store.addBinding(aBinding())
    await store.saveScenarioVersion('sha', { scenarioJson: '{}', format: 2 })
    await store.appendRequests([anEntry(), anEntry()], atMost(1))
    await store.seed('seed')
    await store.saveCommonSettings({ 'orders.expiry': '7m' })
    await claim(store)
    await store.finishAttempt(event.id, 1, aResult())

    const everything = async () => ({
      clients: await given.store.clients(),
      orders: await given.store.listOrders({ limit: 9 }),
      history: await historyOf(given.store, order.orderId),
      deliveries: await given.store.listDeliveries({ limit: 9 }),
      tokens: await given.store.tokens(),
      binding: await given.store.bindingFor(shop, 'r'),
      version: await given.store.findScenarioVersion('sha'),
      requests: await given.store.listRequests({ limit: 9 }),
      pruned: await given.store.prunedRequests(),
      seed: await given.store.seed('other'),
      settings: await given.store.commonSettings(),
      nextOrderDue: await given.store.nextOrderDue(shop),
    })
    const before = await everything()
    await given.reopen()
    expect(await everything()).toEqual(before)
    expect(before.seed).toBe('seed')
  })

  test('what faults have counted goes on', async () => {
    const call = aCountedCall([aRule({ times: 2 })])
    await given.store.countAnswer(call)
    await given.reopen()
    expect(await given.store.countAnswer(call)).toMatchObject({ calls: 2 })
    expect(await given.store.countAnswer(call)).toBeNull()
  })

  test('an attempt in flight stays so until recovery', async () => {
    const delivery = aDelivery()
    await deliver(given.store, delivery)
    await claim(given.store)
    const store = await given.reopen()
    expect(await claim(store)).toEqual([])
    await store.recover()
    expect(ids(await claim(store))).toEqual([delivery.id])
  })

  test('a reader pages on with its cursor', async () => {
    const entries = several(4, () => anEntry())
    await given.store.appendRequests(entries, atMost(9))
    const { next } = await given.store.listRequests({ limit: 2 })
    await given.reopen()
    const rest = await given.store.listRequests({ limit: 2, cursor: next ?? '' })
    expect(ids(rest.items)).toEqual(ids(entries.slice(2)))
  })

  test('the bound of the journal still holds', async () => {
    await given.store.appendRequests([anEntry(), anEntry()], atMost(2))
    await given.reopen()
    await given.store.appendRequests([anEntry()], atMost(2))
    expect((await given.store.listRequests({ limit: 9 })).items).toHaveLength(2)
    expect(await given.store.prunedRequests()).toBe(1)
  })
}
