import { expect, test } from 'vitest'
import { foundOutFirst } from '../../../src/conform/evidence/found-out-first.ts'

/** A webhook that was sent at 1,000 and answered at 1,020. */
const told = { wallAt: 1_000, ms: 20 }

const lookup = (wallAt: number, orderStatus: string, operation: 'orders' | 'crypto-orders' = 'orders') => ({
  operation,
  wallAt,
  response: JSON.stringify({ data: [{ orderStatus }] }),
})

test.each([
  ['never', []],
  ['for the webhook', [lookup(1_010, 'COMPLETED')]],
  [
    'for the webhook, twice in different words',
    [lookup(1_010, 'COMPLETED'), lookup(1_012, 'COMPLETED', 'crypto-orders')],
  ],
  ['before it was COMPLETED', [lookup(900, 'CREATED'), lookup(1_010, 'COMPLETED')]],
  ['long after', [lookup(1_010, 'COMPLETED'), lookup(1_500, 'COMPLETED')]],
])('one that asked %s was told', (_, calls) => {
  expect(foundOutFirst(told, calls)).toBe(false)
})

test.each([
  ['before it was told', [lookup(999, 'COMPLETED'), lookup(1_010, 'COMPLETED')]],
  ['before it was told and never again', [lookup(999, 'COMPLETED')]],
  ['again before it was done', [lookup(1_030, 'COMPLETED'), lookup(1_120, 'COMPLETED')]],
  ['twice at the same time', [lookup(1_008, 'COMPLETED'), lookup(1_010, 'COMPLETED')]],
])('one that asked %s may have found out by itself', (_, calls) => {
  expect(foundOutFirst(told, calls)).toBe(true)
})

test('one that takes long to answer is not done before', () => {
  const calls = [lookup(1_010, 'COMPLETED'), lookup(1_500, 'COMPLETED')]
  expect(foundOutFirst({ wallAt: 1_000, ms: 400 }, calls)).toBe(false)
  expect(foundOutFirst({ wallAt: 1_000, ms: 600 }, calls)).toBe(true)
})

test('a webhook whose answer is still to come is no reason to wait for more', () => {
  const calls = [lookup(1_010, 'COMPLETED'), lookup(1_500, 'COMPLETED')]
  expect(foundOutFirst({ wallAt: 1_000, ms: null }, calls)).toBe(false)
})
