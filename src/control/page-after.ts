import { EmulatorError } from '../domain/errors.ts'

/** A page of a list that is kept in memory. Its cursors name the last thing of the page before.
 *  @throws bad_cursor, also when that thing is gone */
export function pageAfter<T>(
  oldestFirst: readonly T[],
  nameOf: (thing: T) => string,
  { cursor, limit = 100, order }: PageQuery,
): { items: T[]; next: string | null } {
  const things = order === 'newest' ? oldestFirst.toReversed() : oldestFirst
  const before = cursor === undefined ? -1 : things.findIndex((thing) => nameOf(thing) === cursor)
  if (cursor !== undefined && before === -1) throw new EmulatorError('bad_cursor', { cursor })
  const items = things.slice(before + 1, before + 1 + limit)
  const last = before + 1 + limit < things.length ? items.at(-1) : undefined
  return { items, next: last === undefined ? null : nameOf(last) }
}

interface PageQuery {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
  readonly order?: 'oldest' | 'newest' | undefined
}
