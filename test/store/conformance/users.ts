import { expect, test } from 'vitest'
import { another, committed, type Given, pages, refused } from './given.ts'

const userId = '3f0c1f0e-8c1d-4a57-9a53-0d1d7a0f4c11'

export function usersConform(given: Given): void {
  test('a user is known by the userId, or by the e-mail where there is none (R29)', async () => {
    const { store } = given
    await committed(store, { email: 'a@x' })
    await committed(store, { email: 'a@x' })
    await committed(store, { email: 'a@x', request: { userId } })
    await committed(store, { email: 'b@x', request: { userId } })
    expect((await store.listUsers({ limit: 10 })).items).toEqual([
      { clientId: 'shop', userKey: userId, userId, email: 'b@x', orders: 2 },
      { clientId: 'shop', userKey: 'a@x', email: 'a@x', orders: 2 },
    ])
  })

  test.each([
    [false, ['shop 0@x', 'shop 1@x', 'shop 2@x', 'zoo 0@x', 'zoo 1@x']],
    [true, ['zoo 1@x', 'zoo 0@x', 'shop 2@x', 'shop 1@x', 'shop 0@x']],
  ])('users come in pages, each once, newestFirst %s', async (newestFirst, all) => {
    const { store } = given
    // Between them is a client without orders.
    for (const clientId of ['quiet', 'zoo']) await another(store, { clientId })
    for (const n of [1, 0, 2]) await committed(store, { email: `${n}@x` })
    for (const n of [0, 1]) await committed(store, { clientId: 'zoo', email: `${n}@x` })
    const seen = await pages((cursor) => store.listUsers({ limit: 2, cursor, newestFirst }))
    expect(seen.flat().map((user) => `${user.clientId} ${user.userKey}`)).toEqual(all)
  })

  test('the users of one client alone can be asked for, page by page', async () => {
    const { store } = given
    const { clientId } = await another(store, { clientId: 'zoo' })
    await committed(store, { email: '0@x' })
    for (const n of [0, 1]) await committed(store, { clientId, email: `${n}@x` })
    const first = await store.listUsers({ limit: 1, clientId })
    const rest = await store.listUsers({ limit: 1, clientId, cursor: first.next ?? '' })
    expect([...first.items, ...rest.items].map(({ userKey }) => userKey)).toEqual(['0@x', '1@x'])
    expect(rest.next).toBeNull()
  })

  test.each([
    [false, ['2@x']],
    [true, ['0@x']],
  ])('a cursor goes on behind a user who is gone, newestFirst %s', async (newestFirst, left) => {
    const { store } = given
    const { clientId } = await another(store, { clientId: 'shop1' })
    await committed(store, { email: newestFirst ? '0@x' : 'a@x' })
    await committed(store, { clientId, email: '1@x' })
    await committed(store, { clientId: (await another(store, { clientId: 'shop2' })).clientId, email: '2@x' })
    const { next } = await store.listUsers({ limit: 2, newestFirst })
    await store.reset({ clientId, clients: false })
    const { items } = await store.listUsers({ limit: 9, newestFirst, cursor: next ?? '' })
    expect(items.map(({ userKey }) => userKey)).toEqual(left)
  })

  test('a cursor that no page gave is refused', async () => {
    const { store } = given
    for (const email of ['0@x', '1@x']) await committed(store, { email })
    const { next } = await store.listUsers({ limit: 1 })
    const ofOrders = (await store.listOrders({ limit: 1 })).next
    for (const cursor of ['', 'x', 'u', `${next} `, `x${next}`, ofOrders ?? ''])
      await refused(store.listUsers({ limit: 1, cursor }), 'bad_cursor')
  })
}
