// The least that the emulator is made of: Node's HTTP, its classes of fetch, which Hono extends, and SQLite. No start can be
// faster than this one. JavaScript, so that no types have to be stripped.

import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { createServer } = require('node:http')
const Sqlite = require('better-sqlite3')

new Response(null)
new Sqlite(':memory:').exec('create table orders (seq integer primary key)')
createServer((_, answer) => answer.end('{}')).listen(Number(process.argv[2]), '127.0.0.1')
