import { describe, expect, test } from 'vitest'
import {
  elementsOf,
  isList,
  type JsonPiece,
  membersIn,
  parsed,
} from '../../../src/domain/text/json-pieces.ts'

const limits = { levels: 8, values: 1_000 }

/** How often others had their turn while it was read, and what was read. */
function read(text: string | Buffer): { value: unknown; pauses: number } {
  const bytes = Buffer.from(text)
  let pauses = 0
  const finding = membersIn(bytes, limits)
  let step = finding.next()
  for (; !step.done; step = finding.next()) pauses += 1
  const membersOf = (name: string, piece: JsonPiece): unknown => {
    if (!isList(bytes, piece)) return parsed(bytes, piece, name)
    const elements: unknown[] = []
    for (const element of elementsOf(bytes, piece, limits, name)) {
      if (element === null) pauses += 1
      else elements.push(parsed(bytes, element, `${name}[${elements.length}]`))
    }
    return elements
  }
  return {
    value: Object.fromEntries([...step.value].map(([name, piece]) => [name, membersOf(name, piece)])),
    pauses,
  }
}

const whole = JSON.stringify({
  text: 'a "quoted" \\ {[,:]} 🙂 \u2028 \n',
  '"name": {': -1.5e-7,
  no: null,
  list: [1, '\\', '\\"', [], {}, [[{ a: [true, 'x]'] }]], { 'b,': ' : ' }, ''],
  empty: [],
  object: { a: { b: [] }, c: '}' },
  last: false,
})

test.each([
  ['as it is written', whole],
  ['on lines of its own', JSON.stringify(JSON.parse(whole), null, '\t ').replaceAll('\n', '\r\n')],
  ['an empty object', '{}'],
  ['with space around it', ' \n{ "a" : [ ] , "b" :\t[ 1 , "," ]\r\n} \n'],
  ['escaped quotes at the ends of texts', String.raw`{"\\":["\\","\"","\\\""],"a\"":"\u0022"}`],
])('a document is read as JSON.parse reads it: %s', (_, text) => {
  expect(read(text).value).toEqual(JSON.parse(text))
})

test('cut anywhere, it is no JSON', () => {
  const bytes = Buffer.from(whole)
  for (let end = 0; end < bytes.length; end++)
    expect(() => read(bytes.subarray(0, end)), bytes.subarray(0, end).toString()).toThrow(
      expect.objectContaining({ code: 'not_json' }),
    )
})

test('with any byte of it missing or another one, it is no JSON or what JSON.parse makes of it', () => {
  const text = '{"a":[1,{"b":"c\\n"},[]],"d":{"e":[null]}}'
  const texts = [...text].flatMap((_, at) =>
    ['', ...'{}[],:"\\ 1x'].map((other) => text.slice(0, at) + other + text.slice(at + 1)),
  )
  for (const each of texts) {
    let value: unknown
    let isJson = true
    try {
      value = JSON.parse(each)
    } catch {
      isJson = false
    }
    if (isJson) expect(read(each).value, each).toEqual(value)
    else expect(() => read(each), each).toThrow(expect.objectContaining({ code: 'not_json' }))
  }
})

describe('what is wrong is told:', () => {
  test.each([
    ['nothing', '', 'The body must be a JSON object.'],
    ['a list', '[]', 'must be a JSON object'],
    ['a byte order mark', '\ufeff{}', 'must be a JSON object'],
    ['two documents', '{}{}', 'is not JSON (`{` at byte 2, where the end must follow)'],
    ['a comma too many', '{"a":1,}', '`}` at byte 7, where the name of a field must follow'],
    ['no colon', '{"a" 1}', '`1` at byte 5, where a colon must follow'],
    ['no value', '{"a":}', 'is not JSON (a, from byte 5: Unexpected end of JSON input)'],
    ['no comma', '{"a":1 "b":2}', '`"` at byte 7, where a comma or a closing brace must follow'],
    ['no comma in a list', '{"a":[1 2]}', '`2` at byte 8, where a comma or a closing bracket must follow'],
    ['a list that ends with a comma', '{"a":[1,]}', 'is not JSON (a[1], from byte 8:'],
    ['brackets that do not fit', '{"a":[[}]}', 'is not JSON (a[0], from byte 6:'],
    ['a text without an end', '{"a":["b}', 'ends in the middle of a'],
    ['a cut name', '{"a', 'ends in the middle of the name of a field'],
    ['a field twice', '{"a":[],"\\u0061":1}', 'has the field `a` twice'],
    ['a line end in a text', '{"a":"\n"}', 'is not JSON (a, from byte 5:'],
    ['very many fields', `{${Array.from({ length: 101 }, (_, n) => `"${n}":1`)}}`, 'more than 100 fields'],
    ['too many values in one', `{"a":[[${'1,'.repeat(1_000)}1]]}`, 'has more than 1000 values in a[0]'],
    ['too many in an object', `{"a":{"b":[${'1,'.repeat(1_000)}1]}}`, 'has more than 1000 values in a'],
  ])('%s', (_, text, words) => {
    expect(() => read(text)).toThrow(words)
  })
})

test('it may be as deep as is said, and no deeper', () => {
  const deep = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  expect(read(deep(8)).value).toEqual(JSON.parse(deep(8)))
  expect(() => read(deep(9))).toThrow('is nested deeper than 8 levels')
  expect(() => read(`{"a":${'['.repeat(1_000_000)}`)).toThrow('is nested deeper than 8 levels')
})

test('a list may have more than one piece may, and others have their turn meanwhile', () => {
  const list = Array.from({ length: 200_000 }, (_, n) => ({ n, text: 'x'.repeat(20) }))
  const { value, pauses } = read(JSON.stringify({ list }))
  expect(value).toEqual({ list })
  expect(pauses).toBeGreaterThan(5)
})

test.each([
  ['one text', `{"a":"${'x'.repeat(5_000_000)}"}`],
  ['nothing but space', `{${' '.repeat(5_000_000)}}`],
  ['nothing but escapes', `{"a":"${'\\"'.repeat(2_500_000)}"}`],
])('others have their turn within %s', (_, text) => {
  expect(read(text).pauses).toBeGreaterThan(2)
})
