import type * as z from 'zod'

/** Finds a field named `__proto__` in parsed JSON. zod ignores such a field silently, so its sender would believe
 *  that it has an effect. */
export function protoMember(
  value: unknown,
  path: readonly (string | number)[] = [],
): readonly (string | number)[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(key) : key]
    const found = key === '__proto__' ? here : protoMember(inner, here)
    if (found !== undefined) return found
  }
  return undefined
}

/** The message for the field name `__proto__`. */
export const protoRefused = 'no field can have this name'

/** Copies the named fields of an object. */
export function picked<From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): Pick<From, Name>
export function picked(from: object, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(from, name)]))
}

/** Whether a value is an object with fields, not a list. */
export function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Applies a merge patch to a JSON text (RFC 7396): fields replace or add, objects are merged, null removes a field.
 *  A value that is no object is replaced by an object. */
export function mergePatch(text: string, patch: JsonMembers): string {
  const target: JsonValue = JSON.parse(text)
  return JSON.stringify(merged(target, patch))
}

/** Any JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonMembers

/** A JSON object, with fields of any kind. */
export interface JsonMembers {
  readonly [name: string]: JsonValue
}

function merged(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isMembers(patch)) return patch
  const members = new Map(isMembers(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name)
    else members.set(name, merged(members.get(name), value))
  }
  return Object.fromEntries(members)
}

function isMembers(value: JsonValue | undefined): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The output type of a schema, made read-only. */
export type Plain<Schema extends z.ZodType> = ReadonlyAll<z.output<Schema>>
type ReadonlyAll<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyAll<Item>[]
  : T extends object
    ? {
        readonly [Name in keyof T]: ReadonlyAll<T[Name]>
      }
    : T

/** The intersection of all types of a union. */
export type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer Sum,
) => void
  ? Sum
  : never
