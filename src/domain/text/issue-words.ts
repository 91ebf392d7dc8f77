import type * as z from 'zod'

/** Finds the word that a mistyped one probably meant, for "did you mean". Case and separators do not count
 *  (`request_id` is `requestId`). Otherwise one letter in three may be wrong, missing, extra or swapped with its
 *  neighbour.
 *  @returns the first of the nearest candidates, or `undefined` if none is near enough */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = bare(word)
  let best: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of candidates) {
    const known = bare(candidate)
    if (Math.abs(known.length - wanted.length) >= least) continue
    const apart = distance(wanted, known)
    if (apart < least) [best, least] = [candidate, apart]
  }
  return best
}

/** The end of a message that suggests a similar word, ` did you mean ...?`; empty if none is similar. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates)
  return found === undefined ? '' : `; did you mean \`${found}\`?`
}

const bare = (word: string): string =>
  word
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[-_.\s]/g, '')

/** Damerau-Levenshtein distance in its optimal string alignment form: letters inserted, deleted, replaced, or
 *  swapped with the next one. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(above, j) + 1,
        at(row, j - 1) + 1,
        at(above, j - 1) + (same ? 0 : 1),
        swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, above] = [above, row]
  }
  return at(above, b.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY

/** A budget of comparisons with known words, because each takes some microseconds. */
interface Help {
  left: number
}

/** Returns the `error` option for one zod parse, which words its issues for people. A schema's own message takes
 *  precedence. Several unknown keys get one line each. Only the first wrong words get suggestions. */
export function issueWording(): (issue: z.core.$ZodRawIssue) => string | undefined {
  const help = { left: 100 }
  return (issue) => issueWords(issue, help)
}

/** Describes one problem of a zod schema in plain words. */
export function issueWords(issue: z.core.$ZodRawIssue, help: Help = { left: 20 }): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return missing(issue) ?? expected([typeName(issue.expected)], [], issue.input, help)
    case 'invalid_value':
      return missing(issue) ?? expected([], issue.values.map(String), issue.input, help)
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, knownKeys(issue.inst), help).join('\n')
    case 'invalid_union':
      return missing(issue) ?? wrongKind(issue.errors.flat(), issue.input, help)
    case 'too_small':
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
    case 'too_big':
      return `${bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}${lengthOf(issue.input)}`
    default:
      return undefined
  }
}

/** Joins words to `a, b or c`. */
export function orList(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

/** Puts a name from outside between backticks, on one line and cut. */
export function ticked(name: string): string {
  return `\`${cut(JSON.stringify(name.slice(0, shownAtMost + 1)).slice(1, -1))}\``
}

/** Formats a value for a message: as JSON; lists and objects by their kind; long texts cut. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  // JSON would print infinite numbers as null.
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return cut(JSON.stringify(value.slice(0, shownAtMost + 1)))
  return value === null ? 'null' : cut(JSON.stringify(value) ?? String(value))
}

const shownAtMost = 60

const cut = (text: string): string =>
  text.length > shownAtMost ? `${text.slice(0, shownAtMost - 1)}…` : text

function missing({ input, path }: z.core.$ZodRawIssue): string | undefined {
  const key = path?.at(-1)
  if (input !== undefined) return undefined
  return typeof key === 'string' ? `${ticked(key)} is missing` : 'is missing'
}

function expected(kinds: readonly string[], words: readonly string[], input: unknown, help: Help): string {
  const wanted = orList([...new Set([...words.map(ticked), ...kinds])])
  const isUnquoted = kinds.includes('text') && (typeof input === 'number' || typeof input === 'boolean')
  const hint = typeof input === 'string' ? meant(input, words, help) : isUnquoted ? '; put it in quotes' : ''
  return `expected ${wanted}, not ${shown(input)}${hint}`
}

/** A message about a value of a kind that no branch of a union accepts. Problems deeper in the value are reported
 *  for the nearest branch. */
function wrongKind(issues: readonly z.core.$ZodIssue[], input: unknown, help: Help): string | undefined {
  const kinds = issues.flatMap((issue) => (issue.code === 'invalid_type' ? [typeName(issue.expected)] : []))
  const words = issues.flatMap((issue) => (issue.code === 'invalid_value' ? issue.values.map(String) : []))
  return kinds.length + words.length === 0 ? undefined : expected(kinds, words, input, help)
}

/** The keys of an object's schema, read from its definition: its class would load all of zod. */
function knownKeys(schema: unknown): string[] {
  const { _zod }: { _zod?: { def: { shape?: object } } } = Object(schema)
  return Object.keys(_zod?.def.shape ?? {})
}

function among(known: readonly string[]): string {
  return known.length > 0 && known.length <= 12 ? `; use one of ${known.join(', ')}` : ''
}

function typeName(type: string): string {
  return typeNames.get(type) ?? type
}

const typeNames = new Map([
  ['string', 'text'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['boolean', '`true` or `false`'],
  ['null', '`null`'],
])

function bound(origin: string, which: string, limit: number | bigint): string {
  const counted = { array: ['entry', 'entries'], string: ['character', 'characters'] } as const
  if (origin !== 'array' && origin !== 'string') return `must be ${which} ${limit}`
  return `must have ${which} ${limit} ${counted[origin][Number(limit) === 1 ? 0 : 1]}`
}

const lengthOf = (input: unknown): string =>
  typeof input === 'string' || Array.isArray(input) ? `; it has ${input.length}` : ''

/** Describes unknown keys: `` unknown key `atr`; did you mean `at`? ``. */
function unknownKeys(keys: readonly string[], known: readonly string[], help: Help): string[] {
  return keys.map((key) => `unknown key ${ticked(key)}${meant(key, known, help) || among(known)}`)
}

function meant(word: string, candidates: readonly string[], help: Help): string {
  if (help.left === 0 || candidates.length === 0) return ''
  help.left -= 1
  return didYouMean(word, candidates)
}

/** Escapes data from outside for a log line: control characters, invisible ones and lone surrogates. No requestId
 *  can break the line or control the terminal. */
export function oneLine(text: string, maxCharacters = 500): string {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
  return cut.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped)
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const short = { 9: '\\t', 10: '\\n', 13: '\\r' }[code]
  return short ?? (code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`)
}
