import { expect, test } from 'vitest'
import { delivery as deliveryShape } from '../../../../src/control/shapes/delivery.ts'
import { order as orderShape } from '../../../../src/control/shapes/order.ts'
import { journalEntry } from '../../../../src/control/shapes/request.ts'
import { settingValues } from '../../../../src/domain/choices/settings.ts'
import {
  latestOf,
  type ShownDelivery,
  type ShownOrder,
  type ShownRequest,
  type Sources,
  storyOf,
} from '../../../../src/pages/dashboard/orders/timeline-events.ts'

const now = 1_790_000_003_000
const createdAt = 1_790_000_000_000

const order: ShownOrder = orderShape.parse(orderShape.meta()?.example)
const delivery: ShownDelivery = deliveryShape.parse(deliveryShape.meta()?.example)
const request: ShownRequest = journalEntry.parse(journalEntry.meta()?.example)
const lookup = (id: string, at: number, status = 200): ShownRequest => ({
  ...request,
  ...{ id, at, status, operation: 'orders', diagnosis: null },
})

const settings = settingValues({ 'webhook.retry.max': 3, 'webhook.retry.cap': '1m' })

const wordsOf = (changes: Partial<Sources>) =>
  storyOf({
    ...{ order, deliveries: [], requests: [], charges: [], now },
    settings,
    ...changes,
  }).map(({ words, more }) => (more === undefined ? words : `${words} (${more})`))

test('what happened stands before what is to come, and what nobody can date stands last', () => {
  const timeline = [
    { dueAt: null, what: 'order COMPLETED', doneAt: null },
    { dueAt: now + 1, what: 'pay completed', doneAt: null },
  ]
  expect(wordsOf({ order: { ...order, timeline } })).toEqual([
    'created',
    'pay completed',
    'The payment page expires',
    'order COMPLETED (after the payer or a lookup)',
  ])
})

test('a refused create call stands before the order that it did not make', () => {
  const [first, second] = wordsOf({ requests: [{ ...request, at: createdAt - 500 }] })
  expect(first).toBe('create-checkout-order: 401 (signature: the amount is spelled otherwise)')
  expect(second).toBe('created')
})

test('a lookup of the moment in which the order was made stands after that', () => {
  expect(wordsOf({ requests: [lookup('req_1', createdAt)] }).slice(0, 2)).toEqual([
    'created',
    'Lookup orders: 200',
  ])
})

test('many equal lookups in a row are told once, with their number', () => {
  const requests = Array.from({ length: 40 }, (_, index) => lookup(`req_${index}`, createdAt + index))
  const words = wordsOf({ requests: [...requests, lookup('req_last', createdAt + 41, 401)] })
  expect(words).toContain('40 × Lookup orders: 200')
  expect(words).toContain('Lookup orders: 401')
  expect(words).toHaveLength(5)
})

test('something between lookups keeps them apart', () => {
  const requests = [1, 2, 3, 4, 6, 7].map((ms) => lookup(`req_${ms}`, createdAt + ms))
  const history = [...order.history, { at: createdAt + 5, what: 'paid' }]
  const words = wordsOf({ requests, order: { ...order, history } })
  expect(words.filter((one) => one.includes('Lookup'))).toEqual([
    '4 × Lookup orders: 200',
    'Lookup orders: 200',
    'Lookup orders: 200',
  ])
})

test('an attempt whose answer a scenario overrode is neither refused nor red', () => {
  const [first] = delivery.attempts
  if (first === undefined) throw new Error('the example has an attempt')
  const error = 'your app answered 204, treated as 500 by the scenario'
  const attempts = [{ ...first, outcome: 'refused' as const, status: 500, error }]
  const overridden = { ...delivery, attempts, plan: { faults: [{ countAs: 500, times: 1 }] } }
  expect(wordsOf({ deliveries: [overridden] })).toContain(
    `Webhook COMPLETED, attempt 1: ${error} (after 3 ms)`,
  )
  const sources = { order, deliveries: [overridden], requests: [], charges: [], now }
  const story = storyOf({ ...sources, settings })
  expect(story.find(({ lane }) => lane === 'webhook')?.tone).toBe('waiting')
})

test('each attempt says how it ended', () => {
  const [first] = delivery.attempts
  if (first === undefined) throw new Error('the example has an attempt')
  const refused = { ...first, outcome: 'refused' as const, status: 503, error: 'answered 503' }
  expect(wordsOf({ deliveries: [{ ...delivery, attempts: [refused, { ...first, n: 2 }] }] })).toEqual(
    expect.arrayContaining([
      'Webhook COMPLETED, attempt 1: refused (503) (answered 503)',
      'Webhook COMPLETED, attempt 2: accepted (200) (after 3 ms)',
    ]),
  )
})

