import { expect, test } from 'vitest'
import { readSettingsFile } from '../../src/domain/choices/read-settings.ts'
import { emulatorUnder, hmac, jwtIn, minutes, Shop, startTime, statusWith } from './support.ts'

const emulator = emulatorUnder('test/match/providers/p2.yaml')
const shop = () => Shop.at(emulator())

/** A time in webhooks, so long after the start. */
const at = (ms: number) => {
  const shifted = new Date(Date.parse(startTime) + 3_600_000 + ms)
  return `${shifted.toISOString().slice(0, 19)}+01:00`
}

async function askToken({ emulator, client }: Shop, secret = client.apiSecret) {
  const answer = await emulator.fetch(`${emulator.url}/v1/auth/access-token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString('base64')}` },
  })
  return { status: answer.status, json: Object(await answer.json()) }
}

test('P2-01 the signature is sha256 and hex over the body alone', async () => {
  const tillbrook = await shop()
  const told = await tillbrook.told('happy', 'COMPLETED')
  expect(told.headers['x-tillbrook-signature']).toBe(
    `sha256=${hmac(told.text, tillbrook.client.webhookSecret)}`,
  )
})

test('P2-02 each try has a JWT of its own in Authorization, keyed with a secret of its own', async () => {
  const tillbrook = await shop()
  await tillbrook.client.changeSettings({ 'webhook.signTime': 'virtual' })
  tillbrook.inbox.answerOnce(500)
  await tillbrook.create('never-pays')
  await tillbrook.client.clock.advance('12s')
  const tokens = tillbrook.inbox.webhooks.map(({ headers }) => {
    const [scheme, token = ''] = (headers.authorization ?? '').split(' ')
    expect(scheme).toBe('Bearer')
    const { head, claims, signature, signed } = jwtIn(token)
    expect(head).toEqual({ alg: 'HS256', typ: 'JWT', kid: 'tb-2026-b' })
    expect(signature).toBe(hmac(signed, 'tb_jwt_secret_93f2', { as: 'base64url' }))
    return { claims, jti: headers['x-tillbrook-delivery'] }
  })
  const started = Math.floor(Date.parse(startTime) / 1000)
  expect(tokens.map(({ claims }) => claims)).toEqual(
    [2, 12].map((later) => ({
      iss: 'tillbrook',
      aud: tillbrook.client.clientId,
      iat: started + later,
      exp: started + later + 120,
      jti: tokens[0]?.jti,
    })),
  )
  expect(tokens[1]?.jti).toBe(tokens[0]?.jti)
})

test('P2-02 the printed example is signed like this', () => {
  const { signed, signature } = jwtIn(
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InRiLTIwMjYtYiJ9.eyJpc3MiOiJ0aWxsYnJvb2siLCJhdWQiOiJ0aWxsYnJvb2stZGVtbyIsImlhdCI6MTc5NTc4NDcxMSwiZXhwIjoxNzk1Nzg0ODMxLCJqdGkiOiIwYjdkMWM1Mi02ZjBlLTRlMzktOWE1NS0yZDg0YzFlN2YzMTAifQ.nVe8Bdk_XZ7yD1RhA2S1RWxb9-AOdMTxfIYXsLsNIHc',
  )
  expect(hmac(signed, 'tb_jwt_secret_93f2', { as: 'base64url' })).toBe(signature)
})

test('P2-03 the delivery id stays the same, and the number of the try counts', async () => {
  const tillbrook = await shop()
  tillbrook.inbox.answerOnce(500)
  await tillbrook.create('never-pays')
  await tillbrook.client.clock.advance('12s')
  const [first, second] = tillbrook.inbox.webhooks.map(({ headers }) => headers)
  expect(first?.['x-tillbrook-delivery']).toMatch(/./)
  expect(second?.['x-tillbrook-delivery']).toBe(first?.['x-tillbrook-delivery'])
  expect([first?.['x-tillbrook-try'], second?.['x-tillbrook-try']]).toEqual(['1', '2'])
})

