import { describe, expect, test } from 'vitest'
import type { SettingChanges } from '../../src/index.ts'
import { rateLimits } from '../../src/learn/rules/calls/rate-limits.ts'
import { tokenRoute } from '../../src/learn/rules/calls/token-route.ts'
import { tokens } from '../../src/learn/rules/calls/tokens.ts'
import { contradicts, evidenceOf, exchange, findingOf, RecordedShop, result } from './calls-exchanges.ts'

/** Two tokens, each used. */
async function twoTokens(shop: RecordedShop): Promise<[string, string]> {
  const older = await shop.token()
  await shop.lookUp({ 'access-token': older })
  await shop.client.clock.advance('10s')
  const newer = await shop.token()
  await shop.client.clock.advance('1s')
  await shop.lookUp({ 'access-token': newer })
  return [older, newer]
}

describe('auth.tokenLifetime', () => {
  test.each(['30m', '90s', '2h'])('%s shows in expiresIn', async (value) => {
    const shop = await RecordedShop.under({ 'auth.tokenLifetime': value })
    await twoTokens(shop)
    expect(result(tokens, 'auth.tokenLifetime', shop.evidence)).toEqual(['known', value])
    expect(contradicts(tokens, 'auth.tokenLifetime', shop.evidence, '31m')).toBe(true)
    expect(contradicts(tokens, 'auth.tokenLifetime', shop.evidence, value)).toBe(false)
  })

  test('a time of the end shows it too, and that of a refresh token does not', async () => {
    const answer = {
      data: { token: '${accessToken}', until: { expiresAt: '${expiresAt:offsetSeconds}' } },
      refreshExpiresIn: 9999,
    }
    const shop = await RecordedShop.under({
      'auth.tokenLifetime': '45m',
      'auth.tokenRoute': { path: '/v1/auth/token', answer },
    })
    for (let n = 0; n < 2; n++) await shop.lookUp({ 'access-token': await shop.token('/v1/auth/token') })
    expect(result(tokens, 'auth.tokenLifetime', shop.evidence)).toEqual(['known', '45m'])
  })

  test('without any words about it, refused tokens make it likely at most', async () => {
    const shop = await RecordedShop.under({
      'auth.tokenLifetime': '10m',
      'auth.tokenRoute': { path: '/token', answer: { token: '${accessToken}' } },
    })
    for (let n = 0; n < 2; n++) {
      const token = await shop.token('/token')
      await shop.client.clock.advance('595s')
      await shop.lookUp({ 'access-token': token })
      await shop.client.clock.advance('10s')
      await shop.lookUp({ 'access-token': token })
    }
    expect(result(tokens, 'auth.tokenLifetime', shop.evidence)).toEqual(['likely', '10m'])
  })

  test('tokens that the application had from the start say nothing', async () => {
    const shop = await RecordedShop.under({})
    await shop.lookUp()
    await shop.client.clock.advance('1d')
    await shop.lookUp()
    expect(findingOf(tokens, 'auth.tokenLifetime', shop.evidence).state).toBe('unknown')
    expect(findingOf(tokens, 'auth.oneToken', shop.evidence).state).toBe('unknown')
  })
})

describe('auth.tokenExpiry', () => {
  /** Tokens that are used soon, and again when they are two hours old; then a newer one is issued. */
  async function late(value: 'after-lifetime' | 'by-scenario', tokens: number): Promise<RecordedShop> {
    const shop = await RecordedShop.under({ 'auth.tokenLifetime': '10m', 'auth.tokenExpiry': value })
    for (let n = 0; n < tokens; n++) {
      const token = await shop.token()
      await shop.lookUp({ 'access-token': token })
      await shop.client.clock.advance('2h')
      await shop.lookUp({ 'access-token': token })
      await shop.client.clock.advance('1s')
    }
    await shop.lookUp({ 'access-token': await shop.token() })
    return shop
  }

  test.each(['after-lifetime', 'by-scenario'] as const)(
    '%s shows in two old tokens, even if newer ones are issued afterwards',
    async (value) => {
      const shop = await late(value, 2)
      expect(result(tokens, 'auth.tokenExpiry', shop.evidence)).toEqual(['known', value])
    },
  )

  test('one token that lives on does not show that no token ends', async () => {
    const shop = await late('by-scenario', 1)
    expect(result(tokens, 'auth.tokenExpiry', shop.evidence)).toEqual(['unknown', undefined])
    expect(contradicts(tokens, 'auth.tokenExpiry', shop.evidence, 'after-lifetime')).toBe(true)
  })
})

