import {
  type BigIntStats,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { DatabaseRefused } from '../refusals.ts'

/** Suffixes of the files that SQLite keeps beside a database. */
export const companions = ['-wal', '-shm', '-journal'] as const

/** Returns the stats of a path without following a link; undefined if nothing is there. */
export const lookAt = (path: string): BigIntStats | undefined =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false })

/** Whether two looks at a path found the same file. */
export function isSame(a: BigIntStats | undefined, b: BigIntStats | undefined): boolean {
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

/** Checks a file beside a database before the program uses it.
 *  @param isOurs whether a file with these first bytes may be used
 *  @returns undefined if there is no such file
 *  @throws {DatabaseRefused} for a folder, a link, a file with several names, or one that is not ours */
export function checkSideFile(
  database: string,
  path: string,
  isOurs: (head: Buffer) => boolean,
): BigIntStats | undefined {
  const stats = lookAt(path)
  if (stats && !(stats.isFile() && stats.nlink === 1n && isOurs(readHead(path))))
    throw takenByAnother(database, path)
  return stats
}

/** A refusal because another program's file has a name that the database needs. */
export function takenByAnother(database: string, path: string): DatabaseRefused {
  return new DatabaseRefused(
    database,
    `needs ${JSON.stringify(path)}, which is not a file of this program`,
    'Move that file away, or choose another database.',
  )
}

/** The first bytes of a file. Never call it for a file that this process has open in SQLite: closing it would drop
 *  SQLite's lock (POSIX). */
export function readHead(path: string): Buffer {
  const opened = openSync(path, constants.O_RDONLY | noFollow)
  try {
    const head = Buffer.alloc(headBytes)
    return head.subarray(0, readSync(opened, head, 0, headBytes, 0))
  } finally {
    closeSync(opened)
  }
}

/** Creates a file. An existing file of that name, even a dangling link, stays unchanged.
 *  @throws EEXIST if the name is taken */
export function createFile(path: string, content: string | Buffer): void {
  const opened = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o644)
  try {
    const bytes = Buffer.from(content)
    for (let written = 0; written < bytes.length; ) written += writeSync(opened, bytes, written)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(opened)
  }
}

/** Enough for the header of a database, and for an owner with a long host name. */
const headBytes = 512

/** The flag that refuses to open a link; Windows has none. */
const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW
