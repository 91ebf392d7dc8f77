import { expect, test } from 'vitest'
import { nearest } from '../../../src/domain/text/issue-words.ts'

test.each([
  ['atr', ['at', 'order', 'pay'], 'at', 'a letter too many'],
  ['ordr', ['at', 'order', 'pay'], 'order', 'a letter too few'],
  ['odrer', ['at', 'order', 'pay'], 'order', 'two letters swapped'],
  ['pey', ['at', 'order', 'pay'], 'pay', 'a wrong letter'],
  ['REQUESTID', ['requestId'], 'requestId', 'capitals'],
  ['request_id', ['requested', 'requestId'], 'requestId', 'separators, before anything else'],
  ['signature.chekout', ['signature.checkout'], 'signature.checkout', 'a dotted name'],
  ['fiatAmuont', ['fiatAmount', 'cryptoAmount'], 'fiatAmount', 'a slip in a long word'],
  ['pat', ['pay', 'at', 'part'], 'pay', 'the first of several that are as near'],
])('%s in %j means %s: %s', (word, candidates, meant) => {
  expect(nearest(word, candidates)).toBe(meant)
})

test.each([
  ['x', ['at', 'pay'], 'a short word that shares nothing'],
  ['ab', ['cd'], 'both letters wrong'],
  ['webhook', ['settings'], 'another word'],
  ['orders', ['ordinary'], 'more than a third wrong'],
  ['', ['at', 'order'], 'no word'],
  ['at', [], 'nothing to choose from'],
])('%j in %j means nothing: %s', (word, candidates) => {
  expect(nearest(word, candidates)).toBeUndefined()
})

test('a very long word costs nothing and means nothing', () => {
  expect(nearest('x'.repeat(1_000_000), ['xx', 'at'])).toBeUndefined()
})
