import { expect, test } from 'vitest'
import { differences, fits, type Wanted } from '../../../src/domain/text/where.ts'

const thing = {
  requestId: 'r1',
  status: 401,
  waitsForPayer: false,
  errorReason: null,
  diagnosis: { cause: 'token.missing' },
  metadata: { 'a.b': 'dotted', a: { b: 'nested' } },
  attempts: [{ status: 500 }, { status: 200 }],
  body: '{"fiatAmount":"10.00","user":{"id":7}}',
  response: 'not JSON',
}

test.each<[member: string, wanted: Wanted, is: boolean]>([
  ['requestId', 'r1', true],
  ['requestId', 'r', false],
  ['requestId', 'R1', false],
  ['requestId', 'r*', true],
  ['requestId', 'r1*', true],
  ['requestId', 'x*', false],
  ['requestId', '*', true],
  ['requestId', null, false],
  ['status', 401, true],
  ['status', '401', true],
  ['status', '4*', true],
  ['status', 400, false],
  ['status', '0401', false],
  ['waitsForPayer', false, true],
  ['waitsForPayer', 'false', true],
  ['waitsForPayer', 0, false],
  ['errorReason', null, true],
  ['errorReason', '*', false],
  ['errorReason', 'null', false],
  ['errorReason.errorCode', null, true],
  ['errorReason.errorCode', '*', false],
  ['nothing', null, true],
  ['nothing', '*', false],
  ['nothing', 'undefined', false],
  ['diagnosis', '*', true],
  ['diagnosis', '[object Object]', false],
  ['diagnosis.cause', 'token.*', true],
  ['diagnosis.cause', 'token.expired', false],
  ['diagnosis.cause.', 'token.missing', false],
  ['metadata.a.b', 'dotted', true],
  ['metadata.a.b', 'nested', false],
  ['attempts.length', 2, true],
  ['attempts.1.status', 200, true],
  ['attempts.2.status', 200, false],
  ['body.fiatAmount', '10.00', true],
  ['body.fiatAmount', 10, false],
  ['body.user.id', 7, true],
  ['body', '{"fiatAmount"*', true],
  ['response.status', null, true],
  ['response', 'not JSON', true],
  ['requestId.length', 2, false],
  ['toString', '*', false],
  ['__proto__', '*', false],
  ['constructor.name', 'Object', false],
  ['.requestId', 'r1', false],
])('%s wanted as %o: %o', (member, wanted, is) => {
  expect(fits({ [member]: wanted }, thing)).toBe(is)
})

test('all members have to fit, and none are asked for by an empty one', () => {
  expect(fits({ requestId: 'r1', status: 401 }, thing)).toBe(true)
  expect(fits({ requestId: 'r1', status: 200 }, thing)).toBe(false)
  expect(fits({}, thing)).toBe(true)
})

test('the differences tell what was wanted and what was found instead', () => {
  expect(differences({ requestId: 'r1', status: 200, nothing: 'x' }, thing)).toEqual([
    { member: 'status', wanted: 200, found: 401 },
    { member: 'nothing', wanted: 'x', found: null },
  ])
})
