import { expect, test } from 'vitest'
import { beginCharge } from '../../../src/domain/order/create.ts'
import { authorised, charged, chargeOutcome } from '../../../src/domain/order/subscription.ts'
import type { ChargeRule } from '../../../src/domain/scenario/scenario.ts'
import { aScenario, context, created } from '../factories.ts'

const utc = { interval: 'MONTHLY', offsetMinutes: 0 }

function rule(members: Partial<ChargeRule> = {}): ChargeRule {
  return { from: 1, to: null, status: 'COMPLETED', errorCode: null, afterMs: 0, recurs: true, ...members }
}

/** The numbers and dates of the first charges after an authorisation. */
function charges(anchor: string, rules: readonly ChargeRule[], count: number, calendar = utc): string[] {
  let subscription = authorised(Date.parse(anchor), rules, calendar)
  const dates: string[] = []
  while (subscription.nextAt !== null && dates.length < count) {
    dates.push(`${subscription.next} ${new Date(subscription.nextAt).toISOString().slice(0, 16)}`)
    subscription = charged(subscription, rules, calendar)
  }
  return dates
}

test.each([
  [
    'MONTHLY',
    '2027-01-31T10:00Z',
    ['2027-01-31T10:00', '2027-02-28T10:00', '2027-03-31T10:00', '2027-04-30T10:00'],
  ],
  ['MONTHLY', '2028-01-30T10:00Z', ['2028-01-30T10:00', '2028-02-29T10:00', '2028-03-30T10:00']],
  ['QUARTERLY', '2027-11-30T10:00Z', ['2027-11-30T10:00', '2028-02-29T10:00', '2028-05-30T10:00']],
  ['YEARLY', '2028-02-29T10:00Z', ['2028-02-29T10:00', '2029-02-28T10:00', '2030-02-28T10:00']],
  ['WEEKLY', '2027-02-26T10:00Z', ['2027-02-26T10:00', '2027-03-05T10:00']],
  ['DAILY', '2027-02-28T10:00Z', ['2027-02-28T10:00', '2027-03-01T10:00']],
])('%s from %s is charged on %j (N64j)', (interval, anchor, dates) => {
  const expected = dates.map((date, index) => `${index + 1} ${date}`)
  expect(charges(anchor, [rule()], dates.length, { ...utc, interval })).toEqual(expected)
})

test('the calendar of the offset counts, not that of UTC', () => {
  // The last evening of January in São Paulo is the first of February in UTC.
  const rules = [rule({ to: 2 })]
  expect(charges('2027-02-01T02:30Z', rules, 9, { interval: 'MONTHLY', offsetMinutes: -180 })).toEqual([
    '1 2027-02-01T02:30',
    '2 2027-03-01T02:30',
  ])
  expect(charges('2027-02-01T02:30Z', rules, 9)).toEqual(['1 2027-02-01T02:30', '2 2027-03-01T02:30'])
  expect(
    charges('2027-02-01T02:30Z', [rule({ to: 3 })], 9, { interval: 'MONTHLY', offsetMinutes: -180 })[2],
  ).toBe('3 2027-04-01T02:30')
})

test.each([
  ['no rule', [], []],
  ['only later charges', [rule({ from: 2, to: 3 })], ['2 2027-02-05', '3 2027-03-05']],
  ['a gap', [rule({ to: 1 }), rule({ from: 3, to: 3 })], ['1 2027-01-05', '3 2027-03-05']],
  [
    'a line about one charge makes none come',
    [rule({ to: 1 }), rule({ from: 2, to: 2, recurs: false })],
    ['1 2027-01-05'],
  ],
])('with %s the charges are %j', (_, rules, expected) => {
  expect(charges('2027-01-05T00:00Z', rules, 5).map((line) => line.slice(0, 12))).toEqual(expected)
})

test('the first charge ends on a record that is there already, so its delay counts', () => {
  expect(charges('2027-01-05T00:00Z', [rule({ to: 2, afterMs: 3_600_000 })], 5)).toEqual([
    '1 2027-01-05T01:00',
    '2 2027-02-05T00:00',
  ])
})

test('of several rules about one charge the last decides', () => {
  const rules = [rule(), rule({ from: 3, to: 3, status: 'FAILED', errorCode: '9004', recurs: false })]
  expect([1, 2, 3, 4].map((charge) => chargeOutcome(rules, charge)?.status)).toEqual([
    ...['COMPLETED', 'COMPLETED', 'FAILED', 'COMPLETED'],
  ])
})

test('a subscription that is cancelled has no next charge', () => {
  const subscription = authorised(0, [rule()], utc)
  expect(charged({ ...subscription, cancelled: true }, [rule()], utc).nextAt).toBeNull()
})

test('a later charge never expires: nobody is asked to pay it', () => {
  const how = { scenario: aScenario([]), settings: { 'orders.onExpiry': 'fail' } } as const
  const { order } = created(how)
  expect(order.nextDueAt).toBe(order.expiresAt)
  expect(beginCharge(order, 2, context(how)).order.nextDueAt).toBeNull()
})
