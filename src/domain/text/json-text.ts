import * as z from 'zod'

const most32Bits = 2 ** 31 - 1

/** Describes an integer in a JSON Schema for languages with several integer types. Without a format, clients
 *  generated for Java or C# use 32 bits, which cannot hold epoch milliseconds. JavaScript's own limits are left out. */
export function describeInteger(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.type !== 'integer') return
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if ((schema.maximum ?? Infinity) > most32Bits) schema.format = 'int64'
}

/** Schema of any JSON value. `z.json()` would not do, because the OpenAPI document cannot name it. */
export const anyJson: z.ZodType<z.core.util.JSONType> = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(z.lazy(() => anyJson)),
    z.record(
      z.string(),
      z.lazy(() => anyJson),
    ),
  ])
  .meta({ id: 'AnyJson' })

/** Whether the numbers in a JSON value are exact: larger ones have lost digits or become `Infinity`, and would be
 *  sent on as other numbers or as null. */
export function isExact(value: unknown): boolean {
  if (typeof value === 'number')
    return !Number.isInteger(value) ? Number.isFinite(value) : Number.isSafeInteger(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

/** The message for a number that JavaScript cannot represent exactly. */
export const inexact = 'has a number that is too large to be represented exactly; put it in quotes'

// The functions below work on the text of JSON, because `JSON.parse` loses these facts or fails on such texts.

export const quote = 0x22
export const backslash = 0x5c
export const comma = 0x2c
export const colon = 0x3a
export const openingBrace = 0x7b
export const closingBrace = 0x7d
export const openingBracket = 0x5b
export const closingBracket = 0x5d

/** Whether a JSON text is nested deeper than `limit`, checked before parsing. */
export function nestsDeeper(text: string, limit: number): boolean {
  if (!opensMore(text, limit)) return false
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if (code === openingBrace || code === openingBracket) {
      depth++
      if (depth > limit) return true
    } else if (code === closingBrace || code === closingBracket) depth--
  }
  return false
}

/** Whether a JSON text has more than `limit` values, fields and elements together, counted before parsing. An empty
 *  list or object counts like one with a single value. */
export function holdsMore(text: string, limit: number): boolean {
  // Each value has a bracket or a comma before it, so a shorter text cannot have more.
  if (text.length < limit) return false
  let values = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if (code === comma || code === openingBrace || code === openingBracket) {
      values += 1
      if (values > limit) return true
    }
  }
  return false
}

/** Whether a text has more than `limit` opening brackets. Few texts have, and searching for brackets is much faster
 *  than reading each character. */
function opensMore(text: string, limit: number): boolean {
  let left = limit
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (left-- === 0) return true
    }
  }
  return false
}

/** The text of a field of the outermost JSON object, unchanged; of repeated fields the last, like `JSON.parse`. `text`
 *  must be valid JSON.
 *  @returns null without such a field */
export const memberText = (text: string, name: string): string | null =>
  membersOf(text).findLast(({ key }) => key === name)?.value ?? null

/** The repeated fields of the outermost JSON object, with the text of their first value. `text` must be valid JSON. */
export function doubledMembers(text: string): ReadonlyMap<string, string> {
  const first = new Map<string, string>()
  const doubled = new Map<string, string>()
  for (const { key, value } of membersOf(text)) {
    const before = first.get(key)
    if (before === undefined) first.set(key, value)
    else if (!doubled.has(key)) doubled.set(key, before)
  }
  return doubled
}

/** The number of fields of the outermost JSON object, counting repeated ones. `text` must be valid JSON. */
export const countMembers = (text: string): number => membersOf(text).length

/** The fields of the outermost JSON object in order: the name, and the text of the value. */
function membersOf(text: string): { key: string; value: string }[] {
  const members: { key: string; value: string }[] = []
  let depth = 0
  let key = ''
  let valueStart = -1
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) {
      const end = endOfString(text, index)
      if (depth === 1 && valueStart === -1) key = JSON.parse(text.slice(index, end + 1))
      index = end
    } else if (code === colon && depth === 1 && valueStart === -1) valueStart = index + 1
    else if (depth === 1 && (code === comma || code === closingBrace)) {
      if (valueStart !== -1) members.push({ key, value: text.slice(valueStart, index).trim() })
      valueStart = -1
      if (code === closingBrace) depth--
    } else if (code === openingBrace || code === openingBracket) depth++
    else if (code === closingBrace || code === closingBracket) depth--
  }
  return members
}

/** Formats JSON text over several lines. Numbers, texts and names stay unchanged, unlike after parsing. `text` must
 *  be valid JSON. */
export function laidOut(text: string): string {
  const tokens = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"[\]{},:]+|[[\]{},:]/g) ?? []
  const parts: string[] = []
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  for (const [index, token] of tokens.entries()) {
    if (opens(token)) {
      depth += 1
      parts.push(token, closes(tokens[index + 1]) ? '' : line())
    } else if (closes(token)) {
      depth -= 1
      parts.push(opens(tokens[index - 1]) ? '' : line(), token)
    } else if (token === ',') parts.push(token, line())
    else parts.push(token === ':' ? ': ' : token)
  }
  return parts.join('')
}

const opens = (token: string | undefined): boolean => token === '{' || token === '['
const closes = (token: string | undefined): boolean => token === '}' || token === ']'

/** Adds a field to the JSON text of an object; `valueText` is JSON text too. */
export function withMember(objectText: string, name: string, valueText: string): string {
  const open = objectText.slice(0, -1)
  return `${open}${open === '{' ? '' : ','}${JSON.stringify(name)}:${valueText}}`
}

/** The index of the quote that closes the string opened at `start`. */
export function endOfString(text: string, start: number): number {
  const next = text.indexOf('"', start + 1)
  if (next !== -1 && text.charCodeAt(next - 1) !== backslash) return next
  let index = start + 1
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === quote) return index
    index += code === backslash ? 2 : 1
  }
  return index
}
