import Sqlite, { type Database } from 'better-sqlite3'
import type { ClockState } from '../../../domain/client.ts'
import type { SnapshotTable } from '../../snapshot.ts'
import type { Store } from '../../store.ts'
import { clockUpdate } from '../clients.ts'
import type { Connection } from '../connection.ts'
import { schemaVersion } from '../migrate.ts'
import { partOf, quoted, tablesOf } from './tables.ts'

/** Rows that are read without serving requests in between. */
const rowsAtOnce = 500

/** Takes snapshots. */
export function snapshotTaker({ sqlite, flush }: Connection): Pick<Store, 'snapshot'> {
  return {
    snapshot: async (clientId, clocks = []) => {
      flush()
      const copy = copyOf(sqlite)
      setClocks(copy, clocks)
      const parts = partsOf(copy, clientId)
      const close = async () => {
        await parts.return(undefined)
        copy.close()
      }
      return { schema: schemaVersion, parts, close }
    },
  }
}

/** A copy of the whole database in memory, as it is now. It takes a small part of the time that reading the rows
 *  takes, and those can then be read while requests go on. */
function copyOf(sqlite: Database): Database {
  const bytes = sqlite.serialize()
  // In memory there is no write-ahead log; these two bytes say that there is one.
  bytes.fill(1, 18, 20)
  return new Sqlite(bytes)
}

/** The file has clocks as they stood when they were last moved. */
function setClocks(copy: Database, clocks: readonly { clientId: string; clock: ClockState }[]): void {
  const update = clockUpdate(copy)
  copy.exec('begin')
  for (const { clientId, clock } of clocks) update(clientId, clock)
  copy.exec('commit')
}

type TakenPart = SnapshotTable & { readonly name: string }

async function* partsOf(copy: Database, clientId: string | undefined): AsyncGenerator<TakenPart> {
  try {
    const tables = tablesOf(copy)
    for (const table of tables) {
      const { name, columns } = table
      const condition = partOf(table, tables, clientId !== undefined)
      const rows = copy
        .prepare<[object], unknown[]>(
          `select ${quoted(columns)} from "${name}" where ${condition} order by rowid`,
        )
        .raw()
        .iterate(condition.includes(':clientId') ? { clientId } : {})
      const names = columns.map((column) => column.name)
      for (const part of inParts(rows)) {
        yield { name, columns: names, rows: part }
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  } finally {
    copy.close()
  }
}

/** At least one part, which may be empty. */
function* inParts<Row>(rows: Iterable<Row>): Generator<Row[]> {
  let part: Row[] = []
  for (const row of rows) {
    part.push(row)
    if (part.length < rowsAtOnce) continue
    yield part
    part = []
  }
  yield part
}
