import type { Database } from 'better-sqlite3'

/** A table as its database describes it. Names come from there, never from a snapshot. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly references: readonly Reference[]
}

export interface Column {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
}

/** A column whose values are those of a column of another table. */
interface Reference {
  readonly column: string
  readonly table: string
  readonly to: string
}

/** The tables of a database, each after those that it refers to. */
export function tablesOf(sqlite: Database): Table[] {
  const names = sqlite
    .prepare<[], string>(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`)
    .pluck()
    .all()
  return parentsFirst(names.map((name) => tableIn(sqlite, name)))
}

function tableIn(sqlite: Database, name: string): Table {
  const columns = sqlite
    .prepare<[string], Column>(
      `select name, type, "notnull" = 0 and pk = 0 as nullable from pragma_table_info(?) order by cid`,
    )
    .all(name)
  const references = sqlite
    .prepare<[string], Reference>(`select "from" as "column", "table", "to" from pragma_foreign_key_list(?)`)
    .all(name)
  return { name, columns, references }
}

function parentsFirst(tables: readonly Table[]): Table[] {
  const sorted = new Set<Table>()
  const add = (table: Table) => {
    for (const { table: parent } of table.references) {
      const found = tables.find(({ name }) => name === parent)
      if (found !== undefined && found !== table) add(found)
    }
    sorted.add(table)
  }
  for (const table of tables) add(table)
  return [...sorted]
}

/** Which rows of a table are part of a snapshot, as an SQL condition with the parameter `clientId`. Of one client it is
 *  what bears its name or belongs to what does. Of the scenario versions it is those that orders follow. */
export function partOf(
  { name, columns, references }: Table,
  tables: readonly Table[],
  ofOne: boolean,
): string {
  const mine = ofOne ? 'client_id = :clientId' : '1'
  if (name === 'scenario_versions') return `version in (select scenario_version from orders where ${mine})`
  if (!ofOne || columns.some((column) => column.name === 'client_id')) return mine
  const owners = references.flatMap(({ column, table, to }) => {
    const owner = tables.find((each) => each.name === table)
    const isOwned = owner?.columns.some((each) => each.name === 'client_id')
    return isOwned ? [`"${column}" in (select "${to}" from "${table}" where ${mine})`] : []
  })
  return owners[0] ?? '0'
}

/** The names of columns, as SQL. */
export const quoted = (columns: readonly Column[]): string =>
  columns.map(({ name }) => `"${name}"`).join(', ')
