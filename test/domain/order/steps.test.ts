import { expect, test } from 'vitest'
import type { Decision } from '../../../src/domain/order/decision.ts'
import type { Order } from '../../../src/domain/order/order.ts'
import { carryOut, pay } from '../../../src/domain/order/steps.ts'
import type { Scenario } from '../../../src/domain/scenario/scenario.ts'
import { aScenario, context, created, happy, t0 } from '../factories.ts'

/** Carries out the next thing at the moment it is due. */
function next(order: Order, scenario: Scenario = happy): Decision {
  const afterMs = (order.nextDueAt ?? Number.NaN) - t0
  const decision = carryOut(order, context({ scenario, afterMs }))
  if (decision === null) throw new Error('nothing was due')
  return decision
}

test('nothing is carried out before it is due', () => {
  const { order } = created()
  expect(order.nextDueAt).toBe(t0 + 2000)
  expect(carryOut(order, context({ afterMs: 1999 }))).toBeNull()
})

test('a payment shows on the crypto leg only, and the client is not told (O2, N40)', () => {
  const { order, events, history } = next(created().order)
  expect(order).toMatchObject({
    orderStatus: 'CREATED',
    paymentStatus: 'COMPLETED',
    receivedAmount: '10.00000000',
    txnHash: null,
    paidAt: t0 + 2000,
  })
  expect(events).toEqual([])
  expect(history.map(({ what }) => what)).toEqual(['paid', 'payment'])
})

