import * as z from 'zod'
import { choicesTable, isSettingName, settingsSchema } from '../../src/domain/choices/settings.ts'
import { scenarioText } from '../../src/domain/scenario/scenario-text.ts'
import type { JsonSchema } from './json-schema.ts'
import { withShared } from './shared-schemas.ts'

/** The JSON Schema of scenario files, for editors. */
export const sharedScenarioSchema = (): JsonSchema => withShared(scenarioSchema())

/** The same with each field written out: made from the schemas that check the files, and with what those say only in
 *  code, as far as a JSON Schema can say it. */
export function scenarioSchema(): JsonSchema {
  const schema = jsonSchemaOf(scenarioText)
  return {
    title: 'Scenario of payment-order-emulator',
    description: 'What happens to an order, and how its webhooks and calls misbehave.',
    ...schema,
    properties: {
      ...schema.properties,
      settings: { ...objectOf(schema.properties?.settings), ...settingsGroup('') },
    },
  }
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    override: withRules,
  })
}

/** Adds the rules for a step beyond its fields: one time, and one act. */
function withRules({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  if (!(zodSchema instanceof z.core.$ZodObject) || !('lookup' in zodSchema._zod.def.shape)) return
  Object.assign(jsonSchema, {
    minProperties: 2,
    anyOf: [
      { required: ['every'] },
      { required: ['charge'] },
      { oneOf: [{ required: ['at'] }, { required: ['after'] }, { required: ['lookup'] }] },
    ],
    dependencies: { from: ['every'], times: ['every'], every: ['order'], charge: ['order'] },
  })
}

/** The settings below a name, which a file may write in groups or with dotted names. */
function settingsGroup(prefix: string): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const { name, schema } of settings) {
    if (!name.startsWith(prefix)) continue
    const rest = name.slice(prefix.length)
    properties[rest] = schema
    const words = rest.split('.')
    for (const end of words.keys()) {
      const group = words.slice(0, end).join('.')
      if (group !== '') properties[group] ??= settingsGroup(`${prefix}${group}.`)
    }
  }
  return { type: 'object', properties, additionalProperties: false }
}

/** The settings that a scenario may set. */
const settings = choicesTable().flatMap(({ choice, settings: rows }) =>
  rows.flatMap(({ name, default: fallback, allowed, scope }) => {
    if (scope !== 'order' || !isSettingName(name)) return []
    const description = `${choice} Takes ${allowed}.`
    const schema: JsonSchema = { ...jsonSchemaOf(settingsSchema.shape[name]), description }
    delete schema.$schema
    if (fallback !== null) Object.assign(schema, { default: fallback })
    return [{ name, schema }]
  }),
)

const objectOf = (schema: JsonSchema | boolean | undefined): JsonSchema =>
  typeof schema === 'object' ? schema : {}
