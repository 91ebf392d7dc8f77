import { type SQL, sql } from 'drizzle-orm'
import { p } from './parameter.ts'

/** A list of any length as one parameter, for `in`: the parameter is its JSON text. */
export function jsonList(name: string): SQL {
  return sql`(select value from json_each(${p(name)}))`
}

/** Rows by what they belong to, each group in the order of the rows. */
export function listsBy<Row, Key, T>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  present: (row: Row) => T,
): Map<Key, T[]> {
  const lists = new Map<Key, T[]>()
  for (const row of rows) {
    const list = lists.get(keyOf(row))
    if (list) list.push(present(row))
    else lists.set(keyOf(row), [present(row)])
  }
  return lists
}
