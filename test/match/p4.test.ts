import { expect, test } from 'vitest'
import { emulatorUnder, hmac, minutes, Shop, startTime } from './support.ts'

const emulator = emulatorUnder('test/match/providers/p4.yaml')
const shop = () => Shop.at(emulator())

test('P4-04 a header names the key, which is hex', async () => {
  const kestrelmoor = await shop()
  const { headers, text } = await kestrelmoor.told('happy', 'COMPLETED')
  expect(headers['kestrelmoor-key-id']).toBe('km-key-07')
  const key = Buffer.from(kestrelmoor.client.webhookSecret.replace('whsec_', ''), 'hex')
  expect(headers['kestrelmoor-signature']).toBe(hmac(text, key, { as: 'base64' }))
})

test.each([
  ['happy', 'COMPLETED', 'true', undefined],
  [
    'fail-9004',
    'FAILED',
    'false',
    '9004: Error occurred while the payment was processed by the payment partner',
  ],
])(
  'P4-06, P4-07 %s has one notice PAYMENT, the first of the payment',
  async (scenario, status, success, reason) => {
    const kestrelmoor = await shop()
    const told = await kestrelmoor.told(scenario, status)
    expect(kestrelmoor.inbox.webhooks).toHaveLength(1)
    expect(told.body).toMatchObject({
      ...{ km_number: told.orderId, request_id: told.requestId, notice: 'PAYMENT', success },
      ...{ amount_minor: 1000, currency: 'EUR', seq: 1 },
      ...(reason && { reason }),
    })
  },
)

test('P4-07 the numbers of a payment have no gaps, and a repeat keeps its number', async () => {
  const kestrelmoor = await shop()
  kestrelmoor.inbox.answerOnce(500)
  await kestrelmoor.told('refund-partial-twice', 'COMPLETED')
  await kestrelmoor.client.clock.advance('10m')
  const numbers = kestrelmoor.inbox.webhooks.map(({ body }) => Object(body).seq)
  expect(numbers).toEqual([1, 1, 2, 3])
})

test('P4-08 a failing notification holds up all later ones, and is tried for seven days', async () => {
  const kestrelmoor = await shop()
  kestrelmoor.inbox.answer(500)
  const { requestId } = await kestrelmoor.create('happy')
  await kestrelmoor.client.clock.advance('1m')
  const later = await kestrelmoor.create('happy')
  await kestrelmoor.client.clock.advance('6d')
  const told = kestrelmoor.inbox.webhooks.filter(({ event }) => event.requestId === requestId)
  expect(told).toHaveLength(kestrelmoor.inbox.webhooks.length)
  const [delivery] = await kestrelmoor.client.deliveries.list({ requestId })
  const times = delivery?.attempts.map(({ at }) => at) ?? []
  const delays = times.slice(1).map((at, index) => at - (times[index] ?? 0))
  expect(delays.slice(0, 9)).toEqual(minutes(2, 5, 10, 15, 30, 60, 240, 480, 480))
  kestrelmoor.inbox.answer(200)
  await kestrelmoor.client.clock.advance('8h')
  await kestrelmoor.next(later.requestId, 'COMPLETED')
})