test('a retry says how many may follow it, and for how long', () => {
  const waiting = { ...delivery, status: 'pending' as const, dueAt: now + 500 }
  // After the first of four attempts: the second is due; the third and fourth follow after 2 and 4 s.
  expect(wordsOf({ deliveries: [waiting] })).toContain(
    'Webhook COMPLETED, attempt 2 (if it fails, up to 2 more within 6 s)',
  )
})

test('the last retry is called so', () => {
  const [first] = delivery.attempts
  if (first === undefined) throw new Error('the example has an attempt')
  const attempts = [1, 2, 3].map((n) => ({ ...first, n }))
  const waiting = { ...delivery, attempts, status: 'pending' as const, dueAt: now + 500 }
  expect(wordsOf({ deliveries: [waiting] })).toContain('Webhook COMPLETED, attempt 4 (the last one)')
})

test('a scenario that grants fewer attempts than the settings is believed', () => {
  const waiting = { ...delivery, status: 'pending' as const, dueAt: now + 500, plan: { attempts: 2 } }
  expect(wordsOf({ deliveries: [waiting] })).toContain('Webhook COMPLETED, attempt 2 (the last one)')
})

test.each([
  ['held', now, 'held until a release'],
  ['skipped', now, 'not sent, no URL is registered'],
  ['pending', null, 'after its create call is answered'],
] as const)('a delivery that is %s, due at %s, is told as: %s', (status, dueAt, words) => {
  const waiting = { ...delivery, status, dueAt, attempts: [] }
  expect(wordsOf({ deliveries: [waiting] })).toContain(`Webhook COMPLETED: ${words}`)
})

test('what happened in one step is told as one', () => {
  const history = [
    { at: createdAt, what: 'created' },
    { at: createdAt + 1, what: 'paid', step: 0 },
    { at: createdAt + 1, what: 'payment', from: 'CREATED', to: 'COMPLETED', step: 0 },
    { at: createdAt + 1, what: 'order', from: 'CREATED', to: 'COMPLETED', step: 1 },
  ]
  expect(wordsOf({ order: { ...order, history, orderStatus: 'COMPLETED', timeline: [] } })).toEqual([
    'created',
    'paid, payment CREATED → COMPLETED',
    'order CREATED → COMPLETED',
  ])
})

test('what somebody did at once is told as one, apart from the creation', () => {
  const history = [
    { at: createdAt, what: 'created' },
    { at: createdAt, what: 'payment', from: 'CREATED', to: 'FAILED' },
    { at: createdAt, what: 'order', from: 'CREATED', to: 'FAILED' },
  ]
  const errorReason = { errorCode: '9005', errorDesc: 'No money' }
  const failed = { ...order, history, errorReason, orderStatus: 'FAILED', timeline: [] }
  expect(wordsOf({ order: failed })).toEqual([
    'created',
    'payment CREATED → FAILED, order CREATED → FAILED (9005: No money)',
  ])
})

test('a charge is told by its own order, not a second time by the first one', () => {
  const history = [...order.history, { at: createdAt + 9, what: 'charge 2' }]
  const second = { ...order, orderId: 'ord_2', charge: 2, createdAt: createdAt + 9, orderStatus: 'FAILED' }
  const words = wordsOf({ order: { ...order, history }, charges: [second] })
  expect(words.filter((one) => /charge/i.test(one))).toEqual(['Charge 2: FAILED'])
})

test('a payer who is waited for makes the planned moment of the payment void', () => {
  const timeline = [{ dueAt: now + 1, what: 'pay completed', doneAt: null }]
  expect(wordsOf({ order: { ...order, timeline, waitsForPayer: true } }).at(-1)).toBe(
    'pay completed (waits for the payer)',
  )
})

test('a finished order has no expiry left', () => {
  expect(wordsOf({ order: { ...order, orderStatus: 'FAILED', timeline: [] } })).toEqual(['created'])
})

test('of a story that nobody could read the part around its now is told', () => {
  const [step] = storyOf({
    ...{ order, deliveries: [], requests: [], charges: [], now },
    settings,
  })
  if (step === undefined) throw new Error('no story')
  const told = latestOf(Array.from({ length: 1_000 }, (_, n) => ({ ...step, id: `s${n}`, done: n < 900 })))
  expect(told.left).toBe(800)
  expect(told.story.map(({ id }) => id).slice(149, 151)).toEqual(['s899', 's900'])
})
