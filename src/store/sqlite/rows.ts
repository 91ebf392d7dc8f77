import type { Database, RunResult } from 'better-sqlite3'
import { getTableColumns, getTableName, type InferInsertModel } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

// Drizzle prepares inserts and updates too, but takes their values untyped and spends as long on finding the
// placeholders as SQLite on writing the row.

/** Prepares the insert of whole rows. `seq` is given by SQLite.
 *  @param how `onConflict`: an SQL `on conflict` clause. `seldom`: members that are nearly always null, worth naming
 *    where many rows are inserted. A null takes longer to hand over than any other value, so there is a statement that
 *    leaves them out */
export function inserter<T extends SQLiteTable>(
  sqlite: Database,
  table: T,
  how?: { readonly onConflict?: string; readonly seldom?: readonly NullableMember<T>[] },
): (row: InferInsertModel<T>) => RunResult
export function inserter(
  sqlite: Database,
  table: SQLiteTable,
  { onConflict = '', seldom = [] }: { onConflict?: string; seldom?: readonly string[] } = {},
): (row: Row) => RunResult {
  const insertBut = (left: readonly string[]) => {
    const columns = columnsBut(table, ['seq', ...left])
    const names = columns.map(({ name }) => `"${name}"`)
    const statement = sqlite.prepare(
      `insert into "${getTableName(table)}" (${names}) values (${names.map(() => '?')}) ${onConflict}`,
    )
    return (row: Row) => statement.run(...valuesOf(row, columns))
  }
  const insert = insertBut([])
  if (seldom.length === 0) return insert
  const insertUsual = insertBut(seldom)
  return (row) => (seldom.every((member) => (row[member] ?? null) === null) ? insertUsual(row) : insert(row))
}

/** The members of a row that may be null. */
type NullableMember<T extends SQLiteTable> = {
  [Key in Extract<keyof InferInsertModel<T>, string>]: null extends InferInsertModel<T>[Key] ? Key : never
}[Extract<keyof InferInsertModel<T>, string>]

/** Prepares the update of whole rows.
 *  @param fixed members that never change once inserted. Worth naming where an index holds them: SQLite would
 *    write the index anew even for an equal value
 *  @param rest the end of the statement, with positional parameters: an SQL condition, and before it assignments to
 *    members that grow and are not written anew */
export function updater<T extends SQLiteTable, Rest extends readonly unknown[]>(
  sqlite: Database,
  table: T,
  fixed: readonly Extract<keyof InferInsertModel<T>, string>[],
  rest: { readonly set?: string; readonly where: string },
): (row: InferInsertModel<T>, ...parameters: Rest) => RunResult
export function updater(
  sqlite: Database,
  table: SQLiteTable,
  fixed: readonly string[],
  { set, where }: { set?: string; where: string },
): (row: Row, ...parameters: readonly unknown[]) => RunResult {
  const columns = columnsBut(table, ['seq', ...fixed])
  const assignments = columns.map(({ name }) => `"${name}" = ?`)
  if (set !== undefined) assignments.push(set)
  const statement = sqlite.prepare(`update "${getTableName(table)}" set ${assignments} where ${where}`)
  return (row, ...parameters) => statement.run(...valuesOf(row, columns), ...parameters)
}

type Row = Readonly<Record<string, unknown>>

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

function valuesOf(row: Row, columns: readonly Column[]): unknown[] {
  return columns.map(({ key, encode }) => {
    const value = row[key] ?? null
    return value === null || encode === null ? value : encode(value)
  })
}
