import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sign } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectStatus, expectVerificationFailed } from '../support/expect.ts'
import { operations } from '../support/operations.ts'

const secret = 'sandbox-secret'

/** Strings to sign and their signatures under that secret, as written down in the requirements. */
const vectors = {
  checkout: ['fiatAmount=10.00&requestId=req-0001', 'GC/0eqJ6e9f9lMiCshEz+fwM6wxEZAV4fYx0SykmkSc='],
  noDecimals: ['fiatAmount=10&requestId=req-0001', '26P3w4iDNB5varVHVvM07ep7oTbAFWvldz2ESBK/ySk='],
  withCurrency: [
    'currencyId=usd_us&fiatAmount=10.00&requestId=req-0001',
    'sKStc4vTl+OPODBlSeILVeFpKjXjMIHSi7fuyvsMmA0=',
  ],
  subscription: [
    'currencyId=usd_us&fiatAmount=1.00&requestId=sub-0001&interval=MONTHLY',
    'F2Hf7QH3xFSLaoEw5lwjYDKcvnKt4KDj7uTxlQa2bX8=',
  ],
  trial: [
    'currencyId=usd_us&fiatAmount=1.00&requestId=sub-0001&interval=MONTHLY&trialPeriodDays=7',
    'BxAfMAZHncQjsgfJpEjDa6MOMh2knaxR9acjdjxlL48=',
  ],
  utf8: ['fiatAmount=10.00&requestId=zamówienie-✓', 'endbB3CptrGITD+2ZyflzvmUUkIny7DQgS9bYJG4U5g='],
} as const

describe('1f: the signature', () => {
  test.each(Object.values(vectors))('R111: the tests themselves sign %s rightly', (text, signature) => {
    expect(sign(secret, text)).toBe(signature)
  })

  test('R86: a create call without one is refused, and stores nothing', async () => {
    const { c1, emulator } = await startFixture()
    for (const signature of [null, '']) {
      expectVerificationFailed(await c1.createCheckout('r1', { headers: { signature } }))
      expectVerificationFailed(await c1.createSubscription('r1', { headers: { signature } }))
    }
    expect((await emulator.control('/orders')).items).toEqual([])
  })

  test('R87: a wrong one is refused, be it wrong in one character', async () => {
    const { c1, c2, emulator } = await startFixture()
    const [text, right] = vectors.checkout
    const wrong = [
      right.replace('Sc=', 'Sd='),
      right.replace('GC', 'gC'),
      right.slice(0, -4),
      `${right}=`,
      `${right},${right}`,
      `sha256=${right}`,
      'x',
      sign(c2.apiSecret, text),
      sign('', text),
      sign(c1.accessToken, text),
    ]
    for (const signature of wrong) {
      expectVerificationFailed(await c1.createCheckout('req-0001', { headers: { signature } }))
    }
    expect((await emulator.control('/orders')).items).toEqual([])
  })

  test('R104: a subscription signs currencyId, fiatAmount, requestId, interval in this order only', async () => {
    const { c1 } = await startFixture()
    const [text, signature] = vectors.subscription
    const wrongs = permutations(text.split('&')).map((parts) => parts.join('&'))
    for (const signed of [...wrongs.slice(1), 'fiatAmount=1.00&requestId=sub-0001']) {
      expectVerificationFailed(await c1.createSubscription('sub-0001', { signed }))
    }
    expectStatus(await c1.createSubscription('sub-0001', { headers: { signature } }), 200)
  })

  test('R104, R64: a subscription with a trial signs its days last', async () => {
    const { c1 } = await startFixture()
    const body = c1.subscription('sub-0001', { trialPeriodDays: '7' })
    expectStatus(await c1.createSubscription(body, { headers: { signature: vectors.trial[1] } }), 200)
  })

  test('R111: it is HMAC-SHA256 keyed with the API secret, in base64', async () => {
    const { c1 } = await startFixture()
    const [text, signature] = vectors.checkout
    const bytes = Buffer.from(signature, 'base64')
    const wrong = {
      hex: bytes.toString('hex'),
      base64url: bytes.toString('base64url'),
      unpadded: signature.replace('=', ''),
      'URL-safe with padding': `${bytes.toString('base64url')}=`,
      'base64 of hex': Buffer.from(bytes.toString('hex')).toString('base64'),
      'SHA-1': createHmac('sha1', secret).update(text).digest('base64'),
      'SHA-512': createHmac('sha512', secret).update(text).digest('base64'),
      'key decoded as base64': createHmac('sha256', Buffer.from(secret, 'base64'))
        .update(text)
        .digest('base64'),
      'key and text swapped': createHmac('sha256', text).update(secret).digest('base64'),
    }
    for (const wrongSignature of Object.values(wrong)) {
      expectVerificationFailed(
        await c1.createCheckout('req-0001', { headers: { signature: wrongSignature } }),
      )
    }
    expectStatus(await c1.createCheckout('req-0001', { headers: { signature } }), 200)
  })

  test('R112: the string is signed as UTF-8', async () => {
    const { c1 } = await startFixture()
    const latin1 = createHmac('sha256', secret)
      .update(Buffer.from('fiatAmount=10.00&requestId=zamówienie', 'latin1'))
      .digest('base64')
    expectVerificationFailed(await c1.createCheckout('zamówienie', { headers: { signature: latin1 } }))
    const signature = vectors.utf8[1]
    const answer = await c1.createCheckout('zamówienie-✓', { headers: { signature } })
    expect(answer.json).toMatchObject({ requestId: 'zamówienie-✓', status: 'CREATED' })
    expect((await c1.fiatOrders('zamówienie-✓')).data).toHaveLength(1)
  })

  test('R112: escapes in the body do not matter, the text they stand for is signed', async () => {
    const { c1 } = await startFixture()
    const escaped = JSON.stringify(c1.checkout('R')).replace('"R"', '"zam\\u00f3wienie-\\u2713"')
    const signed = vectors.utf8[0]
    expectStatus(await c1.post('/v1/client/checkout/create-order', escaped, { signed }), 200)
  })

  test.each([
    ['10', 'fiatAmount=10.00&requestId=r1', false],
    ['10', 'fiatAmount=10&requestId=r1', true],
    ['10.50', 'fiatAmount=10.5&requestId=r1', false],
    ['10.00', 'requestId=r1&fiatAmount=10.00', false],
    ['10.00', 'fiatAmount=10.00&requestId=r1&', false],
    ['10.00', 'fiatAmount=10.00&requestId=R1', false],
    ['10.00', '?fiatAmount=10.00&requestId=r1', false],
    ['10.00', 'fiatAmount="10.00"&requestId="r1"', false],
  ])('R113: an order over %j signed with %s passes: %s', async (fiatAmount, signed, accepted) => {
    const { c1 } = await startFixture()
    const answer = await c1.createCheckout(c1.checkout('r1', { fiatAmount }), { signed })
    if (accepted) expectStatus(answer, 200)
    else expectVerificationFailed(answer)
  })

  test('R113: no decimals in the body, none in the string: the known answer', async () => {
    const { c1 } = await startFixture()
    const body = c1.checkout('req-0001', { fiatAmount: '10' })
    expectStatus(await c1.createCheckout(body, { headers: { signature: vectors.noDecimals[1] } }), 200)
  })

  test('R113: values are signed raw, not percent-encoded', async () => {
    const { c1 } = await startFixture()
    for (const encoded of ['a%20b%26c', 'a+b%26c']) {
      const signed = `fiatAmount=10.00&requestId=${encoded}`
      expectVerificationFailed(await c1.createCheckout('a b&c', { signed }))
    }
    expectStatus(await c1.createCheckout('a b&c', { signed: 'fiatAmount=10.00&requestId=a b&c' }), 200)
  })

  test.each([
    ['either', true, true],
    ['with-currency', false, true],
    ['short', true, false],
  ])(
    'R114: under signature.checkout %s the short form passes: %s, the one with currency: %s',
    async (checkout, short, long) => {
      const { c1 } = await startFixture({ settings: { signature: { checkout } } })
      const long200 = await c1.createCheckout('req-0001', { headers: { signature: vectors.withCurrency[1] } })
      const short200 = await c1.createCheckout('r2')
      for (const [answer, accepted] of [
        [long200, long],
        [short200, short],
      ] as const) {
        if (accepted) expectStatus(answer, 200)
        else expectVerificationFailed(answer)
      }
    },
  )

  test.each(operations.filter(({ creates }) => !creates))(
    'R116: $name needs none, and ignores a wrong one',
    async ({ call }) => {
      const { c1 } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/' })
      expectStatus(await call(c1, 'r1', { headers: { signature: null } }), 200)
      expectStatus(await call(c1, 'r1', { headers: { signature: 'wrong' } }), 200)
    },
  )
})

