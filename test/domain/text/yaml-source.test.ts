import { expect, test, vi } from 'vitest'
import { Composer, Parser } from 'yaml'
import * as z from 'zod'
import { fileText, sentText, type TextLimit } from '../../../src/domain/text/limits.ts'
import { check } from '../../../src/domain/text/problems.ts'
import { formatProblem, problemsOf, readYaml } from '../../../src/domain/text/yaml-source.ts'
import { processorMs } from '../../support/processor-ms.ts'

function complaints(text: string, limit?: TextLimit): string[] {
  return readYaml(text, 'f.yaml', limit).problems.map(formatProblem)
}

function value(text: string): unknown {
  const source = readYaml(text, 'f.yaml')
  expect(source.problems).toEqual([])
  return source.value
}

test.each([
  ['a: &x 1\nb: *x', 'f.yaml:1:4: anchors and aliases', 'an anchor'],
  ['a: [*x]', 'f.yaml:1:5: anchors and aliases', 'an alias'],
  ['a:\n  <<: { b: 1 }', 'f.yaml:2:3: merge keys', 'a merge key'],
  ['%YAML 1.1\n---\na: yes', 'f.yaml:1:1: directives', 'a directive'],
  ['a: !secret x', 'f.yaml:1:4: Unresolved tag: !secret', 'an unknown tag'],
  ['a: !!set { x }', 'f.yaml:1:4: Unresolved tag', 'a type of YAML 1.1'],
  ['a: 1\nb: 2\na: 3', 'f.yaml:3:1: `a` occurs twice', 'a key twice'],
  ['- { at: 1, "at": 2 }', 'f.yaml:1:12: `at` occurs twice', 'a key twice, once in quotes'],
  ['9006.1: a\n"9006.1": b', 'f.yaml:2:1: `9006.1` occurs twice', 'a key twice, once as a number'],
  ['__proto__: 1\n__proto__: 2', 'f.yaml:2:1: `__proto__` occurs twice', 'a special key twice'],
  ['[a]: 1', 'f.yaml:1:1: a key must be text', 'a list as a key'],
  [
    'a: 9007199254740993',
    'f.yaml:1:4: `9007199254740993` is too large to be represented exactly',
    'a number that would change',
  ],
  ['a: 1e400', 'f.yaml:1:4: `1e400` is not a valid number here', 'a number without end'],
  ['a: .nan', 'f.yaml:1:4: `.nan` is not a valid number here', 'no number at all'],
  ['a:\n\tb: 1', 'f.yaml:2:1: tabs cannot be used for indentation', 'a tab'],
  ['a: b: c', 'f.yaml:1:4: a mapping cannot begin here', 'a second colon'],
  ['a: 1\n b: 2', 'f.yaml:1:4: a mapping cannot begin here', 'a line indented too far'],
  ['a: [1, 2', 'f.yaml:1:9: Flow sequence', 'a list that does not end'],
  ['a: "x', 'f.yaml:1:6: Missing closing "quote', 'a text that does not end'],
  ['a: 1\n---\nb: 2', 'f.yaml:2:1: a second document', 'two documents'],
  ['\uFEFFa: 1', 'f.yaml:1:1: begins with a byte order mark', 'a byte order mark'],
  ['\uFFFD\uFFFDa\0:\0', 'f.yaml:1:1: is not UTF-8 text', 'UTF-16 read as UTF-8'],
  ['a: 1\r\na: 2', 'f.yaml:2:1: `a` occurs twice', 'lines that end as on Windows'],
])('%j is answered %s: %s', (text, complaint) => {
  expect(complaints(text)[0]).toContain(complaint)
})

test('after a syntax error nothing else is guessed', () => {
  expect(complaints('- a\nb: 1\nc: [')).toHaveLength(1)
})

