import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { applicationId, hasApplicationId } from './header.ts'
import { migrate } from './migrate.ts'
import { checkSideFile, createFile } from './side-files.ts'

/** Makes an empty database. It is written under another name and then renamed, so that there is never a half-made
 *  one, whenever the process dies.
 *  @throws {DatabaseRefused} if another program's file has that name */
export function makeDatabase(file: string): void {
  const draft = `${file}-draft`
  // A kill leaves nothing of it, its beginning or all.
  const isOurs = (head: Buffer) => head.length === 0 || hasApplicationId(head, applicationId)
  if (checkSideFile(file, draft, isOurs)) rmSync(draft)
  createFile(draft, emptyDatabase())
  try {
    sync(draft)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  // Windows opens no folders.
  if (process.platform !== 'win32') sync(dirname(file))
}

function emptyDatabase(): Buffer {
  const sqlite = new Sqlite(':memory:')
  try {
    sqlite.pragma(`application_id = ${applicationId}`)
    migrate(sqlite)
    // Bytes 18 and 19 say that the database has a write-ahead log.
    return sqlite.serialize().fill(2, 18, 20)
  } finally {
    sqlite.close()
  }
}

function sync(path: string): void {
  const opened = openSync(path, 'r')
  fsyncSync(opened)
  closeSync(opened)
}
