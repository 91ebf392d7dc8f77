/** What somebody may have meant by a requestId under which there is nothing: at most a handful, each with how the one
 *  became the other. */
export function requestIdSpellings(requestId: string): { requestId: string; words: string }[] {
  if (requestId.length > longestCharacters) return []
  const spellings = rows.map(([words, respell]) => ({ requestId: respell(requestId), words }))
  return spellings.filter(
    (spelling, index) =>
      spelling.requestId !== requestId &&
      spelling.requestId !== '' &&
      spellings.findIndex((other) => other.requestId === spelling.requestId) === index,
  )
}

const longestCharacters = 1_000

const rows: readonly (readonly [words: string, respell: (requestId: string) => string])[] = [
  ['a + in a query means a space; write %2B', (text) => text.replaceAll(' ', '+')],
  ['yours was percent-encoded twice', percentDecoded],
  ['yours has spaces around it', (text) => text.trim()],
  ['yours has quotes around it', (text) => text.replace(/^["'](.*)["']$/, '$1')],
  ['upper and lower case differ', (text) => text.toLowerCase()],
  ['upper and lower case differ', (text) => text.toUpperCase()],
  ['the Unicode form differs (NFC, NFD)', (text) => text.normalize('NFC')],
  ['the Unicode form differs (NFC, NFD)', (text) => text.normalize('NFD')],
  ['its UTF-8 bytes were decoded as Latin-1', readAsLatin1],
]

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readAsLatin1(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text
  const meant = Buffer.from(text, 'latin1').toString('utf8')
  return meant.includes('\ufffd') ? text : meant
}
