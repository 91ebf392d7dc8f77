import { expect, test } from 'vitest'
import { masked } from '../../tools/compare-goldens.ts'

test.each([
  ['a sentence', 'It released 2 where 1 was to be released.', 'It released 2 fulfilments instead of 1.'],
  ['a table', '| `count` | how often |', '| `count` | Number of times |'],
  ['JSON', '{"message":"Wrong amount 5","code":"7001"}', '{"message":"Amount is wrong: 5","code":"7001"}'],
  [
    'a sentence that is wrapped at another word',
    'Send the same bytes again (signed for 14:13: who verifies refuses them after a\nwhile): 5',
    'Send the same bytes again (signed for 14:13): 5',
  ],
])('new wording of %s is no difference', (_, before, after) => {
  expect(masked(after)).toBe(masked(before))
})

test.each([
  ['a number', 'It released 2.', 'It released 3.'],
  ['a backticked name', 'give `webhookUrl`', 'give `webhookURL`'],
  ['an id', 'from fail-9004 to happy-slow', 'from fail-9004 to happy-instant'],
  ['a JSON key', '{"name":"a b"}', '{"title":"a b"}'],
  ['a JSON value', '{"outcome":"accepted"}', '{"outcome":"refused"}'],
  ['the order of states', 'CREATED -> COMPLETED', 'COMPLETED -> CREATED'],
  ['a row', '| `a` | b |\n| `c` | d |', '| `a` | b |'],
  ['a blank line', 'one\n\ntwo', 'one\ntwo'],
  ['an indentation', '  one', 'one'],
])('%s that changes is a difference', (_, before, after) => {
  expect(masked(after)).not.toBe(masked(before))
})
