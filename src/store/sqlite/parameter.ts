import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

/** What `make` makes, when it is first asked for. For queries of drizzle: to build them all takes 13
 *  of a start's first 100 ms, and few starts need many. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** A parameter of a prepared statement. The plus changes nothing of its value, but keeps SQLite from planning for
 *  it: where SQLite looks at a value while it plans, it plans anew for each other one, and that takes ten times as
 *  long as to read an order. */
export const p = (name: string): SQL => sql`+${sql.placeholder(name)}`

/** The last term of an `order by` with the limit behind it, because drizzle's own takes no expression. */
export const limited = (last: SQLiteColumn): SQL => sql`${last} limit ${p('limit')}`

/** A list of any length as one parameter, for `in`: the parameter is its JSON text. */
export const jsonList = (name: string): SQL => sql`(select value from json_each(${p(name)}))`
