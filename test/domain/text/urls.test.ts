import { expect, test } from 'vitest'
import { isUrl } from '../../../src/domain/text/urls.ts'

test.each([
  ['https://shop.test/', undefined, true],
  ['https://bücher.test/', undefined, true],
  ['myshop:paid', undefined, true],
  ['/paid', undefined, false],
  ['/paid', 'https://shop.test/', true],
  ['https://', undefined, false],
  ['https://a b/', undefined, false],
  ['', undefined, false],
])('whether %j, from %j, is a URL: %s', (text, base, expected) => {
  expect(isUrl(text, base)).toBe(expected)
})

// Node 22's `URL.canParse` says otherwise once V8 has compiled its caller.
test('a URL with letters beyond ASCII is one however often that is asked', () => {
  const answers = new Set<boolean>()
  for (let n = 0; n < 50_000; n++) answers.add(isUrl('https://bücher.test/'))
  expect([...answers]).toEqual([true])
})