describe('auth.oneToken', () => {
  test.each([true, false])('%s shows in the use of older tokens', async (value) => {
    const shop = await RecordedShop.under({ 'auth.oneToken': value })
    for (let n = 0; n < 2; n++) {
      const [older, newer] = await twoTokens(shop)
      await shop.lookUp({ 'access-token': older })
      await shop.lookUp({ 'access-token': newer })
    }
    expect(result(tokens, 'auth.oneToken', shop.evidence)).toEqual(['known', value])
    expect(contradicts(tokens, 'auth.oneToken', shop.evidence, !value)).toBe(true)
  })

  test('a token that was too old, or refused before the newer one, does not decide', async () => {
    const shop = await RecordedShop.under({ 'auth.tokenLifetime': '1m' })
    for (let n = 0; n < 2; n++) {
      const [older, newer] = await twoTokens(shop)
      await shop.client.clock.advance('50s')
      await shop.lookUp({ 'access-token': older })
      await shop.lookUp({ 'access-token': newer })
    }
    expect(findingOf(tokens, 'auth.oneToken', shop.evidence).state).toBe('unknown')
  })

  test('a time in which the service refuses all tokens does not decide', async () => {
    const shop = await RecordedShop.under({})
    for (let n = 0; n < 2; n++) {
      const [older, newer] = await twoTokens(shop)
      await shop.client.faults.plan({ on: 'orders', effect: { status: 401 }, times: 2 })
      await shop.lookUp({ 'access-token': older })
      await shop.lookUp({ 'access-token': newer })
    }
    expect(findingOf(tokens, 'auth.oneToken', shop.evidence).state).toBe('unknown')
  })
})

describe('auth.tokenRoute', () => {
  test('a JSON route under its own names', async () => {
    const route = {
      path: '/auth/token',
      clientIdField: 'merchant',
      apiSecretField: 'key',
      accessTokenField: 'jwt',
      expiresInField: 'expires',
    }
    const shop = await RecordedShop.under({ 'auth.tokenRoute': route })
    const { clientId, apiSecret } = shop.client
    for (let n = 0; n < 2; n++) {
      const token = await shop.token('/auth/token', { body: { merchant: clientId, key: apiSecret } })
      await shop.lookUp({ 'access-token': token })
    }
    expect(result(tokenRoute, 'auth.tokenRoute', shop.evidence)).toEqual(['likely', route])
    expect(contradicts(tokenRoute, 'auth.tokenRoute', shop.evidence, null)).toBe(true)
    expect(contradicts(tokenRoute, 'auth.tokenRoute', shop.evidence, { ...route, path: '/token' })).toBe(true)
    expect(
      contradicts(tokenRoute, 'auth.tokenRoute', shop.evidence, { ...route, accepts: ['json', 'basic'] }),
    ).toBe(false)
  })

  test('a form with an answer and errors of OAuth', async () => {
    const route = {
      path: '/oauth/token',
      accepts: ['form'],
      clientIdField: 'client_id',
      apiSecretField: 'client_secret',
      answer: {
        access_token: '${accessToken}',
        token_type: 'bearer',
        expires_in: '${expiresIn}',
        scope: '${scope}',
        owner: { id: '${clientId}', since: '${issuedAt:seconds}' },
      },
      error: { error: '${code}', error_description: '${message}' },
      refusedStatus: 400,
    }
    const shop = await RecordedShop.under({ 'auth.tokenRoute': route })
    const { clientId, apiSecret } = shop.client
    const form = (fields: object) => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'orders',
        client_id: clientId,
        client_secret: apiSecret,
        ...fields,
      }).toString(),
    })
    for (let n = 0; n < 2; n++)
      await shop.lookUp({ 'access-token': await shop.token('/oauth/token', form({})) })
    await shop.call('POST', '/oauth/token', form({ client_secret: 'wrong' }))
    await shop.call('POST', '/oauth/token', form({ grant_type: 'password' }))
    expect(result(tokenRoute, 'auth.tokenRoute', shop.evidence)).toEqual(['likely', route])
    const otherAnswer = { ...route, answer: { ...route.answer, token_type: 'mac' } }
    expect(contradicts(tokenRoute, 'auth.tokenRoute', shop.evidence, otherAnswer)).toBe(true)
    expect(contradicts(tokenRoute, 'auth.tokenRoute', shop.evidence, route)).toBe(false)
  })

  test('Basic without a body', async () => {
    const route = {
      path: '/v1/auth/access-token',
      accepts: ['basic'],
      answer: { data: { token: '${accessToken}' } },
    }
    const shop = await RecordedShop.under({ 'auth.tokenRoute': route })
    const authorization = `Basic ${Buffer.from(`${shop.client.clientId}:${shop.client.apiSecret}`).toString('base64')}`
    for (let n = 0; n < 2; n++) {
      const token = await shop.token(route.path, {
        headers: { authorization, 'content-type': 'application/json' },
        body: '',
      })
      await shop.lookUp({ 'access-token': token })
    }
    expect(result(tokenRoute, 'auth.tokenRoute', shop.evidence)).toEqual(['likely', route])
  })

  test("the emulator's own path shows nothing", async () => {
    const shop = await RecordedShop.under({})
    await twoTokens(shop)
    expect(findingOf(tokenRoute, 'auth.tokenRoute', shop.evidence)).toMatchObject({ state: 'unknown' })
    expect(contradicts(tokenRoute, 'auth.tokenRoute', shop.evidence, null)).toBe(false)
  })
})

