/** Changes a JSON text by a merge patch (RFC 7396): members replace or add, objects go into objects, null takes a
 *  member away. What is no object is replaced by one. */
export function mergePatch(text: string, patch: JsonMembers): string {
  const target: JsonValue = JSON.parse(text)
  return JSON.stringify(merged(target, patch))
}

type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonMembers

/** The members of a JSON object. */
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
