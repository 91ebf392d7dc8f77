// A process of its own that opens a database: `node owner.ts <file>`. Says `open` and waits to be killed, or
// says why the database was refused and exits with 2, like the program.
import { DatabaseRefused } from '../../src/store/database-refused.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aClient } from './factories.ts'

try {
  const store = await openSqliteStore({ file: process.argv[2] ?? '', durable: false })
  await store.createClient(aClient())
  console.log('open')
  setInterval(() => {}, 1_000)
} catch (error) {
  if (!(error instanceof DatabaseRefused)) throw error
  console.log(error.message)
  process.exitCode = 2
}
