import { expect, test } from 'vitest'
import { joinedHeaders } from '../../../src/journal/journal.ts'

test('a header that came several times has its values joined, cookies as they are written', () => {
  const list = ['Accept', 'a', 'accept', 'b', 'Cookie', 'c=1', 'cookie', 'd=2']
  expect(Object.fromEntries(joinedHeaders(list))).toEqual({ accept: 'a, b', cookie: 'c=1; d=2' })
})
