import { expect, test } from 'vitest'
import { foundOutItself } from '../../../src/conform/acts/repeated-webhook.ts'

/** A webhook that was sent at 1,000 and answered at 1,020. */
const told = { wallAt: 1_000, ms: 20 }

type Operation = 'orders' | 'crypto-orders'

/** A lookup that was answered at a moment, one millisecond after it came if nothing else is said. */
const lookup = (wallAt: number, orderStatus = 'COMPLETED', operation: Operation = 'orders', ms = 1) => ({
  ...{ operation, wallAt, ms },
  response: JSON.stringify({ data: [{ orderStatus }] }),
})

const held = (wallAt: number, ms: number) => lookup(wallAt, 'COMPLETED', 'orders', ms)

test.each([
  ['never', []],
  ['for the webhook', [lookup(1_010)]],
  ['for the webhook, in two ways', [lookup(1_010), lookup(1_012, 'COMPLETED', 'crypto-orders')]],
  ['before it was COMPLETED', [lookup(900, 'CREATED'), lookup(1_010)]],
  ['again long after', [lookup(1_010), lookup(1_500)]],
  ['long after its answer', [lookup(1_300)]],
])('one that asked %s was told', (_, calls) => {
  expect(foundOutItself(told, calls)).toBe(false)
})

test.each([
  ['before it was told', [lookup(999), lookup(1_010)]],
  ['before it was told and never again', [lookup(999)]],
  ['before it was told, and had its answer after', [held(1_500, 510)]],
  ['again before it was done', [lookup(1_030), lookup(1_120)]],
  ['twice at the same time', [lookup(1_008), lookup(1_010)]],
  ['twice, and had both answers late', [held(1_500, 490), held(1_501, 490)]],
])('one that asked %s may have found out by itself', (_, calls) => {
  expect(foundOutItself(told, calls)).toBe(true)
})

test('one that takes long to answer is not done before', () => {
  const calls = [lookup(1_010), lookup(1_500)]
  expect(foundOutItself({ wallAt: 1_000, ms: 400 }, calls)).toBe(false)
  expect(foundOutItself({ wallAt: 1_000, ms: 600 }, calls)).toBe(true)
})

test('a webhook whose answer is still to come is no reason to wait for more', () => {
  expect(foundOutItself({ wallAt: 1_000, ms: null }, [lookup(1_010), lookup(1_500)])).toBe(false)
})
