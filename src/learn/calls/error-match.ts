import { STATUS_CODES } from 'node:http'
import { hasPlaceholder, placeholder } from '../../domain/text/template.ts'
import { parsedJson } from '../evidence/parsed-json.ts'
import type { SeenError } from './seen-errors.ts'
import { requestFields } from './wrong-fields.ts'

/** The HTTP reason phrase of a status. */
export const reasonOf = (status: number): string => STATUS_CODES[status] ?? `Error ${status}`

/** The values that a filled template shows, by placeholder without formats; those of lists by element. */
export interface ShownValues {
  readonly values: ReadonlyMap<string, unknown>
  readonly problems: readonly ReadonlyMap<string, unknown>[]
}

/** Reads an error body by a template, as a settings file writes it; null if the template cannot have made it. */
export function matchError(written: unknown, { body, call, status }: SeenError): ShownValues | null {
  const shown = matchTemplate(written, body, /^(requestId|first\.\w+)$/)
  if (shown === null) return null
  const fields = requestFields(call)
  const known: Readonly<Record<string, unknown>> = {
    status: status,
    reason: reasonOf(status),
    method: call.method,
    path: call.path,
    ...('requestId' in fields && { requestId: fields.requestId }),
  }
  const isTrue = [...shown.values].every(
    ([name, value]) => !Object.hasOwn(known, name) || sameText(known[name], value),
  )
  return isTrue ? shown : null
}

/** Reads JSON by a template; null if the template cannot have made it.
 *  @param optional the names of placeholders that may have no value, so that their field is left out */
export function matchTemplate(written: unknown, value: unknown, optional: RegExp): ShownValues | null {
  const template = typeof written === 'string' ? parsedJson(written) : written
  const shown: Drafts = { values: new Map(), problems: [], optional }
  return matches(template, value, shown) ? shown : null
}

interface Drafts {
  /** The names of placeholders that may have no value. */
  readonly optional: RegExp
  readonly values: Map<string, unknown>
  readonly problems: Map<string, unknown>[]
}

const sameText = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase()

function matches(template: unknown, value: unknown, shown: Drafts): boolean {
  if (typeof template === 'string') return matchesText(template, value, shown.values)
  if (Array.isArray(template)) return Array.isArray(value) && matchesList(template, value, shown)
  if (typeof template !== 'object' || template === null) return template === value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const found = new Map<string, unknown>(Object.entries(value))
  for (const [name, part] of Object.entries(template)) {
    if (found.has(name)) {
      if (!matches(part, found.get(name), shown)) return false
      found.delete(name)
    } else if (!mayBeMissing(part, shown.optional)) return false
  }
  return found.size === 0
}

/** Whether nothing remains of a part if its placeholders have no value. */
function mayBeMissing(part: unknown, optional: RegExp): boolean {
  if (typeof part === 'string') return optional.test(/^\$\{([^}:]*)[^}]*\}$/.exec(part)?.[1] ?? ' ')
  return (
    typeof part === 'object' &&
    part !== null &&
    !Array.isArray(part) &&
    Object.keys(part).length > 0 &&
    Object.values(part).every((each) => mayBeMissing(each, optional))
  )
}

function matchesList(template: readonly unknown[], value: readonly unknown[], shown: Drafts): boolean {
  const [only] = template
  if (template.length !== 1 || !JSON.stringify(only).includes('${problems.'))
    return (
      template.length === value.length && template.every((each, index) => matches(each, value[index], shown))
    )
  return value.every((each) => {
    const own: Drafts = { ...shown, values: new Map(shown.values), problems: [] }
    if (!matches(only, each, own)) return false
    shown.problems.push(own.values)
    return true
  })
}

function matchesText(template: string, value: unknown, values: Map<string, unknown>): boolean {
  if (!hasPlaceholder(template)) return template === value
  const names = [...template.matchAll(placeholder)].map(([, inner = '']) => inner)
  if (template === `\${${names[0]}}`) return matchesWhole(names[0] ?? '', value, values)
  if (typeof value !== 'string') return false
  const pieces = template
    .split(placeholder)
    .map((piece, index) => (index % 2 === 0 ? escaped(piece) : '(.*?)'))
  const found = new RegExp(`^${pieces.join('')}$`, 's').exec(value)
  return found !== null && names.every((name, index) => bind(name, found[index + 1] ?? '', values))
}

function matchesWhole(inner: string, value: unknown, values: Map<string, unknown>): boolean {
  // An element of a list without a value is null.
  if (value === null) return true
  if (inner === 'status' && typeof value !== 'number') return false
  if (inner === 'status:text' && typeof value !== 'string') return false
  return (typeof value === 'string' || typeof value === 'number') && bind(inner, value, values)
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Sets the value of a placeholder; false if it has another one already. */
function bind(inner: string, value: unknown, values: Map<string, unknown>): boolean {
  const [name = '', ...formats] = inner.split(':')
  // The formats of times and widths change the text.
  if (formats.some((format) => !['text', 'lower', 'upper'].includes(format))) return true
  if (name === 'time') return true
  const before = values.get(name)
  if (before !== undefined) return sameText(before, value)
  values.set(name, value)
  return true
}
