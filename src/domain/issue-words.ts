import type { z } from 'zod'
import { didYouMean } from './nearest.ts'

/** Words for people about what zod found wrong; hand it to a parse as its `error`. A message that a schema
 *  brings itself goes before these. For several unknown keys there is one line each, in their order. */
export function issueWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return missing(issue) ?? expected([typeName(issue.expected)], [], issue.input)
    case 'invalid_value':
      return missing(issue) ?? expected([], issue.values.map(String), issue.input)
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, knownKeys(issue.inst)).join('\n')
    case 'invalid_union':
      return missing(issue) ?? wrongKind(issue.errors.flat(), issue.input)
    case 'too_small':
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
    case 'too_big':
      return `${bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}${lengthOf(issue.input)}`
    default:
      return undefined
  }
}

/** `` unknown key `atr`; did you mean `at`? `` */
function unknownKey(key: string, known: readonly string[]): string {
  return `unknown key ${ticked(key)}${didYouMean(key, known) || among(known)}`
}

/** `a, b or c`. */
export function orList(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

/** A name from outside between backticks, on one line and not too long. */
export function ticked(name: string): string {
  return `\`${cut(JSON.stringify(name).slice(1, -1))}\``
}

/** A value as a message shows it: as JSON, lists and objects by their kind, long texts cut. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  // JSON has no word for numbers without end, and would call them null.
  if (typeof value === 'number') return String(value)
  return value === null ? 'null' : cut(JSON.stringify(value) ?? String(value))
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)

function missing({ input, path }: z.core.$ZodRawIssue): string | undefined {
  const key = path?.at(-1)
  if (input !== undefined) return undefined
  return typeof key === 'string' ? `${ticked(key)} is missing` : 'is missing'
}

function expected(kinds: readonly string[], words: readonly string[], input: unknown): string {
  const wanted = orList([...new Set([...words.map(ticked), ...kinds])])
  const isUnquoted = kinds.includes('text') && (typeof input === 'number' || typeof input === 'boolean')
  const hint = typeof input === 'string' ? didYouMean(input, words) : isUnquoted ? '; put it in quotes' : ''
  return `expected ${wanted}, not ${shown(input)}${hint}`
}

/** What none of a union's branches would take at all; deeper problems are told by the branch that comes nearest. */
function wrongKind(issues: readonly z.core.$ZodIssue[], input: unknown): string | undefined {
  const kinds = issues.flatMap((issue) => (issue.code === 'invalid_type' ? [typeName(issue.expected)] : []))
  const words = issues.flatMap((issue) => (issue.code === 'invalid_value' ? issue.values.map(String) : []))
  return kinds.length + words.length === 0 ? undefined : expected(kinds, words, input)
}

/** The keys of an object's schema. By its definition: its class would bring all of zod to whoever needs words. */
function knownKeys(schema: unknown): string[] {
  const { _zod }: { _zod?: { def: { shape?: object } } } = Object(schema)
  return Object.keys(_zod?.def.shape ?? {})
}

function among(known: readonly string[]): string {
  return known.length > 0 && known.length <= 12 ? `; known are ${known.join(', ')}` : ''
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

/** Looking for what was meant takes time; whoever sends more unknown keys than this is helped with the first. */
const helpAtMost = 20

function unknownKeys(keys: readonly string[], known: readonly string[]): string[] {
  return keys.map((key, index) => (index < helpAtMost ? unknownKey(key, known) : `unknown key \`${key}\``))
}
