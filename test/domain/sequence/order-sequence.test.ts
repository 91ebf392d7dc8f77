import { expect, test } from 'vitest'
import { mostMessages, sequenceOf } from '../../../src/domain/sequence/order-sequence.ts'
import { messageWords, type Sequence, timesOf } from '../../../src/domain/sequence/sequence.ts'
import { aCreateCall, aDelivery, aLookup, anAttempt, anOrder } from './sources.ts'

const texts = ({ messages }: Sequence) => messages.map(({ text }) => text)
const completed = { at: 5_000, what: 'order', from: 'CREATED', to: 'COMPLETED' }

test('an order runs from its create call over its changes to the answers of the webhook URL', () => {
  const sequence = sequenceOf({
    order: anOrder([{ at: 2_000, what: 'paid', step: 0 }, completed]),
    deliveries: [
      aDelivery('CREATED', [anAttempt(1, 2)], { createdAt: 0 }),
      aDelivery('COMPLETED', [anAttempt(1, 5_000)]),
    ],
    requests: [aCreateCall(), aLookup('req_2', 6_000)],
  })
  expect(sequence.messages.map(messageWords)).toEqual([
    'Application to Service: create-checkout-order',
    'Service: order created: CREATED',
    'Service to Application: 200',
    'Service to Webhook URL: webhook CREATED',
    'Webhook URL to Service: 204',
    'Service: the payer pays',
    'Service: order → COMPLETED',
    'Service to Webhook URL: webhook COMPLETED',
    'Webhook URL to Service: 204',
    'Application to Service: lookup orders',
    'Service to Application: 200',
  ])
  expect(timesOf(sequence)).toEqual([
    ...['0 s', null, '+1 ms', '+2 ms', null],
    ...['+2 s', '+5 s', null, null, '+6 s', null],
  ])
})

test('on a paused clock, where all has one time, the wall clock and the webhooks give the order', () => {
  const sequence = sequenceOf({
    order: anOrder([{ ...completed, at: 0 }]),
    deliveries: [
      aDelivery('CREATED', [anAttempt(1, 0, { wallAt: 1_010 })]),
      aDelivery('COMPLETED', [anAttempt(1, 0, { wallAt: 1_050 })]),
    ],
    requests: [
      aCreateCall({ at: 0 }),
      aLookup('req_2', 0, { wallAt: 1_030, ms: 5 }),
      aLookup('req_3', 0, { wallAt: 1_090, ms: 5 }),
    ],
  })
  expect(texts(sequence)).toEqual([
    ...['create-checkout-order', 'order created: CREATED', '200', 'webhook CREATED', '204'],
    ...['lookup orders', '200', 'order → COMPLETED', 'webhook COMPLETED', '204', 'lookup orders', '200'],
  ])
})

test('a webhook that overtakes the answer of its create call stands before that answer', () => {
  const sequence = sequenceOf({
    order: anOrder(),
    deliveries: [aDelivery('CREATED', [anAttempt(1, 1)], { createdAt: 0 })],
    requests: [aCreateCall({ at: 500, wallAt: 1_500, ms: 500 })],
  })
  expect(texts(sequence)).toEqual([
    ...['create-checkout-order', 'order created: CREATED', 'webhook CREATED', '204', '200'],
  ])
})

test('a refused create call does not create the order, and says why it was refused', () => {
  const refused = aCreateCall({
    id: 'req_0',
    ...{ at: -9, wallAt: 991, status: 401 },
    diagnosis: { cause: 'signature.amount-spelling', message: 'signature: spelled otherwise' },
  })
  const { messages } = sequenceOf({ order: anOrder(), deliveries: [], requests: [refused, aCreateCall()] })
  expect(messages.map(({ text }) => text)).toEqual([
    ...['create-checkout-order', '401 signature.amount-spelling'],
    ...['create-checkout-order', 'order created: CREATED', '200'],
  ])
  expect(messages[1]).toMatchObject({ tone: 'bad', more: 'signature: spelled otherwise', lost: false })
})

test('an answer that was never sent is lost, and the fault that did it is named', () => {
  const { messages } = sequenceOf({
    order: anOrder(),
    deliveries: [],
    requests: [aCreateCall({ status: 0, notes: ['signature form: short', 'fault: connection reset'] })],
  })
  expect(messages.at(-1)).toMatchObject({ text: 'no answer', more: 'fault: connection reset', lost: true })
})

test('an order whose create call was held for a minute of a paused clock begins with that call', () => {
  const held = aCreateCall({ at: 0, wallAt: 61_000, ms: 60_000, status: 0 })
  const retry = aCreateCall({ id: 'req_2', at: 0, wallAt: 62_000, status: 401 })
  const sequence = sequenceOf({ order: anOrder(), deliveries: [], requests: [held, retry] })
  expect(texts(sequence)).toEqual([
    ...['create-checkout-order', 'order created: CREATED', 'no answer', 'create-checkout-order', '401'],
  ])
  expect(sequence.messages.every(({ at }) => at === 0)).toBe(true)
})

test('retries, duplicates and the end of all attempts are named', () => {
  const failed = { outcome: 'refused', status: 500 } as const
  const dead = aDelivery('FAILED', [anAttempt(1, 100, failed), anAttempt(2, 200, failed)], {
    status: 'dead',
  })
  const twice = aDelivery('COMPLETED', [anAttempt(1, 300), anAttempt(2, 400)])
  const { messages } = sequenceOf({ order: anOrder(), deliveries: [dead, twice], requests: [] })
  expect(messages.slice(1).map(({ text, tone }) => `${text} ${tone}`)).toEqual([
    ...['webhook FAILED other', '500 bad', 'webhook FAILED, attempt 2 other', '500, given up bad'],
    ...['webhook COMPLETED other', '204 good', 'webhook COMPLETED, duplicate other', '204 good'],
  ])
})

