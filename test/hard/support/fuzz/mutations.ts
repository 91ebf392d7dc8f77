import { isObject } from '../../../support/answer.ts'
import type { Chance } from './chance.ts'

/** A copy of a value with something wrong in one place of it. */
export function mutated(value: unknown, chance: Chance): unknown {
  if (isObject(value) && chance.yes(0.85)) return mutatedObject(value, chance)
  if (Array.isArray(value) && value.length > 0 && chance.yes(0.7)) {
    const at = chance.below(value.length)
    return value.map((each, index) => (index === at ? mutated(each, chance) : each))
  }
  return chance.pick(oddValues)()
}

function mutatedObject(value: Readonly<Record<string, unknown>>, chance: Chance): unknown {
  const names = Object.keys(value)
  const name = chance.pick(names)
  const act = chance.below(6)
  if (act === 0) return withMember(value, chance.pick(oddNames), chance.pick(oddValues)())
  if (name === undefined) return chance.pick(oddValues)()
  if (act === 1) return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name))
  if (act === 2) return withMember(value, name, chance.pick(oddValues)())
  if (act === 3) return withMember(value, `${name}${chance.pick(['s', ' ', '[]', '\0', 'Id'])}`, value[name])
  if (act === 4) return withMember(value, name, twisted(value[name], chance))
  return withMember(value, name, mutated(value[name], chance))
}

/** With a member of that name as its own, whatever the name. */
function withMember(value: object, name: string, member: unknown): object {
  const copy = { ...value }
  Object.defineProperty(copy, name, { value: member, enumerable: true, configurable: true, writable: true })
  return copy
}

/** The same value in another notation or of another type. */
function twisted(value: unknown, chance: Chance): unknown {
  const ways = [
    () => asText(value),
    () => [value],
    () => ({ value }),
    () => Number(asText(value)),
    () => ` ${asText(value)} `,
    () => asText(value).toUpperCase(),
    () => asText(value).repeat(50),
    () => `${asText(value)}\u0000`,
    () => `-${asText(value)}`,
    () => null,
  ] as const
  return chance.pick(ways)()
}

/** A value as a text, though its `toString` be none. */
export const asText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])

/** Values at which something might break. */
const oddValues: readonly [() => unknown, ...(() => unknown)[]] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1e308,
  () => 2 ** 53,
  () => 0.1,
  () => -0,
  () => '',
  () => ' ',
  () => '\0',
  () => '\ud800',
  () => '😀'.repeat(100),
  () => 'é'.normalize('NFD'),
  () => '\u202e\u2066x',
  () => 'x'.repeat(300),
  () => 'x'.repeat(100_000),
  () => '9'.repeat(400),
  () => '1e400',
  () => 'NaN',
  () => '-0.00',
  () => '%00%ff',
  () => '../../etc/passwd',
  () => '..\\..\\x',
  () => "'; drop table orders; --",
  () => '<script>alert(1)</script>',
  () => '{{constructor}}',
  () => '${process.env}',
  () => 'javascript:alert(1)',
  () => '*',
  () => '***',
  () => '__proto__',
  () => 'constructor',
  () => 'toString',
  () => 'hasOwnProperty',
  () => [],
  () => [null],
  () => Array(2_000).fill(0),
  () => ({}),
  () => ({ toString: 1, valueOf: 2 }),
  () => JSON.parse('{"__proto__":{"polluted":true}}'),
  () => ({ constructor: { prototype: { polluted: true } } }),
  () => nested(20),
  () => nested(70),
  () => ({ $ref: '#' }),
]

const oddNames: readonly [string, ...string[]] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  ' ',
  'unknown',
  'clientid',
  'request_id',
  'x'.repeat(500),
  'é',
  '0',
  '$where',
]

/** Bodies that are no JSON, or none that was asked for. */
export const oddBodies: readonly [string, ...string[]] = [
  '',
  ' ',
  'null',
  '[]',
  '5',
  '"text"',
  '{',
  '{}',
  '{"a":1}x',
  "{'a':1}",
  '{"a":1,}',
  '\ufeff{}',
  'a=1&b=2',
  '<xml/>',
  'a: &x [*x]',
  '? {}',
  '- '.repeat(200),
  '['.repeat(1_000),
  '\0',
]

export const oddTypes: readonly [string, ...string[]] = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/json; charset=utf-16',
  'application/jsonx',
  'application/yaml',
  '*/*',
  ';',
]

/** Possible texts in a query or path, percent-encoded or not. */
export const oddTexts: readonly [string, ...string[]] = [
  '',
  '%',
  '%ff',
  '%00',
  '%c0%af',
  '%2e%2e%2f',
  '%F0%9F%98%80',
  '%ud800',
  '+',
  '*',
  'null',
  'undefined',
  '-1',
  '1e9',
  '99999999999999999999',
  'true',
  '__proto__',
  'a'.repeat(2_000),
  '%3Cscript%3E',
  "'",
  '%0d%0aX:1',
]
