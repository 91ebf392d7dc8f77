// A process of its own that opens databases: `node owner.ts <user id, or nothing> <file...>`. For each it says `open`, or
// why it was refused. It waits to be killed if any is open; else it exits with 2, like the program.
import Sqlite from 'better-sqlite3'
import { DatabaseRefused } from '../../src/store/refusals.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aClient } from './factories.ts'

const [user = '', ...files] = process.argv.slice(2)
if (user !== '') {
  // The binary is read at the first use, and the user may not be allowed to read this checkout.
  new Sqlite(':memory:').close()
  process.setgid?.(Number(user))
  process.setuid?.(Number(user))
}

for (const file of files) {
  try {
    const store = await openSqliteStore({ file, durable: false })
    // Named so that it is none of those that the test makes.
    const name = `client-of-${process.pid}`
    await store.createClient(aClient({ clientId: name, accessToken: name }))
    console.log('open')
    // Keeps the store reachable, so that it is not garbage-collected.
    setInterval(() => store, 1_000)
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error
    console.log(error.message)
    process.exitCode = 2
  }
}
