/** Whether SQLite refused with a code, or with a more particular one of its kind. */
export const hasCode = (error: unknown, code: `SQLITE_${string}`): boolean =>
  isSqliteError(error) && (error.code === code || error.code.startsWith(`${code}_`))

/** Whether an error comes from SQLite. The class cannot tell: the addon uses the one that it was given last, which another
 *  copy of better-sqlite3 in this process may have brought. */
export const isSqliteError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('SQLITE_')

/** Whether SQLite refused a row because another has its value in a unique column. */
export const isTaken = (error: unknown): boolean => hasCode(error, 'SQLITE_CONSTRAINT_UNIQUE')

/** Whether SQLite refused a row because what it refers to does not exist. */
export const isOrphan = (error: unknown): boolean => hasCode(error, 'SQLITE_CONSTRAINT_FOREIGNKEY')
