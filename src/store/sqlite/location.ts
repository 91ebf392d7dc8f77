import { accessSync, constants, lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseRefused } from '../database-refused.ts'

/** Where the database stands or is to stand: an absolute path without symbolic links, so that nobody locks the
 *  same file under two names. Looks without opening anything.
 *  @throws {DatabaseRefused} if no database can be there */
export function locateDatabase(given: string): string {
  // better-sqlite3 trims too, and would open another file than the one that was checked.
  const file = resolve(given.trim())
  const folder = dirname(file)
  if (!look(folder)?.isDirectory())
    throw new DatabaseRefused(
      file,
      'cannot be created, because its folder does not exist',
      'Create the folder first.',
    )
  const stats = look(file)
  if (stats?.isDirectory()) throw new DatabaseRefused(file, 'is a folder', 'Name a file in it.')
  if (stats && !stats.isFile())
    throw new DatabaseRefused(file, 'is not a regular file', 'Choose another file.')
  if (!stats && lstatSync(file, { throwIfNoEntry: false }))
    throw new DatabaseRefused(
      file,
      'is a symbolic link without a target',
      'Remove the link, or create its target.',
    )
  if (stats && stats.nlink > 1)
    throw new DatabaseRefused(
      file,
      'has a second name (a hard link)',
      'SQLite would lose data: copy the file and use the copy.',
    )
  if (stats && !allows(file, constants.R_OK | constants.W_OK))
    throw new DatabaseRefused(
      file,
      'cannot be read and written',
      'Change its permissions, or choose another file.',
    )

  const place = stats ? realpathSync(file) : join(realpathSync(folder), basename(file))
  if (!allows(dirname(place), constants.W_OK | constants.X_OK))
    throw new DatabaseRefused(
      file,
      'is in a read-only folder',
      'SQLite writes files beside the database: choose another folder.',
    )
  return place
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // Part of the path is a file, forbidden, or a circle of links.
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
