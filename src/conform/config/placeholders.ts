import { nearest } from '../../domain/nearest.ts'

/** Every `{name}` in a text, or in the texts of a value. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(placeholder)].map(([, name = '']) => name)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(placeholdersIn)
}

/** Puts values in the place of their `{name}` in all texts of a value; leaves other names as they are.
 *  @param encode what is done to each value first */
export function filled(
  value: unknown,
  values: Readonly<Record<string, string>>,
  encode: (text: string) => string = (text) => text,
): unknown {
  if (typeof value === 'string')
    return value.replaceAll(placeholder, (whole, name: string) =>
      Object.hasOwn(values, name) ? encode(values[name] ?? '') : whole,
    )
  if (Array.isArray(value)) return value.map((member) => filled(member, values, encode))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, filled(member, values, encode)]),
  )
}

/** What is wrong with the placeholders of a text: in a URL none can be meant that there is not, elsewhere braces may be
 *  just braces.
 *  @returns null if nothing is */
export function strayPlaceholder(
  text: unknown,
  known: readonly string[],
  where: 'url' | 'text',
): string | null {
  const stray = placeholdersIn(text).find((name) => !known.includes(name))
  if (stray === undefined) return null
  const meant = nearest(stray, known)
  if (meant === undefined && where === 'text') return null
  const hint = meant === undefined ? '' : `; did you mean {${meant}}?`
  const list =
    known.length === 0
      ? 'there are no placeholders here'
      : `use ${known.map((name) => `{${name}}`).join(', ')}`
  return `unknown placeholder {${stray}}${hint || `; ${list}`}`
}

const placeholder = /(?<!\$)\{(\w+)\}/g
