import { accepts, asSchema, branchesOf, isSchema, type JsonSchema, meaningOf } from './json-schema.ts'
import { scenarioSchema } from './scenario-schema.ts'
import { table } from './table.ts'

/** The fields that `faults.md` explains; the other ones stand in `scenarios.md`. */
const faultFields = ['webhooks', 'answers', 'answers.effect', 'timeline.webhook']

/** A table for each object in a scenario file, without webhooks and answers that misbehave. */
export function scenarioReference(): string {
  const tables = tablesOfScenario().filter(({ path }) => !faultFields.includes(path))
  return `\n${tables.map(({ path, text }) => `### ${path === '' ? 'The file' : `\`${path}\``}\n\n${text}`).join('\n')}\n`
}

/** The table of one object in a scenario file, like `answers.effect`. @throws Error if there is none */
export function scenarioTable(path: string): string {
  const found = tablesOfScenario().find((each) => each.path === path)
  if (found === undefined) throw new Error(`a scenario file has no object at ${path}`)
  return found.text
}

interface ObjectTable {
  /** Where the object stands in the file; empty for the file itself. */
  readonly path: string
  readonly text: string
}

function tablesOfScenario(): ObjectTable[] {
  const schema = scenarioSchema()
  const seen = new Set<string>()
  const tables: ObjectTable[] = []
  const add = (path: string, object: JsonSchema) => {
    const { properties: fields = {} } = object
    const shape = JSON.stringify(fields)
    // A shape that is used several times gets one table.
    if (seen.has(shape)) return
    seen.add(shape)
    tables.push({ path, text: tableOf(object) })
    for (const [name, field] of Object.entries(fields))
      for (const inner of objectsIn(field)) add(path === '' ? name : `${path}.${name}`, inner)
  }
  add('', { ...schema, properties: { ...schema.properties, settings: settingsField } })
  return tables
}

const settingsField: JsonSchema = {
  type: 'object',
  description: 'Settings for its orders; they override those of the client: see [settings](settings.md).',
}

function tableOf({ properties = {}, required = [] }: JsonSchema): string {
  const rows = Object.entries(properties).map(([name, value]) => {
    const field = asSchema(value)
    const isRequired = required.includes(name) && field.default === undefined
    return [`\`${name}\`${isRequired ? ' (required)' : ''}`, accepts(field), meaningOf(field)]
  })
  return table(['Field', 'Takes', 'Meaning'], rows)
}

/** The objects that a field may hold, in lists too. */
function objectsIn(field: unknown): JsonSchema[] {
  if (!isSchema(field)) return []
  if (field.properties !== undefined) return [field]
  return [...branchesOf(field), field.items].flatMap(objectsIn)
}
