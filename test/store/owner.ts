// A process of its own that opens a database: `node owner.ts <file> [user id]`. Says `open` and waits to be killed, or
// says why the database was refused and exits with 2, like the program.
import Sqlite from 'better-sqlite3'
import { DatabaseRefused } from '../../src/store/database-refused.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aClient } from './factories.ts'

const user = process.argv[3]
if (user !== undefined) {
  // The binary is read at the first use, and the user may not be allowed to read this checkout.
  new Sqlite(':memory:').close()
  process.setgid?.(Number(user))
  process.setuid?.(Number(user))
}

try {
  const store = await openSqliteStore({ file: process.argv[2] ?? '', durable: false })
  // Named so that it is none of those that the test makes.
  const name = `client-of-${process.pid}`
  await store.createClient(aClient({ clientId: name, accessToken: name }))
  console.log('open')
  // What nothing holds is closed by the garbage collection.
  setInterval(() => store, 1_000)
} catch (error) {
  if (!(error instanceof DatabaseRefused)) throw error
  console.log(error.message)
  process.exitCode = 2
}