test.each([
  ['lists in lists', '[['.repeat(50_000)],
  ['mappings in mappings', '{ a: '.repeat(100_000)],
  ['lists in lists, by dashes', '- '.repeat(100_000)],
  ['keys in keys', '? '.repeat(100_000)],
  ['one space more on each line', Array.from({ length: 1_000 }, (_, n) => `${' '.repeat(n)}a:\n`).join('')],
  ['aliases of aliases', 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n'.repeat(1_000)],
  ['twenty megabytes', 'a: 1\n'.repeat(4_000_000)],
  ['a million tabs', `${'\t'.repeat(1_000_000)}]`],
])('%s are refused with a place, before they cost anything', (_, text) => {
  expect(complaints(text)[0]).toMatch(/^f\.yaml:\d+:\d+: /)
  expect(processorMs(() => complaints(text))).toBeLessThan(1_000)
})

test('64 levels are read, 65 are not', () => {
  expect(complaints('['.repeat(64) + ']'.repeat(64))).toEqual([])
  expect(complaints('['.repeat(65) + ']'.repeat(65))).toEqual(['f.yaml:1:66: nested deeper than 64 levels'])
})

test.each([
  [1, sentText],
  [16, fileText],
])('%i MiB are read, a byte more is not, whatever the characters', (mebibytes, limit) => {
  const text = `a: ${'é'.repeat(1024 * 512 * mebibytes - 2)}`
  expect(complaints(`${text} `, limit)).toEqual([])
  expect(complaints(`${text}  `, limit)).toEqual([
    `f.yaml:1:1: is larger than ${mebibytes} MiB; ${limit.advice}`,
  ])
})

/** A line of each way to fill a text with little things. */
const fillers = [
  ['ones in a list', '[', '1,', ']'],
  ['objects in a list', '[', '{},', ']'],
  ['keys in a list', '[', 'a: b,', ']'],
  ['names in an object', '{', 'a,', '}'],
  ['members in an object', '{', '"a":1,', '}'],
  ['tags', '[', '!a b,', ']'],
  ['tags without a value', '', '! ', ''],
  ['explicit keys', '', '? a\n', ''],
  ['ones by the line', '', '- 1\n', ''],
  ['nothing by the line', '', '-\n', ''],
  ['one key', '', 'a: 1\n', ''],
  ['no key', '', ':\n', ''],
  ['blank lines', '', '\n', ''],
  ['blank lines as on Windows', '', '\r\n', ''],
  ['lines of tabs', '', '\t\n', ''],
  ['comments', '', '#\n', ''],
  ['documents', '', '---\n', ''],
  ['ends of documents', '', '...\n', ''],
  ['directives', '', '%a\n', ''],
  ['anchors', '', '- &a b\n', ''],
  ['aliases', '', '- *a\n', ''],
  ['merge keys', '', '<<: {}\n', ''],
  ['lines of a text', 'a: ', 'b\n ', ''],
  ['lines of a text in quotes', 'a: "', 'b\n ', '"'],
  ['lines of a block', 'a: |\n', ' b\n', ''],
  ['blank lines of a block', 'a: >\n', '\n', ''],
  ['quotes', '', '""', ''],
  ['closing brackets', '', ']', ''],
  ['commas', '[a', ',', ']'],
  ['lists 60 deep', '[', `${'['.repeat(60)}${']'.repeat(60)},`, "'']"],
] as const

test.each(fillers)('a text of many %s is refused before anything is made of it', (_, head, unit, tail) => {
  const composed = vi.spyOn(Composer.prototype, 'compose')
  const text = head + unit.repeat(Math.min(40_001, 1_000_000 / unit.length)) + tail
  expect(complaints(text, sentText)).toEqual([
    expect.stringMatching(/^f\.yaml:\d+:\d+: has more than 20000 tokens .*; send less/),
  ])
  expect(composed).not.toHaveBeenCalled()
})

test('20,000 tokens are read, one more is not, and spaces are none', () => {
  const list = (length: number) => `[ ${'x , '.repeat(length)} ]`
  expect(complaints(list(9_999), sentText)).toEqual([])
  expect(complaints(list(10_000), sentText)).toHaveLength(1)
})

test('20,000 values of JSON are read, one more is not, and the parser of YAML sees neither', () => {
  const parsed = vi.spyOn(Parser.prototype, 'next')
  const list = (length: number) => JSON.stringify(Array.from({ length }, () => 1))
  expect(complaints(list(20_000), sentText)).toEqual([])
  expect(complaints(list(20_001), sentText)).toHaveLength(1)
  expect(parsed).not.toHaveBeenCalled()
})

test('a text in quotes may be long, but in JSON only may it fill a request', () => {
  const quoted = (length: number) => `a: "${'x'.repeat(length)}"`
  expect(complaints(quoted(200_000), sentText)).toEqual([])
  expect(complaints(quoted(300_000), sentText)).toEqual([
    'f.yaml:1:4: a string in double quotes may have at most 256 KiB; write it as a block (|), or write the file as JSON',
  ])
  expect(complaints(JSON.stringify({ a: 'x'.repeat(1_000_000) }), sentText)).toEqual([])
})

test('a file may have more than a request', () => {
  const text = Array.from({ length: 20_001 }, (_, n) => `k${n}: 1\n`).join('')
  expect(complaints(text)).toEqual([])
  expect(complaints('-\n'.repeat(3_000_001))).toEqual([
    'f.yaml:3000001:2: has more than 3000000 tokens (words, marks and line breaks); split it',
  ])
})

test.each([
  ['{"a":1,"b":2,"a":3}', '1:14: `a` occurs twice', 'a key twice'],
  ['{"a":1,"\\u0061":3}', '1:8: `a` occurs twice', 'a key twice, once escaped'],
  ['{"__proto__":1,"__proto__":2}', '1:16: `__proto__` occurs twice', 'a special key twice'],
  ['{"<<":{}}', '1:2: merge keys', 'a merge key'],
  ['{\n\t"a": [1, 9007199254740993]}', '2:11: `9007199254740993` is too large', 'a number that would change'],
  ['{"a":1e400}', '1:6: `1e400` is not a valid number here', 'a number without end'],
  ['{"a":[1,2}', '1:10: ', 'JSON that is none'],
])('JSON %s is answered %s: %s', (text, complaint) => {
  expect(complaints(text)[0]).toContain(`f.yaml:${complaint}`)
})

test('JSON has the value that JSON.parse gives it', () => {
  const text =
    '\n{"a\\"b": [1.5, -0, 1e3, true, null, "\\ud83d\\ude00,:{}[]", {}, [], ""] , "__proto__": {"x": 1}}\n'
  expect(value(text)).toEqual(JSON.parse(text))
  expect(JSON.stringify(value(text))).toBe(JSON.stringify(JSON.parse(text)))
})

test('many keys are told apart in one pass', () => {
  const text = Array.from({ length: 50_000 }, (_, index) => `k${index}: 1\n`).join('')
  const read = () => expect(complaints(`${text}k7: 2`)).toEqual(['f.yaml:50001:1: `k7` occurs twice'])
  expect(processorMs(read)).toBeLessThan(5_000)
})

test.each<[string, unknown, string]>([
  ['', null, 'nothing'],
  ['# only a comment', null, 'a comment'],
  ['---\na: 1\n...\n', { a: 1 }, 'the marks of one document'],
  ['a: yes', { a: 'yes' }, 'a word that YAML 1.1 takes for true'],
  ['a: off', { a: 'off' }, 'a word that YAML 1.1 takes for false'],
  ['a: 2026-01-31', { a: '2026-01-31' }, 'a date'],
  ['a: 1:30', { a: '1:30' }, 'a time'],
  ['a: "12345678901234567890"', { a: '12345678901234567890' }, 'a large number in quotes'],
  ['9006.1: a', { '9006.1': 'a' }, 'a key that looks like a number'],
  ['a: x*y & z!', { a: 'x*y & z!' }, 'marks inside a text'],
  ['a: "&x *y !z %"', { a: '&x *y !z %' }, 'marks in quotes'],
  ['a: !!str 12', { a: '12' }, 'a known tag'],
  ['a: |-\n  %x\n  &y', { a: '%x\n&y' }, 'marks in a block of text'],
])('%j is %j: %s', (text, expected) => {
  expect(value(text)).toEqual(expected)
})

test('__proto__ is a key like any other', () => {
  const read = value('__proto__: { polluted: true }')
  expect(JSON.stringify(read)).toBe('{"__proto__":{"polluted":true}}')
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  expect(read).not.toHaveProperty('polluted')
})

const file = `id: x
timeline:
  - { at: 2s, pay: true }
  - at: 5s
    order:
  - at: 9s
"a.b": 1
`

test.each<[(string | number)[], 'key' | 'value', string]>([
  [['id'], 'value', '1:5'],
  [['id'], 'key', '1:1'],
  [['timeline', 0], 'value', '3:5'],
  [['timeline', 0, 'pay'], 'value', '3:20'],
  [['timeline', 0, 'pay'], 'key', '3:15'],
  [['timeline', 1, 'order'], 'value', '5:5'],
  [['timeline', 2, 'order'], 'value', '6:5'],
  [['timeline', 9], 'value', '3:3'],
  [['id', 'deeper'], 'value', '1:5'],
  [['a.b'], 'value', '7:8'],
  [['missing'], 'value', '1:1'],
  [['toString'], 'value', '1:1'],
  [[], 'value', '1:1'],
])('%j, its %s, begins at %s', (path, at, expected) => {
  const { line, column } = readYaml(file, 'f.yaml').locate(path, at)
  expect(`${line}:${column}`).toBe(expected)
})

test.each<[(string | number)[], 'key' | 'value', string]>([
  [['id'], 'value', '1:8'],
  [['id'], 'key', '1:2'],
  [['timeline', 0], 'value', '2:15'],
  [['timeline', 0, 'pay'], 'value', '2:36'],
  [['timeline', 0, 'pay'], 'key', '2:29'],
  [['timeline', 9], 'value', '2:14'],
  [['a.b'], 'value', '3:10'],
  [['missing'], 'value', '1:1'],
])('in JSON %j, its %s, begins at %s', (path, at, expected) => {
  const json = '{"id": "x",\n "timeline": [{ "at": "2s", "pay": true }],\n  "a.b": 1}'
  const { line, column } = readYaml(json, 'f.json').locate(path, at)
  expect(`${line}:${column}`).toBe(expected)
})

const story = z.strictObject({
  id: z.string(),
  steps: z.array(z.strictObject({ at: z.string(), order: z.string().optional() })).optional(),
})

test('what zod finds is told with its place, in the order of the file', () => {
  const source = readYaml('steps:\n  - { atr: 2s }\n  - { at: 5, order: x }\nid: 7', 'f.yaml')
  const result = check(story, source.value)
  expect(result.ok || problemsOf(result.problems, source).map(formatProblem)).toEqual([
    'f.yaml:2:5: `at` is missing',
    'f.yaml:2:7: unknown key `atr`; did you mean `at`?',
    'f.yaml:3:11: expected text, not 5; put it in quotes',
    'f.yaml:4:5: expected text, not 7; put it in quotes',
  ])
})

test('a bare zod error is placed too', () => {
  const source = readYaml('id: x\nsteps: 3', 'f.yaml')
  const { error } = story.safeParse(source.value)
  expect(error && problemsOf(error, source)).toMatchObject([{ line: 2, column: 8 }])
})

test('of very many problems the first are told, and how many more there are', () => {
  const source = readYaml(`steps:\n${'  - { at: 5 }\n'.repeat(1_000)}id: x`, 'f.yaml')
  const result = check(story, source.value)
  const problems = result.ok ? [] : problemsOf(result.problems, source)
  expect(problems).toHaveLength(51)
  expect(problems.at(-1)?.message).toBe('and 950 more problems')
})
