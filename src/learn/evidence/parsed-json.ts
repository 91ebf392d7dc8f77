/** Deeper JSON is no traffic of this service, and would overflow the stack of all that reads it. */
const deepest = 500

/** Parses JSON that came from elsewhere; undefined for no text, for JSON that is nested too deep, and for anything
 *  else. */
export function parsedJson(text: string | null): unknown {
  if (text === null || isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Counts open braces and brackets outside strings. A regular expression would overflow on long strings. */
function isTooDeep(text: string): boolean {
  if (text.length <= 2 * deepest) return false
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isInString) {
      if (character === '\\') at++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '{' || character === '[') {
      depth++
      if (depth > deepest) return true
    } else if (character === '}' || character === ']') depth--
  }
  return false
}

/** All texts in a JSON value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
