import { EmulatorError } from '../domain/text/errors.ts'
import type { ListQuery, Page } from '../store/store.ts'
import { turns } from '../time/timers.ts'

/** The number of items that are read from the store at a time. */
const fewItems = 20
/** Characters after which a page ends: an order may have a megabyte of metadata, and the length of a string is
 *  limited. */
const longPage = 4 * 1024 * 1024

/** Reads a page of a list as JSON text. A page with large items ends early, with `next`.
 *  @param list reads items from the store
 *  @param present converts each item to JSON */
export async function listPage<T>(
  query: ListQuery,
  list: (query: ListQuery) => Promise<Page<T>>,
  present: (items: readonly T[]) => Promise<readonly string[]>,
): Promise<string> {
  const texts: string[] = []
  let characters = 0
  let { cursor } = query
  const turn = turns()
  for (;;) {
    const limit = Math.min(fewItems, query.limit - texts.length)
    const { items, next } = await list({ ...query, cursor, limit })
    for (const text of await present(items)) {
      texts.push(text)
      characters += text.length
    }
    if (next === null || texts.length >= query.limit || characters > longPage)
      return `{"items":[${texts.join(',')}],"next":${JSON.stringify(next)}}`
    cursor = next
    await turn()
  }
}

/** A page of a list in memory. A cursor is the name of the previous page's last item.
 *  @throws bad_cursor, also if that item no longer exists */
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
