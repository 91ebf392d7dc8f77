import { describe, expect, test } from 'vitest'
import { paths } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectInvalid, expectStatus, expectVerificationFailed } from '../support/expect.ts'
import { operations } from '../support/operations.ts'
import { startReceiver } from '../support/receiver.ts'

describe('1f: create', () => {
  test('R85: it is a POST to /v1/client/checkout/create-order', async () => {
    const { c1, emulator } = await startFixture()
    expect(paths.checkout).toBe('/v1/client/checkout/create-order')
    expectStatus(await c1.createCheckout('r1'), 200)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await emulator.send(paths.checkout, { method, headers: { 'access-token': 'T1' } })
      expect(answer.status).not.toBe(200)
    }
  })
})

describe('1f: simulate-webhook', () => {
  test('R101: it needs a token and a JSON body, but no signature', async () => {
    const receiver = await startReceiver()
    const { emulator } = await startFixture({ webhookUrl: receiver.url })
    const body = {
      requestId: 'r1',
      clientId: 'C1',
      orderId: 'o1',
      orderStatus: 'COMPLETED',
      orderType: 'CHECKOUT',
      eventType: 'service-sdk-transaction-status',
    }
    const headers = { 'access-token': 'T1', 'content-type': 'application/json' }
    expectStatus(await emulator.send(paths.simulate, { method: 'POST', headers, body }), 200)
    const [webhook] = await receiver.received(1)
    expect(webhook?.json).toEqual(body)
  })

  test.each(['requestId', 'clientId', 'orderId', 'orderStatus', 'orderType', 'eventType', 'errorCode'])(
    'R102: %s must be a text',
    async (member) => {
      const receiver = await startReceiver()
      const { c1 } = await startFixture({ webhookUrl: receiver.url })
      for (const value of [9005, null, {}]) {
        expectInvalid(await c1.simulate(c1.simulation('r1', { [member]: value })), member)
      }
      await c1.settle()
      expect(receiver.requests).toEqual([])
    },
  )

  test('R102: the errorCode "9005" is one', async () => {
    const { c1 } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/' })
    expectStatus(await c1.simulate(c1.simulation('r1', { errorCode: '9005' })), 200)
  })

  test("R103: it goes to the client's own endpoint and to no other", async () => {
    const first = await startReceiver()
    const second = await startReceiver()
    const { c1, c2 } = await startFixture({ webhookUrl: first.url })
    await c2.setWebhookUrl(second.url)
    await c1.simulate(c1.simulation('r1'))
    await first.received(1)
    expectVerificationFailed(await c1.simulate(c1.simulation('r1', { clientId: 'C2' })))
    await c1.settle()
    await c2.settle()
    expect([first.requests.length, second.requests.length]).toEqual([1, 0])
  })

  test('R118, R122: event type, status FAILED and code 9005 arrive as they were given', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    const event = {
      eventType: 'service-sdk-transaction-status',
      orderStatus: 'FAILED',
      errorCode: '9005',
    }
    expectStatus(await c1.simulate(c1.simulation('r1', event)), 200)
    const [webhook] = await receiver.received(1)
    expect(webhook?.json).toEqual(c1.simulation('r1', event))
  })
})

