import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aClient } from '../store/factories.ts'
import { contents, crash } from '../store/folders.ts'
import { aFolder } from '../support/folder.ts'

const open = (file: string) => openSqliteStore({ file, durable: false })

/** Another process that has the database open. */
interface Other {
  /** Answers `ok` or the code of SQLite's error. */
  run(sql: string): Promise<string>
  /** Ends it as it would itself. */
  quit(): Promise<void>
  kill(): Promise<void>
}

function anotherProgram(file: string): Other {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support/other-program.ts'), file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })
  return {
    run: async (sql) => {
      const answer = once(lines, 'line')
      child.stdin.write(`${sql}\n`)
      return String((await answer)[0])
    },
    quit: async () => {
      child.stdin.end()
      await once(child, 'exit')
    },
    kill: () => crash(child),
  }
}

async function aDatabase(folder: string): Promise<string> {
  const file = join(folder, 'w.db')
  const store = await open(file)
  await store.createClient(aClient())
  await store.close()
  tamper(file, "insert into scenario_texts values ('0', '')")
  return file
}

function tamper(file: string, sql: string): void {
  const sqlite = new Sqlite(file)
  sqlite.exec(sql)
  sqlite.close()
}

/** Conditions that prevent this program from using the database, whether or not another one uses it. */
const obstacles: readonly (readonly [string, RegExp, (file: string) => unknown])[] = [
  ['it is in use', /is in use by another program/, () => {}],
  ['of another application', /another program/, (file) => tamper(file, 'pragma application_id = 7')],
  ['of a newer version', /schema version 999/, (file) => tamper(file, 'pragma user_version = 999')],
  ['damaged', /is damaged/, damage],
  ['a side file is foreign', /needs ".*-owner"/, (file) => writeFileSync(`${file}-owner`, 'notes')],
]

/** Has the last page of the table of clients full of noise. */
function damage(file: string): void {
  const sqlite = new Sqlite(file)
  const page = Number(
    sqlite.prepare("select rootpage from sqlite_schema where name = 'clients'").pluck().get(),
  )
  sqlite.close()
  const bytes = readFileSync(file)
  bytes.fill(0xff, (page - 1) * 4_096, page * 4_096)
  writeFileSync(file, bytes)
}

/** How another program uses it, and what a second one may do then. */
const uses: readonly (readonly [string, readonly string[], 'ok' | 'SQLITE_BUSY'])[] = [
  ['writes', ['begin immediate', "insert into scenario_texts values ('1', '')"], 'SQLITE_BUSY'],
  ['has written', ["insert into scenario_texts values ('1', '')"], 'ok'],
  ['reads', ["insert into scenario_texts values ('1', '')", 'begin', 'select * from scenario_texts'], 'ok'],
  [
    'has only read',
    ["insert into scenario_texts values ('1', '')", 'pragma wal_checkpoint(truncate)', 'select 1'],
    'ok',
  ],
  [
    'writes without a log',
    ['pragma journal_mode = delete', 'begin immediate', "insert into scenario_texts values ('1', '')"],
    'SQLITE_BUSY',
  ],
]

describe.each(uses)('a refused start takes nothing from a program that %s', (_, use, second) => {
  test.each(obstacles)('%s', async (_, words, obstruct) => {
    const folder = aFolder()
    const file = await aDatabase(folder)
    obstruct(file)
    const one = anotherProgram(file)
    for (const sql of use) expect(await one.run(sql)).toBe('ok')
    const before = shown(folder)
    await expect(open(file)).rejects.toThrow(words)
    expect(shown(folder)).toEqual(before)

    const two = anotherProgram(file)
    expect(await two.run('begin immediate')).toBe(second)
    if (second === 'ok') expect(await two.run('commit')).toBe('ok')
    else expect(await one.run('commit')).toBe('ok')
    expect(await two.run("insert into scenario_texts values ('2', '')")).toBe('ok')
    await one.quit()
    await two.quit()
    expect(rows(file)).toEqual(['0', '1', '2'])
  })
})

test('a start is refused while another program reads, and works once it has ended', async () => {
  const file = await aDatabase(aFolder())
  const one = anotherProgram(file)
  expect(await one.run("insert into scenario_texts values ('1', '')")).toBe('ok')
  await expect(open(file)).rejects.toThrow(/is in use by another program/)
  await one.quit()
  const store = await open(file)
  expect(await store.clients()).toHaveLength(1)
  await store.close()
  expect(rows(file)).toEqual(['0', '1'])
})

test('what a killed program has left of its log and index is taken in', async () => {
  const folder = aFolder()
  const file = await aDatabase(folder)
  const one = anotherProgram(file)
  expect(await one.run("insert into scenario_texts values ('1', '')")).toBe('ok')
  await one.kill()
  expect(readdirSync(folder)).toEqual(['w.db', 'w.db-shm', 'w.db-wal'])
  await (await open(file)).close()
  expect(readdirSync(folder)).toEqual(['w.db'])
  expect(rows(file)).toEqual(['0', '1'])
})

/** Names and hashes. Of an index only the name: SQLite notes in it who reads. */
const shown = (folder: string) =>
  Object.entries(contents(folder)).map(([name, hash]) => (name.endsWith('-shm') ? name : `${name} ${hash}`))

function rows(file: string): unknown[] {
  const sqlite = new Sqlite(file)
  const values = sqlite.prepare('select id from scenario_texts order by id').pluck().all()
  sqlite.close()
  return values
}
