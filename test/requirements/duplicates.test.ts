import { describe, expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { expectOrderExists, expectStatus } from '../support/expect.ts'
import { startReceiver } from '../support/receiver.ts'

describe('1f: a requestId that an order has already', () => {
  test('R88: a duplicate requestId is answered 401 with 7001', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    const { status, text } = await c1.createCheckout('r1')
    expect(status).toBe(401)
    expect(text).toBe('{"error":{"code":"7001","message":"Order already exists for given requestId"}}')
  })

  test('R89: the code is a text', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    expect(Object((await c1.createCheckout('r1')).json.error).code).toBe('7001')
  })

  test('R90: a duplicate is told as an object, a failed verification on the same path as a text', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    const duplicate = await c1.createCheckout('r1')
    const badToken = await c1.createCheckout('r1', { headers: { 'access-token': 'wrong' } })
    const badSignature = await c1.createCheckout('r1', { signed: 'wrong' })
    expect(duplicate.json.error).toBeTypeOf('object')
    expect(badToken.json.error).toBeTypeOf('string')
    expect(badSignature.json.error).toBeTypeOf('string')
  })

  test('R91: a duplicate changes nothing and sends nothing', async () => {
    const receiver = await startReceiver()
    const { c1, emulator } = await startFixture({ webhookUrl: receiver.url })
    await c1.createCheckout(c1.checkout('r1', { metadata: { first: 1 } }))
    await c1.settle()
    const lookUp = async () => [(await c1.fiatOrders('r1')).text, (await c1.cryptoOrders('r1')).text]
    const before = await lookUp()
    await c1.advance('1s')
    const second = c1.checkout('r1', { fiatAmount: '99.00', email: 'b@example.com', metadata: { second: 2 } })
    expectOrderExists(await c1.createCheckout(second))
    await c1.settle()
    expect(await lookUp()).toEqual(before)
    expect(receiver.requests).toHaveLength(1)
    expect((await emulator.control('/orders')).items).toHaveLength(1)
    const { transitions, from } = await c1.advance('1h')
    expect(transitions.map(({ at, to }) => [at - from, to])).toEqual([
      [1_000, 'COMPLETED'],
      [4_000, 'COMPLETED'],
    ])
  })

  test('R92: a requestId is used up for both create paths', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    expectOrderExists(await c1.createSubscription('r1'))
    expectStatus(await c1.createSubscription('r2'), 200)
    expectOrderExists(await c1.createCheckout('r2'))
    expectOrderExists(await c1.createSubscription('r2'))
  })

  test.each([
    ['CREATED', 'happy', '1m', 'never-pays', {}],
    ['CREATED', 'past its expiry', '1h', 'never-pays', {}],
    ['FAILED', 'at its expiry', '1h', 'never-pays', { orders: { onExpiry: 'fail' } }],
    ['ABANDONED', 'at its expiry', '1h', 'never-pays', { orders: { onExpiry: 'abandon' } }],
    ['FAILED', 'by the partner', '1m', 'fail-9004', {}],
    ['COMPLETED', 'at the end', '400d', 'happy', {}],
  ])('R93: it stays used up when the order is %s (%s)', async (status, _, by, defaultScenario, settings) => {
    const { c1 } = await startFixture({ defaultScenario, settings })
    await c1.createCheckout('r1')
    await c1.advance(by)
    expect((await c1.fiatOrders('r1')).record.orderStatus).toBe(status)
    expectOrderExists(await c1.createCheckout('r1'))
  })

  test('R119: the text of 7001 is exact, without a full stop', async () => {
    const { c1 } = await startFixture()
    await c1.createSubscription('r1')
    const { error } = (await c1.createSubscription('r1')).json
    expect(error).toEqual({ code: '7001', message: 'Order already exists for given requestId' })
  })
})
