import type { Database } from 'better-sqlite3'
import { is, Placeholder, type Query, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

/** A parameter of a prepared statement. The plus changes nothing of its value, but keeps SQLite from planning for
 *  it: where SQLite looks at a value while it plans, it plans anew for each other one, and that takes ten times as
 *  long as to read an order. */
export const p = (name: string): SQL => sql`+${sql.placeholder(name)}`

/** The last term of an `order by` with the limit behind it, because drizzle's own takes no expression. */
export const limited = (last: SQLiteColumn): SQL => sql`${last} limit ${p('limit')}`

/** How a query of drizzle's is asked past drizzle: gives the values of its parameters in their order, by name. */
function placeholdersIn({
  params,
}: {
  params: readonly unknown[]
}): (values: Readonly<Record<string, unknown>>) => unknown[] {
  const names = params.map((param) => (is(param, Placeholder) ? param.name : ''))
  return (values) => names.map((name) => values[name])
}

/** What `make` makes, when it is first asked for. For queries of drizzle: to build them all takes 13
 *  of a start's first 100 ms, and few starts need many. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Prepares a query that drizzle has built. Drizzle itself takes longer to map a row than SQLite to find it, and its
 *  objects are slow to read. */
export function rowReader<Row>(
  sqlite: Database,
  query: () => { toSQL(): Query },
): (values: Readonly<Record<string, unknown>>) => Row[] {
  const reader = once(() => {
    const built = query().toSQL()
    return { statement: sqlite.prepare<unknown[], Row>(built.sql), valuesOf: placeholdersIn(built) }
  })
  return (values) => reader().statement.all(...reader().valuesOf(values))
}

/** Prepares a query for one number that drizzle has built, past drizzle: what is due next is asked for each webhook. */
export function numberReader(
  sqlite: Database,
  query: () => { toSQL(): Query },
): (values: Readonly<Record<string, unknown>>) => number | null {
  const reader = once(() => {
    const built = query().toSQL()
    const statement = sqlite.prepare<unknown[], number | null>(built.sql).pluck()
    return { statement, valuesOf: placeholdersIn(built) }
  })
  return (values) => reader().statement.get(...reader().valuesOf(values)) ?? null
}
