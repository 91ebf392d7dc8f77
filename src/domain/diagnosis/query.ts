import type { Cause } from './causes.ts'

/** Other spellings of a requestId without orders, at most a handful, each with the difference. */
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

/** The query of a refused call. */
export interface RefusedQuery {
  readonly query: URLSearchParams
  readonly wanted: readonly string[]
  /** Whether the call has a body, which a GET should not have. */
  readonly hasBody: boolean
}

/** Diagnoses a query as a whole: the first match of names, separators, doubled, in the body, empty, missing. */
export function diagnoseQuery(refused: RefusedQuery): { cause: Cause; words: string } | null {
  return (
    separatedOtherwise(refused) ??
    namedOtherwise(refused) ??
    doubledParameter(refused) ??
    inBody(refused) ??
    emptyOrMissing(refused)
  )
}

function separatedOtherwise({ query, wanted }: RefusedQuery) {
  const values = [...query.values()].filter((value) => value.includes('='))
  const found = wanted.find((name) => {
    const inValue = new RegExp(`[;,?\\s]${name}=`, 'i')
    return values.some((value) => inValue.test(value))
  })
  if (found === undefined) return null
  return {
    cause: 'query.separator',
    words: `the separator between the parameters is not \`&\`: \`${found}\` became part of another parameter's value`,
  } as const
}

function namedOtherwise({ query, wanted }: RefusedQuery) {
  // A hostile query repeats the same name thousands of times.
  const sent = new Set(query.keys())
  const unknown = [...sent].filter((key) => !wanted.includes(key))
  for (const name of wanted) {
    if (sent.has(name)) continue
    const wantedPlain = plain(name)
    const other = unknown.find((key) => key.length >= wantedPlain.length && plain(key) === wantedPlain)
    if (other !== undefined)
      return {
        cause: 'query.name',
        words: `the parameter must be named \`${name}\`, not ${JSON.stringify(other)}`,
      } as const
  }
  return null
}

/** `requestID`, `request_id`, `requestId[]`, `requestId[0]`, `amp;requestId` are all `requestid`. */
const plain = (name: string) =>
  name
    .replace(/^amp;/, '')
    .replace(/\[\d*\]$/, '')
    .replaceAll(/[-_.\s]/g, '')
    .toLowerCase()

function doubledParameter({ query, wanted }: RefusedQuery) {
  const twice = wanted.find((name) => query.getAll(name).length > 1)
  if (twice === undefined) return null
  const values = new Set(query.getAll(twice))
  const words = values.size === 1 ? 'with the same value' : 'with different values'
  return {
    cause: 'query.twice',
    words: `\`${twice}\` is in the query ${query.getAll(twice).length} times, ${words}; send it once`,
  } as const
}

function inBody({ query, wanted, hasBody }: RefusedQuery) {
  if (!hasBody || wanted.every((name) => query.has(name))) return null
  return {
    cause: 'query.in-body',
    words:
      'this call has a body, which the service ignores for a GET request; send the parameters in the query',
  } as const
}

function emptyOrMissing({ query, wanted }: RefusedQuery) {
  const empty = wanted.find((name) => query.get(name) === '')
  if (empty !== undefined) return { cause: 'query.empty', words: `\`${empty}\` is empty` } as const
  const missing = wanted.filter((name) => !query.has(name))
  if (missing.length === 0) return null
  return { cause: 'query.missing', words: `the query lacks \`${missing.join('` and `')}\`` } as const
}
