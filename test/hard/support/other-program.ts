// Another program that uses a database: `node other-program.ts <file>`. Runs each line of its input as SQL and answers
// `ok`, or the code of SQLite's error.
import { createInterface } from 'node:readline'
import Sqlite from 'better-sqlite3'

const sqlite = new Sqlite(process.argv[2] ?? '', { timeout: 0 })
for await (const sql of createInterface({ input: process.stdin })) {
  try {
    sqlite.exec(sql)
    console.log('ok')
  } catch (error) {
    console.log(error instanceof Sqlite.SqliteError ? error.code : String(error))
  }
}
