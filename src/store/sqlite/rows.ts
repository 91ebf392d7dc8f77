import type { Database, RunResult, Statement } from 'better-sqlite3'
import { getTableColumns, getTableName, type InferInsertModel } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { keepingLast } from '../../domain/remembered.ts'

// Drizzle prepares inserts and updates too, but takes their values untyped and spends as long on finding the
// placeholders as SQLite on writing the row.

/** Prepares the insert of whole rows. `seq` is given by SQLite.
 *  @param how `onConflict`: an SQL `on conflict` clause. `always`: what members are in every row; no row has them. `usual`:
 *    see `UsualValues`. `apart`: members that come in an object beside the row: to copy a long row for the sake of a few
 *    takes as long as to read it */
export function inserter<T extends SQLiteTable, Always extends Key<T> = never, Apart extends Key<T> = never>(
  sqlite: Database,
  table: T,
  how?: {
    readonly onConflict?: string
    readonly always?: Required<Pick<UsualValues<T>, Always>>
    readonly usual?: UsualValues<T>
    readonly apart?: readonly Apart[]
  },
): (
  row: Omit<InferInsertModel<T>, Always | Apart>,
  ...beside: [Apart] extends [never] ? [] : [Pick<InferInsertModel<T>, Apart>]
) => RunResult
export function inserter(
  sqlite: Database,
  table: SQLiteTable,
  how: { onConflict?: string; always?: Literals; usual?: Literals; apart?: readonly string[] } = {},
): (row: Row, beside?: Row) => RunResult {
  const { onConflict = '', always = {}, usual = {}, apart = [] } = how
  const columns = columnsBut(table, ['seq'], apart)
  const names = columns.map(({ name }) => `"${name}"`)
  const writeFor = withUsual(columns, { always, usual }, (values) =>
    sqlite.prepare(`insert into "${getTableName(table)}" (${names}) values (${values}) ${onConflict}`),
  )
  return (row, beside = row) => {
    const { statement, valuesOf } = writeFor(row, beside)
    return statement.run(...valuesOf(row, beside))
  }
}

/** Prepares the update of whole rows.
 *  @param fixed members that never change once inserted. Worth naming where an index holds them: SQLite would
 *    write the index anew even for an equal value
 *  @param how `set`: assignments to members that grow and are not written anew, `where`: an SQL condition, with positional
 *    parameters. `usual`: see `UsualValues` */
export function updater<T extends SQLiteTable, Fixed extends Key<T>, Rest extends readonly unknown[]>(
  sqlite: Database,
  table: T,
  fixed: readonly Fixed[],
  how: { readonly set?: string; readonly where: string; readonly usual?: UsualValues<T> },
): (row: Omit<InferInsertModel<T>, Fixed>, ...parameters: Rest) => RunResult
export function updater(
  sqlite: Database,
  table: SQLiteTable,
  fixed: readonly string[],
  { set, where, usual = {} }: { set?: string; where: string; usual?: Literals },
): (row: Row, ...parameters: readonly unknown[]) => RunResult {
  const columns = columnsBut(table, ['seq', ...fixed])
  const writeFor = withUsual(columns, { usual }, (values) => {
    const assignments = columns.map(({ name }, index) => `"${name}" = ${values[index]}`)
    if (set !== undefined) assignments.push(set)
    return sqlite.prepare(`update "${getTableName(table)}" set ${assignments} where ${where}`)
  })
  return (row, ...parameters) => {
    const { statement, valuesOf } = writeFor(row, row)
    return statement.run(...valuesOf(row, row), ...parameters)
  }
}

type Key<T extends SQLiteTable> = Extract<keyof InferInsertModel<T>, string>

/** What members nearly always are, worth naming where many rows are written: to hand a value over takes as long as to
 *  write it, so there is a second statement with these values in its text, for the rows that have them all. */
export type UsualValues<T extends SQLiteTable> = {
  readonly [Member in Key<T>]?: Extract<InferInsertModel<T>[Member], Literal>
}

type Literals = Readonly<Record<string, Literal>>

