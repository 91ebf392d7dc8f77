import type { Database } from 'better-sqlite3'
import type { Store } from '../store.ts'
import { attemptVerbs } from './attempts.ts'
import { claimVerbs } from './claims.ts'
import { clientVerbs } from './clients.ts'
import { type Connection, connect } from './connection.ts'
import { deliveryVerbs } from './deliveries.ts'
import { faultVerbs } from './faults.ts'
import { loadVerbs } from './load.ts'
import { orderVerbs } from './orders.ts'
import { requestVerbs } from './requests.ts'
import { scenarioVerbs } from './scenarios.ts'
import { snapshotVerbs } from './snapshot.ts'
import { userVerbs } from './users.ts'
import { worldVerbs } from './world.ts'

export interface SqliteStore extends Store {
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
