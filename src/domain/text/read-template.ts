import { isMapping } from './objects.ts'
import { formatted, placeholder } from './template.ts'

/** A value that a filled template has in the place of a placeholder. */
export interface ReadValue {
  readonly value: unknown
  /** The formats of the placeholder. */
  readonly formats: readonly string[]
}

/** What a filled template says: the values by placeholder, and how many fixed values are the same, or others. */
export interface Reading {
  readonly values: ReadonlyMap<string, readonly ReadValue[]>
  readonly fits: number
  readonly misfits: number
}

/** Reads the values from filled JSON by the places of their placeholders. Fields that the template does not have are
 *  ignored. A list for which the template has one element can have any number of them, each with a reading of its own.
 *  @returns one reading, or one for each element of such a list */
export function readTemplate(template: unknown, filled: unknown): Reading[] {
  if (typeof template === 'string') return [readText(template, filled)]
  if (Array.isArray(template)) return Array.isArray(filled) ? readList(template, filled) : [misfit]
  if (!isMapping(template)) return [template === filled ? fit : misfit]
  if (!isMapping(filled)) return [misfit]
  const members = new Map<string, unknown>(Object.entries(filled))
  const parts = Object.entries(template).map(([name, each]) => readMember(name, each, members))
  return parts.reduce(combined, [nothing])
}

/** Applies formats to a text, as `fillTemplate` does. */
export const inFormats = (text: string, formats: readonly string[]): string =>
  String(formatted(text, formats, ''))

const nothing: Reading = { values: new Map(), fits: 0, misfits: 0 }
const fit: Reading = { ...nothing, fits: 1 }
const misfit: Reading = { ...nothing, misfits: 1 }

function readMember(name: string, template: unknown, members: ReadonlyMap<string, unknown>): Reading[] {
  if (!name.includes('${')) return members.has(name) ? readTemplate(template, members.get(name)) : [nothing]
  for (const [key, value] of members) {
    const ofKey = readText(name, key)
    if (ofKey.misfits === 0) return combined([ofKey], readTemplate(template, value))
  }
  return [nothing]
}

function readList(templates: readonly unknown[], filled: readonly unknown[]): Reading[] {
  const [only] = templates
  if (templates.length === 1) return filled.flatMap((each) => readTemplate(only, each))
  return templates.map((template, index) => readTemplate(template, filled[index])).reduce(combined, [nothing])
}

function readText(template: string, filled: unknown): Reading {
  const names = [...template.matchAll(placeholder)].map(([, inner = '']) => inner)
  if (names.length === 0) return template === filled ? fit : misfit
  if (template === `\${${names[0]}}`) return { ...nothing, values: named([[names[0] ?? '', filled]]) }
  const pieces = template
    .split(placeholder)
    .map((piece, index) => (index % 2 === 0 ? escaped(piece) : '(.*?)'))
  const found = typeof filled === 'string' ? new RegExp(`^${pieces.join('')}$`, 's').exec(filled) : null
  if (found === null) return misfit
  const parts = names.map((name, index): [string, unknown] => [name, found[index + 1]])
  return { ...nothing, values: named(parts.filter(([, text]) => text !== '')) }
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

function named(parts: readonly [string, unknown][]): Reading['values'] {
  const read = parts.map(([inner, value]) => {
    const [name = '', ...formats] = inner.split(':')
    return { name, value, formats }
  })
  const groups = [...Map.groupBy(read, ({ name }) => name)]
  return new Map(groups.map(([name, all]) => [name, all.map(({ value, formats }) => ({ value, formats }))]))
}

/** Adds readings of another part. Of two parts, at most one has several readings; the other belongs to each of them. */
function combined(some: readonly Reading[], others: readonly Reading[]): Reading[] {
  const length = Math.max(some.length, others.length)
  const isEmpty = some.length === 0 || others.length === 0
  if (isEmpty) return []
  return Array.from({ length }, (_, index) =>
    together(some[index] ?? some[0] ?? nothing, others[index] ?? others[0] ?? nothing),
  )
}

function together(one: Reading, other: Reading): Reading {
  const values = new Map(one.values)
  for (const [name, read] of other.values) values.set(name, [...(values.get(name) ?? []), ...read])
  return { values, fits: one.fits + other.fits, misfits: one.misfits + other.misfits }
}
