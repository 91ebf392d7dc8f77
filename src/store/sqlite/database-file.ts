import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import Sqlite from 'better-sqlite3'
import { DatabaseRefused } from '../refusals.ts'
import { countingTriggers } from './counting.ts'
import { firstMigration } from './first-migration.ts'
import { checkSideFile, companions, createFile, isSame, lookAt, readHead } from './side-files.ts'

/** The schema version of this program, in the database's `user_version`. Development versions before 0.1.0 had 1 to
 *  18. */
export const schemaVersion = 19

/** Tables are STRICT, so that SQLite refuses values of the wrong type. drizzle-kit does not know that keyword. */
const tables = firstMigration.replaceAll(/^\);$/gm, ') STRICT;').split('--> statement-breakpoint')

const statements = [...tables.map((one) => one.trim().replace(/;$/, '')), ...countingTriggers]

/** Creates the tables, indexes and triggers in a new database, and the one row of `world`. */
export function migrate(sqlite: Database): void {
  for (const statement of statements) sqlite.exec(statement)
  sqlite.exec('insert into world (id) values (1)')
  sqlite.pragma(`user_version = ${schemaVersion}`)
}

/** Compares the tables, indexes and triggers of a database with those of this program.
 *  @returns the first difference, in words; undefined if there is none */
export function schemaDifference(sqlite: Database): string | undefined {
  // SQLite stores each statement as given, without the semicolon. Names of SQLite's own are not part of our schema.
  const found = sqlite
    .prepare<[], { type: string; name: string; sql: string }>(
      `select type, name, sql from sqlite_schema where name not like 'sqlite\\_%' escape '\\'`,
    )
    .all()
  const other = found.find(({ sql }) => !statements.includes(sql))
  if (other !== undefined)
    return `its ${other.type} ${JSON.stringify(other.name.slice(0, 100))} does not belong to this program's schema`
  const missing = statements.find((statement) => !found.some(({ sql }) => sql === statement))
  return missing === undefined ? undefined : `it lacks ${/(?:TABLE|INDEX|TRIGGER) `\w+`/.exec(missing)?.[0]}`
}

// The database's file: its place, its header, and how a new one is created.

// ---- the place --------------------------------------------------------------------------------------

/** The absolute path of the database without symbolic links, so that no two processes lock the same file under two
 *  names. Opens nothing.
 *  @throws {DatabaseRefused} if no database can be there */
export function locateDatabase(given: string): string {
  // better-sqlite3 trims too, and would open another file than the checked one.
  const file = resolve(given.trim())
  const refused = (cause: string, remedy: string) => new DatabaseRefused(file, cause, remedy)
  const folder = dirname(file)
  if (!look(folder)?.isDirectory())
    throw refused('cannot be created, because its folder does not exist', 'Create the folder first.')
  const stats = look(file)
  if (stats?.isDirectory()) throw refused('is a folder', 'Name a file in it.')
  if (stats && !stats.isFile()) throw refused('is not a regular file', 'Choose another file.')
  if (!stats && lstatSync(file, { throwIfNoEntry: false }))
    throw refused('is a symbolic link without a target', 'Remove the link, or create its target.')
  if (stats && stats.nlink > 1)
    throw refused(
      'has a second name (a hard link)',
      'SQLite would lose data: copy the file and use the copy.',
    )
  if (stats && !allows(file, constants.R_OK | constants.W_OK))
    throw refused('cannot be read and written', 'Change its permissions, or choose another file.')

  const place = stats ? realpathSync(file) : join(realpathSync(folder), basename(file))
  if (!allows(dirname(place), constants.W_OK | constants.X_OK))
    throw refused(
      'is in a read-only folder',
      'SQLite writes files beside the database: choose another folder.',
    )
  return place
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // Part of the path is a file, forbidden, or a loop of links.
    return undefined
  }
}

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

// ---- the header -------------------------------------------------------------------------------------

/** Marks a file as ours: "POEm" in the header of the database. */
export const applicationId = 0x50_4f_45_6d

/** Checks the database and SQLite's side files before SQLite opens them: merely opening another program's file can
 *  change it. Requires ownership of the file.
 *  @returns undefined if there is no database
 *  @throws {DatabaseRefused} for anything that is neither nothing nor ours
 *  @see https://sqlite.org/fileformat.html#the_database_header */
