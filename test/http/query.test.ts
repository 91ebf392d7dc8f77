import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainParameters } from '../../src/http/query.ts'

test.each([
  ['', {}],
  ['requestId=r-1&clientId=shop', { requestId: 'r-1', clientId: 'shop' }],
  ['a', { a: '' }],
  ['a=&b=1', { a: '', b: '1' }],
  ['&&a=1&', { a: '1' }],
  ['=1', { '': '1' }],
  ['a=b=c', { a: 'b=c' }],
  ['constructor=1&toString=2', { constructor: '1', toString: '2' }],
])('%j is plain', (query, parameters) => {
  expect(plainParameters(query)).toEqual(parameters)
})

test.each(['a=1&a=2', 'a=%20', 'a=b+c', '?a=1', 'a=ü', 'a= b', '__proto__=1', 'a&a'])(
  '%j is not',
  (query) => {
    expect(plainParameters(query)).toBeNull()
  },
)

test('what is plain reads as URLSearchParams has it', () => {
  const piece = fc.oneof(
    fc.constantFrom('a', 'b', '=', '&', '%41', '+', '?', '#', '/', 'é', '\u0000', '__proto__', 'constructor'),
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  )
  let plain = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const query = pieces.join('')
      const parameters = plainParameters(query)
      if (parameters === null) return
      plain += 1
      const entries = [...new URLSearchParams(query)]
      expect(Object.entries(parameters).toSorted()).toEqual(entries.toSorted())
    }),
    { numRuns: 2_000 },
  )
  expect(plain).toBeGreaterThan(50)
})
