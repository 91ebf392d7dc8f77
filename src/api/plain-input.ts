import { z } from 'zod'
import { isObject } from '../http/body.ts'

/** Whether an input is right as it stands: each member known, none missing, none empty, null or wrong. Mostly it is, and
 *  then zod, which makes an object for every value that it looks at and a copy of the whole, has nothing to add. What
 *  is asked here comes out of the schema; of what cannot be told from that the answer is no, and zod decides. */
export function isPlain<T extends z.ZodObject>(schema: T, input: unknown): input is z.output<T> {
  let test = tests.get(schema)
  if (test === undefined) {
    test = testOf(schema)
    tests.set(schema, test)
  }
  return test(input)
}

type Test = (value: unknown) => boolean

/** Every request asks for them. */
const tests = new WeakMap<z.ZodObject, Test>()

const cannotTell: Test = () => false

function testOf(schema: unknown): Test {
  if (schema instanceof z.ZodString) return textTest(schema.def.checks ?? [])
  // Of checks only those of texts are known here.
  if (!(schema instanceof z.ZodType) || schema.def.checks !== undefined) return cannotTell
  if (schema instanceof z.ZodObject) return objectTest(schema)
  if (schema instanceof z.ZodOptional) {
    const present = testOf(schema.unwrap())
    // An empty text would count as absent (N31).
    return (value) => value !== '' && present(value)
  }
  if (schema instanceof z.ZodEnum) {
    const options: ReadonlySet<unknown> = new Set(schema.options)
    return (value) => options.has(value)
  }
  return schema instanceof z.ZodCustom ? passes(schema) : cannotTell
}

/** Looks at each member that may be there, and then whether these are all: the others are unknown. A function of text,
 *  because V8 has an inline cache for each place in the source that reads a member or calls a function: written out, each
 *  member and its test have one, where a loop over all of them is a single place with too many (see also `rows.ts` of the
 *  store). */
function objectTest({ def }: z.ZodObject): Test {
  if (def.catchall !== undefined) return cannotTell
  const members = Object.entries(def.shape).map(([key, member]) => ({ key, ...memberOf(member) }))
  const places = members.map(
    ({ key, isNeeded }, index) =>
      `value = input[${JSON.stringify(key)}]
      if (value !== undefined) {
        if (!test${index}(value)) return false
        known++
      } ${isNeeded ? 'else return false' : ''}`,
  )
  const isRight: (input: object) => boolean = new Function(
    ...members.map((_, index) => `test${index}`),
    `return (input) => {
      let value
      let known = 0
      ${places.join('\n')}
      for (const key in input) known--
      return known === 0
    }`,
  )(...members.map(({ test }) => test))
  return (value) => isObject(value) && isRight(value)
}

const memberOf = (schema: unknown) => ({ test: testOf(schema), isNeeded: !(schema instanceof z.ZodOptional) })

type TextTest = (text: string) => boolean

function textTest(checks: readonly z.core.$ZodCheck[]): Test {
  const steps = checks.map(checkTest)
  const isRight = steps.length === 0 ? () => true : steps.reduce(both)
  return (value) => typeof value === 'string' && isRight(value)
}

const both =
  (first: TextTest, second: TextTest): TextTest =>
  (text) =>
    first(text) && second(text)

function checkTest(check: z.core.$ZodCheck): TextTest {
  if (check instanceof z.core.$ZodCheckRegex) {
    const { pattern } = check._zod.def
    return (text) => pattern.test(text)
  }
  if (check instanceof z.core.$ZodCheckMinLength) {
    const { minimum } = check._zod.def
    return (text) => text.length >= minimum
  }
  if (check instanceof z.core.$ZodCheckMaxLength) {
    const { maximum } = check._zod.def
    return (text) => text.length <= maximum
  }
  return check instanceof z.ZodCustom ? passes(check) : cannotTell
}

const passes =
  ({ def }: z.ZodCustom): Test =>
  (value) =>
    def.fn(value) === true
