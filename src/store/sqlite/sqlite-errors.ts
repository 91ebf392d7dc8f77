/** Whether SQLite refused with a code, or with a more particular one of its kind. The class of the error cannot tell: the
 *  addon uses the one that it was given last, which another copy of better-sqlite3 in this process may have brought. */
export const hasCode = (error: unknown, code: `SQLITE_${string}`): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  (error.code === code || error.code.startsWith(`${code}_`))

/** Whether SQLite refused a row because another has its value in a unique column. */
export const isTaken = (error: unknown): boolean => hasCode(error, 'SQLITE_CONSTRAINT_UNIQUE')
