import { describe, expect, test } from 'vitest'
import { paths } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectInvalid, expectStatus, expectVerificationFailed } from '../support/expect.ts'
import { lookups } from '../support/operations.ts'

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('records', () => {
  test.each([
    ['always', 1, 1],
    ['after-payment', 0, 1],
    ['never', 0, 0],
  ])(
    'N57: under cryptoLeg %s the crypto lookup has %i records before the payment, %i after',
    async (cryptoLeg, before, after) => {
      const { c1 } = await startFixture({ settings: { orders: { cryptoLeg } } })
      await c1.createCheckout('r1')
      await c1.advance('1999ms')
      expect((await c1.cryptoOrders('r1')).data).toHaveLength(before)
      await c1.advance('1ms')
      expect((await c1.cryptoOrders('r1')).data).toHaveLength(after)
      await c1.advance('1h')
      expect((await c1.cryptoOrders('r1')).data).toHaveLength(after)
      expect((await c1.fiatOrders('r1')).data).toHaveLength(1)
    },
  )

  test('N57: both records have one orderId; what is not known yet is absent', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    const known = async () => {
      const { record } = await c1.cryptoOrders('r1')
      return ['receivedAmount', 'txnHash'].filter((member) => Object.hasOwn(record, member))
    }
    expect(await known()).toEqual([])
    await c1.advance('2s')
    expect(await known()).toEqual(['receivedAmount'])
    await c1.advance('3s')
    expect(await known()).toEqual(['receivedAmount', 'txnHash'])
    expect((await c1.cryptoOrders('r1')).record.orderId).toBe((await c1.fiatOrders('r1')).record.orderId)
  })

  test('N58: orderId and token are different UUIDs that sort by time', async () => {
    const { c1 } = await startFixture()
    const ids: { orderId: string; token: string }[] = []
    for (const requestId of ['z', 'm', 'a']) {
      const { json } = await c1.createCheckout(requestId)
      ids.push({
        orderId: String((await c1.fiatOrders(requestId)).record.orderId),
        token: String(json.token),
      })
      await c1.advance('1ms')
    }
    const tokens = ids.map(({ token }) => token)
    const orderIds = ids.map(({ orderId }) => orderId)
    for (const id of [...tokens, ...orderIds]) expect(id).toMatch(uuid7)
    expect(new Set([...tokens, ...orderIds]).size).toBe(6)
    expect(tokens.toSorted()).toEqual(tokens)
    expect(orderIds.toSorted()).toEqual(orderIds)
  })

  test('N58: or the same, if so set', async () => {
    const { c1 } = await startFixture({ settings: { orders: { orderIdEqualsToken: true } } })
    const { json } = await c1.createCheckout('r1')
    expect((await c1.fiatOrders('r1')).record.orderId).toBe(json.token)
  })

  test('N59, N60: what an order of the default scenario shows, moment by moment', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    const shown: unknown[] = []
    for (const by of ['1999ms', '1ms', '2999ms', '1ms', '30d']) {
      await c1.advance(by)
      const { record } = await c1.cryptoOrders('r1')
      shown.push([record.orderStatus, record.paymentStatus, record.settlementStatus])
    }
    expect(shown).toEqual([
      ['CREATED', 'CREATED', 'NOT_REQUIRED'],
      ['CREATED', 'COMPLETED', 'NOT_REQUIRED'],
      ['CREATED', 'COMPLETED', 'NOT_REQUIRED'],
      ['COMPLETED', 'COMPLETED', 'NOT_REQUIRED'],
      ['COMPLETED', 'COMPLETED', 'NOT_REQUIRED'],
    ])
  })

  test.each([
    ['omit', '{"data":[]}'],
    ['null', '{"data":[],"errorReason":null}'],
    ['empty', '{"data":[],"errorReason":{}}'],
  ])('N62: under errorReasonWhenNone %s the refund lookup answers %s', async (errorReasonWhenNone, text) => {
    const { c1 } = await startFixture({ settings: { refunds: { errorReasonWhenNone } } })
    expect((await c1.refunds('r1')).text).toBe(text)
  })

  test.each(lookups)('N64d: a query parameter given twice is refused by the $name', async ({ path }) => {
    const { c1, emulator } = await startFixture()
    await c1.createCheckout('r1')
    for (const [query, field] of [
      ['requestId=r1&requestId=r2&clientId=C1', 'requestId'],
      ['requestId=r1&clientId=C1&clientId=C1', 'clientId'],
      ['requestId=r1&clientId=C1&clientId=C2', 'clientId'],
    ] as const) {
      const headers = { 'access-token': 'T1' }
      expectInvalid(await emulator.send(`${path}?${query}`, { method: 'GET', headers }), field)
    }
  })

  test.each(['happy', 'happy-instant', 'fail-9004'])(
    'N64e: updatedTs moves at each change of %s, never back',
    async (defaultScenario) => {
      const { c1 } = await startFixture({ defaultScenario })
      await c1.createCheckout('r1')
      const seen = new Map<string, unknown>()
      const moments: number[] = []
      for (let ms = 0; ms <= 6_000; ms += 500) {
        const { record } = await c1.cryptoOrders('r1')
        const state = JSON.stringify([record.orderStatus, record.paymentStatus])
        if (!seen.has(state)) moments.push(Number(record.updatedTs))
        seen.set(state, seen.get(state) ?? record.updatedTs)
        expect(record.updatedTs).toBe(seen.get(state))
        await c1.advance('500ms')
      }
      expect(moments).toEqual([...new Set(moments)].toSorted((a, b) => a - b))
      expect(moments.length).toBeGreaterThan(1)
    },
  )

  test('N64f, N64g, N64h: partner, exchange and hash', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout(c1.checkout('r1', { fiatAmount: '10.5', currencyId: 'eur_de' }))
    await c1.advance('10s')
    expect((await c1.fiatOrders('r1')).record).toMatchObject({
      partner: 'sandbox-partner',
      exchangeCurId: 'eur_de',
      exchangeAmount: '10.5',
    })
    expect((await c1.cryptoOrders('r1')).record.txnHash).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test.each([
    ['10', 'usd_us', 'USDT', '10.00000000'],
    ['0.01', 'usd_us', 'USDT', '0.01000000'],
    ['90071992547409931.10', 'usd_us', 'USDT', '90071992547409931.10000000'],
    ['10.00', 'brl_br', 'USDC', '1.85000000'],
    ['0.03', 'brl_br', 'USDC', '0.00555000'],
  ])('N66: the crypto side of %s %s is %s %s', async (fiatAmount, currencyId, cryptoCurId, cryptoAmount) => {
    const catalog = [{ match: 'brl_*', cryptoAsset: 'USDC', rate: '0.185' }]
    const { c1 } = await startFixture({ settings: { currencies: { catalog } } })
    await c1.createCheckout(c1.checkout('r1', { fiatAmount, currencyId }))
    await c1.advance('10s')
    expect((await c1.cryptoOrders('r1')).record).toMatchObject({
      cryptoCurId,
      cryptoAmount,
      receivedAmount: cryptoAmount,
    })
  })
})

