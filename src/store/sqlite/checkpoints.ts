import type { Database } from 'better-sqlite3'
import type { Store } from '../store.ts'
import type { Writer } from './writer.ts'

/** Moves the write-ahead log into the database file in a pause: once nothing has been written between two calls. Whoever
 *  writes next finds a short log. Under a load without pauses SQLite does the same by itself, within a commit
 *  (`wal_autocheckpoint` in `open.ts`). */
export function idleCheckpoints(sqlite: Database, writer: Pick<Writer, 'written'>): Pick<Store, 'tidy'> {
  const checkpoint = sqlite.prepare('pragma wal_checkpoint(passive)')
  let seen = 0
  return {
    tidy: async () => {
      const { written } = writer
      const isIdle = written === seen
      seen = written
      if (isIdle) checkpoint.get()
    },
  }
}
