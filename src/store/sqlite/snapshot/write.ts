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
      const shifts = clientId === undefined ? new Map<string, number>() : shiftsIn(sqlite, tables)
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

/** By table, how far its numbers (`seq`) move up so that they come after those that are there, in their old order. */
function shiftsIn(sqlite: Database, tables: readonly Table[]): ReadonlyMap<string, number> {
  const numbered = tables.filter(({ columns }) => columns.some(({ name }) => name === 'seq'))
  return new Map(
    numbered.map(({ name }) => {
      const newest = sqlite.prepare<[], number>(`select coalesce(max(seq), 0) from "${name}"`).pluck()
      return [name, newest.get() ?? 0]
    }),
  )
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
