import * as z from 'zod'

type Schema = z.core.JSONSchema.BaseSchema

/** The JSON Schema of a reader's input for a zod schema. */
export function inputSchema(schema: z.ZodType): Schema {
  const written: Schema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  // A schema that has an id stands among the definitions.
  const name = written.$ref?.split('/').at(-1)
  return (name !== undefined && written.$defs?.[name]) || written
}

/** The fields of an object, a row for each: name, type, meaning. */
export function schemaFields({ properties = {}, required = [] }: Schema): string[][] {
  return Object.entries(properties).map(([name, field]) => {
    if (typeof field === 'boolean') return [`\`${name}\``, 'any', '']
    const { description = '', default: initial } = field
    const words = [
      description,
      ...(required.includes(name) ? ['Required.'] : []),
      ...(initial === undefined || isEmpty(initial) ? [] : [`Default: \`${plain(initial)}\`.`]),
    ]
    return [`\`${name}\``, typeWords(field), words.join(' ').trim()]
  })
}

function typeWords(schema: Schema): string {
  if (schema.title !== undefined) return schema.title
  if (schema.enum !== undefined) return schema.enum.map(literal).join(', ')
  if (schema.const !== undefined) return literal(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeWords))].join(' or ')
  if (schema.type === 'array') return 'list'
  return [schema.type ?? 'any'].flat().join(' or ')
}

const literal = (value: unknown): string => `\`${plain(value)}\``
const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const isEmpty = (value: unknown): boolean => plain(value) === '[]' || plain(value) === '{}'
