import type * as z from 'zod'
import { orList } from '../../src/domain/text/issue-words.ts'

/** A JSON Schema, as far as these tools look into it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

export const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null
export const asSchema = (value: unknown): JsonSchema => (isSchema(value) ? value : {})

/** How a reference to a named schema is written: as a link, for example. */
type NameReference = (name: string) => string

const plainName: NameReference = (name) => `\`${name}\``

/** The last part of a reference, which is the name of the schema. */
export const referencedName = ({ $ref }: JsonSchema): string | undefined => $ref?.split('/').at(-1)

/** The values that a schema accepts, in a few words. */
export function accepts(schema: JsonSchema, nameOf = plainName): string {
  const name = referencedName(schema)
  // Names with two underscores are given to a schema that refers to itself: JSON within JSON.
  if (name !== undefined) return name === 'AnyJson' || name.startsWith('__') ? 'any JSON' : nameOf(name)
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum !== undefined) return orList(schema.enum.map(code))
  if (schema.properties !== undefined) return 'an object'
  if (schema.examples !== undefined)
    return `${schema.type === 'string' ? 'text ' : ''}like ${schema.examples.slice(0, 4).map(code).join(', ')}`
  const branches = branchesOf(schema)
  if (branches.length > 0) {
    const words = branches.flatMap((branch, index) => branchWords(branch, branches.slice(0, index), nameOf))
    return orList([...new Set(words)])
  }
  if (Array.isArray(schema.type))
    return orList(schema.type.map((type) => accepts({ ...schema, type }, nameOf)))
  if (schema.type === 'array') return `a list, each ${accepts(asSchema(schema.items), nameOf)}`
  return `${typeWords[String(schema.type)] ?? 'anything'}${boundsOf(schema)}`
}

/** The alternatives of a schema. */
export const branchesOf = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] => (anyOf ?? oneOf ?? []).map(asSchema)

function branchWords(
  branch: JsonSchema,
  before: readonly JsonSchema[],
  nameOf: NameReference,
): readonly string[] {
  if (branch.enum !== undefined) return branch.enum.map(code)
  if (branch.type === 'boolean' && branch.const === undefined) return ['`true`', '`false`']
  const items = branch.type === 'array' ? asSchema(branch.items) : null
  const isList = items !== null && before.some((other) => holds(other, items))
  return [isList ? 'a list of these' : accepts(branch, nameOf)]
}

/** Whether one schema accepts all that another does, as far as a list beside its item needs it. */
const holds = (schema: JsonSchema, other: JsonSchema): boolean =>
  accepts(schema) === accepts(other) ||
  (other.enum?.every((value) => schema.enum?.includes(value) === true) ?? false)

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
  object: 'an object',
  array: 'a list',
  null: '`null`',
}

/** Larger bounds only keep numbers exact, and do not help a reader. */
const largestBound = 1e9

function boundsOf({ type, minimum, maximum, maxLength }: JsonSchema): string {
  if (type === 'string') return maxLength === undefined ? '' : ` (at most ${count(maxLength)} characters)`
  const from = minimum === undefined || minimum < -largestBound ? '' : ` from ${count(minimum)}`
  const to = maximum === undefined || maximum > largestBound ? '' : ` to ${count(maximum)}`
  return from + to
}

const count = (value: number): string => value.toLocaleString('en-US')

/** A value as a YAML file writes it: text that would be read as a number stands in quotes. */
function code(value: unknown): string {
  const isText = typeof value === 'string' && /^[\d.]+$/.test(value)
  return `\`${isText ? JSON.stringify(value) : String(value)}\``
}

/** The description of a field, with its default. */
export function meaningOf({ description = '', default: fallback }: JsonSchema): string {
  if (fallback === undefined || fallback === '' || typeof fallback === 'object') return description
  return `${description} Default: ${code(fallback)}.`.trim()
}

/** A field of a schema, or of an object or list within it: `data[].orderId`. */
export interface Field {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
}

/** All fields of an object, each before the fields within it.
 *  @param resolve replaces a reference by its schema; a reference that it leaves alone is not looked into */
export function fieldsOf(object: JsonSchema, resolve = (schema: JsonSchema) => schema, prefix = ''): Field[] {
  return Object.entries(object.properties ?? {}).flatMap(([name, value]) => {
    const schema = resolve(asSchema(value))
    const required = object.required?.includes(name) === true && schema.default === undefined
    const inner = objectsIn(schema, resolve)
    const [only] = inner.length === 1 ? inner : []
    const within =
      only === undefined ? [] : fieldsOf(only.schema, resolve, `${prefix}${name}${only.isItem ? '[]' : ''}.`)
    return [{ name: `${prefix}${name}`, schema, required }, ...within]
  })
}

interface InnerObject {
  readonly schema: JsonSchema
  /** Whether it is an item of a list. */
  readonly isItem: boolean
}

function objectsIn(schema: JsonSchema, resolve: (schema: JsonSchema) => JsonSchema): InnerObject[] {
  const { properties = {}, items } = schema
  if (Object.keys(properties).length > 0) return [{ schema, isItem: false }]
  if (isSchema(items)) return objectsIn(resolve(items), resolve).map((each) => ({ ...each, isItem: true }))
  return branchesOf(schema).flatMap((branch) => objectsIn(resolve(branch), resolve))
}
