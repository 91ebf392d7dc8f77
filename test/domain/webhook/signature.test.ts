import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type CheckoutForm,
  checkoutString,
  sameText,
  sign,
  signedWith,
  subscriptionString,
} from '../../../src/domain/webhook/signature.ts'

const secret = 'sandbox-secret'
const checkout = { currencyId: 'usd_us', fiatAmount: '10.00', requestId: 'req-0001' }
const subscription = { currencyId: 'usd_us', fiatAmount: '1.00', requestId: 'sub-0001', interval: 'MONTHLY' }

test.each([
  [checkoutString(checkout, 'short'), 'GC/0eqJ6e9f9lMiCshEz+fwM6wxEZAV4fYx0SykmkSc='],
  [
    checkoutString({ ...checkout, fiatAmount: '10' }, 'short'),
    '26P3w4iDNB5varVHVvM07ep7oTbAFWvldz2ESBK/ySk=',
  ],
  [checkoutString(checkout, 'with-currency'), 'sKStc4vTl+OPODBlSeILVeFpKjXjMIHSi7fuyvsMmA0='],
  [subscriptionString(subscription), 'F2Hf7QH3xFSLaoEw5lwjYDKcvnKt4KDj7uTxlQa2bX8='],
  [
    subscriptionString({ ...subscription, trialPeriodDays: '7' }),
    'BxAfMAZHncQjsgfJpEjDa6MOMh2knaxR9acjdjxlL48=',
  ],
  [
    checkoutString({ ...checkout, requestId: 'zamówienie-✓' }, 'short'),
    'endbB3CptrGITD+2ZyflzvmUUkIny7DQgS9bYJG4U5g=',
  ],
])('%s has its known signature (R111)', (text, signature) => {
  expect(sign(text, secret)).toBe(signature)
})

test.each([
  ['an empty key', ''],
  ['a key as long as a block', 'k'.repeat(64)],
  ['a key longer than a block', 'k'.repeat(65)],
  ['a key that only in UTF-8 is longer', 'ż'.repeat(33)],
])('%s signs as HMAC-SHA256 does (R111)', (_, key) => {
  for (const text of [
    'x'.repeat(10_000),
    '',
    'requestId=r1',
    'zamówienie-✓',
    '\ud800',
    'ż'.repeat(40_000),
    'ż'.repeat(100_000),
  ]) {
    expect(sign(text, key)).toBe(createHmac('sha256', key).update(text, 'utf8').digest('base64'))
  }
})

test('an empty trialPeriodDays is not signed (R65)', () => {
  expect(subscriptionString({ ...subscription, trialPeriodDays: '' })).toBe(subscriptionString(subscription))
})

test('a signature fits the form it was made over, and no other', () => {
  const forms = ['short', 'with-currency'] as const
  const strings = { forms, textOf: (form: CheckoutForm) => checkoutString(checkout, form) }
  const text = checkoutString(checkout, 'with-currency')
  expect(signedWith(sign(text, secret), strings, secret)).toBe('with-currency')
  expect(signedWith(sign(text, 'another secret'), strings, secret)).toBeNull()
  expect(signedWith('', strings, secret)).toBeNull()
})

test.each([
  ['', '', true],
  ['abc', 'abc', true],
  ['zażółć', 'zażółć', true],
  ['abc', 'Abc', false],
  ['abc', 'abC', false],
  ['ab', 'ba', false],
  ['abc', 'ab', false],
  ['ab', 'abc', false],
  ['', 'a', false],
  ['a', '', false],
  ['a\0', 'a', false],
  ['é', 'e\u0301', false],
  ['\u0161', 'a', false],
])('whether %j and %j are the same text: %s', (one, other, expected) => {
  expect(sameText(one, other)).toBe(expected)
})
