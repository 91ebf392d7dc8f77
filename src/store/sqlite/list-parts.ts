import { getTableName } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Connection } from './connection.ts'

/** So many orders or deliveries, in a few milliseconds. */
export const lookedAtOnce = 5_000

/** The stretch of a list that one read may look at. */
export interface Part {
  /** The `seq` behind which it begins. */
  readonly start: number
  /** The `seq` with which it ends. */
  readonly end: number
  /** Whether the list ends within it. */
  readonly isLast: boolean
}

/** Finds the part that comes behind a `seq`, or the first for null: all that is left, or with `looks`, when each thing
 *  has to be looked at, so much that nobody else waits for long. */
export function partFinder(
  { sqlite }: Connection,
  { seq, part: length }: { readonly seq: SQLiteColumn; readonly part?: number },
): (behind: number | null, newestFirst: boolean, looks: boolean) => Part {
  const table = getTableName(seq.table)
  // Each on its own is a look at one end of the table; asked for together, SQLite would go through all of it.
  const ends = sqlite.prepare<[], { first: number | null; last: number | null }>(
    `select (select min(seq) from ${table}) as first, (select max(seq) from ${table}) as last`,
  )
  return (behind, newestFirst, looks) => {
    if (length === undefined || !looks) {
      const [start, end] = newestFirst ? [Number.MAX_SAFE_INTEGER, 0] : [0, Number.MAX_SAFE_INTEGER]
      return { start: behind ?? start, end, isLast: true }
    }
    const { first, last } = ends.get() ?? { first: null, last: null }
    if (newestFirst) {
      const start = Math.min(behind ?? Number.MAX_SAFE_INTEGER, (last ?? 0) + 1)
      const end = start - length
      return { start, end, isLast: end <= (first ?? 0) }
    }
    const start = Math.max(behind ?? 0, (first ?? 1) - 1)
    const end = start + length
    return { start, end, isLast: end >= (last ?? 0) }
  }
}
