import { promises as files } from 'node:fs'
import type { Database } from 'better-sqlite3'
import type { Store } from '../store.ts'
import type { Writer } from './writer.ts'

/** So many verbs are worth a checkpoint, which keeps all requests waiting for two flushes to the disk. */
const verbsWorthACheckpoint = 200

/** Fewer verbs than this since it was last looked are a light load. A checkpoint is the longest time for which anything
 *  has to wait, and the longer the log, the longer it takes: under a light load many short ones are better. */
const verbsOfALightLoad = 60

/** So many webhooks that have left are worth one, however heavy the load. Nobody waits for those, and whoever calls meanwhile
 *  should not wait for what they have written: for 4 ms a few times a second instead of 9. */
const webhooksWorthACheckpoint = 750

/** Moves the write-ahead log into the database while little is written, so that no heavy load has to wait for it. A load
 *  without a pause does, each `wal_autocheckpoint` pages; its log is flushed ahead, each time that it is looked at.
 *  @param flushLog has the log brought to the disk, which is the first thing that a checkpoint waits for, while requests
 *  are served: a third of the time for which a heavy load stands still */
export function checkpoints(
  sqlite: Database,
  progress: { readonly writer: Pick<Writer, 'written'>; readonly claimed: number },
  flushLog = logFlusher(sqlite),
): Pick<Store, 'tidy'> {
  const checkpoint = sqlite.prepare('pragma wal_checkpoint(passive)')
  let moved = 0
  let movedWebhooks = 0
  let before = 0
  let flushing = false
  const flush = async () => {
    flushing = true
    try {
      await flushLog()
    } catch (error) {
      // The owner may have closed it meanwhile, and its log went with it.
      if (sqlite.open) throw error
    } finally {
      flushing = false
    }
  }
  return {
    tidy: async () => {
      const { claimed } = progress
      const { written } = progress.writer
      const isLight = written - before < verbsOfALightLoad
      before = written
      if (flushing || written - moved < verbsWorthACheckpoint) return
      if (!isLight && claimed - movedWebhooks < webhooksWorthACheckpoint) return flush()
      moved = written
      movedWebhooks = claimed
      await flush()
      if (sqlite.open) checkpoint.get()
    },
  }
}

/** SQLite's own flush would do the same with everybody waiting. Linux alone: Windows removes no log that somebody has
 *  open, and macOS flushes more for Node than for SQLite. */
function logFlusher({ memory, name }: Pick<Database, 'memory' | 'name'>): () => Promise<void> {
  if (memory || process.platform !== 'linux') return async () => {}
  return async () => {
    // Closing it takes no lock from SQLite, as closing the database itself would: there are none on the log.
    const log = await files.open(`${name}-wal`)
    try {
      await log.datasync()
    } finally {
      await log.close()
    }
  }
}
