import type { Database } from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { type Write, Writer } from './writer.ts'

/** What the verbs of each topic are made of. */
export interface Connection {
  readonly sqlite: Database
  /** For reads: they are typed by the schema. */
  readonly db: BetterSQLite3Database
  readonly write: Write
  readonly writer: Pick<Writer, 'written'>
  /** How often everything has been replaced at once, behind the back of whoever remembers something. */
  replaced: number
  /** Commits what waits to be written, at once. */
  flush(): void
}

export function connect(sqlite: Database): Connection {
  // SQLite's own `lower` knows the letters of ASCII only.
  sqlite.function('lower_any', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : null,
  )
  const writer = new Writer(sqlite)
  return {
    sqlite,
    db: drizzle(sqlite),
    write: writer.write,
    writer,
    replaced: 0,
    flush: () => writer.flush(),
  }
}
