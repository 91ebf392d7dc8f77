import type { Database } from 'better-sqlite3'
import { EmulatorError } from '../../../domain/errors.ts'
import type { EpochMs } from '../../../domain/time.ts'
import type { Connection } from '../connection.ts'
import { isTaken } from '../sqlite-errors.ts'
import { clientRemover, recovery } from '../world.ts'
import { partOf, quoted, type Table, tablesOf } from './tables.ts'

/** Puts what a database in memory has, of the same schema, in place of what is here. */
export function snapshotWriter(connection: Connection): {
  /** Answers the seed that holds. */
  write: (source: Database, wallNow: EpochMs, clientId: string | undefined) => Promise<string>
  /** Writes one client's, and undoes it. @throws snapshot_taken */
  rehearse: (source: Database, clientId: string) => Promise<void>
} {
  const { sqlite, write } = connection
  const remove = clientRemover(connection)
  const recover = recovery(connection)
  const seed = sqlite.prepare<[], string | null>('select seed from world').pluck()
  const keepSeed = sqlite
    .prepare<[string | null | undefined], string>('update world set seed = coalesce(seed, ?) returning seed')
    .pluck()

  // No index sees that a token that was given out to one client is another's own.
  const sharesToken = sqlite
    .prepare<[string, string, string, string], number>(
      `select 1 from tokens join clients on clients.access_token = tokens.token
       where tokens.client_id = ? and clients.client_id <> ?
       union all
       select 1 from clients join tokens on tokens.token = clients.access_token
       where clients.client_id = ? and tokens.client_id <> ?`,
    )
    .pluck()

  const put = (source: Database, clientId: string | undefined) => {
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
    if (clientId === undefined) return
    if (sharesToken.get(clientId, clientId, clientId, clientId) !== undefined)
      throw new EmulatorError('snapshot_taken', { clientId })
  }

  const writeAll = (source: Database, wallNow: EpochMs, clientId: string | undefined): Promise<string> => {
    const verb = () => {
      const before = seed.get()
      put(source, clientId)
      // A journal that was cut out of another one, or written by hand, is counted as it is.
      sqlite.exec('update world set kept_requests = (select count(*) from requests)')
      const whose = clientId === undefined ? '' : 'where client_id = :clientId'
      sqlite.prepare(`update clients set clock_anchor_wall = :wallNow ${whose}`).run({ wallNow, clientId })
      recover(clientId)
      connection.replaced += 1
      return keepSeed.get(before) ?? ''
    }
    return write(verb, { isLast: true })
  }

  const rehearse = async (source: Database, clientId: string): Promise<void> => {
    const done = new Error('rehearsed')
    const undone = write(() => {
      put(source, clientId)
      throw done
    })
    await undone.catch((error: unknown) => {
      if (error !== done) throw error
    })
  }

  return { write: writeAll, rehearse }
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
