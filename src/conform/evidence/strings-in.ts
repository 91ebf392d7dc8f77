import { jsonIn } from '../application/json-pointer.ts'

/** Every text within a JSON value, however deep: names of members, too, and what is JSON itself within a text. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...within(value)]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)])
}

function within(text: string): string[] {
  const value = jsonIn(text)
  return typeof value === 'object' || typeof value === 'string' ? stringsIn(value) : []
}
