import * as z from 'zod'
import type { Settings } from '../domain/choices/settings.ts'
import { diagnoseBody } from '../domain/diagnosis/body.ts'
import { explained, type InputProblem } from '../domain/diagnosis/mistake.ts'
import { nearest } from '../domain/text/issue-words.ts'
import { countMembers, doubledMembers } from '../domain/text/json-text.ts'
import { check, type Problem } from '../domain/text/problems.ts'
import { isObject, type JsonObject, parseObject } from '../http/body.ts'
import { doubled } from '../http/request.ts'
import type { Call } from './call.ts'
import { invalid } from './refusal.ts'

/** Maximum number of unknown fields that the request log names; further ones are only counted. */
const noteAtMost = 20

/** Maximum length of a body that is searched for repeated fields. */
const searchedCharacters = 64 * 1024

/** Parses a call's body as a JSON object. Repeated fields are noted: the last one counts.
 *  @throws Refusal (N28) for anything else */
export function readObject({ body, settings, notes, header }: Call, shape: 'object' | 'text'): JsonObject {
  const parsed = parseObject(body)
  if ('value' in parsed) {
    notes.push(...doubledNotes(body.text, parsed.value))
    return parsed.value
  }
  const { problem } = parsed
  const diagnosis = diagnoseBody({
    ...body,
    contentType: header('content-type'),
    problem,
  })
  throw invalid([{ path: ['body'], message: problem }], settings, shape, diagnosis)
}

const doubledNote = (name: string) =>
  `the body has ${JSON.stringify(name)} more than once; the last one counts`

function doubledNotes(text: string, value: JsonObject): string[] {
  if (text.length > searchedCharacters || countMembers(text) === Object.keys(value).length) return []
  const names = [...doubledMembers(text).keys()].slice(0, noteAtMost)
  return names.map(doubledNote)
}

/** Checks a body or query against its schema. Unknown fields are ignored, with a note that suggests the likely field
 *  (N29). */
export function readFields<T extends z.ZodObject>(
  schema: T,
  input: JsonObject,
  context: { settings: Settings; notes: string[] },
): { fields: z.output<T>; problems: InputProblem[] } | { fields: null; problems: InputProblem[] } {
  const unknown = unknownMembers(schema, input)
  context.notes.push(...unknown.slice(0, noteAtMost).map(ignored))
  if (unknown.length > noteAtMost)
    context.notes.push(`${unknown.length - noteAtMost} more unknown fields ignored`)
  const accepted = context.settings['validation.nullOptional'] === 'absent' ? withoutNulls(input) : input
  const result = check(schema, withoutEmpty(schema, accepted))
  if (result.ok) return { fields: result.value, problems: [] }
  const names = unknown.flatMap(({ prefix, key }) => (prefix === '' ? [key] : []))
  return {
    fields: null,
    problems: explained(result.problems, names, (name) => context.notes.includes(doubledNote(name))),
  }
}

interface Unknown {
  readonly prefix: string
  readonly key: string
  readonly known: ReadonlySet<string>
}

function unknownMembers(schema: z.ZodObject, input: JsonObject, prefix = ''): Unknown[] {
  const { names, objects } = membersOf(schema)
  const unknown: Unknown[] = []
  for (const key of Object.keys(input)) {
    if (!names.has(key)) unknown.push({ prefix, key, known: names })
  }
  for (const [key, inner] of objects) {
    const value = input[key]
    if (isObject(value)) unknown.push(...unknownMembers(inner, value, `${prefix}${key}.`))
  }
  return unknown
}

/** Removes empty optional texts, also in nested objects: they count as absent (N31). */
function withoutEmpty(schema: z.ZodObject, input: JsonObject): JsonObject {
  const { optionalTexts, objects } = membersOf(schema)
  let kept = input
  for (const key of optionalTexts) if (input[key] === '') kept = { ...kept, [key]: undefined }
  for (const [key, inner] of objects) {
    const value = input[key]
    if (!isObject(value)) continue
    const without = withoutEmpty(inner, value)
    // Usually nothing is removed, and copying a body costs more than checking it.
    if (without !== value) kept = { ...kept, [key]: without }
  }
  return kept
}

interface Members {
  readonly names: ReadonlySet<string>
  readonly optionalTexts: readonly string[]
  /** Fields that are objects with a schema of their own. */
  readonly objects: readonly (readonly [string, z.ZodObject])[]
}

/** Cached for each schema, because every request needs its fields. */
const known = new WeakMap<z.ZodObject, Members>()

function membersOf(schema: z.ZodObject): Members {
  const before = known.get(schema)
  if (before !== undefined) return before
  const optionalTexts: string[] = []
  const objects: (readonly [string, z.ZodObject])[] = []
  for (const [key, member] of Object.entries(schema.shape)) {
    const inner = member instanceof z.ZodOptional ? member.unwrap() : member
    if (inner instanceof z.ZodObject) objects.push([key, inner])
    else if (inner !== member && (inner instanceof z.ZodString || inner instanceof z.ZodEnum))
      optionalTexts.push(key)
  }
  const members = { names: new Set(Object.keys(schema.shape)), optionalTexts, objects }
  known.set(schema, members)
  return members
}

function ignored({ prefix, key, known }: Unknown): string {
  const near = nearest(key, known)
  return `unknown field "${prefix}${key}" ignored${near === undefined ? '' : `; did you mean "${prefix}${near}"?`}`
}

/** Parses a query text; a repeated parameter is a problem (N64d). */
export function readQuery(text: string): { input: JsonObject; problems: Problem[] } {
  const query = new URLSearchParams(text)
  const problems = doubled(query).map((name) => ({ path: [name], message: 'is in the query more than once' }))
  return { input: Object.fromEntries(query), problems }
}

/** Removes null fields, also in nested objects: they count as absent. `metadata` is free and not searched (N31). */
function withoutNulls(input: JsonObject): JsonObject {
  const entries = Object.entries(input).filter(([, value]) => value !== null)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key !== 'metadata' && isObject(value) ? withoutNulls(value) : value]),
  )
}
