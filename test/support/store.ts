import type { Config } from '../../src/app/config.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { memoryStore } from '../store/memory/store.ts'
import { wired } from './wired-store.ts'

/** Which store the emulators of tests work on: `POE_TEST_STORE` is `wired` (SQLite behind a wire), `memory` (no database at
 *  all) or `wired-memory`; otherwise it is the one of the program. */
export const storeKind = process.env.POE_TEST_STORE ?? ''

/** The store of one test emulator; undefined for the program's own. What has to be in a file is in SQLite. */
export async function storeForTests({ database, durable }: Pick<Config, 'database' | 'durable'>): Promise<{
  store: Store | undefined
  closeStore: () => Promise<void>
}> {
  if (storeKind === '') return { store: undefined, closeStore: async () => undefined }
  const isMemory = storeKind.endsWith('memory') && database === ':memory:'
  const own = isMemory ? memoryStore() : await openSqliteStore({ file: database, durable })
  const store = storeKind.startsWith('wired') ? wired(own) : own
  return { store, closeStore: () => own.close() }
}