test('P4-11 errors are problem documents', async () => {
  const refused = await (await shop()).call('POST', '/v1/client/checkout/create-order', {
    body: 'no JSON',
    headers: { 'content-type': 'text/plain' },
  })
  expect(refused.json).toEqual({
    type: 'https://docs.kestrelmoor.example/problems/wrong-media-type',
    title: 'Unsupported Media Type',
    status: 415,
    detail: expect.any(String),
    instance: expect.stringMatching(/^\/v1\/client\/checkout\/create-order#\w/),
  })
})

test('P4-11 invalid input names each member with a word for the reason', async () => {
  const kestrelmoor = await shop()
  const refused = await kestrelmoor.send(
    { fiatAmount: '10.001', email: undefined },
    ({ fiatAmount, requestId }) => `currencyId=EUR&fiatAmount=${fiatAmount}&requestId=${requestId}`,
  )
  expect(refused.status).toBe(422)
  expect(refused.json).toMatchObject({
    type: 'https://docs.kestrelmoor.example/problems/invalid-body',
    invalid_params: [
      { name: 'fiatAmount', reason: 'too-many-decimals' },
      { name: 'email', reason: 'missing' },
    ],
  })
})

test.todo('P4-11 the Content-Type of errors is application/problem+json')

test('P4-13 ids have 18 digits with the day', async () => {
  const { orderId, body } = await (await shop()).told('refund-initiated', 'REFUND_INITIATED')
  expect(orderId).toMatch(/^88261127\d{10}$/)
  expect(Object(body).km_number).toMatch(/^88261127\d{10}$/)
})

test.todo('P4-13 the last digit is a check digit')

test('P4-14 a refund names the payment, and may be reversed', async () => {
  const kestrelmoor = await shop()
  await kestrelmoor.client.scenarios.put('reversed', {
    id: 'reversed',
    description: 'The money of a refund comes back',
    timeline: [
      { at: '2s', pay: 'completed' },
      { at: '5s', order: 'COMPLETED' },
      { at: '10s', refund: '4.00' },
      { at: '20s', refundStatus: 'REFUND_REVERSED' },
    ],
  })
  const told = await kestrelmoor.told('reversed', 'REFUND_INITIATED')
  const { data } = await kestrelmoor.client.fiatRefunds(told.requestId)
  const refund = { km_number: data[0]?.refundId, km_original: told.orderId, amount_minor: 400 }
  expect(told.body).toMatchObject({ ...refund, notice: 'REFUND', success: 'true', seq: 2 })
  const reversed = await kestrelmoor.next(told.requestId, 'REFUND_REVERSED')
  expect(reversed.body).toMatchObject({ ...refund, notice: 'REFUND_REVERSED', seq: 3 })
  expect(data[0]?.status).toBe('REFUND_REVERSED')
})

test('P4-15 a scenario opens and closes a dispute, and the lookup does not change', async () => {
  const kestrelmoor = await shop()
  await kestrelmoor.client.scenarios.put('disputed', {
    id: 'disputed',
    description: 'A dispute after the payment',
    timeline: [
      { at: '2s', pay: 'completed' },
      { at: '5s', order: 'COMPLETED' },
      { at: '10s', webhook: { status: 'DISPUTE_OPENED' } },
      { at: '20s', webhook: { status: 'DISPUTE_CLOSED' } },
    ],
  })
  const { requestId } = await kestrelmoor.told('disputed', 'DISPUTE_OPENED')
  const { body } = await kestrelmoor.next(requestId, 'DISPUTE_CLOSED')
  expect(body).toMatchObject({ notice: 'DISPUTE_CLOSED', request_id: requestId })
  expect(await kestrelmoor.client.fiatOrders(requestId)).toMatchObject([{ orderStatus: 'COMPLETED' }])
})

test('P4-16 only the long form of the string to sign is accepted', async () => {
  const kestrelmoor = await shop()
  const fields = { fiatAmount: '10.00', email: 'a@example.com' }
  expect((await kestrelmoor.send(fields)).json).toEqual({ error: 'Client verification failed' })
  const long = await kestrelmoor.send(
    fields,
    ({ fiatAmount, requestId }) => `currencyId=EUR&fiatAmount=${fiatAmount}&requestId=${requestId}`,
  )
  expect(long.status).toBe(200)
})

test('P4-10 the time has the offset of winter', async () => {
  const { body } = await (await shop()).told('happy', 'COMPLETED')
  const at = new Date(Date.parse(startTime) + 3_605_000).toISOString().slice(0, 19)
  expect(Object(body).notice_date).toBe(`${at}+01:00`)
})

test.todo('P4-10 the time has the offset of summer in summer')
