import { describe, expect, test } from 'vitest'
import type { Order } from '../../../src/domain/order/order.ts'
import { catchUp, openPage, pageState, payOnPage } from '../../../src/domain/order/payer-page.ts'
import { carryOut, pay } from '../../../src/domain/order/steps.ts'
import { aScenario, context, created, happy, t0 } from '../factories.ts'

describe('whoever opens the payment page of an order that the emulator would pay (N65)', () => {
  test('has it wait for them, and the history says so', () => {
    const { order } = created()
    const opened = openPage(order, context({ afterMs: 1_000 }))
    expect(opened?.order).toMatchObject({ waitsForPayer: true, nextDueAt: null, updatedAt: order.updatedAt })
    expect(opened?.history).toEqual([{ at: t0 + 1_000, what: 'payment page opened' }])
    expect(opened?.events).toEqual([])
  })

  test('changes nothing by opening it again', () => {
    const opened = openPage(created().order, context({}))?.order
    expect(opened && openPage(opened, context({ afterMs: 1_000 }))).toBeNull()
  })

  test('gets the steps before the payment at their time, and those after it at their distance', () => {
    const scenario = aScenario([
      { at: '1s', order: 'ON_REVIEW' },
      { at: '2s', pay: 'completed' },
      { after: '3s', order: 'COMPLETED' },
    ])
    const opened = openPage(created({ scenario }).order, context({ scenario }))?.order
    expect(opened?.nextDueAt).toBe(t0 + 1_000)
    const stepped = opened && carryOut(opened, context({ scenario, afterMs: 1_000 }))?.order
    expect(stepped).toMatchObject({ orderStatus: 'ON_REVIEW', nextDueAt: null })
    const act = { outcome: 'completed' } as const
    expect(stepped && pay(stepped, act, context({ scenario, afterMs: 60_000 })).order.nextDueAt).toBe(
      t0 + 63_000,
    )
  })

  test('does not keep the order from expiring', () => {
    const { order } = created({ settings: { 'orders.onExpiry': 'fail' } })
    expect(openPage(order, context({}))?.order.nextDueAt).toBe(order.expiresAt)
  })
})

describe('what is due of an order comes before what is done on its page', () => {
  test.each([
    [1_999, null],
    [2_000, 'paid'],
    [3_470, 'paid'],
  ])('%i ms after its creation that is %s', (afterMs, what) => {
    const due = catchUp(created().order, context({ afterMs }))
    expect(due?.history[0]?.what ?? null).toBe(what)
  })

  test.each([
    ['its payer has left', () => abandoned.order],
    ['it is paid', () => paid],
    ['it waits for its payer', () => created({ request: { mode: 'returnUrl' } }).order],
  ])('which is nothing when %s', (_, order) => {
    expect(catchUp(order(), context({ afterMs: 14 * minutes }))).toBeNull()
  })
})

test.each([
  ['has left', () => abandoned, 2],
  ['comes too late', () => created(), 15 * 60_000],
  ['has paid', () => ({ order: paid, history: [] }), 2],
])('a payer who %s can choose nothing more on the page', (_, order, afterMs) => {
  const { order: now, history } = order()
  for (const outcome of ['completed', 'failed', 'abandoned'] as const) {
    expect(payOnPage(now, history, { outcome }, context({ afterMs }))).toBeNull()
  }
})

const minutes = 60_000
const paid = pay(created().order, { outcome: 'completed' }, context({ afterMs: 1 })).order
const abandoned = pay(created().order, { outcome: 'abandoned' }, context({ afterMs: 1 }))
const fails = aScenario([{ at: '4s', order: 'FAILED' }])
const byPayer = aScenario([{ at: 'payer', pay: 'completed' }])

test.each([
  ['autopay is always', created().order, { settings: { 'orders.autopay': 'always' } }],
  ['autopay is never', created().order, { settings: { 'orders.autopay': 'never' } }],
  ['it waits already', created({ request: { mode: 'returnUrl' } }).order, {}],
  ['it is paid', paid, {}],
  ['it is final', { ...paid, orderStatus: 'COMPLETED' }, {}],
  ['its payer has left', abandoned.order, {}],
  ['it has expired', created().order, { afterMs: 15 * minutes }],
  ['its scenario has no payment', created({ scenario: fails }).order, { scenario: fails }],
  [
    'its scenario leaves the payment to the payer',
    created({ scenario: byPayer }).order,
    { scenario: byPayer },
  ],
  ['it is a payout', created({ wanted: { kind: 'payout' } }).order, {}],
  ['it is a crypto payin', created({ wanted: { kind: 'crypto-payin' } }).order, {}],
] as const satisfies readonly [string, Order, Parameters<typeof context>[0]][])(
  'opening the page of an order changes nothing when %s (N65)',
  (_, order, options) => {
    expect(openPage(order, context(options))).toBeNull()
  },
)

test('a millisecond before its expiry the page still makes an order wait', () => {
  expect(openPage(created().order, context({ afterMs: 15 * minutes - 1 }))).not.toBeNull()
})

test.each([
  ['open', created().order, 0],
  ['open', created().order, 15 * minutes - 1],
  ['expired', created().order, 15 * minutes],
  ['paid', paid, 20 * minutes],
  ['completed', { ...paid, orderStatus: 'COMPLETED' }, 20 * minutes],
  ['failed', pay(created().order, { outcome: 'failed' }, context({})).order, 20 * minutes],
  ['abandoned', { ...created().order, orderStatus: 'ABANDONED' }, 1],
  ['abandoned', { ...paid, orderStatus: 'ABANDONED' }, 20 * minutes],
  ['expired', { ...created().order, orderStatus: 'ABANDONED' }, 15 * minutes],
  ['open', { ...created().order, orderStatus: 'ON_REVIEW' }, 1],
  ['charged', { ...created({ wanted: { kind: 'subscription' } }).order, charge: 2 }, 1],
  ['no-payer', created({ wanted: { kind: 'payout' } }).order, 1],
  ['no-payer', { ...created({ wanted: { kind: 'crypto-payin' } }).order, orderStatus: 'COMPLETED' }, 1],
] as const)('the page is %s', (state, order, afterMs) => {
  expect(pageState(order, [], t0 + afterMs)).toBe(state)
})

test('a payer who left finds that page, also after the expiry, until somebody has paid after all', () => {
  const { order, history } = abandoned
  expect(pageState(order, history, t0 + 1)).toBe('abandoned')
  expect(pageState(order, history, t0 + 20 * minutes)).toBe('abandoned')
  const after = pay(order, { outcome: 'completed' }, context({ scenario: happy, afterMs: 2 })).order
  expect(pageState(after, history, t0 + 3)).toBe('paid')
})
