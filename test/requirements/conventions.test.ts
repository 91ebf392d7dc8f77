import { describe, expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { expectInvalid, expectStatus, expectVerificationFailed } from '../support/expect.ts'
import { lookups, operations } from '../support/operations.ts'
import { startReceiver } from '../support/receiver.ts'

describe('1a: what the service does', () => {
  test('R1: creating a checkout order returns a token', async () => {
    const { c1 } = await startFixture()
    const { status, json } = await c1.createCheckout('r1')
    expect({ status, token: json.token }).toEqual({ status: 200, token: expect.stringMatching(/./) })
  })

  test('R2: every order gets a token of its own', async () => {
    const { c1 } = await startFixture()
    const first = await c1.createCheckout('r1')
    const second = await c1.createCheckout('r2')
    expect(first.json.token).not.toBe(second.json.token)
  })

  test('R3: creating a subscription order returns a token too', async () => {
    const { c1 } = await startFixture()
    const { status, json } = await c1.createSubscription('r1')
    expect({ status, token: json.token }).toEqual({ status: 200, token: expect.stringMatching(/./) })
  })

  test('R4: lookups list the orders of the requestId that is asked for, and no others', async () => {
    const { c1, c2 } = await startFixture()
    for (const requestId of ['r1', 'r10', 'R1', 'r1 ']) await c1.createCheckout(requestId)
    await c2.createCheckout('r1')
    for (const answer of [await c1.fiatOrders('r1'), await c1.cryptoOrders('r1')]) {
      expect(answer.status).toBe(200)
      expect(answer.record).toMatchObject({ requestId: 'r1', clientId: 'C1' })
    }
    expect((await c1.refunds('r1')).text).toBe('{"data":[]}')
  })

  test('R5: a simulation is one POST to the endpoint of the client', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    expectStatus(await c1.simulate(c1.simulation('r1')), 200)
    await c1.settle()
    expect(receiver.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /hook'])
    expect(receiver.requests[0]?.json).toEqual(c1.simulation('r1'))
  })

  test('R6: a simulation creates no order', async () => {
    const receiver = await startReceiver()
    const { c1, emulator } = await startFixture({ webhookUrl: receiver.url })
    await c1.simulate(c1.simulation('r9'))
    await receiver.received(1)
    await c1.advance('1h')
    for (const { call } of lookups) expect((await call(c1, 'r9')).data).toEqual([])
    expect((await emulator.control('/orders')).items).toEqual([])
    expectStatus(await c1.createCheckout('r9'), 200)
  })

  test('R7: a simulation changes no order, and delays none', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    await c1.createCheckout('r1')
    await receiver.received(1)
    const lookUpAll = () => Promise.all(lookups.map(async ({ call }) => (await call(c1, 'r1')).text))
    const before = await lookUpAll()
    const { orderId } = await c1.order('r1')
    await c1.advance('1s')
    await c1.simulate(c1.simulation('r1', { orderId, orderStatus: 'FAILED', errorCode: '9004' }))
    await receiver.received(2)
    expect(await lookUpAll()).toEqual(before)
    const { from, transitions } = await c1.advance('10s')
    expect(transitions.map(({ at, what, to }) => [at - from, what, to])).toEqual([
      [1_000, 'payment', 'COMPLETED'],
      [4_000, 'order', 'COMPLETED'],
    ])
  })

  test('R8: a changed webhook URL gets the next notification, and the old one nothing more', async () => {
    const before = await startReceiver()
    const after = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: before.url })
    await c1.createCheckout('r1')
    await before.received(1)
    expectStatus(await c1.setWebhookUrl(`${after.url}?from=emulator&n=2`), 200)
    await c1.advance('10s')
    expect(after.requests.map(({ path, json }) => [path, json.orderStatus])).toEqual([
      ['/hook?from=emulator&n=2', 'COMPLETED'],
    ])
    expect(before.requests).toHaveLength(1)
  })

  test.each(operations)('R9: $name without an access token is refused', async ({ call }) => {
    const { c1, emulator } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/before' })
    expectVerificationFailed(await call(c1, 'r1', { headers: { 'access-token': null } }))
    expect((await emulator.control('/orders')).items).toEqual([])
    expect((await emulator.control('/clients/C1')).json.webhookUrl).toBe('http://127.0.0.1:9/before')
  })
})

