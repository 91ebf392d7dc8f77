import * as z from 'zod'
import { allCases } from '../../src/conform/cases/all.ts'
import { conformText } from '../../src/conform/config/config-schema.ts'
import { table } from './table.ts'

/** The fields of the configuration. */
export const fields = (): string =>
  table(
    ['Option', 'Meaning'],
    fieldsOf(z.toJSONSchema(conformText, { io: 'input', unrepresentable: 'any' }), ''),
  )

function fieldsOf(
  { properties = {}, required = [] }: z.core.JSONSchema.BaseSchema,
  before: string,
): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inEachRequest = Object.hasOwn(ofEachRequest, name)
    if (typeof schema === 'boolean' || (inEachRequest && before !== 'start.')) return []
    const path = inEachRequest ? `*.${name}` : `${before}${name}`
    const words = [
      ofEachRequest[name] ?? described[path] ?? schema.description ?? '',
      ...(schema.enum === undefined || name === 'method' ? [] : [`One of ${schema.enum.join(', ')}.`]),
      ...(required.includes(name) && before !== '' ? ['Required.'] : []),
    ]
    // A subscription has the options of `start`.
    const below = name === 'startSubscription' ? [] : fieldsOf(schema, `${path}.`)
    return [[`\`${path}\``, words.join(' ')], ...below]
  })
}

/** Options that every request has. The table names them once. */
const ofEachRequest: Readonly<Record<string, string>> = {
  method: 'HTTP method (default: POST; for `probe`: GET).',
  url: 'URL.',
  headers: 'HTTP headers; `content-type: application/json` is added unless the body is a string.',
  body: 'Sent as JSON; a string is sent unchanged.',
}

/** Texts that say more than the schema. */
const described: Readonly<Record<string, string>> = {
  startSubscription:
    'Request that makes your application create a monthly subscription; it has the options of `start`.',
}

/** The test cases. */
export const cases = (): string =>
  table(
    ['Test case', 'Level', 'What happens', 'Your application should'],
    allCases.map(({ id, level, title, happens, right }) => [`${id} ${title}`, level, happens, right]),
  )
