import { expect, test } from 'vitest'
import { check } from '../../../src/domain/text/problems.ts'
import {
  fillTemplate,
  fillText,
  jsonTemplate,
  type Placeholders,
  textTemplate,
} from '../../../src/domain/text/template.ts'

const values = {
  name: 'Ann',
  count: 7,
  amount: '10.5',
  at: { time: Date.UTC(2026, 10, 27, 12, 0, 0, 5), offset: '+02:00' },
  metadata: { json: '{"big":12345678901234567890}' },
  problems: [
    { field: 'email', reason: 'is missing' },
    { field: 'a"b', reason: 'is ${name}' },
  ],
}
const known = {
  values: { name: 'text', count: 'number', amount: 'amount', at: 'time', metadata: 'json', missing: 'text' },
  lists: { problems: { field: 'text', reason: 'text' } },
} as const satisfies Placeholders

test.each<[string, unknown, string | undefined]>([
  ['a text', '${name}', '"Ann"'],
  ['a number', '${count}', '7'],
  ['a number as text', '${count:text}', '"7"'],
  ['a number with a width', '${count:6}', '"000007"'],
  ['a longer text', 'n ${name}, ${count}${missing}', '"n Ann, 7"'],
  ['an amount', '${amount}', '"10.5"'],
  ['an amount as a number', '${amount:number}', '10.5'],
  ['an amount in minor units', '${amount:minor}', '1050'],
  ['an amount in minor units, as text', '${amount:minor:text}', '"1050"'],
  ['a time', '${at}', '"2026-11-27T12:00:00.005Z"'],
  ['a time with an offset', '${at:offset}', '"2026-11-27T14:00:00.005+02:00"'],
  ['a time in seconds', '${at:seconds}', '1795780800'],
  ['a time in milliseconds, as text', '${at:milliseconds:text}', '"1795780800005"'],
  ['a day', 'PO-${at:yyyymmdd}', '"PO-20261127"'],
  ['JSON as it was written', { m: '${metadata}' }, '{"m":{"big":12345678901234567890}}'],
  ['JSON in a text', '${metadata:text}', '"{\\"big\\":12345678901234567890}"'],
  ['upper case', '${name:upper}', '"ANN"'],
  ['a name of a member', { '${name}': 1 }, '{"Ann":1}'],
  ['nothing', '${missing}', undefined],
  ['a member without a value', { a: '${missing}', b: 1 }, '{"b":1}'],
  ['an object of which nothing remains', { a: { b: { c: '${missing}' } }, d: 1 }, '{"d":1}'],
  ['an empty object', { a: {} }, '{"a":{}}'],
  ['an element without a value', ['${missing}', 1], '[null,1]'],
  [
    'an element for each member of a list',
    { errors: [{ field: '${problems.field}', of: '${name}', why: '${problems.reason}' }] },
    '{"errors":[{"field":"email","of":"Ann","why":"is missing"},{"field":"a\\"b","of":"Ann","why":"is ${name}"}]}',
  ],
])('%s is filled in', (_, template, expected) => {
  expect(fillTemplate(template, values)).toBe(expected)
})

test('a list without members leaves an empty list', () => {
  expect(fillTemplate(['${problems.field}'], { problems: [] })).toBe('[]')
})

test('a value is never taken for a template', () => {
  expect(fillText('${a}', { a: '${b}', b: 'x' })).toBe('${b}')
})

test('inherited names are no values', () => {
  expect(fillText('${constructor}${__proto__}', {})).toBe('')
})

const circle: Record<string, unknown> = { a: 1 }
circle.b = circle

test.each<[string, unknown, string]>([
  ['a misspelt name', { a: '${nmae}' }, 'has no value for ${nmae}; did you mean `name`?'],
  ['an unknown name', 'a', 'is not JSON'],
  ['a format of another kind', { a: '${name:seconds}' }, 'has an unknown format in ${name:seconds}'],
  ['a misspelt format', { a: '${at:second}' }, 'did you mean `seconds`?'],
  ['a member of a list outside of a list', { a: '${problems.field}' }, 'outside of a list'],
  ['a template that contains itself', circle, 'contains itself'],
  ['a number that is not exact', { a: 1e20 }, 'too large'],
  ['a template that is too large', { a: 'x'.repeat(20_000) }, 'is larger than 16384 characters'],
  ['text that is too deep', '['.repeat(70) + ']'.repeat(70), 'is deeper than 64 levels'],
])('%s is refused', (_, template, message) => {
  const checked = check(jsonTemplate(known), template)
  expect(checked.ok ? [] : checked.problems.map((problem) => problem.message)).toEqual([
    expect.stringContaining(message),
  ])
})

test('a text with a placeholder that nothing fills is refused', () => {
  expect(check(textTemplate(known), 't=${at:seconds},n=${nobody}').ok).toBe(false)
  expect(check(textTemplate(known), 't=${at:seconds},n=${name}').ok).toBe(true)
})
