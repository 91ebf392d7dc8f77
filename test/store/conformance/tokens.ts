import { expect, test } from 'vitest'
import type { IssuedToken } from '../../../src/domain/client/client.ts'
import { aToken } from '../factories.ts'
import { another, clientIn, type Given, generationOf, refused } from './given.ts'

export function tokensConform(given: Given): void {
  const save = async (token: IssuedToken, forgetBefore = 0, othersEndAt?: number) =>
    given.store.saveToken(token, await generationOf(given.store, token.clientId), forgetBefore, othersEndAt)

  test('tokens come back oldest first, whenever they expire', async () => {
    const tokens = [aToken({ expiresAt: 3_000 }), aToken({ expiresAt: 1_000 }), aToken({ expiresAt: 2_000 })]
    for (const token of tokens) await save(token)
    expect(await given.store.tokens()).toEqual(tokens)
  })

  test('those of the client that expired before the moment are forgotten, not those that expire at it', async () => {
    const [before, at, after] = [999, 1_000, 1_001].map((expiresAt) => aToken({ expiresAt }))
    for (const token of [before, at]) if (token !== undefined) await save(token)
    if (after !== undefined) await save(after, 1_000)
    expect(await given.store.tokens()).toEqual([at, after])
  })

  test('one that was given out before, or is another client’s own, is refused, and forgets none', async () => {
    const { store } = given
    const { clientId, accessToken } = await another(store)
    const first = aToken({ expiresAt: 1 })
    await save(first)
    for (const wrong of [first, { ...first, clientId }, aToken({ token: accessToken })])
      await refused(save(wrong, 1_000), 'client_exists')
    expect(await store.tokens()).toEqual([first])
  })

  test('a token that ends the others ends those of its client only, and none later than before', async () => {
    const theirs = aToken({ clientId: (await another(given.store)).clientId, expiresAt: 3_000 })
    const [early, late] = [aToken({ expiresAt: 1_000 }), aToken({ expiresAt: 3_000 })]
    const only = aToken({ expiresAt: 4_000 })
    for (const token of [theirs, early, late]) await save(token)
    await refused(save(late, 0, 500), 'client_exists')
    await save(only, 0, 2_000)
    expect(await given.store.tokens()).toEqual([theirs, early, { ...late, expiresAt: 2_000 }, only])
  })

  test('a client that is saved with an end of its tokens ends its own only, and none later than before', async () => {
    const { store } = given
    const theirs = aToken({ clientId: (await another(store)).clientId, expiresAt: 3_000 })
    const [early, late] = [aToken({ expiresAt: 1_000 }), aToken({ expiresAt: 3_000 })]
    for (const token of [theirs, early, late]) await save(token)
    const { client } = await clientIn(store)
    await store.saveClient({ ...client, defaultScenario: 'other' })
    expect(await store.tokens(), 'without an end they keep their times').toEqual([theirs, early, late])
    await refused(store.saveClient({ ...client, accessToken: theirs.token }, 500), 'client_exists')
    expect(await store.tokens(), 'refused').toEqual([theirs, early, late])
    await store.saveClient({ ...client, ownTokenExpired: true }, 2_000)
    expect(await store.tokens()).toEqual([theirs, early, { ...late, expiresAt: 2_000 }])
    expect((await clientIn(store)).client.ownTokenExpired).toBe(true)
    const next = aToken({ expiresAt: 4_000 })
    await save(next)
    expect((await store.tokens()).at(-1)).toEqual(next)
  })

  test("other clients' tokens are not forgotten", async () => {
    const theirs = aToken({ clientId: (await another(given.store)).clientId, expiresAt: 1 })
    const ours = aToken()
    await save(theirs)
    await save(ours, 1_000)
    expect(await given.store.tokens()).toEqual([theirs, ours])
  })
}
