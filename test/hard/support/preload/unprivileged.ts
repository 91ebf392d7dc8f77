// Runs in the program before its first line. Permissions do not hold the superuser back, who runs tests in containers:
// so the program gives its own up, once it has read all its code and before it opens the database.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import Sqlite from 'better-sqlite3'
import { context } from './around.ts'

const nobody = 65_534

// The binary is read at the first use.
new Sqlite(':memory:').close()
context(fs, 'accessSync', (call) => {
  if (process.getuid?.() === 0) {
    process.setgid?.(nobody)
    process.setuid?.(nobody)
  }
  return call()
})
syncBuiltinESMExports()
