import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { DatabaseRefused } from '../database-refused.ts'
import { refuseNewer } from './header.ts'
import { companions } from './location.ts'
import { hasCode } from './sqlite-errors.ts'

/** Reads the whole database once. On a connection that cannot write: closing one that can would move what a
 *  crash left in the write-ahead log into the damaged file.
 *  @throws {DatabaseRefused} if it is damaged */
export function checkIntegrity(file: string): void {
  readThrough(file)
  const strays = companions.map((suffix) => file + suffix).filter((path) => !existsSync(path))
  const sqlite = new Sqlite(file, { readonly: true, timeout: 250 })
  try {
    const verdict = sqlite.pragma('quick_check(1)', { simple: true })
    if (verdict !== 'ok') throw damaged(file, String(verdict))
    // The header may be older than the write-ahead log.
    refuseNewer(file, Number(sqlite.pragma('user_version', { simple: true })))
  } catch (error) {
    if (hasCode(error, 'SQLITE_CORRUPT') || hasCode(error, 'SQLITE_NOTADB'))
      throw damaged(file, String(error))
    throw error
  } finally {
    sqlite.close()
    // A reader makes them and leaves them.
    for (const stray of strays) rmSync(stray, { force: true })
  }
}

/** Has the system keep a file in memory for whoever reads it next. The check goes from page to page as tables and indexes
 *  lead it, and waits for the disk at each: 13 to 18 ms a megabyte after the machine has started, when nothing has read the
 *  file yet. From start to end a megabyte takes less than one, and a tenth of that if it is in memory already. */
function readThrough(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    // Larger ones do not stay in the processor's caches.
    const block = Buffer.allocUnsafe(256 * 1024)
    while (readSync(descriptor, block) > 0);
  } finally {
    closeSync(descriptor)
  }
}

function damaged(file: string, what: string): DatabaseRefused {
  return new DatabaseRefused(
    file,
    `is damaged (${what})`,
    'Put a copy of it back, or remove it to start anew.',
  )
}
