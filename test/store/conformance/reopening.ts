import { expect, test } from 'vitest'
import { aClient, aCountedCall, aDelivery, anEntry, aRule, several, shop } from '../factories.ts'
import { another, atMost, claim, deliver, type Given, generationOf, ids } from './given.ts'
import { everythingIn, fill, fillCommon, inOneForm, taken } from './worlds.ts'

/** For stores that outlive their process. */
export function reopeningConforms(given: Given): void {
  test('everything is there again, and the worlds have their numbers', async () => {
    const { clientId } = await another(given.store)
    for (const owner of [shop, clientId]) await fill(given.store, owner)
    await fillCommon(given.store)
    const all = async () => [
      await everythingIn(given.store),
      inOneForm(await taken(given.store)),
      (await given.store.clients()).map(({ generation }) => generation),
      await given.store.findScenarioVersion('v1'),
    ]
    const before = await all()
    await given.reopen()
    expect(await all()).toEqual(before)
    expect(await given.store.begin('other')).toBe('seed')
  })

  test('numbers of worlds do not come again', async () => {
    const seen = [await generationOf(given.store)]
    for (let n = 0; n < 3; n++) {
      await given.store.deleteClient(shop)
      await given.reopen()
      seen.push(await given.store.createClient(aClient({ clientId: shop })))
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
  })

  test('what faults have counted goes on', async () => {
    const count = async () =>
      given.store.countAnswer({
        ...aCountedCall([aRule({ times: 2 })]),
        generation: await generationOf(given.store),
      })
    await count()
    await given.reopen()
    expect(await count()).toMatchObject({ calls: 2 })
    expect(await count()).toBeNull()
  })

  test('what was in flight is due again', async () => {
    const delivery = aDelivery()
    await deliver(given.store, delivery)
    await claim(given.store)
    const store = await given.reopen()
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

  test('the bound of the request log still holds', async () => {
    await given.store.appendRequests([anEntry(), anEntry()], atMost(2))
    await given.reopen()
    await given.store.appendRequests([anEntry()], atMost(2))
    expect(await given.store.listRequests({ limit: 9 })).toMatchObject({ items: { length: 2 }, pruned: 1 })
  })
}