describe('N69: metadata', () => {
  test.each([
    ['big integers', '{"id":12345678901234567890,"f":1.10,"e":1E400,"z":-0}'],
    ['order of keys', '{"b":1,"a":2,"10":3,"9":4}'],
    ['doubled keys', '{"a":1,"a":2}'],
    ['__proto__', '{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}'],
    ['escapes', '{"a\\u0062":"\\u00e9\\/\\"}{","😀":"\\ud83d\\ude00"}'],
    ['white space', '{ "a" :\t[ 1,\n 2 ] }'],
    ['a member of its own name', '{"metadata":{"metadata":"}"}}'],
    ['nothing', '{}'],
  ])('N69: %s: %s comes back byte for byte', async (_, metadata) => {
    const { c1, emulator } = await startFixture()
    const { requestId, ...rest } = c1.checkout('r1')
    const body = `{"metadata": ${metadata} , "billingData":{"metadata":{"no":1}},${JSON.stringify(rest).slice(1, -1)},"requestId":"${requestId}"}`
    expectStatus(await c1.post(paths.checkout, body, { signed: 'fiatAmount=10.00&requestId=r1' }), 200)
    expect((await c1.cryptoOrders('r1')).text).toContain(`"metadata":${metadata}}`)
    expect((await emulator.control('/orders')).text).toContain(`"metadata":${metadata}`)
  })

  test('N69: of two `metadata` the later one counts, and its name may be escaped', async () => {
    const { c1 } = await startFixture()
    const body = JSON.stringify(c1.checkout('r1')).replace(
      '{',
      '{"metadata":{"a":1},"met\\u0061data":{"b":2.0},',
    )
    expectStatus(await c1.post(paths.checkout, body, { signed: 'fiatAmount=10.00&requestId=r1' }), 200)
    expect((await c1.cryptoOrders('r1')).text).toContain('"metadata":{"b":2.0}')
  })

  test('N69: an order without metadata has none', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    expect((await c1.cryptoOrders('r1')).record).not.toHaveProperty('metadata')
  })
})

