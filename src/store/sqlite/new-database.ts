import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { applicationId } from './header.ts'
import { companions } from './location.ts'
import { migrate } from './migrate.ts'

/** Makes an empty database. It is made under another name and then renamed, so that there is never a half-made
 *  one, whenever the process dies. */
export function makeDatabase(file: string): void {
  const draft = `${file}-draft`
  discard(draft)
  try {
    const sqlite = new Sqlite(draft)
    try {
      sqlite.pragma('synchronous = off')
      // The header has to be in the file itself, where the start-up gate looks: so the log comes after it.
      sqlite.pragma(`application_id = ${applicationId}`)
      migrate(sqlite)
      sqlite.pragma('journal_mode = wal')
    } finally {
      sqlite.close()
    }
    sync(draft)
    renameSync(draft, file)
  } catch (error) {
    discard(draft)
    throw error
  }
  // Windows opens no folders.
  if (process.platform !== 'win32') sync(dirname(file))
}

function discard(draft: string): void {
  for (const suffix of ['', ...companions]) rmSync(draft + suffix, { force: true })
}

function sync(path: string): void {
  const opened = openSync(path, 'r')
  fsyncSync(opened)
  closeSync(opened)
}
