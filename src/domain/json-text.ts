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
  let found: string | null = null
  eachMember(text, (keyStart, keyEnd, valueStart, end) => {
    if (isKey(text, keyStart, keyEnd, name)) found = text.slice(valueStart, end).trim()
  })
  return found
}

/** The same of a member that the outermost object is known to have. Its name nearly always stands there once and without
 *  escapes, and then nothing before it has to be read. */
export function knownMemberText(text: string, name: string): string | null {
  const key = `"${name}"`
  const at = text.indexOf(key)
  const isClear = at !== -1 && !text.includes('\\') && !text.includes(key, at + 1)
  return memberText(isClear ? `{${text.slice(at)}` : text, name)
}

/** The members that the outermost object has more than once: by name, the text of the first. `text` must be valid
 *  JSON. */
export function doubledMembers(text: string): ReadonlyMap<string, string> {
  const first = new Map<string, string>()
  const doubled = new Map<string, string>()
  eachMember(text, (keyStart, keyEnd, valueStart, end) => {
    const name: unknown = JSON.parse(text.slice(keyStart - 1, keyEnd + 1))
    if (typeof name !== 'string') return
    const before = first.get(name)
    if (before === undefined) first.set(name, text.slice(valueStart, end).trim())
    else if (!doubled.has(name)) doubled.set(name, before)
  })
  return doubled
}

/** How many members the outermost object has, doubled ones counted twice. `text` must be valid JSON. */
export function countMembers(text: string): number {
  let count = 0
  eachMember(text, () => count++)
  return count
}

/** Where a member stands: its key between the quotes, its value. */
type TakeMember = (keyStart: number, keyEnd: number, valueStart: number, end: number) => void

/** Goes through the members of the outermost object, in their order. `text` must be valid JSON. */
function eachMember(text: string, take: TakeMember): void {
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
      if (valueStart !== -1) take(keyStart, keyEnd, valueStart, index)
      valueStart = -1
      if (code === closingBrace) depth--
    } else if (code === openingBrace || code === openingBracket) depth++
    else if (code === closingBrace || code === closingBracket) depth--
  }
}

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

/** Whether the key between two quotes is this name. Escapes only make it longer. */
function isKey(text: string, start: number, end: number, name: string): boolean {
  const length = end - start
  if (length <= name.length) return length === name.length && text.startsWith(name, start)
  const key = text.slice(start - 1, end + 1)
  return key.includes('\\') && JSON.parse(key) === name
}
