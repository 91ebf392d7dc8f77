// Runs in the program before its first line (`node --import`) and ends it by SIGKILL at a point that KILLER names: see
// `Killer`. Nothing of the program knows of this.
import fs, { appendFileSync, existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import Sqlite from 'better-sqlite3'
import type { Killer } from '../killers.ts'
import { context, statementPrototype } from './around.ts'

const { point, nth, armedBy, proof }: Killer = JSON.parse(process.env.KILLER ?? '')
const statementsPerStep = 3
let passed = 0
/** The orderIds that the transaction under way has written. */
let orders: string[] = []
let claims = 0
let marks = 0

const isCommit = (sql: string) => /^commit/i.test(sql)
const before: Readonly<Record<string, (sql: string, writes: boolean) => boolean>> = {
  'before the transaction': (sql) => /^begin/i.test(sql),
  'in the transaction': (sql) => isCommit(sql) && orders.length > 0,
  'before the mark': (sql) => isCommit(sql) && marks > 0,
  // A kill before a read leaves the same state as a kill before the next write.
  'at a step': (_, writes) => writes,
}
const after: Readonly<Record<string, (sql: string) => boolean>> = {
  'at a step': isCommit,
  'after the transaction': (sql) => isCommit(sql) && orders.length > 0,
  'after the claim': (sql) => isCommit(sql) && claims > 0,
}

for (const verb of ['run', 'get', 'all']) {
  context(statementPrototype(), verb, (call, self, args) => {
    const sql = String(memberOf(self, 'source')).trim()
    // To SQLite a commit is a read.
    const writes = memberOf(self, 'readonly') !== true || isCommit(sql)
    const lasts = memberOf(memberOf(self, 'database'), 'memory') !== true
    return step(sql, { writes: writes && lasts, args }, () => call())
  })
}
// A script is several steps: so many statements each.
context(Sqlite.prototype, 'exec', (call, self, [script]) => {
  const statements = String(script).split(/(?<=;)\s*\n/)
  const writes = memberOf(self, 'memory') !== true
  while (statements.length > 0) {
    const some = statements.splice(0, statementsPerStep).join('\n')
    step(some.trim(), { writes }, () => call([some]))
  }
})
context(Sqlite.prototype, 'close', (call) => step('close', { writes: true }, call))
for (const name of ['writeSync', 'renameSync', 'fsyncSync', 'rmSync'])
  context(fs, name, (call) => step(name, { writes: true }, call))
syncBuiltinESMExports()

const memberOf = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined

/** @param how `writes`: whether it changes anything outside of the process's memory */
function step(
  sql: string,
  { writes, args = [] }: { writes: boolean; args?: readonly unknown[] },
  act: () => unknown,
): unknown {
  if (before[point]?.(sql, writes)) perhapsKill(sql)
  note(sql, args)
  const answer = act()
  if (after[point]?.(sql)) perhapsKill(`after ${sql}`)
  return answer
}

function note(sql: string, args: readonly unknown[]): void {
  if (/^begin/i.test(sql)) {
    orders = []
    claims = 0
    marks = 0
  }
  if (/^update deliveries set in_flight = :inFlight,/i.test(sql)) claims += 1
  if (/^update deliveries set in_flight = 0, blocking = 0,/i.test(sql)) marks += 1
  if (!/^insert into "?orders"?/i.test(sql)) return
  const texts = args.flat().filter((value) => typeof value === 'string')
  // The orderId comes before the token, which looks the same.
  orders.push(...texts.filter((text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/.test(text)).slice(0, 1))
}

function perhapsKill(sql: string): void {
  if (armedBy !== undefined && !existsSync(armedBy)) return
  passed += 1
  if (passed < nth) return
  appendFileSync(proof, `${JSON.stringify({ sql, orders })}\n`)
  process.kill(process.pid, 'SIGKILL')
}
