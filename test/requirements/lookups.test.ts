import { describe, expect, test } from 'vitest'
import { paths } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectInvalid, expectStatus, expectVerificationFailed } from '../support/expect.ts'
import { lookups } from '../support/operations.ts'

describe('1f: lookups', () => {
  test('R94: GET crypto-orders answers 200 and a list', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    const answer = await c1.lookUp('/v1/client/crypto-orders', { requestId: 'r1', clientId: 'C1' })
    expectStatus(answer, 200)
    expect(Object.keys(answer.json)).toEqual(['data'])
    expect(answer.record).toMatchObject({ requestId: 'r1', payersEmail: 'a@example.com' })
  })

  test('R95: GET orders answers 200 and a list', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    const answer = await c1.lookUp('/v1/client/orders', { requestId: 'r1', clientId: 'C1' })
    expectStatus(answer, 200)
    expect(Object.keys(answer.json)).toEqual(['data'])
    expect(answer.record).toMatchObject({ requestId: 'r1', userAddress: 'a@example.com' })
  })

  test('R96: GET fiat-refunds answers 200 and a list', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    const answer = await c1.lookUp('/v1/client/fiat-refunds', { requestId: 'r1', clientId: 'C1' })
    expectStatus(answer, 200)
    expect(answer.data).toEqual([])
  })

  test.each(lookups)('R97: the $name needs both query parameters', async ({ path }) => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    expectInvalid(await c1.lookUp(path, { clientId: 'C1' }), 'requestId')
    expectInvalid(await c1.lookUp(path, { requestId: '', clientId: 'C1' }), 'requestId')
    expectInvalid(await c1.lookUp(path, { requestId: 'r1' }), 'clientId')
    expectInvalid(await c1.lookUp(path, { requestId: 'r1', clientId: '' }), 'clientId')
    const neither = await c1.lookUp(path, {})
    expectInvalid(neither, 'requestId')
    expectInvalid(neither, 'clientId')
    expectInvalid(await c1.lookUp(path, { request_id: 'r1', client_id: 'C1' }), 'requestId')
  })

  test.each(lookups)('R98: the $name needs no other header than access-token', async ({ path }) => {
    const { emulator } = await startFixture()
    const query = `${path}?requestId=r1&clientId=C1`
    expectStatus(await emulator.send(query, { method: 'GET', headers: { 'access-token': 'T1' } }), 200)
    expectStatus(await emulator.send(query, { method: 'GET', headers: { 'ACCESS-TOKEN': 'T1' } }), 200)
  })

  test.each(lookups)('R99: the $name of an unknown requestId is an empty list', async ({ call }) => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    for (const requestId of ['r2', 'R1', 'r', 'r1%', '*', "r1' or '1'='1"]) {
      const { status, text } = await call(c1, requestId)
      expect({ status, text }).toEqual({ status: 200, text: '{"data":[]}' })
    }
  })

  test.each(lookups)("R100: the $name never shows another client's data", async ({ path, call }) => {
    const { c1, c2 } = await startFixture()
    await c1.createCheckout('r1')
    await c2.createCheckout('r1')
    expectVerificationFailed(await c1.lookUp(path, { requestId: 'r1', clientId: 'C2' }))
    expectVerificationFailed(await c1.lookUp(path, { requestId: 'r1', clientId: 'nobody' }))
    expectVerificationFailed(await c1.lookUp(path, { requestId: 'r1', clientId: 'c1' }))
    expectVerificationFailed(await call(c1, 'r1', { headers: { 'access-token': 'wrong' } }))
    expect((await call(c1, 'r1')).data.map(({ clientId }) => clientId)).toEqual(
      path === paths.refunds ? [] : ['C1'],
    )
  })

  test.each(lookups)('R4, R112: the $name finds a requestId of any characters', async ({ path, call }) => {
    const { c1 } = await startFixture()
    for (const requestId of ['zamówienie-✓', 'a b&c=d#e?f/g%20', '+1', 'a\u0000b', 'a']) {
      await c1.createCheckout(requestId)
      const found = (await call(c1, requestId)).data.map((record) => record.requestId)
      expect(found).toEqual(path === paths.refunds ? [] : [requestId])
    }
  })
})

