import { expect, test } from 'vitest'
import { textLines, textWidth } from '../../../src/domain/text/text-width.ts'

test.each([
  ['one two three', 2, 56, ['one two', 'three']],
  ['abcdefghij', 3, 28, ['abcd', 'efgh', 'ij']],
  ['ABCDEFGHIJ', 4, 28, ['ABC', 'DEF', 'GHI', 'J']],
  ['one two three four', 2, 63, ['one two', 'three…']],
  ['one two three fourteen', 2, 56, ['one two', 'three…']],
  ['abcdefghij', 1, 28, ['ab…']],
  ['', 2, 56, ['(empty)']],
  ['  ', 2, 56, ['(empty)']],
  ['😀😀😀', 2, 26, ['😀😀', '😀']],
  ['a\nb\u202e', 1, 100, ['a\\nb\\u202e']],
])('%j in %i lines of %i pixels', (text, lines, width, broken) => {
  expect(textLines(text, { lines, width })).toEqual(broken)
})

test('no line is wider than allowed, whatever the text is', () => {
  for (const text of ['WWWWWWWWWWWW', '漢字漢字漢字', 'a b c d e f g', 'x'.repeat(5_000), '😀'.repeat(300)])
    for (const line of textLines(text, { lines: 3, width: 60 }))
      expect(textWidth(line)).toBeLessThanOrEqual(60)
})
