import { expect, test } from 'vitest'
import { anEntry, several, shop } from '../factories.ts'
import { atMost, type Given, ids } from './given.ts'

export function requestsConform(given: Given): void {
  const kept = async () => ids((await given.store.listRequests({ limit: 99 })).items)
  const pruned = async () => (await given.store.listRequests({ limit: 1 })).pruned

  test.each([
    ['plain', {}],
    ['of nobody', { clientId: null, operation: null, requestId: null }],
    [
      'diagnosed',
      {
        diagnosis: {
          cause: 'signature.wrong' as const,
          message: 'm',
          stringToSign: 'a\nb',
          firstDifference: 0,
        },
        notes: ['x'],
      },
    ],
    [
      'binary and long',
      { body: '\0\u{1F9FE}'.repeat(50_000), response: '', headers: { 'x-a': '', __proto_: 'b' } },
    ],
  ])('an entry comes back as it was appended: %s', async (_, members) => {
    const entry = anEntry(members)
    await given.store.appendRequests([entry], atMost(10))
    expect(await given.store.findRequest(entry.id)).toStrictEqual(entry)
    expect((await given.store.listRequests({ limit: 1 })).items).toStrictEqual([entry])
  })

  test('an entry that is not there is null', async () => {
    expect(await given.store.findRequest('nothing')).toBeNull()
  })

  test('entries come in the order of their appending', async () => {
    const entries = several(4, (n) => anEntry({ at: 9 - n, id: `e${9 - n}` }))
    await given.store.appendRequests(entries.slice(0, 3), atMost(10))
    await given.store.appendRequests(entries.slice(3), atMost(10))
    expect(await kept()).toEqual(ids(entries))
  })

  test('the oldest entries beyond the bound are pruned and counted', async () => {
    const entries = several(5, () => anEntry())
    await given.store.appendRequests(entries.slice(0, 3), atMost(3))
    expect(await pruned()).toBe(0)
    await given.store.appendRequests(entries.slice(3), atMost(3))
    expect(await kept()).toEqual(ids(entries.slice(2)))
    expect(await given.store.findRequest(entries[0]?.id ?? '')).toBeNull()
    expect(await pruned()).toBe(2)
  })

  test('of a full journal those give way who have most, and nobody is left with less than the bound says', async () => {
    const { store } = given
    const of = (clientId: string | null, count: number) => several(count, () => anEntry({ clientId }))
    const [quiet, nobody, busy] = [of('quiet', 2), of(null, 3), of('busy', 9)]
    await store.appendRequests([...quiet, ...nobody, ...busy], { all: 9, each: 3 })
    expect(await kept()).toEqual(ids([...quiet, ...nobody, ...busy.slice(5)]))
    await store.appendRequests(of('late', 1), { all: 0, each: 3 })
    expect(await kept()).toHaveLength(2 + 3 + 3 + 1)
    expect(await pruned()).toBe(6)
  })

  test('where a bound of bytes is asked for, the oldest give way until it holds, whosever they are', async () => {
    const { store } = given
    const big = several(4, (n) => anEntry({ body: 'x'.repeat(1_000), clientId: n === 1 ? shop : null }))
    const small = several(3, () => anEntry())
    await store.appendRequests(big, { all: 9, each: 3 })
    await store.appendRequests(small, { all: 9, each: 3, bytes: 2_900 })
    expect(await kept()).toEqual(ids([...big.slice(2), ...small]))
    expect(await pruned()).toBe(2)
    await store.appendRequests([], { all: 9, each: 3, bytes: 0 })
    expect(await kept()).toEqual([])
    await store.appendRequests(small, { all: 2, each: 0 })
    expect(await kept()).toHaveLength(2)
  })

  test('more entries at once than the bound leave the newest', async () => {
    const entries = several(5, () => anEntry())
    await given.store.appendRequests(entries, atMost(2))
    expect(await kept()).toEqual(ids(entries.slice(3)))
    expect(await pruned()).toBe(3)
  })

  test('entries that were passed over are counted as pruned', async () => {
    await given.store.appendRequests([anEntry(), anEntry()], atMost(1), 7)
    await given.store.appendRequests([], atMost(1), 1)
    expect(await pruned()).toBe(9)
  })

  test('a bound of none keeps none', async () => {
    await given.store.appendRequests([anEntry()], atMost(0))
    expect(await kept()).toEqual([])
    expect(await pruned()).toBe(1)
  })

  test('a lowered bound prunes at the next append, also of nothing', async () => {
    const entries = several(4, () => anEntry())
    await given.store.appendRequests(entries, atMost(10))
    await given.store.appendRequests([], atMost(1))
    expect(await kept()).toEqual(ids(entries.slice(3)))
  })

  test('appends of the same moment are bounded together', async () => {
    await Promise.all(several(10, () => given.store.appendRequests([anEntry(), anEntry()], atMost(5))))
    expect(await kept()).toHaveLength(5)
    expect(await pruned()).toBe(15)
  })

  test('an append that fails leaves nothing, not even in the count', async () => {
    const { store } = given
    const entry = anEntry()
    await store.appendRequests([entry], atMost(3))
    await expect(store.appendRequests([anEntry(), entry], atMost(3))).rejects.toThrow()
    await store.appendRequests([anEntry(), anEntry()], atMost(3))
    expect(await kept()).toHaveLength(3)
    expect(await pruned()).toBe(0)
  })

  test('the bound holds exactly after a reset took some entries away', async () => {
    const { store } = given
    await store.appendRequests([anEntry(), anEntry({ clientId: null }), anEntry()], atMost(4))
    await store.reset({ clientId: shop, clients: false })
    await store.appendRequests(
      several(3, () => anEntry()),
      atMost(4),
    )
    expect(await kept()).toHaveLength(4)
    await store.appendRequests([anEntry()], atMost(4))
    expect(await kept()).toHaveLength(4)
    expect(await pruned()).toBe(1)
  })
}
