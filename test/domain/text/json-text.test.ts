import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  countMembers,
  doubledMembers,
  holdsMore,
  laidOut,
  memberText,
  nestsDeeper,
  withMember,
} from '../../../src/domain/text/json-text.ts'

test.each([
  ['{"m":{"b":1,"a":[1, 2]}}', '{"b":1,"a":[1, 2]}'],
  ['{"a":1,"m" : 12345678901234567890 }', '12345678901234567890'],
  ['{"x":{"m":1},"y":["m",{"m":2}]}', null],
  ['{"m":1,"m":{"last":"wins"}}', '{"last":"wins"}'],
  ['{"s":"\\"m\\":{}","m":"}\\\\"}', '"}\\\\"'],
  ['{"\\u006d":true}', 'true'],
  ['{"m":{"__proto__":{"x":1}},"n":[]}', '{"__proto__":{"x":1}}'],
  ['{"a":"m","m":1}', '1'],
  ['{"a":{"m":2},"m":1}', '1'],
  ['{"a":{"m":2},"\\u006d":1}', '1'],
  ['{"a":["\\"m\\":3"], "m" : {"n":"}"} }', '{"n":"}"}'],
  ['{}', null],
])('in %s the member m is %s', (text, expected) => {
  JSON.parse(text)
  expect(memberText(text, 'm')).toBe(expected)
})

test('a member found as text says what JSON.parse says', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (others, value) => {
      const text = withMember(JSON.stringify(others), 'm', JSON.stringify(value))
      const found = memberText(text, 'm')
      expect(JSON.parse(found ?? 'null')).toEqual(JSON.parse(JSON.stringify(value)))
      expect(JSON.parse(text)).toEqual({
        ...JSON.parse(JSON.stringify(others)),
        m: JSON.parse(JSON.stringify(value)),
      })
    }),
  )
})

test('of hundreds of members each is found, and the next text is not taken for one of them', () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`m${n}`, n])))
  expect(countMembers(many)).toBe(300)
  for (const n of [0, 31, 32, 33, 127, 128, 299]) expect(memberText(many, `m${n}`)).toBe(String(n))
  expect(memberText(`${many.slice(0, -1)},"m7":"again"}`, 'm7')).toBe('"again"')
  expect([...doubledMembers(`${many.slice(0, -1)},"m299":1}`)]).toEqual([['m299', '299']])
  expect(memberText('{"a":1}', 'm7')).toBeNull()
  expect(countMembers('{"a":1}')).toBe(1)
})

/** Texts that have the name m in the wrong places, too. */
const misleading = fc.oneof(fc.constantFrom('m', '"m":1', '\\', '{', '}', ',', ' '), fc.string())
const tree = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    misleading,
    fc.integer(),
    fc.array(tie('value')),
    fc.dictionary(misleading, tie('value')),
  ),
})).value

test('a member is found, whatever stands before and behind it and whatever it is called', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(misleading, tree)),
      tree,
      fc.array(fc.tuple(misleading, tree)),
      fc.constantFrom(undefined, 1),
      (before, value, behind, space) => {
        const object = Object.fromEntries([...before, ['m', value], ...behind])
        const text = JSON.stringify(object, null, space)
        expect(JSON.parse(memberText(text, 'm') ?? '')).toEqual(JSON.parse(text).m)
        expect(countMembers(text)).toBe(Object.keys(object).length)
        expect(doubledMembers(text).size).toBe(0)
      },
    ),
  )
})

test('members that are there twice are counted twice and told with what they were first', () => {
  const text = '{"a":1,"b":{"a":2,"a":3},"\\u0061" : [4] ,"b":5,"c":6,"a":7}'
  expect(countMembers(text)).toBe(6)
  expect([...doubledMembers(text)]).toEqual([
    ['a', '1'],
    ['b', '{"a":2,"a":3}'],
  ])
})

test('one text after the other is told apart, also where they are as long and begin alike', () => {
  const texts = ['{"m":1,"n":1}', '{"m":2,"n":1}', '{"m":1,"n":1}', '{"n":1,"m":3}', '{}']
  expect(texts.map((text) => memberText(text, 'm'))).toEqual(['1', '2', '1', '3', null])
})

test('nesting is counted on the text, and not in strings', () => {
  expect(nestsDeeper('[[[]]]', 3)).toBe(false)
  expect(nestsDeeper('[[[[]]]]', 3)).toBe(true)
  expect(nestsDeeper('["[[[[[[\\"[["]', 3)).toBe(false)
  expect(nestsDeeper('[[],[],[],[],[]]', 2)).toBe(false)
})

test('nesting of a hundred thousand levels is told without a stack', () => {
  expect(nestsDeeper('['.repeat(100_000), 64)).toBe(true)
})

test.each([
  [`[${'0,'.repeat(19)}0]`, 20, false],
  [`[${'0,'.repeat(20)}0]`, 20, true],
  [`{${'"a":1,'.repeat(20)}"b":2}`, 20, true],
  [`[${'[0],'.repeat(9)}[0]]`, 19, true],
  [`[${'[[[[[0]]]]],'.repeat(5)}0]`, 20, true],
  [`["${','.repeat(100)}"]`, 20, false],
  [`["${'['.repeat(100)}"]`, 20, false],
  [`["\\"${','.repeat(100)}"]`, 20, false],
])('%j has more than %i values: %s', (text, limit, more) => {
  expect(holdsMore(text, limit)).toBe(more)
})

test.each([
  ['{}', '{}'],
  ['[ ]', '[]'],
  ['{"a":[],"b":{}}', '{\n  "a": [],\n  "b": {}\n}'],
  ['[1e400,12345678901234567890,-0,1.10]', '[\n  1e400,\n  12345678901234567890,\n  -0,\n  1.10\n]'],
  ['{"a":1,"a":2}', '{\n  "a": 1,\n  "a": 2\n}'],
  ['{"\\u0061":"\\"{,}\\\\"}', '{\n  "\\u0061": "\\"{,}\\\\"\n}'],
  [' \t1 ', '1'],
])('%j is laid out as it is written', (text, expected) => {
  JSON.parse(text)
  expect(laidOut(text)).toBe(expected)
})

test('JSON that nothing is lost of is laid out as JSON.stringify does it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      expect(laidOut(text)).toBe(JSON.stringify(JSON.parse(text), null, 2))
    }),
  )
})
