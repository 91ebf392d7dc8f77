/** Where an object from JSON has the name `__proto__`, if any does: zod ignores it, and whoever sent it would be told
 *  that all is well. */
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

/** Message for such a name. */
export const protoRefused = 'no field can have this name'