test('P2-04 events come in batches of up to 20, or after 2 seconds', async () => {
  const tillbrook = await shop()
  await tillbrook.create('never-pays')
  await tillbrook.create('never-pays')
  await tillbrook.client.clock.advance('1s')
  await tillbrook.inbox.none()
  await tillbrook.client.clock.advance('1s')
  const [webhook] = tillbrook.inbox.webhooks
  const { batch, events } = JSON.parse(webhook?.text ?? '{}')
  expect(batch).toEqual({ id: webhook?.headers['x-tillbrook-delivery'], sent: at(2_000) })
  expect(events).toHaveLength(2)
  for (let n = 0; n < 20; n++) await tillbrook.create('never-pays')
  await tillbrook.client.clock.settle()
  expect(JSON.parse(tillbrook.inbox.webhooks.at(-1)?.text ?? '').events).toHaveLength(20)
})

test('P2-05 a failed batch is sent again whole, and new events do not join it', async () => {
  const tillbrook = await shop()
  tillbrook.inbox.answerOnce(500)
  await tillbrook.create('never-pays')
  await tillbrook.client.clock.advance('2s')
  await tillbrook.create('never-pays')
  await tillbrook.client.clock.advance('10s')
  const [first, later, again] = tillbrook.inbox.webhooks.map(({ text }) => text)
  expect(again).toBe(first)
  expect(JSON.parse(later ?? '').events).toHaveLength(1)
})

test.each([
  ['never-pays', 'CREATED', 'ORDER_OPENED', 'NEW'],
  ['happy', 'COMPLETED', 'ORDER_SETTLED', 'SETTLED'],
  ['fail-9004', 'FAILED', 'ORDER_REJECTED', 'REJECTED'],
])('P2-06, P2-07 %s tells %s as %s with the state %s', async (scenario, status, topic, state) => {
  const told = await (await shop()).told(scenario, status)
  expect(told.body).toMatchObject({ topic, order: { state } })
})

test('P2-07 an order is REFUNDED once all of it is refunded', async () => {
  const tillbrook = await shop()
  const { body } = await tillbrook.told('refund-initiated', 'REFUND_INITIATED')
  expect(body).toMatchObject({ order: { state: 'REFUNDED' }, refund: { state: 'STARTED' } })
  const { orderStatus } = await tillbrook.client.orders.get(Object(body).order.reference)
  expect(orderStatus).toBe('COMPLETED')
})

test('P2-08 the refund lookup has the words of the document', async () => {
  const tillbrook = await shop()
  const status = async (scenario: string, orderStatus: string) => {
    const { requestId } = await tillbrook.told(scenario, orderStatus)
    const { data } = await tillbrook.client.fiatRefunds(requestId)
    return data[0]?.status
  }
  expect(await status('refund-initiated', 'REFUND_INITIATED')).toBe('REFUND_INITIATED')
  expect(await status('refund-failed', 'REFUND_BOUNCED')).toBe('REFUND_BOUNCED')
  await tillbrook.client.scenarios.put('paid-out', paidOut)
  expect(await status('paid-out', 'REFUNDED')).toBe('REFUND_PAID_OUT')
})

test('P2-09, P2-10 times have the offset and no fraction, money is an object', async () => {
  const tillbrook = await shop()
  const told = await tillbrook.told('happy', 'COMPLETED', { fiatAmount: '25' })
  const event = {
    topic: 'ORDER_SETTLED',
    at: at(5_000),
    order: {
      reference: told.requestId,
      number: told.orderId,
      state: 'SETTLED',
      money: { value: '25.00', currency: 'EUR' },
    },
  }
  const batch = { id: told.headers['x-tillbrook-delivery'], sent: at(7_000) }
  expect(told.text).toBe(JSON.stringify({ batch, events: [event] }))
})

