import type { Database } from 'better-sqlite3'
import { EmulatorError } from '../../../domain/errors.ts'
import type { EpochMs } from '../../../domain/time.ts'
import type { Connection } from '../connection.ts'
import { isTaken } from '../sqlite-errors.ts'
import { clientRemover, recovery } from '../world.ts'
import { partOf, quoted, type Table, tablesOf } from './tables.ts'

/** Puts what a database in memory has, of the same schema, in place of what is here. */
export function snapshotWriter(connection: Connection) {
  const { sqlite, write } = connection
  const remove = clientRemover(connection)
  const recover = recovery(connection)

  return (source: Database, wallNow: EpochMs, clientId: string | undefined): Promise<void> =>
    write(() => {
      const tables = tablesOf(sqlite)
      if (clientId === undefined) for (const table of tables.toReversed()) empty(sqlite, table)
      else remove(clientId)
      const shifts =
        clientId === undefined ? new Map<string, number>() : shiftsIn(source, sqlite, tables, clientId)
      try {
        for (const table of tables) copy(source, sqlite, table, tables, clientId, shifts)
      } catch (error) {
        if (clientId === undefined || !isTaken(error)) throw error
        throw new EmulatorError('snapshot_taken', { clientId })
      }
      // A journal that was cut out of another one, or written by hand, is counted as it is.
      sqlite.exec('update world set kept_requests = (select count(*) from requests)')
      const whose = clientId === undefined ? '' : 'where client_id = :clientId'
      sqlite.prepare(`update clients set clock_anchor_wall = :wallNow ${whose}`).run({ wallNow, clientId })
      recover(clientId)
      connection.replaced += 1
    })
}

/** Scenario versions stay: they are named after their content, and an order that is being made may follow one. */
function empty(sqlite: Database, { name }: Table): void {
  if (name !== 'scenario_versions') sqlite.prepare(`delete from "${name}"`).run()
}

/** By table, how far the numbers (`seq`) of what comes move up, in their old order: not at all where they are free, as
 *  they are if nothing else has been made since, else behind all that are there. */
function shiftsIn(
  from: Database,
  to: Database,
  tables: readonly Table[],
  clientId: string,
): ReadonlyMap<string, number> {
  const numbered = tables.filter(({ columns }) => columns.some(({ name }) => name === 'seq'))
  const shifts = numbered.map((table) => {
    const { name } = table
    const isThere = to.prepare<[number], number>(`select 1 from "${name}" where seq = ?`).pluck()
    const condition = partOf(table, tables, true)
    const coming = from
      .prepare<[object], number>(`select seq from "${name}" where ${condition}`)
      .pluck()
      .iterate(condition.includes(':clientId') ? { clientId } : {})
    for (const seq of coming) {
      if (isThere.get(seq) === undefined) continue
      const newest = to.prepare<[], number>(`select max(seq) from "${name}"`).pluck()
      return [name, newest.get() ?? 0] as const
    }
    return [name, 0] as const
  })
  return new Map(shifts)
}

function copy(
  from: Database,
  to: Database,
  table: Table,
  tables: readonly Table[],
  clientId: string | undefined,
  shifts: ReadonlyMap<string, number>,
): void {
  const { name, columns, references } = table
  const condition = partOf(table, tables, clientId !== undefined)
  const rows = from
    .prepare<[object], unknown[]>(
      `select ${quoted(columns)} from "${name}" where ${condition} order by rowid`,
    )
    .raw()
    .iterate(condition.includes(':clientId') ? { clientId } : {})
  const values = columns.map((column) => {
    const refersTo = references.find((each) => each.column === column.name && each.to === 'seq')
    const shift = shifts.get(column.name === 'seq' ? name : (refersTo?.table ?? '')) ?? 0
    return shift === 0 ? '?' : `? + ${shift}`
  })
  const known = name === 'scenario_versions' ? 'on conflict do nothing' : ''
  const insert = to.prepare(`insert into "${name}" (${quoted(columns)}) values (${values}) ${known}`)
  for (const row of rows) insert.run(row)
}
