import type { Diagnosis, JournalEntry } from '../domain/journal-entry.ts'
import { withoutSecretMembers, withoutSecretParameters } from '../domain/secrets.ts'

/** Of a body or an answer, this many characters are kept; with the number of entries, a bound on the whole journal. */
export const keepCharacters = 16 * 1024
/** The same of a path, a note, a diagnosis. */
const keepOfWords = 2 * 1024

/** About how much an entry takes. */
export function sizeOf({ path, body, response, headers, notes }: JournalEntry): number {
  const words = [path, body, response, ...Object.values(headers), ...notes]
  return words.reduce((sum, { length }) => sum + length, 0)
}

/** An entry as the journal keeps it: masked and bounded. */
export function tidied(entry: JournalEntry, mask: (text: string) => string): JournalEntry {
  const words = (text: string) => cut(text, keepOfWords, mask)
  return {
    ...entry,
    requestId: entry.requestId === null ? null : words(entry.requestId),
    path: words(withoutSecretParameters(entry.path)),
    headers: maskedValues(entry.headers, mask),
    body: cut(entry.body, keepCharacters, (text) => mask(withoutSecretMembers(text))),
    response: cut(entry.response, keepCharacters, mask),
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
  const begin = mask(text.slice(0, characters + longestSecret)).slice(0, characters)
  return `${begin}… (${text.length} characters in all)`
}

const longestSecret = 1024
