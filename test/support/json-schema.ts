import { isObject, type JsonObject } from './answer.ts'

/** Whether a JSON Schema takes a value: as much of the standard as the emulator's own schemas use. Throws for a
 *  keyword that it does not know, so that none is passed over. */
export function accepts(schema: unknown, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) throw new Error(`not a schema: ${JSON.stringify(schema)}`)
  return Object.entries(schema).every(([keyword, rule]) => {
    const check = keywords[keyword]
    if (check === undefined) throw new Error(`unknown keyword ${keyword}`)
    return check(rule, value, schema)
  })
}

type Check = (rule: unknown, value: unknown, schema: JsonObject) => boolean

const says: Check = () => true
const ofNumbers =
  (fits: (rule: number, value: number) => boolean): Check =>
  (rule, value) =>
    typeof value !== 'number' || fits(Number(rule), value)
const ofTexts =
  (fits: (rule: unknown, value: string) => boolean): Check =>
  (rule, value) =>
    typeof value !== 'string' || fits(rule, value)
const ofLists =
  (fits: (rule: unknown, value: readonly unknown[]) => boolean): Check =>
  (rule, value) =>
    !Array.isArray(value) || fits(rule, value)
const ofObjects =
  (fits: (rule: unknown, value: JsonObject, schema: JsonObject) => boolean): Check =>
  (rule, value, schema) =>
    !isObject(value) || fits(rule, value, schema)

const keywords: Readonly<Record<string, Check>> = {
  $schema: says,
  title: says,
  description: says,
  default: says,
  examples: says,
  format: says,
  type: (rule, value) => typesOf(value).includes(String(rule)),
  const: (rule, value) => rule === value,
  enum: (rule, value) => list(rule).includes(value),
  anyOf: (rule, value) => list(rule).some((branch) => accepts(branch, value)),
  oneOf: (rule, value) => list(rule).filter((branch) => accepts(branch, value)).length === 1,
  allOf: (rule, value) => list(rule).every((branch) => accepts(branch, value)),
  minimum: ofNumbers((rule, value) => value >= rule),
  maximum: ofNumbers((rule, value) => value <= rule),
  minLength: ofTexts((rule, value) => [...value].length >= Number(rule)),
  maxLength: ofTexts((rule, value) => [...value].length <= Number(rule)),
  pattern: ofTexts((rule, value) => new RegExp(String(rule), 'u').test(value)),
  items: ofLists((rule, value) => value.every((item) => accepts(rule, item))),
  minItems: ofLists((rule, value) => value.length >= Number(rule)),
  maxItems: ofLists((rule, value) => value.length <= Number(rule)),
  minProperties: ofObjects((rule, value) => Object.keys(value).length >= Number(rule)),
  required: ofObjects((rule, value) => list(rule).every((name) => Object.hasOwn(value, String(name)))),
  propertyNames: ofObjects((rule, value) => Object.keys(value).every((name) => accepts(rule, name))),
  properties: ofObjects((rule, value) =>
    Object.entries(Object(rule)).every(
      ([name, member]) => !Object.hasOwn(value, name) || accepts(member, value[name]),
    ),
  ),
  additionalProperties: ofObjects((rule, value, schema) => {
    const known = Object.keys(Object(schema.properties))
    return Object.keys(value).every((name) => known.includes(name) || accepts(rule, value[name]))
  }),
  dependencies: ofObjects((rule, value) =>
    Object.entries(Object(rule)).every(
      ([name, needed]) =>
        !Object.hasOwn(value, name) || list(needed).every((other) => Object.hasOwn(value, String(other))),
    ),
  ),
}

function typesOf(value: unknown): string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value]
}

const list = (rule: unknown): readonly unknown[] => (Array.isArray(rule) ? rule : [])
