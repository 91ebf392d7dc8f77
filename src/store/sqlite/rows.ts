import type { Database, RunResult } from 'better-sqlite3'
import { getTableColumns, getTableName, type InferInsertModel } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

// Drizzle prepares inserts and updates too, but takes their values untyped and spends as long on finding the
// placeholders as SQLite on writing the row.

/** Prepares the insert of whole rows. `seq` is given by SQLite.
 *  @param how `onConflict`: an SQL `on conflict` clause. `usual`: see `UsualValues` */
export function inserter<T extends SQLiteTable>(
  sqlite: Database,
  table: T,
  how?: { readonly onConflict?: string; readonly usual?: UsualValues<T> },
): (row: InferInsertModel<T>) => RunResult
export function inserter(
  sqlite: Database,
  table: SQLiteTable,
  { onConflict = '', usual = {} }: { onConflict?: string; usual?: Usual } = {},
): (row: Row) => RunResult {
  const columns = columnsBut(table, ['seq'])
  const names = columns.map(({ name }) => `"${name}"`)
  return withUsual(columns, usual, (values, rest) => {
    const statement = sqlite.prepare(
      `insert into "${getTableName(table)}" (${names}) values (${values}) ${onConflict}`,
    )
    const valuesOf = valuesReader(rest)
    return (row) => statement.run(...valuesOf(row))
  })
}

/** Prepares the update of whole rows.
 *  @param fixed members that never change once inserted. Worth naming where an index holds them: SQLite would
 *    write the index anew even for an equal value
 *  @param how `set`: assignments to members that grow and are not written anew, `where`: an SQL condition, with positional
 *    parameters. `usual`: see `UsualValues` */
export function updater<T extends SQLiteTable, Rest extends readonly unknown[]>(
  sqlite: Database,
  table: T,
  fixed: readonly Extract<keyof InferInsertModel<T>, string>[],
  how: { readonly set?: string; readonly where: string; readonly usual?: UsualValues<T> },
): (row: InferInsertModel<T>, ...parameters: Rest) => RunResult
export function updater(
  sqlite: Database,
  table: SQLiteTable,
  fixed: readonly string[],
  { set, where, usual = {} }: { set?: string; where: string; usual?: Usual },
): (row: Row, ...parameters: readonly unknown[]) => RunResult {
  const columns = columnsBut(table, ['seq', ...fixed])
  return withUsual(columns, usual, (values, rest) => {
    const assignments = columns.map(({ name }, index) => `"${name}" = ${values[index]}`)
    if (set !== undefined) assignments.push(set)
    const statement = sqlite.prepare(`update "${getTableName(table)}" set ${assignments} where ${where}`)
    const valuesOf = valuesReader(rest)
    return (row, ...parameters) => statement.run(...valuesOf(row), ...parameters)
  })
}

/** What members nearly always are, worth naming where many rows are written: to hand a value over takes as long as to
 *  write it, so there is a second statement with these values in its text, for the rows that have them all. */
export type UsualValues<T extends SQLiteTable> = {
  readonly [Key in Extract<keyof InferInsertModel<T>, string>]?: Extract<InferInsertModel<T>[Key], Literal>
}

type Usual = Readonly<Record<string, Literal>>

type Literal = string | number | boolean | null

type Row = Readonly<Record<string, unknown>>

type Run = (row: Row, ...parameters: readonly unknown[]) => RunResult

/** Prepares a statement for every row, and one for those with the usual values.
 *  @param prepare `values`: SQL for the value of each column. `rest`: the columns that are parameters in it */
function withUsual(
  columns: readonly Column[],
  usual: Usual,
  prepare: (values: readonly string[], rest: readonly Column[]) => Run,
): Run {
  const run = prepare(
    columns.map(() => '?'),
    columns,
  )
  const expected = Object.entries(usual)
  if (expected.length === 0) return run
  const runUsual = prepare(
    columns.map((column) => (column.key in usual ? literalOf(usual[column.key], column) : '?')),
    columns.filter(({ key }) => !(key in usual)),
  )
  const conditions = expected.map(([key, value]) => `(row.${key} ?? null) === ${JSON.stringify(value)}`)
  const isUsual = rowFunction<boolean>(conditions.join(' && '))
  return (row, ...parameters) => (isUsual(row) ? runUsual : run)(row, ...parameters)
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

function valuesReader(columns: readonly Column[]): (row: Row) => unknown[] {
  const values = columns.map(({ key, encode }, index) =>
    encode === null ? `row.${key} ?? null` : `encoded(row.${key}, columns[${index}])`,
  )
  return rowFunction(`[${values}]`, columns)
}

/** Makes a function of text, over the members of a `row` as the schema names them. V8 has an inline cache for each place in
 *  the source that reads a member. A loop with `row[key]` is one place for members of many names, too many for its cache;
 *  written out, each member has a place of its own, which for a new order and its webhook takes a microsecond less. Made
 *  with the first row, because few starts write any. */
function rowFunction<T>(expression: string, columns: readonly Column[] = []): (row: Row) => T {
  let made: ((row: Row) => T) | undefined
  const make = (): ((row: Row) => T) =>
    new Function('encoded', 'columns', `return (row) => ${expression}`)(encoded, columns)
  return (row) => {
    made ??= make()
    return made(row)
  }
}

function encoded(value: unknown, { encode }: Column): unknown {
  if (value === null || value === undefined) return null
  return encode === null ? value : encode(value)
}

function literalOf(value: unknown, column: Column): string {
  const written = encoded(value, column)
  return typeof written === 'string' ? `'${written.replaceAll("'", "''")}'` : String(written)
}
