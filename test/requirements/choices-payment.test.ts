import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import type { ClientFields } from '../support/client.ts'
import { startFixture, type TestEmulator } from '../support/emulator.ts'
import { expectStatus } from '../support/expect.ts'
import { pageOf } from '../support/payment-page.ts'
import { startReceiver } from '../support/receiver.ts'

const json = { 'content-type': 'application/json' }
const act = (emulator: TestEmulator, orderId: unknown, body: object) =>
  emulator.send(`/_emulator/orders/${orderId}/pay`, { method: 'POST', headers: json, body })

describe('N65: who pays', () => {
  test.each([
    ['unless-page', undefined, 'COMPLETED'],
    ['unless-page', 'returnUrl', 'CREATED'],
    ['unless-page', 'returnAppUrl', 'CREATED'],
    ['always', 'returnUrl', 'COMPLETED'],
    ['never', undefined, 'CREATED'],
  ])('N65: under autopay %s an order with mode %s is %s after an hour', async (autopay, mode, status) => {
    const { c1 } = await startFixture({ settings: { orders: { autopay } } })
    expectStatus(await c1.createCheckout(c1.checkout('r1', { mode, targetApp: 'someBank' })), 200)
    await c1.advance('1h')
    expect((await c1.fiatOrders('r1')).record.orderStatus).toBe(status)
  })

  test('N65: a subscription with a mode waits for its payer too', async () => {
    const { c1 } = await startFixture()
    await c1.createSubscription(c1.subscription('r1', { mode: 'returnUrl' }))
    await c1.advance('1h')
    expect((await c1.fiatOrders('r1')).record.orderStatus).toBe('CREATED')
  })

  test.each([
    ['never-pays', 'keep', true],
    ['payer-decides', 'keep', true],
    ['fail-9004', 'keep', false],
    ['never-pays', 'fail', false],
    ['never-pays', 'abandon', false],
  ])(
    'N65: under %s and onExpiry %s an order with a mode waits for its payer: %s',
    async (id, onExpiry, waits) => {
      const { c1 } = await startFixture({ defaultScenario: id, settings: { 'orders.onExpiry': onExpiry } })
      await c1.createCheckout(c1.checkout('r1', { mode: 'returnUrl' }))
      await c1.advance('1h')
      expect((await c1.order('r1')).waitsForPayer).toBe(waits)
    },
  )
})

