import { z } from 'zod'
import type { Settings } from '../domain/choices.ts'
import { nearest } from '../domain/nearest.ts'
import { check, type Problem } from '../domain/problems.ts'
import { type Body, isObject, type JsonObject, parseObject } from '../http/body.ts'
import { doubled } from '../http/query.ts'
import { invalid } from './refusal.ts'

/** Unknown members beyond this many are only counted in the journal. */
const noteAtMost = 20

/** A body as a JSON object. @throws Refusal (N28) for anything else */
export function readObject(body: Body, settings: Settings, shape: 'object' | 'text'): JsonObject {
  const parsed = parseObject(body)
  if ('value' in parsed) return parsed.value
  throw invalid([{ path: ['body'], message: parsed.problem }], settings, shape)
}

/** Checks a body or query against its schema. Members the document does not know are ignored, with a note that
 *  names the one that was probably meant (N29). */
export function readFields<T extends z.ZodObject>(
  schema: T,
  input: JsonObject,
  around: { settings: Settings; notes: string[] },
): { fields: z.output<T>; problems: Problem[] } | { fields: null; problems: Problem[] } {
  const unknown = unknownMembers(schema, input)
  around.notes.push(...unknown.slice(0, noteAtMost).map(ignored))
  if (unknown.length > noteAtMost)
    around.notes.push(`${unknown.length - noteAtMost} more unknown fields ignored`)
  const accepted = around.settings['validation.nullOptional'] === 'absent' ? withoutNulls(input) : input
  const result = check(schema, accepted)
  return result.ok ? { fields: result.value, problems: [] } : { fields: null, problems: result.problems }
}

/** A member that the schema does not have, and those it has in that place. */
interface Unknown {
  readonly prefix: string
  readonly key: string
  readonly known: readonly string[]
}

/** The members, of nested objects too, that a schema does not have. */
function unknownMembers(schema: z.ZodObject, input: JsonObject, prefix = ''): Unknown[] {
  const known = Object.keys(schema.shape)
  const unknown = Object.keys(input)
    .filter((key) => !Object.hasOwn(schema.shape, key))
    .map((key) => ({ prefix, key, known }))
  const nested = Object.entries(schema.shape).flatMap(([key, member]) => {
    const inner = member instanceof z.ZodOptional ? member.unwrap() : member
    const value = input[key]
    if (!(inner instanceof z.ZodObject) || !isObject(value)) return []
    return unknownMembers(inner, value, `${prefix}${key}.`)
  })
  return [...unknown, ...nested]
}

function ignored({ prefix, key, known }: Unknown): string {
  const near = nearest(key, known)
  return `unknown field "${prefix}${key}" ignored${near === undefined ? '' : `; did you mean "${prefix}${near}"?`}`
}

/** A query as an object; a parameter given twice is a problem (N64d). */
export function readQuery(query: URLSearchParams): { input: JsonObject; problems: Problem[] } {
  return {
    input: Object.fromEntries(query),
    problems: doubled(query).map((name) => ({ path: [name], message: 'is given more than once' })),
  }
}

/** Null members count as absent, in nested objects too; but `metadata` is free, and not looked into (N31). */
function withoutNulls(input: JsonObject): JsonObject {
  const entries = Object.entries(input).filter(([, value]) => value !== null)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key !== 'metadata' && isObject(value) ? withoutNulls(value) : value]),
  )
}
