/** Data from outside as a log line may show it: control characters, invisible ones and lone surrogates are written
 *  out, so that nobody's requestId breaks the line or steers the terminal. */
export function oneLine(text: string, maxCharacters = 500): string {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
  return cut.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped)
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const short = { 9: '\\t', 10: '\\n', 13: '\\r' }[code]
  return short ?? (code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`)
}