describe('limits', () => {
  /** Two windows of lookups and create calls, with more calls than a limit of three takes. */
  async function busy(settings: SettingChanges): Promise<RecordedShop> {
    const shop = await RecordedShop.under(settings)
    for (let window = 0; window < 3; window++) {
      for (let n = 0; n < 5; n++) {
        await shop.lookUp()
        await shop.lookUp({}, 'request-1', 'crypto-orders')
        await shop.client.clock.advance('1s')
      }
      await shop.create()
      await shop.create()
      await shop.client.clock.advance('2m')
    }
    return shop
  }

  test.each([
    [{ on: ['orders'], max: 3, per: '1m' }],
    [
      {
        on: ['crypto-orders', 'orders'],
        max: 4,
        per: '30s',
        retryAfter: false,
        headers: {
          'x-ratelimit-limit': '${limit}',
          'x-ratelimit-remaining': '${remaining}',
          'x-ratelimit-reset': '${reset:seconds}',
        },
      },
    ],
  ])('%j shows in several windows', async (limit) => {
    const shop = await busy({ limits: [limit] })
    const { value, state } = findingOf(rateLimits, 'limits', shop.evidence)
    expect([state, value]).toEqual(['likely', [limit]])
    expect(contradicts(rateLimits, 'limits', shop.evidence, [limit])).toBe(false)
    expect(contradicts(rateLimits, 'limits', shop.evidence, [])).toBe(true)
    expect(contradicts(rateLimits, 'limits', shop.evidence, [{ ...limit, max: 5 }])).toBe(true)
  })

  test('a refused lookup without its clientId counts for the account of its token', async () => {
    const limit = { on: ['orders'], max: 3, per: '1m' }
    const shop = await RecordedShop.under({ limits: [limit] })
    for (let window = 0; window < 2; window++) {
      await shop.lookUp()
      await shop.call('GET', '/v1/client/orders?requestId=request-1')
      for (let n = 0; n < 3; n++) await shop.lookUp()
      await shop.client.clock.advance('2m')
    }
    expect(result(rateLimits, 'limits', shop.evidence)).toEqual(['likely', [limit]])
  })

  test('two limits of different calls', async () => {
    const limits = [
      { on: ['create-checkout-order'], max: 1, per: '1m' },
      { on: ['crypto-orders', 'orders'], max: 5, per: '1m' },
    ]
    const shop = await busy({ limits })
    expect(result(rateLimits, 'limits', shop.evidence)).toEqual(['likely', limits])
  })

  test('without a 429 nothing is known, and a limit that was exceeded is contradicted', async () => {
    const shop = await busy({})
    expect(findingOf(rateLimits, 'limits', shop.evidence)).toMatchObject({
      state: 'unknown',
      evidence: 'no call was answered 429',
    })
    expect(contradicts(rateLimits, 'limits', shop.evidence, [])).toBe(false)
    expect(contradicts(rateLimits, 'limits', shop.evidence, [{ on: 'orders', max: 10, per: '1m' }])).toBe(
      false,
    )
    expect(contradicts(rateLimits, 'limits', shop.evidence, [{ on: 'orders', max: 1, per: '1m' }])).toBe(true)
  })

  test('429s of faults show no limit, and are listed', async () => {
    const shop = await RecordedShop.under({})
    for (const calls of [4, 9, 2]) {
      await shop.client.faults.plan({
        on: 'orders',
        effect: { status: 429, headers: { 'retry-after': '2' } },
        skip: calls,
      })
      for (let n = 0; n <= calls; n++) {
        await shop.lookUp()
        await shop.client.clock.advance('1s')
      }
    }
    expect(findingOf(rateLimits, 'limits', shop.evidence).state).toBe('unknown')
    const context = { claims: new Map(), found: () => undefined }
    expect(rateLimits.unexplained?.(shop.evidence, context)).toMatchObject([
      {
        what: '`GET /v1/client/orders` answers 429',
        count: 3,
        of: 18,
        example: 'after 4 calls in 4s, with Retry-After: 2',
      },
    ])
  })

  test('one window alone proves nothing', async () => {
    const shop = await RecordedShop.under({ limits: [{ on: 'orders', max: 3, per: '1m' }] })
    for (let n = 0; n < 6; n++) await shop.lookUp()
    expect(findingOf(rateLimits, 'limits', shop.evidence).state).toBe('unknown')
  })

  test('HTML and cut answers 429 do not break the reading', () => {
    const calls = [0, 1, 2, 3].map((seconds) =>
      exchange({
        seconds,
        query: new URLSearchParams({ clientId: 'c', requestId: 'r' }),
        status: 429,
        response: '<html>slow',
        responseHeaders: { 'retry-after': 'Fri, 27 Nov 2026 13:00:09 GMT' },
      }),
    )
    expect(findingOf(rateLimits, 'limits', evidenceOf(calls)).state).toBe('unknown')
  })
})