export function checkHeader(file: string): BigIntStats | undefined {
  const refused = (cause: string, remedy: string) => new DatabaseRefused(file, cause, remedy)
  const stats = lookAt(file)
  if (!stats) {
    const left = companions.map((suffix) => file + suffix).find((path) => lookAt(path))
    if (left === undefined) return undefined
    throw refused(
      `is missing, but ${JSON.stringify(left)} of an earlier database is there`,
      'Put the database back, or remove that file.',
    )
  }
  const header = readHead(file)
  if (header.length === 0)
    throw refused(
      'is empty, so it is not a database',
      'Remove it to start with an empty database, or choose another file.',
    )
  if (header.length < headerBytes || !isSqlite(header)) throw refused('is not an SQLite file', anotherFile)
  if (!hasApplicationId(header, applicationId)) throw refused('belongs to another program', anotherFile)
  refuseOtherVersion(file, header.readUInt32BE(60))
  for (const suffix of companions) checkCompanion(file, suffix)
  return stats
}

/** Whether a file with these first bytes is a database with an application id. */
export function hasApplicationId(header: Buffer, id: number): boolean {
  return header.length >= headerBytes && isSqlite(header) && header.readUInt32BE(68) === id
}

/** @throws {DatabaseRefused} if another version of this program, with another schema, has written the database */
export function refuseOtherVersion(file: string, version: number): void {
  if (version === schemaVersion) return
  throw new DatabaseRefused(
    file,
    `has schema version ${version}, but this program reads only version ${schemaVersion}`,
    `Use the ${version > schemaVersion ? 'newer' : 'older'} version that created it, or choose another file.`,
  )
}

const headerBytes = 100
const anotherFile = 'Choose another file, or a name that does not exist yet.'

const isSqlite = (header: Buffer): boolean => header.toString('latin1', 0, 16) === 'SQLite format 3\0'

/** The first bytes of SQLite's side files, in hex. SQLite takes a file with other bytes for empty, and overwrites or
 *  removes it. */
const beginnings: Readonly<Record<(typeof companions)[number], readonly string[]>> = {
  '-wal': ['377f0682', '377f0683'],
  // A number in the byte order of the machine that wrote it.
  '-shm': ['18e22d00', '002de218'],
  '-journal': ['d9d505f920a163d7'],
}

function checkCompanion(file: string, suffix: (typeof companions)[number]): void {
  checkSideFile(file, file + suffix, (head) => {
    const begin = head.subarray(0, 8)
    // A crash leaves empty files, and so does SQLite itself.
    return (
      begin.every((byte) => byte === 0) ||
      beginnings[suffix].some((hex) => begin.toString('hex').startsWith(hex))
    )
  })
}

// ---- opening and making -----------------------------------------------------------------------------

/** Opens a database file if it is still the checked one. */
export function openChecked(file: string, checked: BigIntStats | undefined): Sqlite.Database {
  // Opening a database reads nothing, so a wrong file is noticed later.
  const sqlite = new Sqlite(file, { fileMustExist: true, timeout: 250 })
  if (isSame(checked, lookAt(file))) return sqlite
  sqlite.close()
  throw new DatabaseRefused(file, 'was replaced during the start', 'Start again.')
}

/** Creates an empty database. It is written under another name and then renamed, so that a crash never leaves half a
 *  database.
 *  @throws {DatabaseRefused} if another program's file has that name */
export function makeDatabase(file: string): void {
  const draft = `${file}-draft`
  // A file of ours is empty or complete, even after a kill.
  const isOurs = (head: Buffer) => head.length === 0 || hasApplicationId(head, applicationId)
  if (checkSideFile(file, draft, isOurs)) rmSync(draft)
  // Bytes 18 and 19 mark a database with a write-ahead log.
  createFile(draft, databaseBytes(applicationId, migrate).fill(2, 18, 20))
  try {
    sync(draft)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  // On Windows folders cannot be opened.
  if (process.platform !== 'win32') sync(dirname(file))
}

/** Returns the bytes of a new database file. */
export function databaseBytes(id: number, fill?: (sqlite: Sqlite.Database) => void): Buffer {
  const sqlite = new Sqlite(':memory:')
  try {
    sqlite.pragma(`application_id = ${id}`)
    fill?.(sqlite)
    return sqlite.serialize()
  } finally {
    sqlite.close()
  }
}

function sync(path: string): void {
  const opened = openSync(path, 'r')
  fsyncSync(opened)
  closeSync(opened)
}
