import { readdirSync } from 'node:fs'
import { compile } from 'json-schema-to-typescript'
import { createDocument } from 'zod-openapi'
import { servedOperations } from '../../src/api/operations/operations.ts'
import { controlDocument } from '../../src/app/openapi/control.ts'
import { serviceDocument } from '../../src/app/openapi/service.ts'
import { defaultSettings, settingNames } from '../../src/domain/choices/settings.ts'
import { orderKinds } from '../../src/domain/order/order.ts'

const scenariosFolder = new URL('../../scenarios', import.meta.url)

/** Of no use to anybody who has the calls as methods, and so are the pages of lists. */
const leftOut = ['ControlError', 'OpenApiDocument', 'WaitRequest', 'Advance']

/** Generates the library's types from the schemas of both APIs: plain interfaces with the schemas' descriptions, so
 *  that users need no zod to read them. */
export async function libraryTypes(): Promise<string> {
  const schemas = namedSchemas()
  // The references in them lead through `components`.
  const all = { $id: 'All', definitions: schemas, components: { schemas } }
  const text = await compile(all, 'All', {
    unreachableDefinitions: true,
    additionalProperties: false,
    // Tuples of every length otherwise.
    ignoreMinAndMaxItems: true,
    bannerComment: '',
    style: { semi: false, singleQuote: true, printWidth: 110 },
  })
  const shapes = optionalMayBeUndefined(text, requestNames())
    .replaceAll(/\n? \* This interface was referenced by[^\n]*\n \* via the `definition`[^\n]*/g, '')
    .replaceAll(/\/\*\*(\n \*)*\n \*\/\n/g, '')
    .replaceAll(/(\n \*)+\n \*\//g, '\n */')
    .replace(/\nexport interface All \{[^}]*\}\n/, '')
  return `${shapes}${names()}`
}

/** Names that editors complete. */
function names(): string {
  const scenarios = readdirSync(scenariosFolder).flatMap((file) => /^(.*)\.yaml$/.exec(file)?.[1] ?? [])
  return [
    '/** A scenario: one that ships, or one of your own. */',
    `export type ScenarioId = ${union(scenarios)} | (string & {})`,
    '/** A setting; docs/reference/settings.md explains them. */',
    `export type SettingName = ${union(settingNames)}`,
    '/** What kind of order there may be. */',
    `export type OrderKind = ${union(orderKinds)}`,
    '',
  ].join('\n')
}

const union = (words: readonly string[]): string =>
  words
    .toSorted()
    .map((word) => `'${word}'`)
    .join(' | ')

const documents = () =>
  [serviceDocument(servedOperations(defaultSettings)), controlDocument()].map((document) =>
    createDocument(document),
  )

function namedSchemas(): Record<string, object> {
  const schemas: Record<string, object> = {}
  for (const { components } of documents()) {
    for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
      if (name in schemas) throw new Error(`both documents have a schema ${name}`)
      if (!leftOut.includes(name) && !name.endsWith('Page')) schemas[name] = plain(schema)
    }
  }
  return schemas
}

/** A schema by which `compile` makes one interface of each name: beside a reference it would take any other word for a
 *  new schema. */
const plain = (schema: unknown): object =>
  JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    return typeof value === 'object' && value !== null && '$ref' in value ? { $ref: value.$ref } : value
  })

/** The types of requests, with all their parts. */
function requestNames(): ReadonlySet<string> {
  const schemas = namedSchemas()
  const names = new Set<string>()
  const add = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue
      names.add(name)
      add(JSON.stringify(schemas[name] ?? {}))
    }
  }
  for (const { paths } of documents()) {
    for (const item of Object.values(paths ?? {})) {
      for (const call of [item.post, item.put, item.patch]) add(JSON.stringify(call?.requestBody ?? {}))
    }
  }
  return names
}

/** In requests, an optional field may be undefined, which counts as left out: even with
 *  `exactOptionalPropertyTypes`, callers can pass objects with undefined fields. */
function optionalMayBeUndefined(text: string, names: ReadonlySet<string>): string {
  const lines = text.split('\n')
  let ends = new Set<number>()
  let wanted = false
  return lines
    .map((line, index) => {
      const name = /^export interface (\w+)/.exec(line)?.[1]
      if (name !== undefined) {
        wanted = names.has(name)
        ends = new Set()
      }
      if (wanted && /^ *\w+\?:/.test(line)) ends.add(endOf(lines, index))
      return ends.has(index) ? `${line} | undefined` : line
    })
    .join('\n')
}

/** The last line of a member: all that is further in, and a bracket that closes it. */
function endOf(lines: readonly string[], start: number): number {
  const indentOf = (line = '') => line.length - line.trimStart().length
  const indent = indentOf(lines[start])
  let end = start
  while (indentOf(lines[end + 1]) > indent) end += 1
  const next = lines[end + 1] ?? ''
  return indentOf(next) === indent && /^ *[})]/.test(next) ? end + 1 : end
}
