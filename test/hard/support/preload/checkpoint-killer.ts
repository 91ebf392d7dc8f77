// Runs in the program before its first line. Makes checkpoints more frequent, and has a thread watch them that kills
// the program in the middle of one.
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { context } from './around.ts'

/** The program's own number of them comes after seconds of load. */
const pagesPerCheckpoint = 1_000

context(Sqlite.prototype, 'pragma', (call, _, [text, ...rest]) => {
  const changed = String(text)
    .replace(/^(wal_autocheckpoint) = \d+$/, `$1 = ${pagesPerCheckpoint}`)
    // An exclusive owner keeps in memory what the thread has to see. What is written is the same.
    .replace(/^(locking_mode) = exclusive$/, '$1 = normal')
  return call([changed, ...rest])
})
new Worker(new URL('./checkpoint-watch.ts', import.meta.url), { execArgv: [] }).unref()
