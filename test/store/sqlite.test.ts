import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { storeConformance } from './conformance.ts'

const memory = { file: ':memory:', durable: false }

storeConformance(
  'SQLite in memory',
  async () => {
    const store = await openSqliteStore(memory)
    return { store, dispose: () => store.close() }
  },
  false,
)

storeConformance(
  'SQLite in a file',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'poe-store-'))
    const options = { file: join(folder, 'test.db'), durable: false }
    let store = await openSqliteStore(options)
    return {
      store,
      reopen: async () => {
        await store.close()
        store = await openSqliteStore(options)
        return store
      },
      dispose: async () => {
        await store.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
  true,
)