describe('N65: whoever opens the payment page makes the order wait', () => {
  const opened = async (fields: ClientFields = {}, order: JsonObject = {}) => {
    const fixture = await startFixture(fields)
    const { c1, emulator } = fixture
    expectStatus(await c1.createCheckout(c1.checkout('r1', order)), 200)
    const page = await pageOf(c1, emulator, 'r1')
    expectStatus(await page.open(), 200)
    return { ...fixture, page }
  }

  test('N65: opened within two seconds, an order without mode waits as long as it takes', async () => {
    const { c1, page } = await opened()
    await c1.advance('14m')
    const { history, waitsForPayer } = await c1.order('r1')
    expect(waitsForPayer).toBe(true)
    expect(history).toMatchObject([{ what: 'created' }, { what: 'payment page opened' }])
    expectStatus(await page.choose({ outcome: 'completed' }), 303)
    await c1.advance('3s')
    expect((await c1.fiatOrders('r1')).record.orderStatus).toBe('COMPLETED')
  })

  test('N65: opening it again changes nothing, and nobody is told of it', async () => {
    const { c1, page } = await opened()
    const before = await c1.order('r1')
    expectStatus(await page.open(), 200)
    expect(await c1.order('r1')).toEqual(before)
    expect((await c1.deliveries()).map(({ body }) => body)).toMatchObject([{ orderStatus: 'CREATED' }])
  })

  test.each([
    ['unless-page', 'CREATED'],
    ['always', 'COMPLETED'],
  ])('N65: under autopay %s the order is %s after an hour', async (autopay, status) => {
    const { c1 } = await opened({ settings: { orders: { autopay } } })
    await c1.advance('1h')
    expect((await c1.fiatOrders('r1')).record.orderStatus).toBe(status)
  })

  test('N65: a scenario without a payment is not held back', async () => {
    const { c1 } = await opened({ defaultScenario: 'fail-9004' })
    await c1.advance('1h')
    expect((await c1.fiatOrders('r1')).record.orderStatus).toBe('FAILED')
  })

  test.each([
    ['asks for its headers only', {}, 'HEAD'],
    ['reads ahead', { 'sec-purpose': 'prefetch' }, 'GET'],
    ['renders ahead', { 'sec-purpose': 'prefetch;prerender' }, 'GET'],
    ['reads ahead in the way of old browsers', { 'x-moz': 'prefetch' }, 'GET'],
  ])('N65: a browser that %s does not open it', async (_, headers, method) => {
    const { c1, emulator } = await startFixture()
    await c1.createCheckout('r1')
    await (await pageOf(c1, emulator, 'r1')).open(headers, method)
    expect((await c1.order('r1')).waitsForPayer).toBe(false)
  })

  test('N12, N65: after its expiry the page offers no payment and holds nothing, but the control API pays', async () => {
    const { c1, emulator } = await startFixture({ defaultScenario: 'never-pays' })
    await c1.createCheckout('r1')
    const page = await pageOf(c1, emulator, 'r1')
    await c1.advance('15m')
    const shown = await page.open()
    expectStatus(shown, 200)
    expect(shown.text).not.toContain('<form')
    expectStatus(await page.choose({ outcome: 'completed' }), 200)
    expect((await c1.cryptoOrders('r1')).record.paymentStatus).toBe('CREATED')
    await c1.pay('r1', 'completed')
    expect((await c1.cryptoOrders('r1')).record.paymentStatus).toBe('COMPLETED')
  })

  test('N56: who leaves is not sent back, and the order stays CREATED', async () => {
    const { c1, page } = await opened({}, { callbackUrl: 'https://shop.test/' })
    const { status, headers } = await page.choose({ outcome: 'abandoned' })
    expect([status, headers.location]).toEqual([303, page.token])
    expect((await c1.advance('30d')).transitions).toEqual([])
    expect(await page.state()).toBe('abandoned')
  })
})

