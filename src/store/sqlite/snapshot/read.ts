import Sqlite, { type Database } from 'better-sqlite3'
import { EmulatorError } from '../../../domain/errors.ts'
import { nearest } from '../../../domain/nearest.ts'
import type { GivenSnapshot, ReadSnapshot, SnapshotTable } from '../../snapshot.ts'
import type { Store } from '../../store.ts'
import type { Connection } from '../connection.ts'
import { migrate, schemaVersion } from '../migrate.ts'
import { hasCode, isSqliteError } from '../sqlite-errors.ts'
import { cellProblem, checkValues, contentsOf } from './check.ts'
import { quoted, type Table, tablesOf } from './tables.ts'
import { snapshotWriter } from './write.ts'

/** Rows that are taken in without serving requests in between. */
const rowsAtOnce = 500

/** Reads snapshots: into a database of its own, in memory, which is looked through before anything of it is written. */
export function snapshotReader(connection: Connection): Pick<Store, 'readSnapshot'> {
  const writer = snapshotWriter(connection)
  return {
    readSnapshot: async (given) => {
      const draft = new Sqlite(':memory:')
      try {
        await fill(draft, given)
        return readSnapshot(draft, writer)
      } catch (error) {
        draft.close()
        throw isSqliteError(error) ? invalid(`${error}`) : error
      }
    },
  }
}

async function fill(draft: Database, { schema, version, tables }: GivenSnapshot): Promise<void> {
  if (schema < schemaVersion)
    throw invalid(
      `it has schema ${schema} of an earlier version, but this program reads only ${schemaVersion}`,
    )
  if (schema > schemaVersion) {
    const params = { version, schema: `${schema}`, known: `${schemaVersion}` }
    throw new EmulatorError('snapshot_newer', params)
  }
  migrate(draft)
  // `refuseOrphans` names the row that refers to nothing.
  draft.pragma('foreign_keys = off')
  draft.pragma('synchronous = off')
  const own = tablesOf(draft)
  refuseUnknown(Object.keys(tables), own, 'tables')
  draft.exec('begin')
  for (const table of own) {
    const given = Object.hasOwn(tables, table.name) ? tables[table.name] : undefined
    if (given === undefined) throw invalid(`tables: "${table.name}" is missing`)
    await takeIn(draft, table, given)
  }
  draft.exec('commit')
  refuseOrphans(draft)
  await checkValues(draft)
}

/** Rows of one table. */
async function takeIn(draft: Database, table: Table, { columns, rows }: SnapshotTable): Promise<void> {
  const place = `tables.${table.name}`
  refuseUnknown(columns, table.columns, `${place}.columns`)
  const taken = columns.flatMap((name) => table.columns.find((column) => column.name === name) ?? [])
  const missing = table.columns.find((column) => !taken.includes(column))
  if (missing !== undefined) throw invalid(`${place}.columns: "${missing.name}" is missing`)
  if (new Set(columns).size < columns.length) throw invalid(`${place}.columns: a column is named twice`)
  const insert = draft.prepare(
    `insert into "${table.name}" (${quoted(taken)}) values (${taken.map(() => '?')})`,
  )
  for (const [index, row] of rows.entries()) {
    const problem = rowProblem(row, taken)
    if (problem !== undefined) throw invalid(`${place}.rows[${index}]: ${problem}`)
    try {
      insert.run(row)
    } catch (error) {
      throw hasCode(error, 'SQLITE_CONSTRAINT') ? invalid(`${place}.rows[${index}]: ${error}`) : error
    }
    if (index % rowsAtOnce === rowsAtOnce - 1) await new Promise((resolve) => setImmediate(resolve))
  }
}

function rowProblem(row: unknown, columns: Table['columns']): string | undefined {
  if (!Array.isArray(row)) return 'must be a list of values'
  if (row.length !== columns.length)
    return `has ${row.length} values, but there are ${columns.length} columns`
  for (const [index, column] of columns.entries()) {
    const problem = cellProblem(row[index], column)
    if (problem !== undefined) return `${column.name}: ${problem}`
  }
  return undefined
}

function refuseUnknown(
  names: readonly string[],
  known: readonly { readonly name: string }[],
  place: string,
): void {
  const knownNames = known.map(({ name }) => name)
  const unknown = names.find((name) => !knownNames.includes(name))
  if (unknown === undefined) return
  const near = nearest(unknown, knownNames)
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  throw invalid(`${place}: ${JSON.stringify(unknown.slice(0, 100))} is not in this schema${hint}`)
}

function refuseOrphans(draft: Database): void {
  const [orphan] = draft
    .prepare<[], { table: string; parent: string; row: number }>(
      `select "table", parent, rowid as row from pragma_foreign_key_check limit 1`,
    )
    .all()
  if (orphan === undefined) return
  throw invalid(`tables.${orphan.table}: row ${orphan.row} refers to ${orphan.parent} that are missing`)
}

function readSnapshot(draft: Database, { write, rehearse }: ReturnType<typeof snapshotWriter>): ReadSnapshot {
  return {
    ...contentsOf(draft),
    rehearse: (clientId) => rehearse(draft, clientId),
    write: (wallNow, clientId) => write(draft, wallNow, clientId),
    close: () => draft.close(),
  }
}

const invalid = (problem: string) => new EmulatorError('snapshot_invalid', { problem })
