import type { Database } from 'better-sqlite3'
import { firstMigration } from './first-migration.ts'

/** The schema version that this program writes and reads, in the database's `user_version`. Development versions before
 *  0.1.0 had 1 to 17. */
export const schemaVersion = 18

/** Tables are STRICT, so that SQLite refuses a value of the wrong type. drizzle-kit does not know the word. */
const script = firstMigration.replaceAll(/^\);$/gm, ') STRICT;')

/** Creates the tables and indexes in a new database, and the one row of `world`. */
export function migrate(sqlite: Database): void {
  sqlite.exec(script)
  sqlite.exec('insert into world (id) values (1)')
  sqlite.pragma(`user_version = ${schemaVersion}`)
}

/** Compares the tables and indexes of a database with those of this program.
 *  @returns the first difference, in words; undefined if there is none */
export function schemaDifference(sqlite: Database): string | undefined {
  // SQLite stores each statement as it came, without the semicolon. What has a name of SQLite's own says nothing of ours.
  const found = sqlite
    .prepare<[], { type: string; name: string; sql: string }>(
      `select type, name, sql from sqlite_schema where name not like 'sqlite\\_%' escape '\\'`,
    )
    .all()
  const expected = script.split('--> statement-breakpoint').map((one) => one.trim().replace(/;$/, ''))
  const other = found.find(({ sql }) => !expected.includes(sql))
  if (other !== undefined)
    return `its ${other.type} ${JSON.stringify(other.name.slice(0, 100))} does not belong to this program's schema`
  const missing = expected.find((statement) => !found.some(({ sql }) => sql === statement))
  return missing === undefined ? undefined : `it lacks ${/(?:TABLE|INDEX) `\w+`/.exec(missing)?.[0]}`
}
