import { keepingLast } from './remembered.ts'

/** Questions about JSON as text: what `JSON.parse` loses or chokes on. */

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openingBrace = 0x7b
const closingBrace = 0x7d
const openingBracket = 0x5b
const closingBracket = 0x5d

/** Whether objects and arrays are nested deeper than `limit`; counted on the text, before anything parses it. */
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

/** Whether a text has more than `limit` values, members and elements together; counted like `nestsDeeper`. */
export function holdsMore(text: string, limit: number): boolean {
  // A value and its comma are two characters at least.
  if (text.length < 2 * limit) return false
  let commas = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if (code === comma && ++commas >= limit) return true
  }
  return false
}

/** Whether a text has more than `limit` opening brackets. Few have, and looking for one is much faster than reading
 *  each character. */
function opensMore(text: string, limit: number): boolean {
  let left = limit
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (left-- === 0) return true
    }
  }
  return false
}

/** The text of a member of the outermost object, exactly as it stands there; of several with one name the last,
 *  as `JSON.parse` takes it. `text` must be valid JSON.
 *  @returns null if there is no such member */
export function memberText(text: string, name: string): string | null {
  const place = placesIn(text).findLast((member) => isKey(text, member, name))
  return place === undefined ? null : valueIn(text, place)
}

/** The members that the outermost object has more than once: by name, the text of the first. `text` must be valid
 *  JSON. */
export function doubledMembers(text: string): ReadonlyMap<string, string> {
  const first = new Map<string, string>()
  const doubled = new Map<string, string>()
  for (const place of placesIn(text)) {
    const name: unknown = JSON.parse(quotedKey(text, place))
    if (typeof name !== 'string') continue
    const before = first.get(name)
    if (before === undefined) first.set(name, valueIn(text, place))
    else if (!doubled.has(name)) doubled.set(name, before)
  }
  return doubled
}

/** How many members the outermost object has, doubled ones counted twice. `text` must be valid JSON. */
export const countMembers = (text: string): number => placesIn(text).length

/** Where a member stands in a text: its key between the quotes, its value. */
interface Place {
  readonly keyStart: number
  readonly keyEnd: number
  readonly valueStart: number
  readonly end: number
}

/** The members of the outermost object, in their order. Kept until another text is asked about: whoever counts the
 *  members of a body asks for one of them next. `text` must be valid JSON. */
const placesIn = keepingLast((text: string): readonly Place[] => {
  const places: Place[] = []
  let depth = 0
  let keyStart = -1
  let keyEnd = -1
  let valueStart = -1
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) {
      const end = endOfString(text, index)
      if (depth === 1 && valueStart === -1) {
        keyStart = index + 1
        keyEnd = end
      }
      index = end
    } else if (code === colon && depth === 1 && valueStart === -1) valueStart = index + 1
    else if (depth === 1 && (code === comma || code === closingBrace)) {
      if (valueStart !== -1) places.push({ keyStart, keyEnd, valueStart, end: index })
      valueStart = -1
      if (code === closingBrace) depth--
    } else if (code === openingBrace || code === openingBracket) depth++
    else if (code === closingBrace || code === closingBracket) depth--
  }
  return places
})

const valueIn = (text: string, { valueStart, end }: Place): string => text.slice(valueStart, end).trim()

const quotedKey = (text: string, { keyStart, keyEnd }: Place): string => text.slice(keyStart - 1, keyEnd + 1)

/** An object's JSON text with one more member, whose value is given as JSON text. */
export function withMember(objectText: string, name: string, valueText: string): string {
  const open = objectText.slice(0, -1)
  return `${open}${open === '{' ? '' : ','}${JSON.stringify(name)}:${valueText}}`
}

/** Index of the quote that closes the string opened at `start`. */
function endOfString(text: string, start: number): number {
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

/** Whether a member has this name. Escapes only make its key longer. */
function isKey(text: string, place: Place, name: string): boolean {
  const length = place.keyEnd - place.keyStart
  if (length <= name.length) return length === name.length && text.startsWith(name, place.keyStart)
  const key = quotedKey(text, place)
  return key.includes('\\') && JSON.parse(key) === name
}
