import type { Database } from 'better-sqlite3'
import type { Store } from '../store.ts'
import type { Writer } from './writer.ts'

/** So many verbs are worth a checkpoint, which keeps all requests waiting for two flushes to the disk. */
const worthIt = 500

/** Moves the write-ahead log into the database while nothing is written, so that no load has to wait for it. (A load
 *  without a pause does, each `wal_autocheckpoint` pages.) */
export function checkpoints(sqlite: Database, writer: Pick<Writer, 'written'>): Pick<Store, 'tidy'> {
  const checkpoint = sqlite.prepare('pragma wal_checkpoint(passive)')
  let moved = 0
  let before = 0
  return {
    tidy: async () => {
      const { written } = writer
      const pause = written === before
      before = written
      if (!pause || written - moved < worthIt) return
      moved = written
      checkpoint.get()
    },
  }
}