test('P2-11, P2-12 Basic without a body gets a nested token and its end as a time', async () => {
  const tillbrook = await shop()
  const { status, json } = await askToken(tillbrook)
  expect([status, json]).toEqual([
    200,
    { data: { token: expect.any(String), expiresAt: at(3_600_000) }, meta: { lifetimeMinutes: 60 } },
  ])
  expect(await statusWith(tillbrook, json.data.token)).toBe(200)
  expect((await askToken(tillbrook, 'wrong')).status).toBe(401)
})

test('P2-13 a new token does not end the one before, which lives for its own 60 minutes', async () => {
  const tillbrook = await shop()
  const old = (await askToken(tillbrook)).json.data.token
  await tillbrook.client.clock.advance('59m')
  const latest = (await askToken(tillbrook)).json.data.token
  expect(await statusWith(tillbrook, old)).toBe(200)
  await tillbrook.client.clock.advance('1m')
  expect(await statusWith(tillbrook, old)).toBe(401)
  expect(await statusWith(tillbrook, latest)).toBe(200)
})

test('P2-14 invalid input is 422 with a pointer, a rule and a text for each problem', async () => {
  const refused = await (await shop()).send({ fiatAmount: '10.001', requestId: '' })
  expect(refused.status).toBe(422)
  expect(refused.json).toMatchObject({
    message: 'The order could not be read',
    problems: expect.arrayContaining([
      { path: '/fiatAmount', rule: 'decimals', text: 'At most two decimal places' },
    ]),
  })
  const { json } = await (await shop()).send({ fiatAmount: '10.00', billingData: { country: 'Austria' } })
  expect(json).toEqual({
    message: 'The order could not be read',
    problems: [
      { path: '/email', rule: 'required', text: 'This member is required' },
      { path: '/billingData/country', rule: 'format', text: expect.any(String) },
    ],
  })
})

test('P2-15 six more tries follow the table', async () => {
  expect(await (await shop()).delays({ status: 500 })).toEqual(minutes(10 / 60, 1, 10, 60, 180, 180))
})

test('P2-15 the time limit is 5 seconds', async () => {
  const { effective } = await (await shop()).client.settings()
  expect(effective['webhook.timeout']).toBe('5s')
})

test('P2-16 Retry-After is heeded in seconds and as a date', async () => {
  const tillbrook = await shop()
  const answer = { status: 429, headers: { 'retry-after': '1800' } }
  expect((await tillbrook.delays(answer)).slice(0, 3)).toEqual(minutes(30, 30, 30))
  const inTenMinutes = new Date(Date.now() + 600_000).toUTCString()
  const delays = await (await shop()).delays({ status: 503, headers: { 'retry-after': inTenMinutes } })
  expect(delays[0]).toBeGreaterThan(minutes(9)[0] ?? 0)
  expect(delays[0]).toBeLessThanOrEqual(minutes(10)[0] ?? 0)
})

test.todo('P2-16 Retry-After is heeded on 429 and 503 only, and up to 1 hour')

test('P2-17 410 pauses all webhooks until the URL is set again, then the waiting ones are sent', async () => {
  const tillbrook = await shop()
  tillbrook.inbox.answerOnce(410)
  const first = await tillbrook.create('happy')
  await tillbrook.client.clock.advance('2s')
  const second = await tillbrook.create('happy')
  await tillbrook.client.clock.advance('2d')
  expect(tillbrook.inbox.webhooks).toHaveLength(1)
  await tillbrook.client.setWebhookUrl(tillbrook.inbox.url)
  await tillbrook.client.clock.settle()
  await tillbrook.next(first.requestId, 'COMPLETED')
  await tillbrook.next(second.requestId, 'COMPLETED')
})