describe('the longest requestId', () => {
  // The longest credentials, too, and nine bytes for each character of the query.
  const fields = { clientId: '%'.repeat(200), accessToken: 'T'.repeat(200) }
  const longest = '€'.repeat(1_000)
  const tooLong = `${longest}x`
  const words = 'requestId: must have at most 1000 characters; it has 1001'

  test('of a checkout can be looked up', async () => {
    const { c1 } = await startFixture(fields)
    expectStatus(await c1.createCheckout(c1.checkout(longest)), 200)
    for (const { path } of lookups) {
      const answer = await c1.lookUp(path, { requestId: longest, clientId: c1.clientId })
      expect([answer.status, answer.data.length]).toEqual([200, path === paths.refunds ? 0 : 1])
    }
  })

  test('of a subscription and of an order by hand can be looked up, and of a plan it can be met', async () => {
    const { c1, emulator } = await startFixture(fields)
    const { clientId } = c1
    await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', requestId: longest })
    expectStatus(await c1.createSubscription(c1.subscription(longest)), 200)
    expect((await c1.journalOf(await c1.fiatOrders(longest))).requestId).toBe(longest)
    const other = `${longest.slice(1)}x`
    await emulator.control('/orders', 'POST', { clientId, requestId: other })
    expect((await c1.fiatOrders(other)).data).toHaveLength(1)
    const found = await emulator.control(`/orders?requestId=${encodeURIComponent(other)}`)
    expect(found.items).toHaveLength(1)
    await emulator.control('/faults', 'POST', {
      on: 'orders',
      where: { requestId: other },
      effect: { status: 503 },
    })
    expectStatus(await c1.fiatOrders(other), 503)
    await emulator.control(`/subscriptions/${encodeURIComponent(longest)}/cancel`, 'POST', {})
  })

  test('is one for all calls of the service', async () => {
    const { c1 } = await startFixture()
    const event = { orderId: 'o', orderStatus: 'COMPLETED', orderType: 'CHECKOUT', eventType: 'e' }
    const answers = [
      await c1.createCheckout(c1.checkout(tooLong)),
      await c1.createCheckout(c1.checkout('x'.repeat(20_000))),
      await c1.createSubscription(c1.subscription(tooLong)),
      await c1.simulate({ requestId: tooLong, clientId: 'C1', ...event }),
      ...(await Promise.all(
        lookups.map(({ path }) => c1.lookUp(path, { requestId: 'x'.repeat(1_001), clientId: 'C1' })),
      )),
    ]
    expect(
      answers.map(({ status, text }) => [status, text.match(/at most 1000 characters; it has \d+/)?.[0]]),
    ).toEqual(answers.map((_, n) => [400, `at most 1000 characters; it has ${n === 1 ? 20_000 : 1_001}`]))
    expectInvalid(await c1.fiatOrders('r1'.padEnd(1_001)), 'requestId')
    expectInvalid(await c1.lookUp(paths.fiat, { requestId: 'r1', clientId: tooLong }), 'clientId')
  })

  test.each([
    ['/orders', { clientId: 'C1', requestId: tooLong }],
    ['/scenarios/next', { scenario: 'happy', requestId: tooLong }],
    ['/faults', { on: 'orders', where: { requestId: tooLong }, effect: { status: 500 } }],
    ['/deliveries', { clientId: 'C1', event: { requestId: tooLong } }],
    ['/deliveries/hold', { where: { requestId: tooLong } }],
    ['/fixtures', { clients: [{ clientId: 'C3', orders: [{ requestId: tooLong }] }] }],
  ])('is the same at %s', async (path, body) => {
    const { emulator } = await startFixture()
    const headers = { 'content-type': 'application/json' }
    const answer = await emulator.send(`/_emulator${path}`, { method: 'POST', headers, body })
    const message = expect.stringContaining(words.replace('requestId: ', ''))
    expect([answer.status, answer.json]).toMatchObject([400, { error: { message } }])
  })

  test('is none with half of a surrogate pair, which no query can name', async () => {
    const { emulator } = await startFixture()
    const headers = { 'content-type': 'application/json' }
    const body = '{"clientId":"C1","requestId":"\\ud800"}'
    const answer = await emulator.send('/_emulator/orders', { method: 'POST', headers, body })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('half of a surrogate pair')])
  })
})
