import type { Database } from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { type Insert, inserting, remembered } from './rows.ts'
import { Writer } from './writer.ts'

/** What the verbs of each topic are made of. A statement is prepared when its text is first used, and kept: so there must
 *  be few texts. */
export interface Connection extends Pick<Writer, 'write' | 'read' | 'writeInParts'> {
  readonly sqlite: Database
  /** For rare writes of some columns. It prepares each of them again. */
  readonly db: BetterSQLite3Database
  readonly insert: Insert
  readonly prepare: Database['prepare']
  /** Runs a statement; answers how many rows it has changed. */
  readonly run: (text: string, ...parameters: unknown[]) => number
  /** The first column of the first row; undefined without rows. */
  readonly value: <T>(text: string, ...parameters: unknown[]) => T | undefined
  /** The first column of all rows. */
  readonly values: <T>(text: string, ...parameters: unknown[]) => T[]
  readonly writer: Pick<Writer, 'committed' | 'close'>
}

export function connect(sqlite: Database): Connection {
  // SQLite's own `lower` knows the letters of ASCII only.
  sqlite.function('lower_any', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : null,
  )
  const writer = new Writer(sqlite)
  const { write, read, writeInParts } = writer
  const insert = inserting(sqlite)
  return { sqlite, db: drizzle(sqlite), insert, ...statements(sqlite), write, read, writeInParts, writer }
}

function statements(sqlite: Database): Pick<Connection, 'prepare' | 'run' | 'value' | 'values'>
function statements(sqlite: Database) {
  const prepare = remembered((text: string) => sqlite.prepare(text))
  const plucked = remembered((text: string) => sqlite.prepare(text).pluck())
  return {
    prepare,
    run: (text: string, ...parameters: unknown[]) => prepare(text).run(...parameters).changes,
    value: (text: string, ...parameters: unknown[]) => plucked(text).get(...parameters),
    values: (text: string, ...parameters: unknown[]) => plucked(text).all(...parameters),
  }
}
