import { asSchema, isSchema, type JsonSchema } from './json-schema.ts'

/** Shorter schemas stay where they are: a reference would save little. */
const longEnough = 200

/** Moves each schema that occurs several times to the definitions, and refers to it instead. */
export function withShared(root: JsonSchema): JsonSchema {
  const counts = new Map<string, number>()
  const count = (schema: JsonSchema): JsonSchema => {
    const text = JSON.stringify(schema)
    const before = counts.get(text) ?? 0
    counts.set(text, before + 1)
    // Those within it are shared with it.
    return before > 0 ? schema : mapInner(schema, count)
  }
  mapInner(root, count)

  const definitions: Record<string, JsonSchema> = {}
  const names = new Map<string, string>()
  const share = (schema: JsonSchema): JsonSchema => {
    const text = JSON.stringify(schema)
    if (text.length < longEnough || counts.get(text) === 1) return mapInner(schema, share)
    let name = names.get(text)
    if (name === undefined) {
      name = `shared${names.size + 1}`
      names.set(text, name)
      definitions[name] = mapInner(schema, share)
    }
    return { $ref: `#/definitions/${name}` }
  }
  const shared = mapInner(root, share)
  return { ...shared, definitions: { ...asSchema(shared.definitions), ...definitions } }
}

/** Applies a function to the schemas directly within a schema. */
function mapInner(schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const changed = (value: unknown) => (isSchema(value) ? change(value) : value)
  const inner = Object.entries(schema).map(([keyword, value]) => {
    if (Array.isArray(value) && ['anyOf', 'oneOf', 'allOf'].includes(keyword))
      return [keyword, value.map(changed)]
    if (['items', 'additionalProperties', 'propertyNames'].includes(keyword)) return [keyword, changed(value)]
    if (!['properties', 'definitions'].includes(keyword)) return [keyword, value]
    return [
      keyword,
      Object.fromEntries(Object.entries(asSchema(value)).map(([name, one]) => [name, changed(one)])),
    ]
  })
  return Object.fromEntries(inner)
}
