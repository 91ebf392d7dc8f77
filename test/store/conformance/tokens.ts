import { expect, test } from 'vitest'
import { aToken, shop } from '../factories.ts'
import { another, type Given, refused } from './given.ts'

export function tokensConform(given: Given): void {
  test('tokens come back oldest first, whenever they expire', async () => {
    const tokens = [aToken({ expiresAt: 3_000 }), aToken({ expiresAt: 1_000 }), aToken({ expiresAt: 2_000 })]
    for (const token of tokens) await given.store.saveToken(token)
    expect(await given.store.tokens()).toEqual(tokens)
  })

  test('a token for a client that is gone is refused', async () => {
    await refused(given.store.saveToken(aToken({ clientId: 'nobody' })), 'client_unknown')
    expect(await given.store.tokens()).toEqual([])
  })

  test('pruning forgets what expired before the moment, not at it', async () => {
    const before = aToken({ expiresAt: 999 })
    const at = aToken({ expiresAt: 1_000 })
    const after = aToken({ expiresAt: 1_001 })
    for (const token of [before, at, after]) await given.store.saveToken(token)
    await given.store.pruneTokens(shop, 1_000)
    expect(await given.store.tokens()).toEqual([at, after])
  })

  test("pruning leaves other clients' tokens", async () => {
    const token = aToken({ clientId: (await another(given.store)).clientId, expiresAt: 1 })
    await given.store.saveToken(token)
    await given.store.pruneTokens(shop, 1_000)
    expect(await given.store.tokens()).toEqual([token])
  })
}
