import { expect, test } from 'vitest'
import { headerLines, headersInLines, joinedHeaders } from '../../src/domain/headers.ts'

test.each([
  { list: [] },
  { list: ['Accept', '*/*'] },
  { list: ['X-Empty', '', 'X-Last', ''] },
  { list: ['X-Tab', 'a\tb', 'Set-Cookie', 'a=1; b=2', 'Set-Cookie', 'é'] },
])('headers $list come out of their lines as they went in', ({ list }) => {
  expect(headersInLines(headerLines(list))).toEqual(list)
})

test('a header that came several times has its values joined, cookies as they are written', () => {
  const list = ['Accept', 'a', 'accept', 'b', 'Cookie', 'c=1', 'cookie', 'd=2']
  expect(Object.fromEntries(joinedHeaders(list))).toEqual({ accept: 'a, b', cookie: 'c=1; d=2' })
})
