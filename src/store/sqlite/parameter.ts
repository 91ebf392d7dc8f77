import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

/** Calls `make` when its result is first needed, and keeps that. To build all queries of drizzle would take 13 ms of each
 *  start, and few starts need many. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** A parameter of a prepared statement. The plus leaves the value as it is, but keeps SQLite from planning the
 *  statement again for each value, which takes ten times as long as reading an order. */
export const p = (name: string): SQL => sql`+${sql.placeholder(name)}`

/** The last term of an `order by` with the limit behind it, because drizzle's own takes no expression. */
export const limited = (last: SQLiteColumn): SQL => sql`${last} limit ${p('limit')}`

/** A list of any length as one parameter, for `in`: the parameter is its JSON text. */
export const jsonList = (name: string): SQL => sql`(select value from json_each(${p(name)}))`
