import { orList } from '../../src/domain/issue-words.ts'
import { type JsonSchema, scenarioSchema } from './scenario-schema.ts'
import { table } from './table.ts'

/** A table for each mapping that a file may have. */
export function scenarioReference(): string {
  const schema = scenarioSchema()
  const seen = new Set<string>()
  const tables: string[] = []
  const add = (path: readonly string[], mapping: JsonSchema) => {
    const { properties: members = {} } = mapping
    const shape = JSON.stringify(members)
    // What stands in several places is told once.
    if (seen.has(shape)) return
    seen.add(shape)
    tables.push(tableOf(path, mapping))
    for (const [name, member] of Object.entries(members)) {
      for (const inner of mappingsIn(member)) add([...path, name], inner)
    }
  }
  add([], { ...schema, properties: { ...schema.properties, settings: settingsMember } })
  return `\n${tables.join('\n')}\n`
}

const settingsMember: JsonSchema = {
  type: 'object',
  description: 'Settings for its orders, laid over those of the client: see [settings](settings.md).',
}

function tableOf(path: readonly string[], { properties = {}, required = [] }: JsonSchema): string {
  const title = path.length === 0 ? 'The file' : `\`${path.join('.')}\``
  const rows = Object.entries(properties).map(([name, value]) => {
    const member = asSchema(value)
    const isRequired = required.includes(name) && member.default === undefined
    return [`\`${name}\`${isRequired ? ' (required)' : ''}`, takes(member), effectOf(member)]
  })
  return `### ${title}\n\n${table(['member', 'takes', ''], rows)}`
}

function effectOf({ description = '', default: fallback }: JsonSchema): string {
  return fallback === undefined || fallback === ''
    ? description
    : `${description} Without it: ${code(fallback)}.`
}

/** What a member takes, in few words. */
function takes(schema: JsonSchema): string {
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum !== undefined) return orList(schema.enum.map(code))
  if (schema.properties !== undefined) return 'a mapping'
  if (schema.examples !== undefined) return `like ${schema.examples.slice(0, 4).map(code).join(', ')}`
  const branches = (schema.anyOf ?? schema.oneOf ?? []).map(asSchema)
  if (branches.length > 0)
    return orList(branches.map((branch, index) => branchOf(branch, branches.slice(0, index))))
  if (schema.type === 'array') return `a list, each ${takes(asSchema(schema.items))}`
  return typeWords[String(schema.type)] ?? 'anything'
}

/** One of several things that a member takes. */
function branchOf(branch: JsonSchema, before: readonly JsonSchema[]): string {
  const item = branch.type === 'array' ? takes(asSchema(branch.items)) : null
  return item !== null && before.some((other) => takes(other) === item) ? 'a list of these' : takes(branch)
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
  object: 'a mapping',
  null: '`null`',
}

/** As a file writes it: a text that would be read as something else stands in quotes. */
function code(value: unknown): string {
  const isText = typeof value === 'string' && /^[\d.]+$/.test(value)
  return `\`${isText ? JSON.stringify(value) : String(value)}\``
}

/** The mappings that a member may hold, in lists too. */
function mappingsIn(member: unknown): JsonSchema[] {
  if (!isSchema(member)) return []
  if (member.properties !== undefined) return [member]
  return [...(member.anyOf ?? []), ...(member.oneOf ?? []), member.items].flatMap(mappingsIn)
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null
const asSchema = (value: unknown): JsonSchema => (isSchema(value) ? value : {})
