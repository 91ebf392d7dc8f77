import Sqlite from 'better-sqlite3'

/** Whether SQLite refused with a code, or with a more particular one of its kind. */
export function hasCode(error: unknown, code: `SQLITE_${string}`): boolean {
  return error instanceof Sqlite.SqliteError && (error.code === code || error.code.startsWith(`${code}_`))
}

/** Whether SQLite refused a row because another has its value in a unique column. */
export const isTaken = (error: unknown): boolean => hasCode(error, 'SQLITE_CONSTRAINT_UNIQUE')

/** Whether SQLite refused a row because what it refers to does not exist. */
export const isOrphan = (error: unknown): boolean => hasCode(error, 'SQLITE_CONSTRAINT_FOREIGNKEY')
