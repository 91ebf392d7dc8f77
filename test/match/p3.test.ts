import { expect, test } from 'vitest'
import { readSettingsFile } from '../../src/domain/choices/read-settings.ts'
import { emulatorUnder, hmac, jwtIn, minutes, Shop, startTime, statusWith, type Told } from './support.ts'

const emulator = emulatorUnder('test/match/providers/p3.yaml')
const shop = () => Shop.at(emulator())
const proofKey = Buffer.from('c2FuZGhhdmVuIHByb29mIGtleSBuby4gMw==', 'base64')

/** An event, with its proof taken apart. */
function eventOf({ body }: Pick<Told, 'body'>) {
  const { proof, ...event } = Object(body)
  return { event, proof: jwtIn(proof) }
}

async function askToken({ emulator, client }: Shop, apiSecret = client.apiSecret) {
  const answer = await emulator.fetch(`${emulator.url}/v1/client/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId: client.clientId, apiSecret }),
  })
  return { status: answer.status, json: Object(await answer.json()) }
}

test('P3-01, P3-02 the signature is bare base64 over id, time and body, by the decoded key', async () => {
  const sandhaven = await shop()
  await sandhaven.client.changeSettings({ 'webhook.signTime': 'virtual' })
  sandhaven.inbox.answerOnce(500)
  await sandhaven.create('never-pays')
  await sandhaven.client.clock.advance('31s')
  const secret = sandhaven.client.webhookSecret
  expect(secret).toMatch(/^whsec_/)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const tries = sandhaven.inbox.webhooks.map(({ text, headers }) => {
    const { 'sandhaven-id': id, 'sandhaven-timestamp': time } = headers
    expect(headers['sandhaven-signature']).toBe(hmac(`${id}.${time}.${text}`, key, { as: 'base64' }))
    return { id, time: Number(time) }
  })
  const started = Date.parse(startTime) + 1_000
  expect(tries).toEqual([started, started + 30_000].map((time) => ({ id: tries[0]?.id, time })))
})

test('P3-03, P3-04 each event has a proof, keyed with a key of its own', async () => {
  const sandhaven = await shop()
  await sandhaven.client.changeSettings({ 'webhook.signTime': 'virtual' })
  const told = await sandhaven.told('happy', 'COMPLETED')
  const { event, proof } = eventOf(told)
  const iat = Math.floor(Date.parse(startTime) / 1000) + 5
  expect(proof.head).toEqual({ alg: 'HS256', typ: 'JWT', kid: 'proof-3' })
  expect(proof.claims).toEqual({
    iss: 'sandhaven',
    sub: told.requestId,
    jti: event.eventId,
    st: '40',
    iat,
    exp: iat + 600,
  })
  expect(proof.signature).toBe(hmac(proof.signed, proofKey, { as: 'base64url' }))
  expect(proof.signature).not.toBe(hmac(proof.signed, sandhaven.client.webhookSecret, { as: 'base64url' }))
})

test('P3-03 a retry repeats the same bytes', async () => {
  const sandhaven = await shop()
  sandhaven.inbox.answerOnce(500)
  await sandhaven.create('never-pays')
  await sandhaven.client.clock.advance('31s')
  const [first, second] = sandhaven.inbox.webhooks
  expect(second?.text).toBe(first?.text)
})

test('P3-05, P3-07 an open order says until when it can be paid', async () => {
  const sandhaven = await shop()
  const told = await sandhaven.told('happy', 'CREATED')
  expect(eventOf(told).event).toEqual({
    eventId: told.webhookId,
    kind: 'order',
    occurredAt: Date.parse(startTime),
    payBy: '2026-11-27T13:20:04Z',
    order: { requestId: told.requestId, orderId: told.orderId, code: '10', amount: '10.00', currency: 'EUR' },
  })
  const completed = await sandhaven.next(told.requestId, 'COMPLETED')
  expect(eventOf(completed).event).toEqual({
    eventId: completed.webhookId,
    kind: 'order',
    occurredAt: Date.parse(startTime) + 5_000,
    order: { requestId: told.requestId, orderId: told.orderId, code: '40', amount: '10.00', currency: 'EUR' },
  })
})

test('P3-06 billing has the members with a value, and goes when there is none', async () => {
  const sandhaven = await shop()
  const told = await sandhaven.told('happy', 'COMPLETED', {
    billingData: { city: 'Graz', country: 'AT', street: '' },
  })
  expect(eventOf(told).event.billing).toEqual({ city: 'Graz', country: 'AT' })
  const without = await sandhaven.told('happy', 'COMPLETED', { billingData: { city: '' } })
  expect(eventOf(without).event).not.toHaveProperty('billing')
})

test('P3-07 a failed order has code 70 and its error', async () => {
  const { event } = eventOf(await (await shop()).told('fail-9004', 'FAILED'))
  expect(event).toMatchObject({
    kind: 'order',
    order: { code: '70' },
    error: {
      code: '9004',
      text: 'Error occurred while the payment was processed by the payment partner',
    },
  })
  expect(event).not.toHaveProperty('payBy')
})

test('P3-07, P3-08 statuses of a scenario have the codes and words of the document', async () => {
  const sandhaven = await shop()
  await sandhaven.client.scenarios.put('paying', {
    id: 'paying',
    description: 'The payer is paying for a minute, and the money is settled later',
    timeline: [
      { at: '2s', order: 'PROCESSING', settlement: 'QUEUED' },
      { at: '1m', pay: 'completed' },
      { at: '62s', order: 'COMPLETED' },
      { at: '90s', settlement: 'SETTLED' },
    ],
  })
  const { requestId } = await sandhaven.create('paying')
  const looked = async () => {
    const [fiat, crypto] = [
      await sandhaven.client.fiatOrders(requestId),
      await sandhaven.client.cryptoOrders(requestId),
    ]
    return [fiat[0]?.orderStatus, crypto[0]?.paymentStatus, crypto[0]?.settlementStatus]
  }
  await sandhaven.client.clock.advance('10s')
  expect(await looked()).toEqual(['PROCESSING', 'WAITING', 'QUEUED'])
  const { event } = eventOf(await sandhaven.next(requestId, 'PROCESSING'))
  expect(event).toMatchObject({ payBy: expect.any(String), order: { code: '20' } })
  await sandhaven.client.clock.advance('2m')
  expect(await looked()).toEqual(['COMPLETED', 'COMPLETED', 'SETTLED'])
})

test('P3-09 the session route answers nested, older tokens stay valid, a refusal has its own form', async () => {
  const sandhaven = await shop()
  const { status, json } = await askToken(sandhaven)
  expect([status, json]).toEqual([
    200,
    {
      ok: true,
      result: { accessToken: expect.any(String), ttlSeconds: '600', issuedAt: Date.parse(startTime) },
    },
  ])
  await askToken(sandhaven)
  expect(await statusWith(sandhaven, json.result.accessToken)).toBe(200)
  await sandhaven.client.clock.advance('10m')
  expect(await statusWith(sandhaven, json.result.accessToken)).toBe(401)
  const refused = await askToken(sandhaven, 'wrong')
  expect([refused.status, refused.json]).toEqual([
    401,
    { ok: false, problem: { code: 'SH-4010', text: 'Unknown client or secret' } },
  ])
})

test('P3-10 each problem is a line of field and reason', async () => {
  const sandhaven = await shop()
  const refused = await sandhaven.send({ fiatAmount: '49.901', email: 'a@example.com' })
  expect([refused.status, refused.json]).toEqual([
    400,
    { ok: false, code: 'SH-4000', errors: ['fiatAmount: at most two decimal places'] },
  ])
  const missing = await sandhaven.send({ fiatAmount: '49.90', email: undefined, lang: 'english' })
  expect(missing.json).toMatchObject({ errors: ['email: required', expect.stringMatching(/^lang: /)] })
})

test('P3-11 415, 429, 500 and 503 have one form, with the status in the code', async () => {
  const sandhaven = await shop()
  const create = '/v1/client/checkout/create-order'
  const text = await sandhaven.call('POST', create, { body: '{}', headers: { 'content-type': 'text/plain' } })
  expect([text.status, text.json]).toEqual([
    415,
    { ok: false, problem: { code: 'SH-4150', text: 'Content-Type must be application/json' } },
  ])
  for (const status of [500, 503]) {
    await sandhaven.client.faults.plan({ on: 'orders', effect: { status } })
    const failed = await sandhaven.lookUp('orders', 'r1')
    expect([failed.status, failed.json]).toEqual([
      status,
      { ok: false, problem: { code: `SH-${status}0`, text: expect.any(String) } },
    ])
  }
})

test('P3-12 seven more tries follow the table, and only 200 and 204 are success', async () => {
  const table = minutes(0.5, 2, 15, 60, 240, 720, 1440)
  expect(await (await shop()).delays({ status: 202 })).toEqual(table)
  expect(await (await shop()).delays({ status: 503, headers: { 'retry-after': '86400' } })).toEqual(table)
  expect(await (await shop()).delays({ status: 204 })).toEqual([])
  expect(await (await shop()).delays({ status: 200 })).toEqual([])
})

test('P3-12 410 ends the tries for this delivery, and later ones are sent', async () => {
  const sandhaven = await shop()
  expect(await sandhaven.delays({ status: 410 })).toEqual([])
  sandhaven.inbox.answer(200)
  await sandhaven.told('happy', 'COMPLETED')
})

test('P3-12 the time limit is 15 seconds', async () => {
  const { effective } = await (await shop()).client.settings()
  expect(effective['webhook.timeout']).toBe('15s')
})

test('P3-13 a refund has its own kind, id, amount and code, and the code of the order beside it', async () => {
  const sandhaven = await shop()
  const told = await sandhaven.told('refund-partial-twice', 'REFUND_INITIATED', { fiatAmount: '49.90' })
  const { event, proof } = eventOf(told)
  const { data } = await sandhaven.client.fiatRefunds(told.requestId)
  const order = {
    requestId: told.requestId,
    orderId: told.orderId,
    code: '40',
    amount: '49.90',
    currency: 'EUR',
  }
  expect(event).toEqual({
    eventId: told.webhookId,
    kind: 'refund',
    occurredAt: Date.parse(startTime) + 60_000,
    refund: { refundId: data[0]?.refundId, amount: '14.97', code: '80' },
    order,
  })
  expect(proof.claims).toMatchObject({ st: '80', jti: told.webhookId })
})

test('P3-13 a refused refund has code 87, a paid one 81', async () => {
  const sandhaven = await shop()
  const refused = await sandhaven.told('refund-failed', 'REFUND_REFUSED')
  expect(eventOf(refused).event).toMatchObject({ refund: { code: '87' }, order: { code: '40' } })
  await sandhaven.client.scenarios.put('paid-back', {
    id: 'paid-back',
    description: 'A refund that is paid back',
    timeline: [
      { at: '2s', pay: 'completed' },
      { at: '5s', order: 'COMPLETED' },
      { at: '10s', refund: '4.00' },
      { at: '20s', refundStatus: 'REFUNDED' },
    ],
  })
  const paid = await sandhaven.told('paid-back', 'REFUNDED')
  expect(eventOf(paid).event).toMatchObject({ refund: { code: '81' }, order: { code: '40' } })
})

test('P3-14 an order id is a ULID, a refund id has 12 hex digits', async () => {
  const sandhaven = await shop()
  const told = await sandhaven.told('refund-partial-twice', 'REFUND_INITIATED')
  expect(told.orderId).toMatch(/^ord_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  // The first ten characters of a ULID are its time.
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const time = [...told.orderId.slice(4, 14)].reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0)
  expect(time).toBe(Date.parse(startTime))
  const { data } = await sandhaven.client.fiatRefunds(told.requestId)
  expect(data.map(({ refundId }) => refundId)).toEqual([
    expect.stringMatching(/^rfd_[\da-f]{12}$/),
    expect.stringMatching(/^rfd_[\da-f]{12}$/),
  ])
  expect(data[0]?.refundId).not.toBe(data[1]?.refundId)
})

test.each([
  ['49.90', '0.90', '50.80'],
  ['10.00', '0.42', '10.42'],
  ['0.01', '0.30', '0.31'],
])('P3-15 %s has a fee of %s, which makes %s', async (fiatAmount, fee, total) => {
  const { offerInfoData } = await (await shop()).create('happy', { fiatAmount })
  expect(offerInfoData).toMatchObject({ fee, totalFiatAmount: total })
})

test('P3-16 up to 10 events, or those of a second, come in one array, and again as they were', async () => {
  const sandhaven = await shop()
  sandhaven.inbox.answerOnce(500)
  const ids: string[] = []
  for (let n = 0; n < 10; n++) ids.push((await sandhaven.create('never-pays')).requestId)
  // More calls in this second are too many.
  await sandhaven.client.clock.advance('1s')
  ids.push((await sandhaven.create('never-pays')).requestId)
  await sandhaven.client.clock.advance('30s')
  const texts = [...Map.groupBy(sandhaven.inbox.webhooks, ({ text }) => text)]
  const bodies = texts.map(([text]) => JSON.parse(text))
  expect(
    bodies.map((body) => body.map(({ order }: { order: { requestId: string } }) => order.requestId)),
  ).toEqual([ids.slice(0, 10), ids.slice(10)])
  const [first = [], second = []] = texts.map(([, webhooks]) => webhooks)
  expect([first.length, second.length]).toEqual([20, 1])
  expect(new Set(first.map(({ webhookId }) => webhookId)).size).toBe(1)
})

test.each([
  ['errors.catalog: { "7001": A payment order with this requestId is already on file }'],
  ['errors.duplicateOrder: A payment order with this requestId is already on file'],
])('P3-17 another text for 7001 is refused, with the line of the API specification: %s', (line) => {
  expect(readSettingsFile(line, 'p3.yaml')).toEqual({
    problems: [
      expect.objectContaining({
        message: expect.stringContaining('`7001`: `Order already exists for given requestId`'),
      }),
    ],
  })
})

test('P3-18 the 11th call in a second is refused, with one header and no Retry-After', async () => {
  const sandhaven = await shop()
  for (let left = 9; left >= 0; left--) {
    const { headers } = await sandhaven.lookUp('orders', 'r1')
    expect(headers.get('sandhaven-quota')).toBe(`10;w=1;r=${left}`)
  }
  const refused = await sandhaven.lookUp('orders', 'r1')
  expect([refused.status, refused.json]).toEqual([
    429,
    { ok: false, problem: { code: 'SH-4290', text: 'Slow down' } },
  ])
  expect(refused.headers.get('sandhaven-quota')).toBe('10;w=1;r=0')
  expect(refused.headers.get('retry-after')).toBe(null)
  await sandhaven.client.clock.advance('1s')
  expect((await sandhaven.lookUp('orders', 'r1')).status).toBe(200)
})
