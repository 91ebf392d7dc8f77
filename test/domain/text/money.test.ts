import { expect, test } from 'vitest'
import { compareAmounts, decimalsOf, multiply } from '../../../src/domain/text/money.ts'

test.each([
  ['10.00', '1', 8, '10.00000000'],
  ['0.01', '0.2', 8, '0.00200000'],
  ['10', '0.3', 2, '3.00'],
  ['0.1', '0.19', 2, '0.01'],
  ['99999999999999999999.99', '1', 8, '99999999999999999999.99000000'],
  ['7', '2', 0, '14'],
  ['0.01', '0.000000000000000001', 8, '0.00000000'],
  ['0.01', '0.000000000000000001', 20, '0.00000000000000000001'],
  ['3', '2', 30, `6.${'0'.repeat(30)}`],
])('%s at rate %s with %i decimals is %s', (amount, rate, decimals, expected) => {
  expect(multiply(amount, rate, decimals)).toBe(expected)
})

test.each([
  ['10', '10.00', 0],
  ['9.99', '10', -1],
  ['10.01', '10', 1],
  ['0.1', '0.09', 1],
  ['10000000000000000000.01', '10000000000000000000.02', -1],
])('%s compared with %s is %i', (a, b, expected) => {
  expect(compareAmounts(a, b)).toBe(expected)
})

test.each([
  ['10', 0],
  ['10.5', 1],
  ['10.50', 2],
])('%s has %i decimals', (amount, expected) => {
  expect(decimalsOf(amount)).toBe(expected)
})
