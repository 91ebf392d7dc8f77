/** Questions about JSON as text: what `JSON.parse` loses or chokes on. */

const quote = 0x22
const backslash = 0x5c

/** Whether objects and arrays are nested deeper than `limit`; counted on the text, before anything parses it. */
export function nestsDeeper(text: string, limit: number): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if (code === 0x7b || code === 0x5b) {
      depth++
      if (depth > limit) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

/** The text of a member of the outermost object, exactly as it stands there; of several with one name the last,
 *  as `JSON.parse` takes it. `text` must be valid JSON.
 *  @returns null if there is no such member */
export function memberText(text: string, name: string): string | null {
  let depth = 0
  let found: string | null = null
  let key: string | null = null
  let valueStart = -1
  for (let index = 0; index < text.length; index++) {
    const char = text[index]
    if (char === '"') {
      const end = endOfString(text, index)
      if (depth === 1 && valueStart === -1) key = text.slice(index, end + 1)
      index = end
    } else if (char === ':' && depth === 1 && valueStart === -1) valueStart = index + 1
    else if ((char === ',' && depth === 1) || (char === '}' && depth === 1)) {
      if (valueStart !== -1 && isKey(key, name)) found = text.slice(valueStart, index).trim()
      valueStart = -1
      if (char === '}') depth--
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
  }
  return found
}

/** An object's JSON text with one more member, whose value is given as JSON text. */
export function withMember(objectText: string, name: string, valueText: string): string {
  const open = objectText.slice(0, -1)
  return `${open}${open === '{' ? '' : ','}${JSON.stringify(name)}:${valueText}}`
}

/** Index of the quote that closes the string opened at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === quote) return index
    index += code === backslash ? 2 : 1
  }
  return index
}

function isKey(keyText: string | null, name: string): boolean {
  if (keyText === null) return false
  return (keyText.includes('\\') ? JSON.parse(keyText) : keyText.slice(1, -1)) === name
}
