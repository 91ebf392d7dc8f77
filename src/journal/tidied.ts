import { headersInLines, joinedHeaders } from '../domain/headers.ts'
import type { Diagnosis, JournalEntry } from '../domain/journal-entry.ts'
import { withoutSecretHeaders, withoutSecretMembers, withoutSecretParameters } from '../domain/secrets.ts'

/** An entry before it is masked and bounded. */
export interface RawEntry extends Omit<JournalEntry, 'headers'> {
  /** As they came (`headerLines`). One text: thousands of entries wait, and what an entry holds in small parts takes
   *  as long to keep as the rest of it. */
  readonly headerLines: string
}

/** Of a body or an answer, this many characters are kept; with the number of entries, a bound on the whole journal. */
export const keepCharacters = 16 * 1024
/** The same of a path, a note, a diagnosis. */
const keepOfWords = 2 * 1024

/** About how much an entry takes. */
export function sizeOf(entry: RawEntry | JournalEntry): number {
  const { path, body, response, notes } = entry
  const headers = 'headerLines' in entry ? entry.headerLines.length : lengthOf(Object.values(entry.headers))
  return path.length + body.length + response.length + headers + lengthOf(notes)
}

function lengthOf(texts: readonly string[]): number {
  let length = 0
  for (const text of texts) length += text.length
  return length
}

/** An entry as the journal keeps it: masked and bounded. */
export function tidied(entry: RawEntry, mask: (text: string) => string): JournalEntry {
  const words = (text: string) => cut(text, keepOfWords, mask)
  return {
    id: entry.id,
    wallAt: entry.wallAt,
    at: entry.at,
    clientId: entry.clientId,
    operation: entry.operation,
    requestId: entry.requestId === null ? null : words(entry.requestId),
    method: entry.method,
    path: words(withoutSecretParameters(entry.path)),
    headers: maskedValues(withoutSecretHeaders(joinedHeaders(headersInLines(entry.headerLines))), mask),
    body: cut(entry.body, keepCharacters, (text) => mask(withoutSecretMembers(text))),
    status: entry.status,
    response: cut(entry.response, keepCharacters, mask),
    ms: entry.ms,
    notes: entry.notes.map(words),
    diagnosis: entry.diagnosis === null ? null : tidiedDiagnosis(entry.diagnosis, words),
  }
}

function maskedValues(headers: JournalEntry['headers'], mask: (text: string) => string) {
  const kept: Record<string, string> = {}
  for (const name in headers) kept[name] = mask(headers[name] ?? '')
  return kept
}

function tidiedDiagnosis(diagnosis: Diagnosis, words: (text: string) => string): Diagnosis {
  const { message, stringToSign, signedString } = diagnosis
  return {
    ...diagnosis,
    message: words(message),
    ...(stringToSign === undefined ? {} : { stringToSign: words(stringToSign) }),
    ...(signedString === undefined ? {} : { signedString: words(signedString) }),
  }
}

/** @param mask done before the text is cut, so that no half of a secret is left at the cut */
function cut(text: string, characters: number, mask: (text: string) => string): string {
  if (text.length <= characters) return mask(text)
  const read = characters + longestSecret
  const begin = mask(text.slice(0, read))
  // A secret of which only half was read has moved up if others before it are kept shorter than they came.
  const kept = text.length <= read ? characters : Math.min(characters, begin.length - longestSecret)
  return `${begin.slice(0, kept)}… (${text.length} characters in all)`
}

/** Spelt with escapes within escapes, a character takes many. */
const longestSecret = 4096
