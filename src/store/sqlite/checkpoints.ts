import type { Database } from 'better-sqlite3'
import type { Store } from '../store.ts'
import type { Writer } from './writer.ts'

/** So many verbs are worth a checkpoint, which keeps all requests waiting for two flushes to the disk. */
const worthIt = 200

/** Fewer verbs than this since it was last looked are a light load. A checkpoint is the longest time for which anything
 *  has to wait, and the longer the log, the longer it takes: under a light load many short ones are better. */
const few = 250

/** Moves the write-ahead log into the database while little is written, so that no heavy load has to wait for it. (A
 *  load without a pause does, each `wal_autocheckpoint` pages.) */
export function checkpoints(sqlite: Database, writer: Pick<Writer, 'written'>): Pick<Store, 'tidy'> {
  const checkpoint = sqlite.prepare('pragma wal_checkpoint(passive)')
  let moved = 0
  let before = 0
  return {
    tidy: async () => {
      const { written } = writer
      const isLight = written - before < few
      before = written
      if (!isLight || written - moved < worthIt) return
      moved = written
      checkpoint.get()
    },
  }
}
