import type { Database, RunResult } from 'better-sqlite3'
import { type GetColumnData, getTableColumns, getTableName, type InferInsertModel } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

// Whole rows, by the columns of the schema. Drizzle's prepared inserts write the null of a JSON column as the text
// `null`, and an unprepared insert takes longer to build than to run.

/** The columns of a table, by their names in objects. */
export type Columns = Readonly<Record<string, SQLiteColumn>>

export type RowOf<C extends Columns> = { [Member in keyof C]: GetColumnData<C[Member]> }

/** Reads rows of a statement.
 *  @param values the parameters: in order, or as an object */
export type Rows<Row> = (...values: unknown[]) => Row[]

/** Prepares selects of some columns of a table; the argument is the SQL after the table's name.
 *  @param source SQL of a subquery with the same columns, to select from instead */
export function selector<C extends Columns>(
  sqlite: Database,
  columns: C,
  source?: string,
): (rest: string) => Rows<RowOf<C>>
export function selector(sqlite: Database, columns: Columns, source?: string) {
  const members = Object.entries(columns)
  const names = members.map(([, { name }]) => `"${name}"`)
  const [table] = new Set(members.map(([, column]) => getTableName(column.table)))
  const read = reader(members)
  return (rest: string) => {
    const statement = sqlite
      .prepare<unknown[], unknown[]>(`select ${names} from ${source ?? `"${table}"`} ${rest}`)
      .raw()
    return (...values: unknown[]) => statement.all(...values).map(read)
  }
}

/** Converts a row. Most columns need no conversion. */
function reader(members: readonly Member[]): (values: readonly unknown[]) => Row {
  const encoded = members.filter(([, { dataType }]) => dataType === 'json' || dataType === 'boolean')
  const names = members.map(([name]) => name)
  return (values) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < names.length; index++) row[names[index] ?? ''] = values[index]
    for (const [name, column] of encoded)
      if (row[name] !== null) row[name] = column.mapFromDriverValue(row[name])
    return row
  }
}

/** Inserts a row. SQLite assigns the `seq` if it is missing. */
export type Insert = <T extends SQLiteTable>(table: T, row: InferInsertModel<T>) => RunResult

/** Prepares the insert of each table when it is first needed. */
export function inserting(sqlite: Database): Insert {
  const inserterOf = remembered((table: SQLiteTable) => inserter(sqlite, table))
  return (table, row) => inserterOf(table)(row)
}

function inserter(sqlite: Database, table: SQLiteTable): (row: Row) => RunResult {
  const members = membersBut(table, [])
  const names = members.map(([, { name }]) => `"${name}"`)
  const statement = sqlite.prepare(
    `insert into "${getTableName(table)}" (${names}) values (${members.map(() => '?')})`,
  )
  return (row) => statement.run(valuesOf(members, row))
}

/** Caches values by key.
 *  @param most the number of values at which the cache is emptied */
export function remembered<Key, Thing>(
  make: (key: Key) => Thing,
  most = Number.POSITIVE_INFINITY,
): (key: Key) => Thing {
  const known = new Map<Key, Thing>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= most) known.clear()
    const made = make(key)
    known.set(key, made)
    return made
  }
}

type Member = readonly [name: string, column: SQLiteColumn]

type Row = Readonly<Record<string, unknown>>

/** Returns the columns of a table without some fields. */
export function membersBut(table: SQLiteTable, left: readonly string[]): Member[] {
  return Object.entries(getTableColumns(table)).filter(([name]) => !left.includes(name))
}

/** The values of these columns, as better-sqlite3 takes them. */
export function valuesOf(members: readonly Member[], row: Row): unknown[] {
  return members.map(([name, column]) => {
    const value = row[name] ?? null
    return value === null ? null : column.mapToDriverValue(value)
  })
}

/** SQL of a list of any length, passed as one parameter of JSON text. */
export const eachOf = (parameter: string): string => `(select value from json_each(+:${parameter}))`

/** SQL of filters that match everything if they are null. */
export const ofIdAndClient =
  'where (:id is null or id = :id) and (:clientId is null or client_id = :clientId)'
