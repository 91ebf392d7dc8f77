import { expect, test } from 'vitest'
import { anEntry, several, shop } from '../factories.ts'
import { type Given, ids } from './given.ts'

export function requestsConform(given: Given): void {
  const kept = async () => ids((await given.store.listRequests({ limit: 99 })).items)

  test.each([
    ['plain', {}],
    ['of nobody', { clientId: null, operation: null, requestId: null }],
    [
      'diagnosed',
      {
        diagnosis: { cause: 'signature', message: 'm', stringToSign: 'a\nb', firstDifference: 0 },
        notes: ['x'],
      },
    ],
    [
      'binary and long',
      { body: '\0\u{1F9FE}'.repeat(50_000), response: '', headers: { 'x-a': '', __proto_: 'b' } },
    ],
  ])('an entry comes back as it was appended: %s', async (_, members) => {
    const entry = anEntry(members)
    await given.store.appendRequests([entry], 10)
    expect(await given.store.findRequest(entry.id)).toStrictEqual(entry)
    expect((await given.store.listRequests({ limit: 1 })).items).toStrictEqual([entry])
  })

  test('an entry that is not there is null', async () => {
    expect(await given.store.findRequest('nothing')).toBeNull()
  })

  test('entries come in the order of their appending', async () => {
    const entries = several(4, (n) => anEntry({ at: 9 - n, id: `e${9 - n}` }))
    await given.store.appendRequests(entries.slice(0, 3), 10)
    await given.store.appendRequests(entries.slice(3), 10)
    expect(await kept()).toEqual(ids(entries))
  })

  test('the oldest entries beyond the bound are pruned and counted', async () => {
    const entries = several(5, () => anEntry())
    await given.store.appendRequests(entries.slice(0, 3), 3)
    expect(await given.store.prunedRequests()).toBe(0)
    await given.store.appendRequests(entries.slice(3), 3)
    expect(await kept()).toEqual(ids(entries.slice(2)))
    expect(await given.store.findRequest(entries[0]?.id ?? '')).toBeNull()
    expect(await given.store.prunedRequests()).toBe(2)
  })

  test('more entries at once than the bound leave the newest', async () => {
    const entries = several(5, () => anEntry())
    await given.store.appendRequests(entries, 2)
    expect(await kept()).toEqual(ids(entries.slice(3)))
    expect(await given.store.prunedRequests()).toBe(3)
  })

  test('entries that were passed over are counted as pruned', async () => {
    await given.store.appendRequests([anEntry(), anEntry()], 1, 7)
    await given.store.appendRequests([], 1, 1)
    expect(await given.store.prunedRequests()).toBe(9)
  })

  test('a bound of none keeps none', async () => {
    await given.store.appendRequests([anEntry()], 0)
    expect(await kept()).toEqual([])
    expect(await given.store.prunedRequests()).toBe(1)
  })

  test('a lowered bound prunes at the next append, also of nothing', async () => {
    const entries = several(4, () => anEntry())
    await given.store.appendRequests(entries, 10)
    await given.store.appendRequests([], 1)
    expect(await kept()).toEqual(ids(entries.slice(3)))
  })

  test('appends of the same moment are bounded together', async () => {
    await Promise.all(several(10, () => given.store.appendRequests([anEntry(), anEntry()], 5)))
    expect(await kept()).toHaveLength(5)
    expect(await given.store.prunedRequests()).toBe(15)
  })

  test('an append that fails leaves nothing, not even in the count', async () => {
    const { store } = given
    const entry = anEntry()
    await store.appendRequests([entry], 3)
    await expect(store.appendRequests([anEntry(), entry], 3)).rejects.toThrow()
    await store.appendRequests([anEntry(), anEntry()], 3)
    expect(await kept()).toHaveLength(3)
    expect(await store.prunedRequests()).toBe(0)
  })

  test('the bound holds exactly after a reset took some entries away', async () => {
    const { store } = given
    await store.appendRequests([anEntry(), anEntry({ clientId: null }), anEntry()], 4)
    await store.reset({ clientId: shop, clients: false })
    await store.appendRequests(
      several(3, () => anEntry()),
      4,
    )
    expect(await kept()).toHaveLength(4)
    await store.appendRequests([anEntry()], 4)
    expect(await kept()).toHaveLength(4)
    expect(await store.prunedRequests()).toBe(1)
  })
}
