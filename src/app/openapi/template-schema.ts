import { isMapping } from '../../domain/text/objects.ts'
import type { ValueKind } from '../../domain/text/template.ts'

/** A part of a JSON Schema. */
interface Schema {
  readonly [name: string]: unknown
}

/** The values of a template, by name. */
interface Values {
  readonly kinds: Readonly<Record<string, ValueKind>>
  /** Examples of a value in plain form. */
  readonly wordsOf?: (name: string) => readonly string[]
  /** The schemas of values that are JSON. */
  readonly parts?: Readonly<Record<string, Schema>>
}

/** The schema of a filled template. A field whose placeholder has no value is left out, so none is required. */
export function schemaOf(template: unknown, values: Values): Schema {
  if (typeof template === 'string') return textSchema(template, values)
  if (Array.isArray(template))
    return { type: 'array', items: template.length === 1 ? schemaOf(template[0], values) : {} }
  if (!isMapping(template)) return { const: template }
  const members = Object.entries(template).filter(([name]) => !name.includes('${'))
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, each]) => [name, schemaOf(each, values)])),
  }
}

function textSchema(template: string, { kinds, wordsOf, parts }: Values): Schema {
  if (!template.includes('${')) return { const: template }
  const [name = '', ...formats] = /^\$\{([^}]*)\}$/.exec(template)?.[1]?.split(':') ?? []
  const kind = kinds[name]
  if (kind === undefined) return { type: 'string' }
  if (kind === 'json' && formats.length === 0) return parts?.[name] ?? {}
  const isNumber = kind === 'number' ? formats.length === 0 : numeric.has(formats.at(-1))
  if (isNumber) return { type: 'number' }
  const words = formats.length === 0 ? (wordsOf?.(name) ?? []) : []
  return { type: 'string', ...(words.length > 0 && { examples: words }) }
}

/** The formats that make a number of an amount or a time. */
const numeric: ReadonlySet<string | undefined> = new Set(['number', 'minor', 'seconds', 'milliseconds'])
