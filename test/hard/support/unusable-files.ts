import { randomFillSync } from 'node:crypto'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'vitest'
import { aFolder, connect, create } from './load.ts'
import { type Program, startProgram } from './program.ts'

/** Lays `file`, given a stopped program's database; answers what the refusal has to say. */
type Lay = (file: string, database: string) => RegExp | Promise<RegExp>

/** The folder of this one does not exist. */
export const missingFolder = 'a missing folder'

const page = 4_096

/** Kinds of files that are no usable database, by name. */
export const unusableFiles: readonly (readonly [string, Lay])[] = [
  ['a zero-length file', (file) => write(file, '', /is empty.*Remove it/)],
  ['a short text', (file) => write(file, 'hello', /not an SQLite file.*Choose/)],
  ['a long text', (file) => write(file, 'hello\n'.repeat(10_000), /not an SQLite file.*Choose/)],
  ['a database cut to its header', (file, database) => cut(file, database, 100)],
  ['a database cut within a page', (file, database) => cut(file, database, 5 * page + 100)],
  ['a database cut between pages', (file, database) => cut(file, database, 5 * page)],
  ['a database with a page of noise', (file, database) => damage(file, database, 3 * page, page)],
  ['a database with noise behind its header', (file, database) => damage(file, database, 100, page - 100)],
  ['a foreign database', (file) => foreign(file, '')],
  ['a foreign database of another kind', (file) => foreign(file, 'pragma application_id = 7')],
  ['a foreign database in WAL mode', (file) => foreign(file, 'pragma journal_mode = wal')],
  ['a foreign database that has crashed in WAL mode', foreignCrashed],
  ['a newer schema', (file, database) => changed(file, database, ...newer)],
  ['an older schema', (file, database) => changed(file, database, ...older)],
  ['a dropped table', (file, database) => changed(file, database, 'drop table faults', otherSchema)],
  ['a foreign trigger', (file, database) => changed(file, database, trigger, otherSchema)],
  ['broken JSON in a row', (file, database) => changed(file, database, ...brokenJson)],
  ['a folder', folder],
  [missingFolder, () => /folder does not exist.*Create the folder/],
  [
    'an old log beside no database',
    (file) => write(`${file}-wal`, 'old', /is missing, but.*remove that file/),
  ],
  ['an old log beside a newer database', anotherLog],
  ['a link in place of the lock', (file) => linked(`${file}-lock`, 'gone')],
  ['a link in place of the owner', (file) => linked(`${file}-owner`, aNote(file))],
  ['a text in place of the draft', (file) => write(`${file}-draft`, 'notes', notOurs)],
  ['a text in place of the journal', (file, database) => beside(file, database, '-journal')],
  ['a text in place of the log', (file, database) => beside(file, database, '-wal')],
  ['a text in place of the index', (file, database) => beside(file, database, '-shm')],
  ['a second name of a database', secondName],
]

/** Creates a database with a few dozen orders, left by a stopped program. */
export async function aDatabase(): Promise<string> {
  const file = join(aFolder(), 'e.db')
  const program = await startProgram(['--clock', 'manual', '--database', file])
  await createMany(program.url)
  await stopped(program)
  return file
}

function write(file: string, text: string, words: RegExp): RegExp {
  writeFileSync(file, text)
  return words
}

function cut(file: string, database: string, bytes: number): RegExp {
  copyFileSync(database, file)
  truncateSync(file, bytes)
  return damaged
}

function damage(file: string, database: string, from: number, bytes: number): RegExp {
  const whole = readFileSync(database)
  randomFillSync(whole, from, bytes)
  writeFileSync(file, whole)
  return damaged
}

function linked(path: string, target: string): RegExp {
  symlinkSync(target, path)
  return notOurs
}

function aNote(file: string): string {
  const note = join(dirname(file), 'notes.txt')
  writeFileSync(note, 'notes')
  return note
}

function beside(file: string, database: string, suffix: string): RegExp {
  copyFileSync(database, file)
  return write(file + suffix, 'notes', notOurs)
}

function secondName(file: string, database: string): RegExp {
  copyFileSync(database, file)
  linkSync(file, join(dirname(file), 'backup.db'))
  return /second name.*copy the file/
}

const notOurs = /needs ".*", which is not a file of this program.*Move that file away/

const damaged = /is damaged.*Restore a backup/

function foreign(file: string, sql: string): RegExp {
  const sqlite = new Sqlite(file)
  sqlite.exec(`${sql}; create table theirs (a); insert into theirs values (1)`)
  sqlite.close()
  return /another program.*Choose another file/
}

function foreignCrashed(file: string): RegExp {
  const folder = aFolder()
  const sqlite = new Sqlite(join(folder, 'a.db'))
  sqlite.exec('pragma journal_mode = wal; create table theirs (a)')
  sqlite.pragma('wal_checkpoint')
  sqlite.exec('insert into theirs values (1)')
  for (const suffix of ['', '-wal']) copyFileSync(join(folder, `a.db${suffix}`), `${file}${suffix}`)
  sqlite.close()
  return /another program.*Choose another file/
}

function changed(file: string, database: string, sql: string, words: RegExp): RegExp {
  copyFileSync(database, file)
  const sqlite = new Sqlite(file)
  sqlite.exec(sql)
  sqlite.close()
  return words
}

const newer = ['pragma user_version = 999', /schema version 999.*Use the newer version/] as const
const older = ['pragma user_version = 17', /schema version 17.*Use the older version/] as const
const trigger = 'create trigger theirs after insert on orders begin delete from orders; end'
const otherSchema = /changed by another program.*Use the program that created it/
const brokenJson = [
  `update orders set request = '{"cut":' where seq = 7`,
  /is damaged \(row 7 of its table "orders".*Restore a backup/,
] as const

function folder(file: string): RegExp {
  mkdirSync(file)
  return /is a folder.*Name a file in it/
}

/** The write-ahead log of another database after a kill, beside a file from a backup. */
async function anotherLog(file: string, database: string): Promise<RegExp> {
  const folder = aFolder()
  const killed = join(folder, 'killed.db')
  copyFileSync(database, killed)
  const { child, exited, url } = await startProgram(['--clock', 'manual', '--database', killed])
  await createMany(url)
  child.kill('SIGKILL')
  await exited
  copyFileSync(`${killed}-wal`, `${file}-wal`)
  const fresh = join(folder, 'fresh.db')
  await stopped(await startProgram(['--database', fresh]))
  copyFileSync(fresh, file)
  return damaged
}

let asked = 0

/** Has some dozen orders created. */
export async function createMany(url: string): Promise<void> {
  const pool = connect(url, 4)
  const ids = Array.from({ length: 60 }, () => `r-${asked++}`)
  expect(new Set(await Promise.all(ids.map((id) => create(pool, id))))).toEqual(new Set([200]))
}

export async function stopped({ child, exited }: Program): Promise<void> {
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
}