test('COMPLETED sets both legs and tells the client once (R72)', () => {
  const { order, events } = next(next(created().order).order)
  expect(order).toMatchObject({
    orderStatus: 'COMPLETED',
    paymentStatus: 'COMPLETED',
    settlementStatus: 'NOT_REQUIRED',
    errorReason: null,
    nextDueAt: null,
  })
  expect(order.txnHash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({
    orderStatus: 'COMPLETED',
    sequence: 2,
    dueAt: t0 + 5000,
    status: 'pending',
  })
})

test('a scenario that completes without a payment step has been paid all the same', () => {
  const scenario = aScenario([{ at: '1s', order: 'COMPLETED' }])
  const { order } = next(created({ scenario }).order, scenario)
  expect(order).toMatchObject({
    paymentStatus: 'COMPLETED',
    receivedAmount: '10.00000000',
    paidAt: t0 + 1000,
  })
})

test('FAILED carries its reason, and the payment failed with it (R74)', () => {
  const scenario = aScenario([{ at: '4s', order: 'FAILED', error: '9004' }])
  const { order, events } = next(created({ scenario }).order, scenario)
  expect(order.paymentStatus).toBe('FAILED')
  expect(order.errorReason).toEqual({
    errorCode: '9004',
    errorDesc: 'Error occurred while the payment was processed by the payment partner',
  })
  expect(JSON.parse(events[0]?.body ?? '')).toMatchObject({ orderStatus: 'FAILED', errorCode: '9004' })
})

test('a payment that came stays COMPLETED when the order fails afterwards', () => {
  const scenario = aScenario([
    { at: '2s', pay: 'completed' },
    { at: '8s', order: 'FAILED' },
  ])
  const { order } = next(next(created({ scenario }).order, scenario).order, scenario)
  expect(order).toMatchObject({ orderStatus: 'FAILED', paymentStatus: 'COMPLETED' })
  expect(order.errorReason?.errorCode, 'a failure that names no code has 9004 (N67)').toBe('9004')
})

test('leaving FAILED by force takes its reason away (R73)', () => {
  const scenario = aScenario([
    { at: '1s', order: 'FAILED' },
    { at: '2s', order: 'COMPLETED', force: true },
  ])
  const { order } = next(next(created({ scenario }).order, scenario).order, scenario)
  expect(order).toMatchObject({ orderStatus: 'COMPLETED', errorReason: null })
})

test('updatedAt moves at each change, also within one millisecond (N64e)', () => {
  const scenario = aScenario([
    { at: '0s', pay: 'completed' },
    { at: '0s', order: 'COMPLETED' },
  ])
  const { order } = created({ scenario })
  const paid = next(order, scenario).order
  const completed = next(paid, scenario).order
  expect(paid.updatedAt).toBeGreaterThan(order.updatedAt)
  expect(completed.updatedAt).toBeGreaterThan(paid.updatedAt)
})

test('updatedAt stays where it is while a subscriber has only agreed to pay after the trial (N64e)', () => {
  const { order } = created({
    wanted: { kind: 'subscription' },
    request: { trialPeriodDays: '7' },
  })
  const authorised = next(order).order
  expect(authorised.paidAt).not.toBeNull()
  expect(authorised.updatedAt).toBe(order.updatedAt)
})

test('every decision raises the version by one, so that a stale one can be told', () => {
  const { order } = created()
  expect(order.version).toBe(1)
  expect(next(order).order.version).toBe(2)
})

test('without a webhook URL the event is skipped, and the order goes on (N48)', () => {
  const { events } = created({ urlRegistered: false })
  expect(events).toMatchObject([{ status: 'skipped', orderStatus: 'CREATED' }])
})

test('webhook.on leaves out what it does not list (N40)', () => {
  const settings = { 'webhook.on': ['COMPLETED'] }
  expect(created({ settings }).events).toEqual([])
})

test('an order with a mode waits for its payer; without, the emulator pays (N65)', () => {
  expect(created({ request: { mode: 'returnUrl' } }).order).toMatchObject({
    waitsForPayer: true,
    nextDueAt: null,
  })
  expect(created().order).toMatchObject({ waitsForPayer: false, nextDueAt: t0 + 2000 })
})

test.each([
  ['always', 'returnUrl', false],
  ['never', undefined, true],
] as const)('orders.autopay %s with mode %s: waits for the payer %s', (autopay, mode, waits) => {
  const settings = { 'orders.autopay': autopay }
  expect(created({ settings, request: { mode } }).order.waitsForPayer).toBe(waits)
})

test('a scenario without a payment step is never held back by the payer', () => {
  const scenario = aScenario([{ at: '4s', order: 'FAILED' }])
  expect(created({ scenario, request: { mode: 'returnUrl' } }).order.nextDueAt).toBe(t0 + 4000)
})

test.each([
  ['late', 60_000],
  ['early', 500],
])('when the payer comes %s, the steps after the payment keep their distance', (_, afterMs) => {
  const { order } = created({ request: { mode: 'returnUrl' } })
  const paid = pay(order, { outcome: 'completed' }, context({ afterMs })).order
  expect(paid.nextDueAt).toBe(t0 + afterMs + 3000)
})

test('paying early drops the payment that the scenario had planned', () => {
  const paid = pay(created().order, { outcome: 'completed' }, context({ afterMs: 1000 })).order
  const { order } = next(paid)
  expect(order).toMatchObject({ orderStatus: 'COMPLETED', nextDueAt: null })
})

test('a declined payment ends the order with the payer’s code and drops the rest', () => {
  const { order } = pay(created().order, { outcome: 'failed', errorCode: '9005' }, context({ afterMs: 1000 }))
  expect(order).toMatchObject({ orderStatus: 'FAILED', nextDueAt: null })
  expect(order.errorReason?.errorCode).toBe('9005')
})

test('an abandoned payment leaves the order CREATED, and nothing more happens', () => {
  const { order, events } = pay(created().order, { outcome: 'abandoned' }, context({ afterMs: 1000 }))
  expect(order).toMatchObject({ orderStatus: 'CREATED', paymentStatus: 'CREATED', nextDueAt: null })
  expect(events).toEqual([])
})

test('nobody pays twice', () => {
  const paid = pay(created().order, { outcome: 'completed' }, context({ afterMs: 1000 })).order
  expect(() => pay(paid, { outcome: 'completed' }, context({ afterMs: 2000 }))).toThrow('already paid')
})

test('nobody pays an order that is final', () => {
  const failed = pay(created().order, { outcome: 'failed' }, context({})).order
  expect(() => pay(failed, { outcome: 'completed' }, context({}))).toThrow('FAILED')
})

test.each([
  ['fail', 'FAILED'],
  ['abandon', 'ABANDONED'],
] as const)('orders.onExpiry %s ends an unpaid order as %s at its expiry (N12)', (onExpiry, status) => {
  const scenario = aScenario([])
  const { order } = created({ scenario, settings: { 'orders.onExpiry': onExpiry } })
  expect(order.nextDueAt).toBe(order.expiresAt)
  expect(next(order, scenario).order).toMatchObject({ orderStatus: status, nextDueAt: null })
})

test('by default expiry changes nothing (N12)', () => {
  expect(created({ scenario: aScenario([]) }).order.nextDueAt).toBeNull()
})

test('an order that was paid in time does not expire', () => {
  const scenario = aScenario([
    { at: '2s', pay: 'completed' },
    { at: '20m', order: 'COMPLETED' },
  ])
  const { order } = next(created({ scenario, settings: { 'orders.onExpiry': 'fail' } }).order, scenario)
  expect(order.nextDueAt).toBe(t0 + 20 * 60_000)
})

test('a step at the very moment of expiry comes before it', () => {
  const scenario = aScenario([{ at: '15m', pay: 'completed' }])
  const { order } = created({ scenario, settings: { 'orders.onExpiry': 'fail' } })
  expect(next(order, scenario).order.paidAt).toBe(order.expiresAt)
})

test('a trial lies between a subscription’s authorisation and its first charge (N64j)', () => {
  const wanted = { kind: 'subscription' as const }
  const { order } = created({ wanted, request: { interval: 'MONTHLY', trialPeriodDays: '7' } })
  const authorised = next(order).order
  expect(authorised).toMatchObject({ orderStatus: 'CREATED', paymentStatus: 'CREATED', receivedAmount: null })
  expect(authorised.nextDueAt).toBe(t0 + 5000 + 7 * 86_400_000)
  expect(next(authorised).order).toMatchObject({ orderStatus: 'COMPLETED', paymentStatus: 'COMPLETED' })
})

test('a trial moves what comes after the authorisation, by its own time and by the step before', () => {
  const scenario = aScenario([
    { at: '2s', pay: 'completed' },
    { after: '3s', order: 'ON_REVIEW' },
    { at: '10s', order: 'COMPLETED' },
  ])
  const wanted = { kind: 'subscription' } as const
  const first = created({ scenario, wanted, request: { trialPeriodDays: '1' } }).order
  const days = 86_400_000
  const second = next(first, scenario).order
  expect(second.nextDueAt).toBe(t0 + days + 5_000)
  expect(next(second, scenario).order.nextDueAt).toBe(t0 + days + 10_000)
})

test('a lookup, a charge and what happens to the client move no updatedTs', () => {
  const scenario = aScenario([
    { at: '1s', webhook: {} },
    { at: '2s', order: 'COMPLETED' },
  ])
  const { order } = next(created({ scenario }).order, scenario)
  expect(order.updatedAt).toBe(t0)
  expect(next(order, scenario).order.updatedAt).toBe(t0 + 2_000)
})
