import { type BigIntStats, closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { DatabaseRefused } from '../database-refused.ts'
import { refuseNewer } from './header.ts'
import { openChecked } from './open-checked.ts'
import { hasCode } from './sqlite-errors.ts'

/** Reads the whole database once. A log that a crash has left is moved into it, if it is whole.
 *  @throws {DatabaseRefused} if it is damaged or of a newer version; then it and its log are left as they were */
export function checkIntegrity(file: string, checked: BigIntStats): void {
  readThrough(file)
  const hasLog = existsSync(`${file}-wal`)
  const hasIndex = existsSync(`${file}-shm`)
  const sqlite = openChecked(file, checked)
  try {
    const verdict = sqlite.pragma('quick_check(1)', { simple: true })
    if (verdict !== 'ok') throw damaged(file, String(verdict))
    // The header may be older than the write-ahead log.
    refuseNewer(file, Number(sqlite.pragma('user_version', { simple: true })))
  } catch (error) {
    if (hasLog) closeKeepingLog(file, sqlite, hasIndex)
    if (hasCode(error, 'SQLITE_CORRUPT') || hasCode(error, 'SQLITE_NOTADB'))
      throw damaged(file, String(error))
    throw error
  } finally {
    // SQLite removes the log and its index here, unless another program has the database open.
    sqlite.close()
  }
}

/** Closes a connection and leaves the log as it is. SQLite moves the log into the file when the last connection closes,
 *  unless that one can only read. */
function closeKeepingLog(file: string, sqlite: Sqlite.Database, hadIndex: boolean): void {
  if (!hadIndex) removeIndex(file, sqlite)
  const reader = new Sqlite(file, { readonly: true })
  try {
    reader.pragma('user_version')
  } catch {
    // Too damaged to be read. It has the database open all the same.
  }
  sqlite.close()
  reader.close()
}

/** Removes the index that SQLite has made of the log, unless another program reads by it: whoever has the database open
 *  prevents the exclusive lock. */
function removeIndex(file: string, sqlite: Sqlite.Database): void {
  sqlite.pragma('locking_mode = exclusive')
  try {
    sqlite.exec('begin immediate')
    rmSync(`${file}-shm`)
  } catch {
    // The index stays, harmlessly: SQLite rebuilds it if no program has it open. (Windows removes no open file.)
  }
  sqlite.pragma('locking_mode = normal')
  if (sqlite.inTransaction) sqlite.exec('rollback')
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