describe("the payer's act", () => {
  /** An order that waits for its payer. */
  async function waiting() {
    const receiver = await startReceiver()
    const fixture = await startFixture({ webhookUrl: receiver.url })
    const { c1 } = fixture
    await c1.createCheckout(c1.checkout('r1', { mode: 'returnUrl' }))
    await c1.advance('7m')
    const { orderId } = await c1.order('r1')
    const told = () => receiver.requests.map(({ json }) => json.orderStatus)
    return { ...fixture, receiver, orderId, told }
  }

  test('N65: completed: paid now, and the steps after the payment keep their distance', async () => {
    const { c1, told } = await waiting()
    await c1.pay('r1', 'completed')
    expect((await c1.cryptoOrders('r1')).record).toMatchObject({
      orderStatus: 'CREATED',
      paymentStatus: 'COMPLETED',
      receivedAmount: '10.00000000',
      updatedTs: await c1.now(),
    })
    const { from, transitions } = await c1.advance('1h')
    expect(transitions.map(({ at, what, to }) => [at - from, what, to])).toEqual([
      [3_000, 'order', 'COMPLETED'],
    ])
    expect(told()).toEqual(['CREATED', 'COMPLETED'])
  })

  test.each([
    [undefined, '9004'],
    ['9005', '9005'],
    ['9006.1', '9006.1'],
  ])(
    'N65, N67: failed with code %s: FAILED at once with %s, and nothing follows',
    async (given, errorCode) => {
      const { c1, told } = await waiting()
      await c1.pay('r1', 'failed', given)
      expect((await c1.fiatOrders('r1')).record).toMatchObject({
        orderStatus: 'FAILED',
        errorReason: { errorCode },
      })
      await c1.settle()
      expect((await c1.advance('1h')).transitions).toEqual([])
      expect(told()).toEqual(['CREATED', 'FAILED'])
    },
  )

  test('N65: abandoned: the order stays CREATED, and nothing follows', async () => {
    const { c1, told } = await waiting()
    await c1.pay('r1', 'abandoned')
    expect((await c1.advance('30d')).transitions).toEqual([])
    expect((await c1.fiatOrders('r1')).record.orderStatus).toBe('CREATED')
    expect(told()).toEqual(['CREATED'])
  })

  test.each(['completed', 'failed', 'abandoned'])(
    'N65: %s on an order that is paid is 409',
    async (outcome) => {
      const { c1, emulator, orderId } = await waiting()
      await c1.pay('r1', 'completed')
      expectStatus(await act(emulator, orderId, { outcome }), 409)
      await c1.advance('1h')
      expectStatus(await act(emulator, orderId, { outcome }), 409)
      expect((await c1.fiatOrders('r1')).record.orderStatus).toBe('COMPLETED')
    },
  )

  test('N65: on a failed order it is 409, on an unknown one 404, with other words 400', async () => {
    const { c1, emulator, orderId } = await waiting()
    for (const body of [
      {},
      { outcome: 'paid' },
      { outcome: 'completed', errorCode: '9004' },
      { outcome: 'failed', errorcode: '9004' },
    ]) {
      expectStatus(await act(emulator, orderId, body), 400)
    }
    expectStatus(await act(emulator, 'no-such-order', { outcome: 'completed' }), 404)
    await c1.pay('r1', 'failed')
    const answer = await act(emulator, orderId, { outcome: 'completed' })
    expectStatus(answer, 409)
    expect(answer.json).toEqual({ error: { code: expect.any(String), message: expect.any(String) } })
  })

  test('N65: of twenty payers at once one pays', async () => {
    const { emulator, orderId, c1, told } = await waiting()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => act(emulator, orderId, { outcome: 'completed' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    await c1.advance('1h')
    expect(told()).toEqual(['CREATED', 'COMPLETED'])
  })

  test('N65: an order that the emulator would pay can be paid before', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    await c1.advance('500ms')
    await c1.pay('r1', 'completed')
    const { from, transitions } = await c1.advance('1h')
    expect(transitions.map(({ at, what }) => [at - from, what])).toEqual([[3_000, 'order']])
  })
})

describe('N68: amounts that choose a scenario', () => {
  test.each([
    ['90.04', { orderStatus: 'FAILED', errorReason: { errorCode: '9004' } }],
    ['90.05', { orderStatus: 'FAILED', errorReason: { errorCode: '9005' } }],
    ['90.03', { orderStatus: 'COMPLETED' }],
    ['9004', { orderStatus: 'COMPLETED' }],
  ])('N68: an order over %s ends as %j', async (fiatAmount, end) => {
    const { c1 } = await startFixture()
    await c1.createCheckout(c1.checkout('r1', { fiatAmount }))
    await c1.advance('1h')
    expect((await c1.fiatOrders('r1')).record).toMatchObject(end)
  })

  test('N68: they can be switched off', async () => {
    const { c1 } = await startFixture({ settings: { scenarios: { amounts: 'off' } } })
    await c1.createCheckout(c1.checkout('r1', { fiatAmount: '90.04' }))
    await c1.advance('1h')
    expect((await c1.fiatOrders('r1')).record.orderStatus).toBe('COMPLETED')
  })

  test('N68: a create that names a scenario itself gets that one', async () => {
    const { c1 } = await startFixture()
    const body = c1.checkout('r1', { fiatAmount: '90.04', email: 'a+never-pays@example.com' })
    expectStatus(await c1.createCheckout(body), 200)
    expect((await c1.order('r1')).scenario).toMatchObject({ id: 'never-pays' })
    const other = c1.checkout('r2', { fiatAmount: '90.04' })
    const headers = { 'emulator-scenario': 'happy' }
    expectStatus(await c1.createCheckout(other, { headers }), 200)
    expect((await c1.order('r2')).scenario).toMatchObject({ id: 'happy' })
  })
})
