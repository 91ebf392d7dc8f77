import type { Database } from 'better-sqlite3'
import Sqlite from 'better-sqlite3'
import { DatabaseRefused, SqliteUnavailable } from '../refusals.ts'
import type { Store } from '../store.ts'
import { attemptVerbs, claimVerbs } from './attempts.ts'
import { clientVerbs } from './clients.ts'
import { checkHeader, locateDatabase, makeDatabase, migrate, openChecked } from './database-file.ts'
import { deliveryVerbs } from './deliveries.ts'
import { faultVerbs } from './faults.ts'
import { checkIntegrity } from './integrity.ts'
import { loadVerbs } from './load.ts'
import { orderVerbs, userVerbs } from './orders.ts'
import { takeOwnership } from './owner-lock.ts'
import { requestVerbs } from './requests.ts'
import { scenarioVerbs } from './scenarios.ts'
import { lookAt } from './side-files.ts'
import { snapshotVerbs } from './snapshot.ts'
import { worldVerbs } from './world.ts'
import { type Connection, connect, hasCode } from './writer.ts'

export interface SqliteOptions {
  /** A path, or `:memory:`. A file that does not exist is made. */
  readonly file: string
  /** Survives a power failure too, at the price of a disk flush per commit. Without it the last moments before
   *  a power failure may be lost; a crash of the process loses nothing either way. */
  readonly durable: boolean
}

/** Opens the store in a file, as its only owner, or in memory.
 *  @throws {DatabaseRefused} if the file cannot be used; it is left as it was
 *  @throws {SqliteUnavailable} if this machine has no SQLite */
export async function openSqliteStore({ file, durable }: SqliteOptions): Promise<SqliteStore> {
  if (file === ':memory:') {
    const sqlite = new Sqlite(file)
    // In memory some commits look at every page of the database: those after which the pages of an index have changed
    // places. Larger pages are fewer. (In a file it looks at the cache only, and larger pages take longer to write.)
    sqlite.pragma('page_size = 16384')
    migrate(sqlite)
    return openDatabase(sqlite, durable, () => sqlite.close())
  }
  const place = locateDatabase(file)
  try {
    return openFile(place, durable)
  } catch (error) {
    if (error instanceof DatabaseRefused || error instanceof SqliteUnavailable) throw error
    throw cannotOpen(place, error)
  }
}

function openFile(file: string, durable: boolean): SqliteStore {
  const release = takeOwnership(file)
  try {
    const found = checkHeader(file)
    if (found) checkIntegrity(file, found)
    else makeDatabase(file)
    const sqlite = openChecked(file, found ?? lookAt(file))
    const close = () => {
      try {
        // The last connection moves the write-ahead log into the file and removes it.
        sqlite.close()
      } finally {
        release()
      }
    }
    return openDatabase(sqlite, durable, close)
  } catch (error) {
    release()
    throw error
  }
}

function openDatabase(sqlite: Sqlite.Database, durable: boolean, close: () => void): SqliteStore {
  try {
    // All of them each time: SQLite remembers only the journal mode, and better-sqlite3 has defaults of its own.
    sqlite.pragma('busy_timeout = 250')
    // The file is ours alone anyway. Without it every read asks the system for a lock, which takes longer than to read.
    sqlite.pragma('locking_mode = exclusive')
    sqlite.pragma('journal_mode = wal')
    sqlite.pragma(`synchronous = ${durable ? 'full' : 'normal'}`)
    sqlite.pragma('trusted_schema = off')
    // 32 MiB: the bound of the log under a load without pauses. The longer the log, the fewer pages are moved into the file
    // in all, because a page that changes often is moved once.
    sqlite.pragma('wal_autocheckpoint = 8000')
    // 4 MB. What does not fit is in the system's cache of files, and reading it there takes no longer that would show.
    sqlite.pragma('cache_size = -4000')
    sqlite.pragma('foreign_keys = on')
    return sqliteStore(sqlite, close)
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** What the checks did not foresee: a lock of another program, a full disk, ... */
function cannotOpen(file: string, error: unknown): DatabaseRefused {
  if (hasCode(error, 'SQLITE_BUSY'))
    return new DatabaseRefused(
      file,
      'is in use by another program',
      'Close it there, or choose another file.',
    )
  const reason = error instanceof Error ? error.message : String(error)
  return new DatabaseRefused(
    file,
    `cannot be opened (${reason})`,
    'Fix this problem, or choose another file.',
  )
}

interface SqliteStore extends Store {
  /** Moves the write-ahead log into the database file, if nothing has been written since the last call. Whoever writes next
   *  finds a short log. Under a load without pauses SQLite does the same by itself, within a commit (`wal_autocheckpoint`
   *  in `open.ts`). */
  tidy(): Promise<void>
}

/** The store on an open, migrated database.
 *  @param close gives the database back once everything is written */
export function sqliteStore(sqlite: Database, close: () => void): SqliteStore {
  const connection = connect(sqlite)
  return {
    ...clientVerbs(connection),
    ...scenarioVerbs(connection),
    ...faultVerbs(connection),
    ...orderVerbs(connection),
    ...userVerbs(connection),
    ...deliveryVerbs(connection),
    ...claimVerbs(connection),
    ...attemptVerbs(connection),
    ...requestVerbs(connection),
    ...worldVerbs(connection),
    ...loadVerbs(connection),
    ...snapshotVerbs(connection),
    tidy: tidier(connection),
    close: () => connection.writer.close(close),
  }
}

function tidier({ prepare, writer }: Connection): SqliteStore['tidy'] {
  let seen: number | null = 0
  return async () => {
    const { committed } = writer
    if (committed !== null && committed === seen) prepare('pragma wal_checkpoint(passive)').get()
    seen = committed
  }
}
