import type { BigIntStats } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { DatabaseRefused } from '../database-refused.ts'
import { isSame, lookAt } from './side-files.ts'

/** Opens a database file, provided that it is still the one that was checked. */
export function openChecked(file: string, checked: BigIntStats | undefined): Sqlite.Database {
  // It reads nothing yet.
  const sqlite = new Sqlite(file, { fileMustExist: true, timeout: 250 })
  if (isSame(checked, lookAt(file))) return sqlite
  sqlite.close()
  throw new DatabaseRefused(file, 'was replaced during the start', 'Start again.')
}
