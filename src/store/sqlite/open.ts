import type { Database } from 'better-sqlite3'
import Sqlite from 'better-sqlite3'
import { DatabaseRefused, SqliteUnavailable } from '../refusals.ts'
import type { Store } from '../store.ts'
import { attemptVerbs } from './attempts.ts'
import { claimVerbs } from './claims.ts'
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
  /** A path, or `:memory:`. A missing file is created. */
  readonly file: string
  /** Survives a power failure too, at the price of a disk flush per commit. Without it, a power failure may lose the
   *  last commits; a crash of the process loses nothing either way. */
  readonly durable: boolean
}

/** Opens the store in a file, as its only owner, or in memory.
 *  @throws {DatabaseRefused} if the file cannot be used; it stays unchanged
 *  @throws {SqliteUnavailable} if this machine has no SQLite */
export async function openSqliteStore({ file, durable }: SqliteOptions): Promise<SqliteStore> {
  if (file === ':memory:') {
    const sqlite = new Sqlite(file)
    // In memory, a commit that moves pages of an index looks at every page of the database; larger pages are fewer. (In
    // a file it looks at the cache only, and larger pages take longer to write.)
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
    // The file is ours alone. Without it every read asks the system for a lock, which takes longer than the read.
    sqlite.pragma('locking_mode = exclusive')
    sqlite.pragma('journal_mode = wal')
    sqlite.pragma(`synchronous = ${durable ? 'full' : 'normal'}`)
    sqlite.pragma('trusted_schema = off')
    // 32 MiB: the bound of the log under a load without pauses. The longer the log, the fewer pages move into the file
    // in all, because a page that changes often moves once.
    sqlite.pragma('wal_autocheckpoint = 8000')
    // 4 MB. The rest is in the system's file cache, which is fast enough.
    sqlite.pragma('cache_size = -4000')
    sqlite.pragma('foreign_keys = on')
    return sqliteStore(sqlite, close)
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Describes a failure that the checks did not foresee: a lock of another program, a full disk. */
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
  /** Moves the write-ahead log into the database file if nothing was written since the last call. Under a load
   *  without pauses SQLite does so itself, within a commit (`wal_autocheckpoint`). */
  tidy(): Promise<void>
}

/** Builds the store on an open, migrated database.
 *  @param close releases the database once everything is written */
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
