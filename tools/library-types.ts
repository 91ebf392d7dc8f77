import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compile } from 'json-schema-to-typescript'
import { createDocument } from 'zod-openapi'
import { servedOperations } from '../src/api/operations.ts'
import { defaultSettings } from '../src/domain/choices.ts'
import { controlDocument } from '../src/openapi/control-document.ts'
import { serviceDocument } from '../src/openapi/service-document.ts'

const target = new URL('../src/testing/shapes.generated.ts', import.meta.url)

/** Of no use to anybody who has the calls as methods; `Error` would also hide the language's own. */
const leftOut = ['Error', 'OpenApiDocument', 'WaitRequest', 'Advance']

/** What the library's users see of the schemas by which both APIs are checked, as TypeScript: plain interfaces with the
 *  schemas' own words, so that nobody needs zod to read them. */
export async function libraryTypes(): Promise<string> {
  const schemas = namedSchemas()
  // The references in them lead through `components`.
  const all = { $id: 'All', definitions: schemas, components: { schemas } }
  const text = await compile(all, 'All', {
    unreachableDefinitions: true,
    additionalProperties: false,
    // Tuples of every length otherwise.
    ignoreMinAndMaxItems: true,
    bannerComment: '// Written by tools/library-types.ts from the schemas of both APIs.\n',
    style: { semi: false, singleQuote: true, printWidth: 110 },
  })
  return text
    .replaceAll(/\n? \* This interface was referenced by[^\n]*\n \* via the `definition`[^\n]*/g, '')
    .replaceAll(/\/\*\*(\n \*)*\n \*\/\n/g, '')
    .replaceAll(/(\n \*)+\n \*\//g, '\n */')
    .replace(/\nexport interface All \{[^}]*\}\n/, '')
}

function namedSchemas(): Record<string, object> {
  const schemas: Record<string, object> = {}
  for (const document of [serviceDocument(servedOperations(defaultSettings)), controlDocument()]) {
    for (const [name, schema] of Object.entries(createDocument(document).components?.schemas ?? {})) {
      if (name in schemas) throw new Error(`both documents have a schema ${name}`)
      if (!leftOut.includes(name) && !name.startsWith('__')) schemas[name] = plain(schema)
    }
  }
  return schemas
}

/** A schema by which `compile` makes one interface of each name: beside a reference it would take any other word for a
 *  new schema. */
const plain = (schema: unknown): object =>
  JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value
    // What contains itself and has no name of its own is JSON as it may come.
    return { $ref: String(value.$ref).replace(/__schema\d+$/, 'AnyJson') }
  })

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, await libraryTypes())
