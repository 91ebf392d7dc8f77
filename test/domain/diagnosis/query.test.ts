import { expect, test } from 'vitest'
import { diagnoseQuery, requestIdSpellings } from '../../../src/domain/diagnosis/query.ts'

const causeOf = (query: string, hasBody = false) =>
  diagnoseQuery({ query: new URLSearchParams(query), wanted: ['requestId', 'clientId'], hasBody })?.cause

test.each([
  ['requestID=a&clientId=C1', 'query.name'],
  ['request_id=a&clientId=C1', 'query.name'],
  ['requestid=a&clientId=C1', 'query.name'],
  ['request-id=a&clientId=C1', 'query.name'],
  ['requestId[]=a&clientId=C1', 'query.name'],
  ['requestId[0]=a&clientId=C1', 'query.name'],
  ['requestId=a&amp;clientId=C1', 'query.name'],
  ['requestId=a;clientId=C1', 'query.separator'],
  ['requestId=a,clientId=C1', 'query.separator'],
  ['requestId=a?clientId=C1', 'query.separator'],
  ['requestId=a&requestId=b&clientId=C1', 'query.twice'],
  ['requestId=&clientId=C1', 'query.empty'],
  ['clientId=C1', 'query.missing'],
  ['', 'query.missing'],
  ['order=a&clientId=C1', 'query.missing'],
  ['myRequestId=a&clientId=C1', 'query.missing'],
  ['requestIds=a&clientId=C1', 'query.missing'],
  ['requestId=a&clientId=C1', undefined],
  ['requestId=a;b&clientId=C1', undefined],
  ['requestId=is clientId C1?&clientId=C1', undefined],
  ['requestId=a&clientId=C1&requestID=b', undefined],
])('%j is %s', (query, cause) => {
  expect(causeOf(query)).toBe(cause)
})

test('parameters in the body of a GET are query.in-body, unless the query has them too', () => {
  expect(causeOf('', true)).toBe('query.in-body')
  expect(causeOf('clientId=C1', true)).toBe('query.in-body')
  expect(causeOf('requestId=&clientId=C1', true)).toBe('query.empty')
})

test.each([
  ['a b', ['a+b', 'A B']],
  ['a%2Bb', ['a+b', 'a%2bb', 'A%2BB']],
  [' a ', ['+a+', 'a', ' A ']],
  ['"a"', ['a', '"A"']],
  ['zamÃ³wienie', ['ZAMÃ³WIENIE', 'zamówienie']],
  ['7', []],
  ['%', []],
])('%j may have meant each of %j', (requestId, meant) => {
  const spellings = requestIdSpellings(requestId).map((spelling) => spelling.requestId)
  expect(spellings).toEqual(expect.arrayContaining(meant))
  expect(spellings).not.toContain(requestId)
  if (meant.length === 0) expect(spellings).toEqual([])
})