describe('1f: webhook-url', () => {
  const updates = operations.filter(({ path }) => path.endsWith('/webhook-url'))

  test('R105: POST /v1/client/webhook-url changes the URL; it needs client-id', async () => {
    const { c1, emulator } = await startFixture()
    expectStatus(await c1.setWebhookUrl('http://127.0.0.1:9/new', {}, '/v1/client/webhook-url'), 200)
    expect((await emulator.control('/clients/C1')).json.webhookUrl).toBe('http://127.0.0.1:9/new')
  })

  test.each(updates)('R105: $name with a missing or wrong client-id changes nothing', async ({ path }) => {
    const { c1, emulator } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/old' })
    for (const clientId of [null, '', 'C2', 'c1', 'nobody']) {
      const headers = { 'client-id': clientId }
      expectVerificationFailed(await c1.setWebhookUrl('http://127.0.0.1:9/new', { headers }, path))
    }
    expect((await emulator.control('/clients/C1')).json.webhookUrl).toBe('http://127.0.0.1:9/old')
    expect((await emulator.control('/clients/C2')).json.webhookUrl).toBeNull()
  })

  test('R106: the path of the printed example does the same', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture()
    expectStatus(await c1.setWebhookUrl(receiver.url, {}, '/v1/client/fiat/webhook-url'), 200)
    await c1.createCheckout('r1')
    expect((await receiver.received(1))[0]?.json).toMatchObject({ requestId: 'r1' })
  })

  test.each(updates)(
    'R107: $name without a URL in its body is refused, and the old one stays',
    async ({ path }) => {
      const { c1, emulator } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/old' })
      for (const webhookUrl of [undefined, 1, null, '', ['http://127.0.0.1:9/new']]) {
        expectInvalid(await c1.setWebhookUrl(webhookUrl, {}, path), 'webhookUrl')
      }
      expect((await emulator.control('/clients/C1')).json.webhookUrl).toBe('http://127.0.0.1:9/old')
    },
  )

  test.each(operations.filter(({ path }) => !path.endsWith('/webhook-url')))(
    'R108: $name does not look at client-id',
    async ({ call }) => {
      const { c1 } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/' })
      expectStatus(await call(c1, 'r1', { headers: { 'client-id': 'C2' } }), 200)
    },
  )
})

describe('1f: events and error texts', () => {
  test('R117: every webhook of an order goes to the endpoint and carries its requestId', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    for (const requestId of ['r1', 'r2']) await c1.createCheckout(requestId)
    await c1.advance('1h')
    const told = receiver.requests.map(({ json }) => `${json.requestId} ${json.orderStatus}`)
    expect(told.toSorted()).toEqual(['r1 COMPLETED', 'r1 CREATED', 'r2 COMPLETED', 'r2 CREATED'])
  })

  test.each([
    ['9004', 'Error occurred while the payment was processed by the payment partner'],
    ['9006.1', 'There was an issue with Refund transaction.'],
  ])('R120, R121: code %s has exactly the printed text', async (errorCode, errorDesc) => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    await c1.createCheckout('r1')
    await c1.pay('r1', 'failed', errorCode)
    const expected = `"errorReason":${JSON.stringify({ errorCode, errorDesc })}`
    expect((await c1.fiatOrders('r1')).text).toContain(expected)
    expect((await c1.cryptoOrders('r1')).text).toContain(expected)
    const [, webhook] = await receiver.received(2)
    expect(webhook?.json).toMatchObject({ orderStatus: 'FAILED', errorCode })
  })
})

describe('1f: versioning and address', () => {
  test.each(operations)('R124: $name is found under /v1 only', async ({ path, method }) => {
    const { emulator } = await startFixture()
    for (const elsewhere of [
      path.slice('/v1'.length),
      path.replace('/v1/', '/v2/'),
      path.replace('/v1/', '/V1/'),
    ]) {
      const headers = { 'access-token': 'T1', 'content-type': 'application/json' }
      const query = method === 'GET' ? '?requestId=r1&clientId=C1' : ''
      const body = method === 'POST' ? {} : undefined
      expectStatus(await emulator.send(elsewhere + query, { method, headers, body }), 404)
    }
  })

  test('R125: a payment URL begins with the address that the caller used', async () => {
    const { c1, emulator } = await startFixture()
    const { json } = await c1.createCheckout(c1.checkout('r1', { mode: 'returnUrl' }))
    expect(json.url).toBe(`${emulator.url}/pay/${json.token}`)
  })

  test.each(['https://pay.test/emulator', 'https://pay.test/emulator/'])(
    'R125: behind %s, payment URLs begin with it',
    async (publicBaseUrl) => {
      const { c1 } = await startFixture({}, { settings: { publicBaseUrl } })
      const { json } = await c1.createCheckout(c1.checkout('r1', { mode: 'returnUrl' }))
      expect(json.url).toBe(`https://pay.test/emulator/pay/${json.token}`)
    },
  )
})
