import type { Database, RunResult } from 'better-sqlite3'
import { getTableColumns, getTableName, type InferInsertModel } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

// Rows that nearly every request writes bypass drizzle: its prepared inserts write the null of a JSON column as the text
// `null`, and an insert that is not prepared takes longer to build than to run.

/** Prepares the insert of whole rows. SQLite gives the `seq`. */
export function inserter<T extends SQLiteTable>(
  sqlite: Database,
  table: T,
): (row: InferInsertModel<T>) => RunResult
export function inserter(sqlite: Database, table: SQLiteTable): (row: Row) => RunResult {
  const columns = columnsBut(table, ['seq'])
  const names = columns.map(([, { name }]) => `"${name}"`)
  const statement = sqlite.prepare(
    `insert into "${getTableName(table)}" (${names}) values (${columns.map(() => '?')})`,
  )
  return (row) => statement.run(valuesOf(columns, row))
}

type Column = readonly [member: string, column: SQLiteColumn]

type Row = Readonly<Record<string, unknown>>

/** The columns of a table, without those of some members. */
export function columnsBut(table: SQLiteTable, left: readonly string[]): Column[] {
  return Object.entries(getTableColumns(table)).filter(([member]) => !left.includes(member))
}

/** What a row has in these columns, as better-sqlite3 takes it. */
export function valuesOf(columns: readonly Column[], row: Row): unknown[] {
  return columns.map(([member, column]) => {
    const value = row[member] ?? null
    return value === null ? null : column.mapToDriverValue(value)
  })
}