test('P2-18 any change of a refund is one event, with the state of refund and order', async () => {
  const tillbrook = await shop()
  const told = await tillbrook.told('refund-partial-twice', 'REFUND_INITIATED', { fiatAmount: '80.00' })
  const { data } = await tillbrook.client.fiatRefunds(told.requestId)
  const order = {
    reference: told.requestId,
    number: told.orderId,
    state: 'SETTLED',
    money: { value: '80.00', currency: 'EUR' },
  }
  expect(told.body).toEqual({
    topic: 'REFUND_CHANGED',
    at: at(60_000),
    order,
    refund: { number: data[0]?.refundId, state: 'STARTED', money: { value: '24.00', currency: 'EUR' } },
  })
  const bounced = await tillbrook.told('refund-failed', 'REFUND_BOUNCED')
  expect(bounced.body).toMatchObject({
    topic: 'REFUND_CHANGED',
    order: { state: 'SETTLED' },
    refund: { state: 'BOUNCED' },
  })
  await tillbrook.client.scenarios.put('paid-out', paidOut)
  const out = await tillbrook.told('paid-out', 'REFUNDED')
  expect(out.body).toMatchObject({ order: { state: 'SETTLED' }, refund: { state: 'PAID_OUT' } })
})

test('P2-19 partner and payment method are fixed, unless the order names a method', async () => {
  const tillbrook = await shop()
  const plain = await tillbrook.create('happy')
  expect(plain.offerInfoData?.selectedPaymentMethod).toBe('CARD')
  const own = await tillbrook.create('happy', { paymentMethodId: 'PIX' })
  expect(own.offerInfoData?.selectedPaymentMethod).toBe('PIX')
  const records = [plain, own].map(async ({ requestId }) => (await tillbrook.client.fiatOrders(requestId))[0])
  expect(await Promise.all(records)).toMatchObject([
    { partner: 'TILLBROOK_ACQ_EU', paymentMethod: 'CARD' },
    { partner: 'TILLBROOK_ACQ_EU', paymentMethod: 'PIX' },
  ])
})

test('P2-20 the payment page is named in offerInfoData, at a path of its own', async () => {
  const tillbrook = await shop()
  const created = await tillbrook.create('happy', { mode: 'returnUrl', callbackUrl: 'https://shop.test/' })
  const url = String(Object(created.offerInfoData).url)
  expect(new URL(url).pathname).toBe(`/checkout/pay/${created.token}`)
  expect(created).not.toHaveProperty('url')
  const page = await tillbrook.emulator.fetch(url)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
})

test('P2-21 30 create calls and 300 lookups in a minute are allowed for each token', async () => {
  const tillbrook = await shop()
  const other = (await askToken(tillbrook)).json.data.token
  for (let n = 0; n < 30; n++) await tillbrook.create('never-pays')
  await tillbrook.client.clock.advance('19s')
  const refused = await tillbrook.send({ fiatAmount: '1.00', email: 'a@example.com' })
  expect([refused.status, refused.json]).toEqual([429, { message: 'Too many calls', problems: [] }])
  const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after']
  expect(names.map((name) => refused.headers.get(name))).toEqual(['30', '0', '41', '41'])
  const withOther = { 'access-token': other }
  const lookUp = await tillbrook.lookUp('orders', 'r1')
  expect(lookUp.headers.get('ratelimit-remaining')).toBe('299')
  expect((await tillbrook.lookUp('orders', 'r1', withOther)).headers.get('ratelimit-remaining')).toBe('299')
})

test('P2-22 another status for a failed verification is refused, with the line of the API specification', () => {
  const read = readSettingsFile('errors:\n  verificationStatus: 403\n', 'p2.yaml')
  expect(read).toEqual({
    problems: [
      expect.objectContaining({
        message: expect.stringContaining('Client verification failed'),
      }),
    ],
  })
})

const paidOut = {
  id: 'paid-out',
  description: 'A refund that is paid out',
  timeline: [
    { at: '2s', pay: 'completed' },
    { at: '5s', order: 'COMPLETED' },
    { at: '10s', refund: '4.00' },
    { at: '20s', refundStatus: 'REFUNDED' },
  ],
}
