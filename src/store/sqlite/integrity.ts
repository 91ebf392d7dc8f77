import { type BigIntStats, closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { DatabaseRefused } from '../refusals.ts'
import { openChecked, refuseOtherVersion, schemaDifference } from './database-file.ts'
import * as schema from './schema.ts'
import { hasCode } from './writer.ts'

/** Reads the whole database once. A log left by a crash is moved into the file if it is intact.
 *  @throws {DatabaseRefused} if the file is damaged or has another schema; file and log then stay unchanged */
export function checkIntegrity(file: string, checked: BigIntStats): void {
  readThrough(file)
  const hasLog = existsSync(`${file}-wal`)
  const hasIndex = existsSync(`${file}-shm`)
  const sqlite = openChecked(file, checked)
  try {
    const verdict = sqlite.pragma('quick_check(1)', { simple: true })
    if (verdict !== 'ok') throw damaged(file, String(verdict))
    // The header may be older than the write-ahead log.
    refuseOtherVersion(file, Number(sqlite.pragma('user_version', { simple: true })))
    const difference = schemaDifference(sqlite)
    if (difference !== undefined) throw otherSchema(file, difference)
    const broken = brokenJson(sqlite)
    if (broken !== undefined) throw damaged(file, broken)
  } catch (error) {
    if (hasLog) closeKeepingLog(file, sqlite, hasIndex)
    if (hasCode(error, 'SQLITE_CORRUPT') || hasCode(error, 'SQLITE_NOTADB'))
      throw damaged(file, String(error))
    throw error
  } finally {
    // On closing, SQLite removes the write-ahead log and its index, unless another program has the database open.
    sqlite.close()
  }
}

/** Finds a value that is not valid JSON in a JSON column. Drizzle would throw at the first read of its row. */
function brokenJson(sqlite: Sqlite.Database): string | undefined {
  for (const table of Object.values(schema).filter((each) => is(each, SQLiteTable))) {
    const columns = Object.values(getTableColumns(table)).filter(holdsJson)
    const [first, ...more] = columns.map(({ name }) => `json_valid("${name}") = 0`)
    if (first === undefined) continue
    const name = getTableName(table)
    const row = sqlite
      .prepare<[], number>(`select rowid from "${name}" where ${[first, ...more].join(' or ')} limit 1`)
      .pluck()
      .get()
    if (row !== undefined) return `row ${row} of its table "${name}" holds invalid JSON`
  }
  return undefined
}

/** Whether a column contains JSON that is only parsed where it is used. */
const holdsJson = (column: SQLiteColumn): boolean =>
  column.dataType === 'json' ||
  column === schema.orders.metadata ||
  column === schema.scenarioVersions.scenarioJson

/** Closes a connection and leaves the log unchanged. SQLite moves the log into the file when the last connection
 *  closes, unless that connection is read-only. */
function closeKeepingLog(file: string, sqlite: Sqlite.Database, hadIndex: boolean): void {
  if (!hadIndex) removeIndex(file, sqlite)
  const reader = new Sqlite(file, { readonly: true })
  try {
    reader.pragma('user_version')
  } catch {
    // The database is too damaged to be read by SQLite, but its file can be opened.
  }
  sqlite.close()
  reader.close()
}

/** Removes the index that SQLite made of the write-ahead log, unless another program has the database open, which
 *  prevents the exclusive lock. */
function removeIndex(file: string, sqlite: Sqlite.Database): void {
  sqlite.pragma('locking_mode = exclusive')
  try {
    sqlite.exec('begin immediate')
    rmSync(`${file}-shm`)
  } catch {
    // A remaining index does no harm: SQLite rebuilds it. On Windows an open file cannot be removed.
  }
  sqlite.pragma('locking_mode = normal')
  if (sqlite.inTransaction) sqlite.exec('rollback')
}

/** Loads a file into the system's file cache. The check follows tables and indexes from page to page, and waits for
 *  the disk at each: 13 to 18 ms a megabyte on a cold machine. Sequential reading takes less than 1 ms a megabyte,
 *  and a tenth of that if the file is cached. */
function readThrough(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    // Larger blocks do not stay in the processor's caches.
    const block = Buffer.allocUnsafe(256 * 1024)
    while (readSync(descriptor, block) > 0);
  } finally {
    closeSync(descriptor)
  }
}

function otherSchema(file: string, difference: string): DatabaseRefused {
  return new DatabaseRefused(
    file,
    `is from another version of this program, or was changed by another program (${difference})`,
    'Use the program that created it, or choose another file.',
  )
}

function damaged(file: string, what: string): DatabaseRefused {
  return new DatabaseRefused(
    file,
    `is damaged (${what})`,
    'Restore a backup, or remove it to start with an empty database.',
  )
}