describe('1a: conventions', () => {
  test.each(operations)('R10: $name answers in JSON, in success and refusal', async ({ call }) => {
    const { c1 } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/' })
    const right = await call(c1, 'r1')
    const refused = await call(c1, 'r1', { headers: { 'access-token': 'wrong' } })
    expect([right.status, refused.status]).toEqual([200, 401])
    for (const { headers, json } of [right, refused]) {
      expect(headers['content-type']).toMatch(/^application\/json(;|$)/)
      expect(json).toBeTypeOf('object')
    }
  })

  test('R10: duplicates and invalid input are answered in JSON', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    for (const answer of [await c1.createCheckout('r1'), await c1.createCheckout('')]) {
      expect(answer.headers['content-type']).toMatch(/^application\/json(;|$)/)
      expect(answer.json).toHaveProperty('error.code')
    }
  })

  test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8'])(
    'R11: Content-Type %s is JSON',
    async (contentType) => {
      const { c1 } = await startFixture()
      expectStatus(await c1.createCheckout('r1', { headers: { 'content-type': contentType } }), 200)
    },
  )

  test.each([null, '*/*', 'application/json', 'text/html'])(
    'R12: Accept: %s makes no difference',
    async (accept) => {
      const { c1 } = await startFixture()
      expectStatus(await c1.createCheckout('r1', { headers: { accept } }), 200)
      expectStatus(await c1.createSubscription('r2', { headers: { accept } }), 200)
    },
  )

  test('R13: an amount that is a number is refused, and makes no order', async () => {
    const { c1, emulator } = await startFixture()
    const body =
      '{"currencyId":"usd_us","fiatAmount":10.00,"email":"a@example.com","requestId":"r1","clientId":"C1"}'
    for (const amount of ['10.00', '10']) {
      const signed = `fiatAmount=${amount}&requestId=r1`
      expectInvalid(await c1.post('/v1/client/checkout/create-order', body, { signed }), 'fiatAmount')
    }
    expect((await emulator.control('/orders')).items).toEqual([])
  })

  test('R14: amounts are texts in answers', async () => {
    const { c1 } = await startFixture()
    const created = await c1.createCheckout('r1')
    await c1.advance('10s')
    const fiat = await c1.fiatOrders('r1')
    const crypto = await c1.cryptoOrders('r1')
    expect(created.json).toHaveProperty('offerInfoData.totalFiatAmount', expect.any(String))
    expect(fiat.record.exchangeAmount).toBeTypeOf('string')
    expect(crypto.record.cryptoAmount).toBeTypeOf('string')
    expect(crypto.record.receivedAmount).toBeTypeOf('string')
  })

  test('R15: updatedTs is epoch milliseconds of the clock, as a number', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    await c1.advance('5s')
    const now = await c1.now()
    for (const { record } of [await c1.fiatOrders('r1'), await c1.cryptoOrders('r1')]) {
      expect(record.updatedTs).toSatisfy(Number.isInteger)
      expect(String(record.updatedTs)).toMatch(/^\d{13}$/)
      expect(Math.abs(Number(record.updatedTs) - now)).toBeLessThanOrEqual(5_000)
    }
  })

  test('R16: expiryTs is an ISO 8601 moment with an offset, in the future', async () => {
    const { c1 } = await startFixture()
    const { json } = await c1.createCheckout('r1')
    const { expiryTs } = Object(json.offerInfoData)
    expect(expiryTs).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/)
    expect(Date.parse(expiryTs)).toBeGreaterThan(await c1.now())
  })
})
