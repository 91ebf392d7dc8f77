import { expect, test } from 'vitest'
import { emulatorUnder, hmac, minutes, Shop, startTime, type Told } from './support.ts'

const emulator = emulatorUnder('test/match/providers/p1.yaml')
const shop = () => Shop.at(emulator())
const metadata = { cart: 'A-77' }

/** The order in a webhook, as the document prints it. */
const orderOf = ({ event, requestId, orderId }: Told, status: string) => ({
  ...{ id: orderId, requestId, clientId: event.clientId },
  ...{ status, amount: '10.00', currency: 'EUR' },
})

/** Asks for a token with a form. */
async function askToken({ emulator, client }: Shop, fields: Readonly<Record<string, string>> = {}) {
  const form = {
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.apiSecret,
    ...fields,
  }
  const answer = await emulator.fetch(`${emulator.url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  const json: unknown = await answer.json()
  return { status: answer.status, headers: answer.headers, json, token: String(Object(json).access_token) }
}

test('P1-01 the signature is t and v1 in hex over time and body, made anew for each try', async () => {
  const norvelle = await shop()
  await norvelle.client.changeSettings({ 'webhook.signTime': 'virtual' })
  norvelle.inbox.answerOnce(500)
  await norvelle.create('never-pays')
  await norvelle.client.clock.advance('1m')
  const times = norvelle.inbox.webhooks.map(({ text, headers }) => {
    const [, t, v1] = /^t=(\d{10}),v1=([\da-f]{64})$/.exec(headers['norvelle-signature'] ?? '') ?? []
    expect(v1).toBe(hmac(`${t}.${text}`, norvelle.client.webhookSecret))
    return Number(t)
  })
  const now = Math.floor((await norvelle.client.clock.now()) / 1000)
  expect(times).toEqual([now - 60, now])
})

test('P1-01 the printed example is signed by this recipe', () => {
  const body =
    '{"id":"evt_7q2m4xk9c3r8w1t6y5zd0hbn","type":"order.paid","created":1795784709,"data":{"order":{"id":"PO-20261127-000123","requestId":"5f0c2b1e-8a47-4c55-9d0e-3c1f6a7b8d90","clientId":"norvelle-demo","status":"paid","amount":"10.00","currency":"EUR","metadata":{"cart":"A-77"}}}}'
  expect(hmac(`1795784710.${body}`, 'nv_hook_secret_b81d')).toBe(
    '37ad14ee91bf2d3895e0654cd34455f65a453d4da95561c35ef35d98299d244b',
  )
})

test('P1-02, P1-03 the body is the envelope of the document, in its order of members', async () => {
  const norvelle = await shop()
  const told = await norvelle.told('happy', 'COMPLETED', { fiatAmount: '10', metadata })
  const order = { ...orderOf(told, 'paid'), metadata }
  const created = Math.floor(Date.parse(startTime) / 1000) + 5
  expect(told.text).toBe(JSON.stringify({ id: told.webhookId, type: 'order.paid', created, data: { order } }))
})

test('P1-04 the event id is a header and stays the same, the number of the try counts from 1', async () => {
  const norvelle = await shop()
  norvelle.inbox.answerOnce(500)
  await norvelle.create('never-pays')
  await norvelle.client.clock.advance('1m')
  const [first, second] = norvelle.inbox.webhooks
  const { id } = Object(first?.body)
  expect(first?.headers).toMatchObject({ 'norvelle-event-id': id, 'norvelle-attempt': '1' })
  expect(second?.headers).toMatchObject({ 'norvelle-event-id': id, 'norvelle-attempt': '2' })
  expect(second?.text).toBe(first?.text)
})

test('P1-05 metadata and failure are there only when they have a value', async () => {
  const norvelle = await shop()
  const paid = await norvelle.told('happy', 'COMPLETED')
  expect(Object(paid.body).data).toEqual({ order: orderOf(paid, 'paid') })
  const failed = await norvelle.told('fail-9004', 'FAILED', { metadata })
  expect(Object(failed.body).data).toEqual({
    order: { ...orderOf(failed, 'failed'), metadata },
    failure: {
      code: '9004',
      text: 'Error occurred while the payment was processed by the payment partner',
    },
  })
})

test.each([
  ['never-pays', 'CREATED', 'order.created', 'open'],
  ['happy', 'COMPLETED', 'order.paid', 'paid'],
  ['fail-9004', 'FAILED', 'order.failed', 'failed'],
])('P1-06, P1-07 %s tells %s as %s with the status %s', async (scenario, status, type, word) => {
  const told = await (await shop()).told(scenario, status)
  expect(told.body).toMatchObject({ type, data: { order: { status: word } } })
})

test('P1-06, P1-07 each charge of a subscription has its own events', async () => {
  const { client, inbox } = await shop()
  const { requestId } = await client.createSubscriptionOrder(
    { fiatAmount: '10' },
    { scenario: 'sub-month3-fails' },
  )
  await client.clock.advance('P4M')
  const told = inbox.webhooks.filter(({ event }) => event.requestId === requestId)
  const words = told.map(({ body }) => `${Object(body).type} ${Object(body).data.order.status}`)
  expect(words).toEqual(
    expect.arrayContaining(['order.created open', 'order.paid paid', 'order.failed failed']),
  )
  expect(new Set(words).size).toBe(3)
  expect(words.filter((word) => word === 'order.failed failed')).toHaveLength(1)
})

test('P1-08, P1-09 a form gets a token with type, lifetime and scope', async () => {
  const norvelle = await shop()
  const { status, json, token } = await askToken(norvelle)
  expect([status, json]).toEqual([
    200,
    { access_token: token, token_type: 'bearer', expires_in: 1800, scope: 'orders webhooks' },
  ])
  expect((await norvelle.lookUp('orders', 'r1', { 'access-token': token })).status).toBe(200)
  await norvelle.client.clock.advance('30m')
  expect((await norvelle.lookUp('orders', 'r1', { 'access-token': token })).status).toBe(401)
})

test('P1-10 a new token ends the one before at once', async () => {
  const norvelle = await shop()
  const old = await askToken(norvelle)
  const latest = await askToken(norvelle)
  expect((await norvelle.lookUp('orders', 'r1', { 'access-token': latest.token })).status).toBe(200)
  const ended = await norvelle.lookUp('orders', 'r1', { 'access-token': old.token })
  expect([ended.status, ended.json]).toEqual([401, { error: 'Client verification failed' }])
})

test.each([
  [{ client_secret: 'wrong' }, 401, 'invalid_client'],
  [{ client_id: 'unknown' }, 401, 'invalid_client'],
  [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
])('P1-11 %o is refused with %i %s', async (fields, status, error) => {
  const refused = await askToken(await shop(), fields)
  expect([refused.status, refused.json]).toEqual([status, { error, error_description: expect.any(String) }])
})

test('P1-12 all problems are listed, in the order of the fields in the API specification', async () => {
  const refused = await (await shop()).send({ fiatAmount: '10.00', lang: 'english', phoneNumber: '12' })
  expect([refused.status, refused.json]).toEqual([
    400,
    {
      errors: [
        { field: 'email', reason: 'is required' },
        { field: 'phoneNumber', reason: expect.any(String) },
        { field: 'lang', reason: expect.any(String) },
      ],
    },
  ])
})

test('P1-12 a third decimal is named in the words of the document', async () => {
  const refused = await (await shop()).send({ fiatAmount: '10.001', email: 'a@example.com' })
  expect(refused.json).toEqual({
    errors: [{ field: 'fiatAmount', reason: 'must have at most two decimal places' }],
  })
})

test('P1-13 five more tries follow the table, then the webhook is given up', async () => {
  const norvelle = await shop()
  expect(await norvelle.delays({ status: 500 })).toEqual(minutes(1, 5, 30, 120, 360))
})

test.each([200, 204, 299])('P1-13 status %i is success', async (status) => {
  expect(await (await shop()).delays({ status })).toEqual([])
})

test('P1-13 the time limit is 10 seconds', async () => {
  const { effective } = await (await shop()).client.settings()
  expect(effective['webhook.timeout']).toBe('10s')
})

test('P1-14 Retry-After changes nothing', async () => {
  const answer = { status: 503, headers: { 'retry-after': '7200' } }
  expect(await (await shop()).delays(answer)).toEqual(minutes(1, 5, 30, 120, 360))
})

test('P1-15 410 is tried again like any other failure', async () => {
  expect(await (await shop()).delays({ status: 410 })).toEqual(minutes(1, 5, 30, 120, 360))
})

test('P1-16 a refund that begins is an event with its own id, amount and status', async () => {
  const norvelle = await shop()
  const told = await norvelle.told('refund-partial-twice', 'REFUND_INITIATED')
  const { refunds } = await norvelle.client.orders.get(told.requestId)
  expect(told.body).toEqual({
    id: told.webhookId,
    type: 'refund.created',
    created: expect.any(Number),
    data: {
      refund: { id: refunds[0]?.refundId, status: 'pending', amount: '3.00', currency: 'EUR' },
      order: orderOf(told, 'paid'),
    },
  })
})

test('P1-16 a refund that is finished is settled', async () => {
  const norvelle = await shop()
  await norvelle.client.scenarios.put('refunded', {
    id: 'refunded',
    description: 'A refund that is finished',
    timeline: [
      { at: '2s', pay: 'completed' },
      { at: '5s', order: 'COMPLETED' },
      { at: '10s', refund: '4.00' },
      { at: '20s', refundStatus: 'REFUNDED' },
    ],
  })
  const told = await norvelle.told('refunded', 'REFUNDED')
  expect(told.body).toMatchObject({
    type: 'refund.settled',
    data: { refund: { status: 'settled', amount: '4.00' }, order: { status: 'paid' } },
  })
})

test('P1-17 ids of orders and refunds have the day and six digits', async () => {
  const norvelle = await shop()
  const { orderId, requestId } = await norvelle.told('refund-initiated', 'REFUND_INITIATED')
  expect(orderId).toMatch(/^PO-20261127-\d{6}$/)
  const { data } = await norvelle.client.fiatRefunds(requestId)
  expect(data[0]?.refundId).toMatch(/^RF-20261127-\d{6}$/)
})

test.todo('P1-17 the digits count from 000001 each day')

test.each([
  ['10', '10.00'],
  ['10.5', '10.50'],
])('P1-18 %s is shown as %s in answers, lookups and webhooks', async (fiatAmount, shown) => {
  const norvelle = await shop()
  const { offerInfoData, requestId } = await norvelle.create('refund-initiated', { fiatAmount })
  expect(offerInfoData?.totalFiatAmount).toBe(shown)
  await norvelle.client.clock.advance('2m')
  const paid = await norvelle.next(requestId, 'COMPLETED')
  const refunded = await norvelle.next(requestId, 'REFUND_INITIATED')
  expect(paid.body).toMatchObject({ data: { order: { amount: shown } } })
  expect(refunded.body).toMatchObject({ data: { refund: { amount: shown } } })
  expect((await norvelle.lookUp('fiat-refunds', requestId)).json).toMatchObject({
    data: [{ fiatAmount: shown }],
  })
})

test('P1-19 the 121st call in a minute is refused, whatever its route, until the window ends', async () => {
  const norvelle = await shop()
  const first = await norvelle.lookUp('orders', 'r1')
  const reset = String(Math.floor((await norvelle.client.clock.now()) / 1000) + 60)
  expect(limitsIn(first.headers)).toEqual(['120', '119', reset])
  expect(limitsIn((await askToken(norvelle)).headers)).toEqual(['120', '118', reset])
  await norvelle.client.clock.advance('59s')
  for (let n = 0; n < 118; n++) await norvelle.lookUp('fiat-refunds', 'r1')
  const refused = await norvelle.lookUp('orders', 'r1')
  expect(refused.status).toBe(429)
  expect(limitsIn(refused.headers)).toEqual(['120', '0', reset])
  await norvelle.client.clock.advance('1s')
  expect(limitsIn((await norvelle.lookUp('orders', 'r1')).headers)[1]).toBe('119')
})

test('P1-19 a call beyond the limit is answered with the list of errors', async () => {
  const norvelle = await shop()
  await norvelle.client.changeSettings({ limits: [{ on: 'orders', max: 1, per: '1m' }] })
  await norvelle.lookUp('orders', 'r1')
  expect((await norvelle.lookUp('orders', 'r1')).json).toEqual({
    errors: [{ field: '', reason: 'rate limit reached' }],
  })
})

const limitsIn = (headers: Headers) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))
