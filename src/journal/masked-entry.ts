import { joinedHeaders } from '../domain/headers.ts'
import type { Diagnosis, JournalEntry } from '../domain/journal-entry.ts'
import { withoutSecretHeaders, withoutSecretMembers, withoutSecretParameters } from '../domain/secrets.ts'

/** An entry before it is masked and bounded. */
export interface RawEntry extends Omit<JournalEntry, 'headers'> {
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
}

/** Of a body or an answer, this many characters are kept; with the number of entries, a bound on the whole journal. */
export const keepCharacters = 16 * 1024
/** The same of a path, a note, a diagnosis. */
const keepOfWords = 2 * 1024

/** An entry as the journal stores it: without secrets, long texts cut. */
export function maskedEntry(entry: RawEntry, mask: (text: string) => string): JournalEntry {
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
    headers: maskedHeaders(entry.rawHeaders, mask),
    body: cut(entry.body, keepCharacters, (text) => mask(withoutSecretMembers(text))),
    status: entry.status,
    response: cut(entry.response, keepCharacters, mask),
    ms: entry.ms,
    notes: entry.notes.map(words),
    diagnosis: entry.diagnosis === null ? null : maskedDiagnosis(entry.diagnosis, words),
  }
}

function maskedHeaders(raw: readonly string[], mask: (text: string) => string): JournalEntry['headers'] {
  const headers = withoutSecretHeaders(joinedHeaders(raw))
  for (const [name, value] of Object.entries(headers)) headers[name] = mask(value)
  return headers
}

function maskedDiagnosis(diagnosis: Diagnosis, words: (text: string) => string): Diagnosis {
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
