import * as z from 'zod'
import { allCases } from '../../src/conform/cases/all.ts'
import { conformText } from '../../src/conform/config/config-schema.ts'
import { table } from './table.ts'

/** The fields of the configuration. */
export const fields = (): string =>
  table(
    ['Member', 'Means'],
    fieldsOf(z.toJSONSchema(conformText, { io: 'input', unrepresentable: 'any' }), ''),
  )

function fieldsOf(
  { properties = {}, required = [] }: z.core.JSONSchema.BaseSchema,
  before: string,
): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema === 'boolean') return []
    const path = `${before}${name}`
    const words = [
      described[path] ?? described[name] ?? schema.description ?? '',
      ...(schema.enum === undefined || name === 'method' ? [] : [`One of ${schema.enum.join(', ')}.`]),
      ...(required.includes(name) && before !== '' ? ['Required.'] : []),
    ]
    // A subscription is started by the same fields as an order.
    const below = name === 'startSubscription' ? [] : fieldsOf(schema, `${path}.`)
    return [[`\`${path}\``, words.join(' ')], ...below]
  })
}

/** What the schema leaves to the field's name. */
const described: Readonly<Record<string, string>> = {
  startSubscription: 'Makes it create a monthly subscription; its members are those of `start`.',
  url: 'The address that is called.',
  headers: 'Sent with it; `content-type: application/json` is added where the body is no text.',
}

/** The test cases. */
export const cases = (): string =>
  table(
    ['Case', 'Level', 'What happens', 'Right'],
    allCases.map(({ id, level, title, happens, right }) => [`${id} ${title}`, level, happens, right]),
  )
