import { expect, test } from 'vitest'
import { mergePatch } from '../../../src/domain/text/objects.ts'
import { faultsAt } from '../../../src/domain/webhook/faults/attempt-faults.ts'
import { bodyWith, type PlannedFaults } from '../../../src/domain/webhook/faults/faults.ts'

const faults: readonly PlannedFaults[] = [
  { tamper: true, headers: { a: '1', b: '1' } },
  { sign: 'wrong', times: 2 },
  { sign: 'none', headers: { b: null }, times: 1 },
  { tamper: false, times: 1 },
]

test.each([
  [1, { tamper: false, sign: 'none', headers: { a: '1', b: null } }],
  [2, { tamper: true, sign: 'wrong', headers: { a: '1', b: '1' } }],
  [3, { tamper: true, headers: { a: '1', b: '1' } }],
])('of several faults about attempt %i the later one holds', (attempt, expected) => {
  expect(faultsAt({ faults }, attempt)).toEqual(expected)
})

test('a delivery without a plan has no faults', () => {
  expect(faultsAt(null, 1)).toEqual({})
})

test.each([
  ['nothing', {}, '{"a":"bc"}', 10],
  ['tamper', { tamper: true }, '{"a":"bd"}', 10],
  ['truncate', { truncate: 4 }, '{"a"', 4],
  ['truncate to nothing', { truncate: 0 }, '', 0],
  ['truncate beyond the end', { truncate: 99 }, '{"a":"bc"}', 10],
  ['cut', { cut: 4 }, '{"a"', 10],
  ['cut at the end', { cut: 'end' }, '{"a":"bc"}', 10],
  ['cut of what is truncated', { truncate: 6, cut: 3 }, '{"a', 6],
  ['tamper, then truncate', { tamper: true, truncate: 9 }, '{"a":"bd"', 9],
] as const)('%s: what leaves of a body', (_, about, text, announced) => {
  const body = bodyWith(about, '{"a":"bc"}')
  expect({ ...body, sent: body.sent.toString() }).toEqual({ sent: text, announced })
})

test.each([
  ['{"n":9}', '{"n":8}'],
  ['{"n":10}', '{"n":11}'],
  ['"z"', '"y"'],
  ['"Z"', '"Y"'],
  ['"é1é"', '"é2é"'],
  ['{}', '{~'],
  ['', ''],
])('a tampered %s differs in one byte, and is JSON as a rule', (body, tampered) => {
  expect(bodyWith({ tamper: true }, body).sent.toString()).toBe(tampered)
})

test.each([
  ['{"a":1}', { b: 2 }, '{"a":1,"b":2}'],
  ['{"a":1,"b":2}', { a: null }, '{"b":2}'],
  ['{"a":{"b":1,"c":2}}', { a: { b: null, d: { e: null } } }, '{"a":{"c":2,"d":{}}}'],
  ['{"a":[1]}', { a: [2, null] }, '{"a":[2,null]}'],
  ['{"a":1}', { a: { b: 1 } }, '{"a":{"b":1}}'],
  ['[1]', { a: 1 }, '{"a":1}'],
  ['{"__proto__":1}', { a: 1 }, '{"__proto__":1,"a":1}'],
])('%s patched with %j', (text, patch, expected) => {
  expect(mergePatch(text, patch)).toBe(expected)
})

test('a patch may name what objects inherit', () => {
  const patch = JSON.parse('{"__proto__":{"a":1},"constructor":2}')
  expect(mergePatch('{}', patch)).toBe('{"__proto__":{"a":1},"constructor":2}')
})