describe('access tokens', () => {
  test('N64a: the emulator gives them out for clientId and apiSecret', async () => {
    const { c1, emulator } = await startFixture()
    const ask = (body: object) =>
      emulator.send('/_emulator/access-token', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    const answer = await ask({ clientId: 'C1', apiSecret: 'sandbox-secret' })
    expect(answer.json).toEqual({ accessToken: expect.any(String), expiresIn: 1800 })
    const headers = { 'access-token': String(answer.json.accessToken) }
    expectStatus(await c1.createCheckout('r1', { headers }), 200)
    for (const wrong of [
      { clientId: 'C1', apiSecret: 'wrong' },
      { clientId: 'C2', apiSecret: 'sandbox-secret' },
      { clientId: 'nobody', apiSecret: '' },
    ]) {
      expectStatus(await ask(wrong), 401)
    }
    for (const incomplete of [{}, { clientId: 'C1' }, { clientId: 'C1', apiSecret: 1 }]) {
      expectStatus(await ask(incomplete), 400)
    }
  })

  test("N64a: also at the operator's own path, with its own names", async () => {
    const tokenRoute = {
      path: '/oauth/token',
      clientIdField: 'client_id',
      apiSecretField: 'client_secret',
      accessTokenField: 'access_token',
      expiresInField: 'expires_in',
    }
    const { c1, emulator } = await startFixture({}, { settings: { 'auth.tokenRoute': tokenRoute } })
    const headers = { 'content-type': 'application/json' }
    const ask = (client_secret: string) =>
      emulator.send('/oauth/token', { method: 'POST', headers, body: { client_id: 'C1', client_secret } })
    const { json } = await ask('sandbox-secret')
    expect(json).toEqual({ access_token: expect.any(String), expires_in: 1800 })
    expectStatus(
      await c1.createCheckout('r1', { headers: { 'access-token': String(json.access_token) } }),
      200,
    )
    expectVerificationFailed(await ask('wrong'))
  })

  test('N64b: they live as long as set; an older one stays valid beside a newer', async () => {
    const { c1 } = await startFixture({ settings: { auth: { tokenLifetime: '10s' } } })
    const look = (token: string) =>
      c1.lookUp(paths.fiat, { requestId: 'r1', clientId: 'C1' }, { headers: { 'access-token': token } })
    const older = await c1.issueToken()
    await c1.advance('6s')
    const newer = await c1.issueToken()
    expect(newer).not.toBe(older)
    for (const token of [older, newer]) expectStatus(await look(token), 200)
    await c1.advance('4s')
    expectVerificationFailed(await look(older))
    expectStatus(await look(newer), 200)
    await c1.advance('6s')
    expectVerificationFailed(await look(newer))
    expectStatus(await look('T1'), 200)
  })

  test('N64c: a single record is a list of one, as long as nothing recurs', async () => {
    const { c1 } = await startFixture()
    await c1.createSubscription('r1')
    await c1.advance('1h')
    expect((await c1.fiatOrders('r1')).data).toHaveLength(1)
  })
})
