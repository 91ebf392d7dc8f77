import { type BigIntStats, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import Sqlite from 'better-sqlite3'
import { DatabaseRefused } from '../refusals.ts'
import { databaseBytes, hasApplicationId } from './database-file.ts'
import {
  checkSideFile,
  companions,
  createFile,
  isSame,
  lookAt,
  readHead,
  takenByAnother,
} from './side-files.ts'
import { hasCode } from './writer.ts'

/** Makes this process the only owner of a database file, until the returned function is called. Node has no file
 *  locks, but SQLite has: the lock is an exclusive transaction on a second file. The kernel releases it however the
 *  process dies. A text file names the owner for others.
 *  @throws {DatabaseRefused} if another process, or another store of this one, owns the file, or if another
 *    program's file has the name of one of the two */
export function takeOwnership(file: string): () => void {
  const lock = lockExclusively(file)
  try {
    const owner = writeOwner(file)
    owned.set(file, lock)
    return () => {
      if (!owned.delete(file)) return
      try {
        // Removes the lock file, unless another file has replaced it.
        if (textOf(owner.path) === owner.text) rmSync(owner.path)
      } finally {
        release(lock)
      }
    }
  } catch (error) {
    release(lock)
    throw error
  }
}

interface Lock {
  readonly path: string
  readonly file: BigIntStats
  readonly sqlite: Sqlite.Database
  /** Whether this program created the file, and so removes it. */
  readonly isOurs: boolean
}

/** The files that this process owns, with their locks: an unreferenced lock would end with the next garbage
 *  collection. */
const owned = new Map<string, Lock>()

function lockExclusively(file: string): Lock {
  for (;;) {
    const path = `${file}-lock`
    const found = lookAt(path)
    // Checked before the file is touched: opening and closing a locked file with `fs` would drop the lock (POSIX).
    if (owned.has(file) || [...owned.values()].some((lock) => isSame(lock.file, found)))
      throw inUse(file, 'this process')
    checkLock(file, path)
    if (!found && !created(path)) continue
    const before = lookAt(path)
    const sqlite = tryLock(path)
    if (!sqlite) throw inUse(file, readOwner(`${file}-owner`))
    // An owner that has just ended removed its file: then the lock is on a file that no other process will find.
    if (before && isSame(before, lookAt(path)))
      return { path, file: before, sqlite, isOurs: isMarked(sqlite) }
    sqlite.close()
  }
}

/** Refuses a lock file that belongs to another program, because SQLite would overwrite it. An empty file is used, and is
 *  not removed afterwards. */
function checkLock(file: string, path: string): void {
  checkSideFile(file, path, (head) => head.length === 0 || hasApplicationId(head, lockId))
  // SQLite would take files with these names for parts of the lock, and remove them.
  const taken = companions.map((suffix) => path + suffix).find((companion) => lookAt(companion))
  if (taken !== undefined) throw takenByAnother(file, taken)
}

/** Creates the lock file.
 *  @returns false if another process was faster */
function created(path: string): boolean {
  try {
    createFile(path, databaseBytes(lockId))
    return true
  } catch (error) {
    if (lookAt(path)) return false
    throw error
  }
}

/** Marks the lock file of this program: "POEl" in its header. */
const lockId = 0x50_4f_45_6c

const isMarked = (sqlite: Sqlite.Database): boolean =>
  sqlite.pragma('application_id', { simple: true }) === lockId

/** Takes the lock file.
 *  @returns null if another process holds the lock */
function tryLock(path: string): Sqlite.Database | null {
  const lock = new Sqlite(path, { timeout: 0 })
  try {
    // In memory, because SQLite would otherwise create a journal file beside the lock file.
    lock.pragma('journal_mode = memory')
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (hasCode(error, 'SQLITE_BUSY')) return null
    throw error
  }
}

function release({ path, file, sqlite, isOurs }: Lock): void {
  // Windows removes no open file. Elsewhere the file is removed while the lock still holds.
  if (process.platform === 'win32') sqlite.close()
  // Removes the lock file, unless another file has replaced it.
  if (isOurs && isSame(file, lookAt(path))) rmSync(path)
  sqlite.close()
}

function writeOwner(file: string): { path: string; text: string } {
  const path = `${file}-owner`
  const text = `${process.pid} on ${hostname()}\n`
  // A lock file of ours contains its whole text or nothing, even after a kill.
  if (checkSideFile(file, path, (head) => head.length === 0 || isOwner(head.toString()))) rmSync(path)
  createFile(path, text)
  return { path, text }
}

function readOwner(path: string): string {
  const text = textOf(path)
  // The owner may have the lock already and not have written the file yet.
  return isOwner(text) ? `process ${text.trim()}` : 'another process'
}

const isOwner = (text: string): boolean => /^\d+ on [^\n]+\n$/.test(text)

const textOf = (path: string): string => (lookAt(path)?.isFile() ? readHead(path).toString() : '')

function inUse(file: string, owner: string): DatabaseRefused {
  return new DatabaseRefused(file, `is in use by ${owner}`, 'Stop that process, or choose another file.')
}
