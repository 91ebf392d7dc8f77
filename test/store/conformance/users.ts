import { expect, test } from 'vitest'
import { another, committed, type Given, refused } from './given.ts'

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

  test('users come in pages, each once, and one client alone can be asked for', async () => {
    const { store } = given
    const { clientId } = await another(store, { clientId: 'zoo' })
    for (let n = 0; n < 5; n++) await committed(store, { email: `${n}@x` })
    await committed(store, { clientId, email: '0@x' })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { items, next } = await store.listUsers({ limit: 2, cursor })
      seen.push(...items.map((user) => `${user.clientId} ${user.userKey}`))
      cursor = next ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual([...[0, 1, 2, 3, 4].map((n) => `shop ${n}@x`), 'zoo 0@x'])
    expect((await store.listUsers({ limit: 9, clientId })).items).toHaveLength(1)
  })

  test.each(['x', 'u', 'o1', `u${Buffer.from('[1]').toString('base64url')}`])(
    'the cursor %j of no page is refused',
    async (cursor) => {
      await refused(given.store.listUsers({ limit: 1, cursor }), 'bad_cursor')
    },
  )
}
