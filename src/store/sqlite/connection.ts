import type { Database } from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { addFunctions } from './functions.ts'
import { OrderKeys } from './order-keys.ts'
import { type Write, Writer } from './writer.ts'

/** What the verbs of each topic are made of. */
export interface Connection {
  readonly sqlite: Database
  /** For reads: they are typed by the schema. */
  readonly db: BetterSQLite3Database
  readonly write: Write
  readonly writer: Pick<Writer, 'written'>
  readonly orderKeys: OrderKeys
  /** How often everything has been replaced at once, behind the back of whoever remembers something. */
  replaced: number
  /** Commits what waits to be written, at once. */
  flush(): void
}

/** @param keysWaiting see `OrderKeys` */
export function connect(sqlite: Database, keysWaiting?: number): Connection {
  addFunctions(sqlite)
  const orderKeys = new OrderKeys(sqlite, keysWaiting)
  const writer = new Writer(sqlite, orderKeys)
  return {
    sqlite,
    db: drizzle(sqlite),
    write: writer.write,
    writer,
    orderKeys,
    replaced: 0,
    flush: () => writer.flush(),
  }
}