describe('1f: the access token', () => {
  test('R109: it is good for any number of calls', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    for (let call = 0; call < 50; call++) expectStatus(await c1.fiatOrders('r1'), 200)
  })

  test.each(operations)('R110: $name refuses an expired one, and takes a new one', async ({ call }) => {
    const { c1 } = await startFixture({
      webhookUrl: 'http://127.0.0.1:9/',
      settings: { webhook: { retry: { max: 0 } } },
    })
    const old = { headers: { 'access-token': await c1.issueToken() } }
    expectStatus(await c1.createCheckout('kept', old), 200)
    await c1.advance('29m59s')
    expectStatus(await call(c1, 'before', old), 200)
    await c1.advance('1s')
    expectVerificationFailed(await call(c1, 'after', old))
    const fresh = { headers: { 'access-token': await c1.issueToken() } }
    expectStatus(await call(c1, 'after', fresh), 200)
    const kept = await c1.lookUp('/v1/client/orders', { requestId: 'kept', clientId: 'C1' }, fresh)
    expect(kept.record.requestId).toBe('kept')
  })

  test.each(operations)(
    'R115: $name refuses a wrong one with exactly the documented body',
    async ({ call }) => {
      const { c1 } = await startFixture()
      for (const token of ['', 't1', 'T1x', 'Bearer T1', 'T1,T1', 'sandbox-secret', 'C1']) {
        expectVerificationFailed(await call(c1, 'r1', { headers: { 'access-token': token } }))
      }
      const bearer = { 'access-token': null, authorization: 'Bearer T1' }
      expectVerificationFailed(await call(c1, 'r1', { headers: bearer }))
    },
  )
})

function permutations(parts: readonly string[]): string[][] {
  if (parts.length < 2) return [[...parts]]
  return parts.flatMap((first, index) =>
    permutations(parts.toSpliced(index, 1)).map((rest) => [first, ...rest]),
  )
}
