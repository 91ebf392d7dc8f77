import { expect, test } from 'vitest'
import { fromNow, spanWords } from '../../../src/domain/text/duration.ts'

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [2_550, '2.5 s'],
  [59_999, '59 s'],
  [90_000, '1 min 30 s'],
  [3_600_000, '1 h'],
  [93_600_000, '1 d 2 h'],
  [30 * 86_400_000 - 3_000, '30 d'],
])('%i ms are %s', (ms, words) => {
  expect(spanWords(ms)).toBe(words)
})

test.each([
  [5_000, 2_000, 'in 3 s'],
  [2_000, 5_000, '3 s ago'],
  [5_000, 5_000, 'now'],
])('%i as seen from %i lies %s', (at, now, words) => {
  expect(fromNow(at, now)).toBe(words)
})
