import type { Database } from 'better-sqlite3'
import { addFunctions } from './functions.ts'
import { migrations, newestSchema } from './migrations.generated.ts'

/** The schema version that this program writes, as it stands in the database's `user_version`. */
export const schemaVersion = migrations.length

/** Brings a database to the schema of this program, all or nothing.
 *  Leaves `foreign_keys` off: with them on, rebuilding a table would empty the tables that refer to it. */
export function migrate(sqlite: Database, scripts: readonly string[] = migrations): void {
  sqlite.pragma('foreign_keys = off')
  const version = Number(sqlite.pragma('user_version', { simple: true }))
  if (version === scripts.length) return
  addFunctions(sqlite)
  const run = sqlite.transaction(() => {
    // A new one does not go the way of those that were there before.
    const way = version === 0 && scripts === migrations ? [newestSchema] : scripts.slice(version)
    for (const script of way) sqlite.exec(script)
    sqlite.pragma(`user_version = ${scripts.length}`)
  })
  run.immediate()
}