type Literal = string | number | boolean | null

type Row = Readonly<Record<string, unknown>>

/** A statement, and the values of its first parameters for a row and what stands beside it. */
interface RowWrite {
  readonly statement: Statement
  readonly valuesOf: (row: Row, beside: Row) => unknown[]
}

/** Prepares a statement for every row, and one for those with the usual values. Answers which of them a row takes.
 *  @param prepare `values`: SQL for the value of each column */
function withUsual(
  columns: readonly Column[],
  { always = {}, usual }: { always?: Literals; usual: Literals },
  prepare: (values: readonly string[]) => Statement,
): (row: Row, beside: Row) => RowWrite {
  const rowWrite = (literals: Literals): RowWrite => ({
    statement: prepare(columns.map((column) => literalOf(column, literals) ?? '?')),
    valuesOf: valuesReader(columns.filter(({ key }) => !(key in literals))),
  })
  const every = rowWrite(always)
  const expected = columns.filter(({ key }) => key in usual)
  if (expected.length === 0) return () => every
  const mostly = rowWrite({ ...always, ...usual })
  const conditions = expected.map(
    (column) => `(${placeOf(column)} ?? null) === ${JSON.stringify(usual[column.key])}`,
  )
  const isUsual = rowFunction<boolean>(conditions.join(' && '))
  return (row, beside) => (isUsual(row, beside) ? mostly : every)
}

/** A column: its member in a row, its name, and how a value is written where that is not as it is. */
interface Column {
  readonly key: string
  readonly name: string
  readonly encode: ((value: unknown) => unknown) | null
  /** It comes beside the row. */
  readonly isApart: boolean
}

function columnsBut(table: SQLiteTable, left: readonly string[], apart: readonly string[] = []): Column[] {
  return Object.entries(getTableColumns(table))
    .filter(([key]) => !left.includes(key))
    .map(([key, column]) => ({
      key,
      name: column.name,
      encode: encoderOf(column),
      isApart: apart.includes(key),
    }))
}

function encoderOf(column: SQLiteColumn): Column['encode'] {
  if (column.dataType === 'string' || column.dataType === 'number') return null
  // Many orders in a row have the same terms and the same beginning.
  if (column.dataType === 'json') return keepingLast((value) => JSON.stringify(value))
  return (value) => column.mapToDriverValue(value)
}

/** Where a function of rows finds a member. */
const placeOf = ({ key, isApart }: Column): string => `${isApart ? 'beside' : 'row'}.${key}`

function valuesReader(columns: readonly Column[]): RowWrite['valuesOf'] {
  const values = columns.map((column, index) =>
    column.encode === null ? `${placeOf(column)} ?? null` : `encoded(${placeOf(column)}, columns[${index}])`,
  )
  return rowFunction(`[${values}]`, columns)
}

/** Makes a function of text, over the members of a `row` and of what stands `beside` it, as the schema names them. V8 has an
 *  inline cache for each place in the source that reads a member. A loop with `row[key]` is one place for members of many
 *  names, too many for its cache; written out, each member has a place of its own, which for a new order and its webhook
 *  takes a microsecond less. Made with the first row, because few starts write any. */
function rowFunction<T>(expression: string, columns: readonly Column[] = []): (row: Row, beside: Row) => T {
  let made: ((row: Row, beside: Row) => T) | undefined
  const make = (): ((row: Row, beside: Row) => T) =>
    new Function('encoded', 'columns', `return (row, beside) => ${expression}`)(encoded, columns)
  return (row, beside) => {
    made ??= make()
    return made(row, beside)
  }
}

function encoded(value: unknown, { encode }: Column): unknown {
  if (value === null || value === undefined) return null
  return encode === null ? value : encode(value)
}

/** A column's value in SQL, if it is one of the literals. */
function literalOf(column: Column, literals: Literals): string | undefined {
  if (!(column.key in literals)) return undefined
  const written = encoded(literals[column.key], column)
  return typeof written === 'string' ? `'${written.replaceAll("'", "''")}'` : String(written)
}
