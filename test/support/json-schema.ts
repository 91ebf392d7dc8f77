import { isObject, type JsonObject } from './answer.ts'

/** Whether a JSON Schema takes a value: as much of the standard as the emulator's own schemas use. Throws for a
 *  keyword that it does not know, so that none is passed over. */
export function accepts(root: unknown, value: unknown): boolean {
  const takes = (schema: unknown, part: unknown): boolean => {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) throw new Error(`not a schema: ${JSON.stringify(schema)}`)
    return Object.entries(schema).every(([keyword, rule]) => {
      const check = keywords[keyword]
      if (check === undefined) throw new Error(`unknown keyword ${keyword}`)
      return check({ rule, value: part, schema, root, takes })
    })
  }
  return takes(root, value)
}

interface Asked {
  readonly rule: unknown
  readonly value: unknown
  /** The schema with the keyword. */
  readonly schema: JsonObject
  readonly root: unknown
  /** Whether another schema takes a value. */
  readonly takes: (schema: unknown, value: unknown) => boolean
}

type Check = (asked: Asked) => boolean

const says: Check = () => true

const ofNumbers =
  (fits: (rule: number, value: number) => boolean): Check =>
  ({ rule, value }) =>
    typeof value !== 'number' || fits(Number(rule), value)

const ofTexts =
  (fits: (rule: unknown, value: string) => boolean): Check =>
  ({ rule, value }) =>
    typeof value !== 'string' || fits(rule, value)

const ofLists =
  (fits: (value: readonly unknown[], asked: Asked) => boolean): Check =>
  (asked) =>
    !Array.isArray(asked.value) || fits(asked.value, asked)

const ofObjects =
  (fits: (value: JsonObject, asked: Asked) => boolean): Check =>
  (asked) =>
    !isObject(asked.value) || fits(asked.value, asked)

const keywords: Readonly<Record<string, Check>> = {
  $schema: says,
  title: says,
  description: says,
  default: says,
  examples: says,
  format: says,
  definitions: says,
  $ref: ({ rule, value, root, takes }) => takes(definition(root, String(rule)), value),
  type: ({ rule, value }) => [rule].flat().some((type) => typesOf(value).includes(String(type))),
  const: ({ rule, value }) => rule === value,
  enum: ({ rule, value }) => list(rule).includes(value),
  anyOf: ({ rule, value, takes }) => list(rule).some((branch) => takes(branch, value)),
  oneOf: ({ rule, value, takes }) => list(rule).filter((branch) => takes(branch, value)).length === 1,
  allOf: ({ rule, value, takes }) => list(rule).every((branch) => takes(branch, value)),
  minimum: ofNumbers((rule, value) => value >= rule),
  maximum: ofNumbers((rule, value) => value <= rule),
  minLength: ofTexts((rule, value) => [...value].length >= Number(rule)),
  maxLength: ofTexts((rule, value) => [...value].length <= Number(rule)),
  pattern: ofTexts((rule, value) => new RegExp(String(rule), 'u').test(value)),
  items: ofLists((value, { rule, takes }) => value.every((item) => takes(rule, item))),
  minItems: ofLists((value, { rule }) => value.length >= Number(rule)),
  maxItems: ofLists((value, { rule }) => value.length <= Number(rule)),
  minProperties: ofObjects((value, { rule }) => Object.keys(value).length >= Number(rule)),
  required: ofObjects((value, { rule }) => list(rule).every((name) => Object.hasOwn(value, String(name)))),
  propertyNames: ofObjects((value, { rule, takes }) => Object.keys(value).every((name) => takes(rule, name))),
  properties: ofObjects((value, { rule, takes }) =>
    Object.entries(Object(rule)).every(
      ([name, member]) => !Object.hasOwn(value, name) || takes(member, value[name]),
    ),
  ),
  additionalProperties: ofObjects((value, { rule, schema, takes }) => {
    const known = Object.keys(Object(schema.properties))
    return Object.keys(value).every((name) => known.includes(name) || takes(rule, value[name]))
  }),
  dependencies: ofObjects((value, { rule }) =>
    Object.entries(Object(rule)).every(
      ([name, needed]) =>
        !Object.hasOwn(value, name) || list(needed).every((other) => Object.hasOwn(value, String(other))),
    ),
  ),
}

/** Resolves `#/definitions/x`. */
function definition(root: unknown, ref: string): unknown {
  const name = ref.replace('#/definitions/', '')
  const definitions = isObject(root) ? root.definitions : undefined
  if (!isObject(definitions) || definitions[name] === undefined) throw new Error(`nothing is at ${ref}`)
  return definitions[name]
}

function typesOf(value: unknown): string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value]
}

const list = (rule: unknown): readonly unknown[] => (Array.isArray(rule) ? rule : [])
