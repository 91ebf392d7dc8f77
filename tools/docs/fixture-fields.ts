import { fixtureText } from '../../src/domain/fixture/fixture-text.ts'
import { inputSchema, schemaFields } from './schema-fields.ts'
import { table } from './table.ts'

/** The objects of a fixture, each by the lists that lead to it. */
const objects = {
  'A fixture': [],
  'A client': ['clients'],
  'An order': ['clients', 'orders'],
  'A charge': ['clients', 'orders', 'charges'],
  'A refund': ['clients', 'orders', 'refunds'],
  'A delivery': ['clients', 'orders', 'deliveries'],
  'A token': ['clients', 'tokens'],
}

/** Every field of a fixture. */
export const fixtureFields = (): string =>
  Object.entries(objects)
    .map(
      ([title, path]) =>
        `\n### ${title}\n\n${table(['Field', 'Type', 'Meaning'], schemaFields(objectAt(path)))}`,
    )
    .join('')

function objectAt(path: readonly string[]) {
  return path.reduce((object, list) => {
    const field = object.properties?.[list]
    const items = typeof field === 'object' ? field.items : undefined
    if (typeof items !== 'object' || Array.isArray(items))
      throw new Error(`a fixture has no list ${path.join('.')}`)
    return items
  }, inputSchema(fixtureText))
}
