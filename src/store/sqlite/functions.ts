import type { Database } from 'better-sqlite3'
import { keyBeginning, orderKey } from '../../domain/order-key.ts'

/** Adds what our SQL says and SQLite does not know. A database file does not depend on it. */
export function addFunctions(sqlite: Database): void {
  const deterministic = { deterministic: true }
  sqlite.function('order_key', deterministic, (clientId, requestId) =>
    orderKey(String(clientId), String(requestId)),
  )
  sqlite.function('key_beginning', deterministic, (requestId) => keyBeginning(String(requestId)))
  // SQLite's own knows the letters of ASCII only.
  sqlite.function('lower_any', deterministic, (text) =>
    typeof text === 'string' ? text.toLowerCase() : null,
  )
}