test('a copy in a delivery of its own is a duplicate too, and so is a retry of it', () => {
  const webhookId = 'msg_1'
  const copies = ['a', 'b'].map((id, index) =>
    aDelivery('COMPLETED', [anAttempt(1, index * 10)], { id, webhookId }),
  )
  const { messages } = sequenceOf({ order: anOrder(), deliveries: copies, requests: [] })
  expect(messages.filter(({ text }) => text.includes('duplicate'))).toHaveLength(1)
})

test.each([
  ['connection', null, 'connect ECONNREFUSED', 'webhook COMPLETED, not delivered', true],
  ['unknown', null, null, 'webhook COMPLETED, not answered yet', false],
] as const)('an attempt that ended with %s has no answer', (outcome, status, error, text, lost) => {
  const delivery = aDelivery('COMPLETED', [anAttempt(1, 10, { outcome, status, error })])
  const { messages } = sequenceOf({ order: anOrder(), deliveries: [delivery], requests: [] })
  expect(messages.at(-1)).toMatchObject({ kind: 'call', text, lost, more: error ?? '' })
})

test('a webhook that was cut on purpose says where', () => {
  const attempt = anAttempt(1, 10, { outcome: 'connection', status: null, error: 'cut, on purpose' })
  const delivery = aDelivery('COMPLETED', [attempt], { plan: { faults: [{ cut: 7 }] } })
  const { messages } = sequenceOf({ order: anOrder(), deliveries: [delivery], requests: [] })
  expect(messages.at(-1)?.more).toBe('The connection was cut after 7 bytes of the body. cut, on purpose')
})

test('a timeout arrives and is answered by nothing', () => {
  const timeout = anAttempt(1, 10, { outcome: 'timeout', status: null, error: 'no answer within 10 s' })
  const delivery = aDelivery('COMPLETED', [timeout])
  const { messages } = sequenceOf({ order: anOrder(), deliveries: [delivery], requests: [] })
  expect(messages.at(-2)).toMatchObject({ text: 'webhook COMPLETED', lost: false })
  expect(messages.at(-1)).toMatchObject({ kind: 'answer', text: 'no answer in time', lost: true })
})

test('an answer that the scenario overrode is amber and says both statuses', () => {
  const error = 'your app answered 204, treated as 500 by the scenario'
  const overridden = anAttempt(1, 10, { outcome: 'refused', status: 500, error })
  const delivery = aDelivery('COMPLETED', [overridden], { plan: { faults: [{ countAs: 500 }] } })
  const { messages } = sequenceOf({ order: anOrder(), deliveries: [delivery], requests: [] })
  expect(messages.at(-1)).toMatchObject({ text: error, tone: 'waiting', more: '' })
})

test.each([
  ['skipped', 'webhook CREATED: not sent, no URL is registered'],
  ['held', 'webhook CREATED: held until a release'],
] as const)('a webhook that is %s is a note', (status, text) => {
  const delivery = aDelivery('CREATED', [], { status })
  const { messages } = sequenceOf({ order: anOrder(), deliveries: [delivery], requests: [] })
  expect(messages.at(-1)).toMatchObject({ kind: 'note', text })
})

test('polling is folded, but not across a change or another answer', () => {
  const polls = Array.from({ length: 12 }, (_, n) => aLookup(`req_${n + 2}`, 100 * (n + 1)))
  const other = aLookup('req_99', 1_300, { status: 404 })
  const { messages } = sequenceOf({
    order: anOrder([{ ...completed, at: 250 }]),
    deliveries: [],
    requests: [aCreateCall(), ...polls, other],
  })
  expect(messages.slice(3).map(({ text }) => text)).toEqual([
    ...['lookup orders', '200', 'lookup orders', '200', 'order → COMPLETED'],
    ...['10 × lookup orders', '200', 'lookup orders', '404'],
  ])
  expect(messages.find(({ count }) => count > 1)?.count).toBe(10)
})

test('only the latest messages of a very long story are there, and the rest is counted', () => {
  const requests = Array.from({ length: 400 }, (_, n) =>
    aLookup(`req_${n}`, n, { status: n % 2 === 0 ? 200 : 503 }),
  )
  const { messages, left } = sequenceOf({ order: anOrder(), deliveries: [], requests })
  expect(messages).toHaveLength(mostMessages)
  expect(left).toBe(801 - mostMessages)
})

test('a failure names its reason, and each text stays on one line', () => {
  const errorReason = { errorCode: '9004', errorDesc: 'declined\nby the bank\u202e' }
  const order = { ...anOrder([{ ...completed, to: 'FAI\nLED' }]), errorReason, requestId: 'a\nb' }
  const { title, messages } = sequenceOf({ order, deliveries: [], requests: [] })
  expect(title).toBe('Order a\\nb')
  expect(messages.at(-1)?.text).toBe('order → FAI\\nLED')
  const failed = { ...anOrder([{ ...completed, to: 'FAILED' }]), errorReason }
  const [, last] = sequenceOf({ order: failed, deliveries: [], requests: [] }).messages
  expect(last).toMatchObject({ more: '9004: declined\\nby the bank\\u202e', tone: 'bad' })
})

test('an order without calls, webhooks or history is an empty sequence', () => {
  const order = { ...anOrder(), history: [] }
  expect(sequenceOf({ order, deliveries: [], requests: [] })).toMatchObject({ messages: [], left: 0 })
})
