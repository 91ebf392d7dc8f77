import { type BigIntStats, closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import Sqlite from 'better-sqlite3'
import { DatabaseRefused } from '../database-refused.ts'
import { hasCode } from './sqlite-errors.ts'

/** Makes this process the only owner of a database file, until the answered function is called.
 *
 *  Node has no file locks, but SQLite has: the lock is an exclusive transaction on an empty second file. The
 *  kernel ends it with the process, however that dies. A text file tells others who the owner is.
 *  @throws {DatabaseRefused} if another process, or another store of this one, owns the file */
export function takeOwnership(file: string): () => void {
  // This comes first: opening a locked file with `fs` and closing it again would drop the lock (POSIX).
  if (owned.has(file)) throw inUse(file, 'this process')
  const lockFile = `${file}-lock`
  const ownerFile = `${file}-owner`
  const lock = lockExclusively(file, lockFile, ownerFile)
  writeFileSync(ownerFile, `${process.pid} on ${hostname()}\n`)
  owned.set(file, lock)

  return () => {
    if (!owned.delete(file)) return
    // Windows removes no open file. Elsewhere the files go while the lock still holds.
    if (process.platform === 'win32') lock.close()
    rmSync(ownerFile, { force: true })
    rmSync(lockFile, { force: true })
    lock.close()
  }
}

/** Files this process owns, and their locks: one that nothing held would end with the next garbage collection. */
const owned = new Map<string, Sqlite.Database>()

function lockExclusively(file: string, lockFile: string, ownerFile: string): Sqlite.Database {
  for (;;) {
    closeSync(openSync(lockFile, 'a'))
    const before = statSync(lockFile, { bigint: true, throwIfNoEntry: false })
    if (before && before.size > 0n)
      throw new DatabaseRefused(
        file,
        `needs ${JSON.stringify(lockFile)}, which is another file`,
        'Move that away.',
      )
    const lock = tryLock(lockFile)
    if (!lock) throw inUse(file, readOwner(ownerFile))
    // An owner that ended just now has removed its file: then the lock is on a file that nobody will find.
    if (isSame(before, statSync(lockFile, { bigint: true, throwIfNoEntry: false }))) return lock
    lock.close()
  }
}

/** Answers null if another process holds the lock. */
function tryLock(lockFile: string): Sqlite.Database | null {
  const lock = new Sqlite(lockFile, { timeout: 0 })
  try {
    // Else SQLite would lay a journal beside it.
    lock.pragma('journal_mode = memory')
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (hasCode(error, 'SQLITE_BUSY')) return null
    throw error
  }
}

function isSame(a: BigIntStats | undefined, b: BigIntStats | undefined): boolean {
  return a !== undefined && b !== undefined && a.ino === b.ino && a.birthtimeNs === b.birthtimeNs
}

function readOwner(ownerFile: string): string {
  try {
    const owner = readFileSync(ownerFile, 'utf8').trim()
    if (owner !== '') return `process ${owner}`
  } catch {
    // It has the lock already and has not written the file yet.
  }
  return 'another process'
}

function inUse(file: string, owner: string): DatabaseRefused {
  return new DatabaseRefused(file, `is in use by ${owner}`, 'Stop that one, or choose another file.')
}
