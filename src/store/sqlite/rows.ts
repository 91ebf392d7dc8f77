import type { Database, RunResult } from 'better-sqlite3'
import { getTableColumns, getTableName, type InferInsertModel } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

// Drizzle prepares inserts and updates too, but takes their values untyped and spends as long on finding the
// placeholders as SQLite on writing the row.

/** Prepares the insert of whole rows. `seq` is given by SQLite.
 *  @param onConflict an SQL `on conflict` clause */
export function inserter<T extends SQLiteTable>(
  sqlite: Database,
  table: T,
  onConflict?: string,
): (row: InferInsertModel<T>) => RunResult
export function inserter(
  sqlite: Database,
  table: SQLiteTable,
  onConflict = '',
): (row: Readonly<Record<string, unknown>>) => RunResult {
  const columns = columnsBut(table, ['seq'])
  const names = columns.map(({ name }) => `"${name}"`)
  const statement = sqlite.prepare(
    `insert into "${getTableName(table)}" (${names}) values (${names.map(() => '?')}) ${onConflict}`,
  )
  return (row) => statement.run(...valuesOf(row, columns))
}

/** Prepares the update of whole rows.
 *  @param fixed members that never change once inserted. Worth naming where an index holds them: SQLite would
 *    write the index anew even for an equal value
 *  @param where an SQL condition with positional parameters */
export function updater<T extends SQLiteTable, Where extends readonly unknown[]>(
  sqlite: Database,
  table: T,
  fixed: readonly Extract<keyof InferInsertModel<T>, string>[],
  where: string,
): (row: InferInsertModel<T>, ...parameters: Where) => RunResult
export function updater(
  sqlite: Database,
  table: SQLiteTable,
  fixed: readonly string[],
  where: string,
): (row: Readonly<Record<string, unknown>>, ...parameters: readonly unknown[]) => RunResult {
  const columns = columnsBut(table, ['seq', ...fixed])
  const assignments = columns.map(({ name }) => `"${name}" = ?`)
  const statement = sqlite.prepare(`update "${getTableName(table)}" set ${assignments} where ${where}`)
  return (row, ...parameters) => statement.run(...valuesOf(row, columns), ...parameters)
}

/** A column: its member in a row, its name, and how a value is written where that is not as it is. */
interface Column {
  readonly key: string
  readonly name: string
  readonly encode: ((value: unknown) => unknown) | null
}

function columnsBut(table: SQLiteTable, left: readonly string[]): Column[] {
  return Object.entries(getTableColumns(table))
    .filter(([key]) => !left.includes(key))
    .map(([key, column]) => ({ key, name: column.name, encode: encoderOf(column) }))
}

function encoderOf(column: SQLiteColumn): Column['encode'] {
  if (column.dataType === 'string' || column.dataType === 'number') return null
  if (column.dataType === 'json') return JSON.stringify
  return (value) => column.mapToDriverValue(value)
}

function valuesOf(row: Readonly<Record<string, unknown>>, columns: readonly Column[]): unknown[] {
  return columns.map(({ key, encode }) => {
    const value = row[key] ?? null
    return value === null || encode === null ? value : encode(value)
  })
}
