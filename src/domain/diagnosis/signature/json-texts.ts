import type { Laid } from './layout-mistakes.ts'
import { joined, type Pair } from './signed-text.ts'

/** Longer bodies are not written anew. */
const longestCharacters = 16 * 1024

type Json = Readonly<Record<string, unknown>>

/** The body's JSON, which other services have signed: as it was sent, and as programs write it anew.
 *  @param body as it was sent
 *  @param members the same, read
 *  @param signed the members that are to be signed */
export function jsonTexts(body: string, members: Json, signed: readonly Pair[]): Laid[] {
  if (body.length > longestCharacters) return []
  const sorted = Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const few = Object.fromEntries(signed)
  return [
    body,
    body.trim(),
    `${body}\n`,
    ...[members, sorted].flatMap(writings),
    JSON.stringify(members, null, 2),
    JSON.stringify(members, null, 4),
  ]
    .map(
      (text): Laid => ({
        text,
        mistake: { cause: 'signature.json-body', words: 'you signed the JSON body' },
      }),
    )
    .concat(
      writings(few).map((text) => ({
        text,
        mistake: { cause: 'signature.json-body', words: 'you signed JSON that contains the fields' },
      })),
      allMembers(members),
    )
}

/** Compact; as Python's `json.dumps` writes it, with and without `ensure_ascii`; compact with escapes. */
function writings(value: Json): string[] {
  const compact = JSON.stringify(value)
  const spaced = withSpaces(compact)
  return [compact, spaced, asciiOnly(spaced), asciiOnly(compact), compact.replaceAll('/', '\\/')]
}

/** A space after each colon and comma that is not in a string. */
const withSpaces = (compact: string): string =>
  compact.replaceAll(/"(?:[^"\\]|\\.)*"|[:,]/g, (part) => (part === ':' || part === ',' ? `${part} ` : part))

const asciiOnly = (json: string): string =>
  json.replaceAll(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Many services sign every member of the body as a query, in its order or sorted by name. */
function allMembers(members: Json): Laid[] {
  const pairs = Object.entries(members).flatMap(([name, value]): Pair[] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const texts = [pairs, sorted].flatMap((each) => [
    joined(each),
    new URLSearchParams(each.map(copied)).toString(),
  ])
  const words = 'you signed all fields of the body; sign only the fields in the string to sign'
  return texts.map((text) => ({ text, mistake: { cause: 'signature.all-members', words } }))
}

const copied = ([name, value]: Pair): [string, string] => [name, value]
