import { randomFillSync } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test, vi } from 'vitest'
import { scenarioFormat } from '../../src/domain/scenario/scenario.ts'
import { DatabaseRefused } from '../../src/store/refusals.ts'
import { applicationId, schemaVersion } from '../../src/store/sqlite/database-file.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aFolder } from '../support/folder.ts'
import { aClient, aDecision, aDelivery, anEntry, anOrder, aSimulation, several, shop } from './factories.ts'
import { contents, crash, openElsewhere, refusedElsewhere } from './folders.ts'

const open = (file: string) => openSqliteStore({ file, durable: false })

/** A closed database with some pages of content. */
async function aDatabase(folder: string, name = 'a.db'): Promise<string> {
  const file = join(folder, name)
  const store = await open(file)
  const client = aClient()
  const generation = await store.createClient(client)
  for (const delivery of several(50, () =>
    aSimulation({ clientId: client.clientId, body: 'x'.repeat(1_000) }),
  ))
    await store.addDelivery(delivery, generation)
  await store.close()
  return file
}

/** Changes a database by SQL, behind the store's back. */
function tamper(file: string, sql: string): void {
  const sqlite = new Sqlite(file)
  sqlite.exec(sql)
  sqlite.close()
}

function aForeignDatabase(file: string, sql = ''): void {
  tamper(file, `create table theirs (a); ${sql}`)
}

/** Creates the database of a crash: its write-ahead log holds newer data than its file. */
async function aCrashedDatabase(folder: string, sql: string): Promise<string> {
  const file = await aDatabase(folder, 'b.db')
  const sqlite = new Sqlite(file)
  sqlite.exec(sql)
  const copy = join(folder, 'a.db')
  for (const suffix of ['', '-wal']) writeFileSync(copy + suffix, readFileSync(file + suffix))
  sqlite.close()
  rmSync(file)
  return copy
}

/** Opens and expects a refusal that leaves the folder as it was. */
async function refused(folder: string, file: string, words: RegExp): Promise<void> {
  const before = contents(folder)
  const error = await open(file).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DatabaseRefused)
  const message = error instanceof Error ? error.message : ''
  expect(message).toMatch(words)
  expect(message).toMatch(/^The database ".*" .*\. .*\.$/)
  expect(message).not.toContain('\n')
  expect(contents(folder)).toEqual(before)
}

describe('what is no database of ours is refused and left as it was', () => {
  const made: readonly [string, RegExp, (file: string, folder: string) => unknown][] = [
    ['an empty file', /is empty/, (file) => writeFileSync(file, '')],
    ['a short text', /not an SQLite file/, (file) => writeFileSync(file, 'hello')],
    ['a long text', /not an SQLite file/, (file) => writeFileSync(file, 'hello\n'.repeat(10_000))],
    ['a header without the rest', /not an SQLite file/, (file) => writeFileSync(file, 'SQLite format 3\0')],
    ['a folder', /is a folder/, (file) => mkdirSync(file)],
    [
      'a link without a target',
      /symbolic link without a target/,
      (file, folder) => symlinkSync(join(folder, 'gone'), file),
    ],
    ['a foreign database', /another program/, (file) => aForeignDatabase(file, 'pragma application_id = 7')],
    ['a database of nobody', /another program/, (file) => aForeignDatabase(file)],
    [
      'a foreign database with a log',
      /another program/,
      (file) => aForeignDatabase(file, 'pragma journal_mode = wal'),
    ],
    [
      'a newer schema',
      /schema version 999/,
      (_, folder) => aDatabase(folder).then((made) => tamper(made, 'pragma user_version = 999')),
    ],
    [
      'an older schema',
      /schema version 17.*Use the older version/,
      (_, folder) => aDatabase(folder).then((made) => tamper(made, 'pragma user_version = 17')),
    ],
    [
      'a newer schema in the log only',
      /schema version 998/,
      (_, folder) => aCrashedDatabase(folder, 'pragma user_version = 998'),
    ],
    ['a log beside no database', /is missing, but/, (file) => writeFileSync(`${file}-wal`, 'old')],
    ['a journal beside no database', /is missing, but/, (file) => writeFileSync(`${file}-journal`, 'old')],
    [
      'a lock file that is something else',
      /needs ".*-lock", which is not a file of this program/,
      (file) => writeFileSync(`${file}-lock`, 'mine'),
    ],
  ]
  test.each(made)('%s', async (_, words, make) => {
    const folder = aFolder()
    const file = join(folder, 'a.db')
    await make(file, folder)
    await refused(folder, file, words)
  })

  test('a missing folder', async () => {
    const folder = aFolder()
    await refused(folder, join(folder, 'missing', 'a.db'), /its folder does not exist/)
  })

  test('a file as folder', async () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'file'), 'x')
    await refused(folder, join(folder, 'file', 'a.db'), /its folder does not exist/)
  })

  test('a name with a line break is told in one line', async () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'a\nb.db'), '')
    await refused(folder, join(folder, 'a\nb.db'), /a\\nb\.db/)
  })

  test('a refused file is free again at once', async () => {
    const folder = aFolder()
    const file = join(folder, 'a.db')
    writeFileSync(file, '')
    await refused(folder, file, /is empty/)
    rmSync(file)
    await (await open(file)).close()
  })
})

describe('a database whose schema another program has made or changed is refused and left as it was', () => {
  const changes: readonly (readonly [name: string, sql: string, words: string])[] = [
    ['a table is gone', 'drop table faults', 'it lacks TABLE `faults`'],
    ['an index is gone', 'drop index deliveries_held', 'it lacks INDEX `deliveries_held`'],
    ['a table more', 'create table theirs (a)', 'its table "theirs"'],
    ['a view more', 'create view theirs as select 1', 'its view "theirs"'],
    ['an index more', 'create index theirs on tokens (token)', 'its index "theirs"'],
    [
      'a trigger more',
      'create trigger theirs after insert on orders begin delete from orders; end',
      'its trigger "theirs"',
    ],
    ['a column more', 'alter table faults add column theirs text', 'its table "faults"'],
    ['a column renamed', 'alter table tokens rename column expires_at to until', 'its table "tokens"'],
    ['a name of two lines', 'create table "the\nirs" (a)', 'its table "the\\nirs"'],
  ]

  test.each(changes)('%s', async (_, sql, words) => {
    const folder = aFolder()
    const file = await aDatabase(folder)
    tamper(file, sql)
    await refused(folder, file, /changed by another program.*Use the program that created it/)
    await expect(open(file)).rejects.toThrow(words)
  })

  test.each(changes)('%s, in what a crash left in the log', async (_, sql, words) => {
    const folder = aFolder()
    const file = await aCrashedDatabase(folder, sql)
    await refused(folder, file, /changed by another program/)
    await expect(open(file)).rejects.toThrow(words)
  })

  test('but not what SQLite itself keeps beside it', async () => {
    const file = await aDatabase(aFolder())
    tamper(file, 'analyze')
    const store = await open(file)
    expect(await store.clients()).toHaveLength(1)
    await store.close()
  })
})

describe('a row whose JSON is broken is found at the start, and the database left as it was', () => {
  const broken = (
    [
      ['clients', 'settings'],
      ['clients', 'holds'],
      ['deliveries', 'plan'],
      ['deliveries', 'request_headers'],
      ['orders', 'history'],
      ['orders', 'metadata'],
      ['orders', 'request'],
      ['requests', 'headers'],
      ['scenario_versions', 'scenario_json'],
      ['world', 'settings'],
    ] as const
  ).map(([table, column]) => ({ table, column }))

  async function aFullDatabase(folder: string): Promise<string> {
    const file = join(folder, 'a.db')
    const store = await open(file)
    const generation = await store.createClient(aClient({ clientId: shop }))
    await store.commit(aDecision(anOrder(), { events: [aDelivery()] }), generation)
    await store.appendRequests([anEntry()], { all: 10, each: 0 })
    await store.saveScenarioVersion('v1', { scenarioJson: '{}', format: scenarioFormat })
    await store.close()
    return file
  }

  test.each(broken)('$table.$column', async ({ table, column }) => {
    const folder = aFolder()
    const file = await aFullDatabase(folder)
    tamper(file, `update ${table} set ${column} = '{"cut":'`)
    await refused(
      folder,
      file,
      new RegExp(`is damaged \\(row \\d+ of its table "${table}" holds invalid JSON\\)`),
    )
  })

  test('in what a crash left in the log, too', async () => {
    const folder = aFolder()
    const file = await aCrashedDatabase(folder, `update clients set holds = '['`)
    await refused(folder, file, /row \d+ of its table "clients"/)
  })
})

describe('a damaged database is refused and left as it was', () => {
  const page = 4_096
  const damages: readonly [string, (file: string) => void][] = [
    ['cut to its header', (file) => truncateSync(file, 100)],
    ['cut within a page', (file) => truncateSync(file, 5 * page + 100)],
    ['cut between pages', (file) => truncateSync(file, 5 * page)],
    ['with a page of noise', (file) => overwrite(file, 3 * page, page)],
    ['with noise behind its header', (file) => overwrite(file, 100, page - 100)],
  ]

  function overwrite(file: string, from: number, length: number): void {
    const bytes = readFileSync(file)
    randomFillSync(bytes, from, length)
    writeFileSync(file, bytes)
  }

  test.each(damages)('%s', async (_, damage) => {
    const folder = aFolder()
    const file = await aDatabase(folder)
    damage(file)
    await refused(folder, file, /is damaged/)
  })

  test.each(damages)('%s, with what a crash left in the log', async (_, damage) => {
    const folder = aFolder()
    const file = await aCrashedDatabase(folder, "insert into scenario_versions values ('a', '{}', 1)")
    damage(file)
    await refused(folder, file, /is damaged/)
  })

  test('with an index of the log, too', async () => {
    const folder = aFolder()
    const file = await aCrashedDatabase(folder, "insert into scenario_versions values ('a', '{}', 1)")
    overwrite(file, 3 * page, page)
    writeFileSync(`${file}-shm`, '')
    await expect(open(file)).rejects.toThrow(/is damaged/)
    expect(readdirSync(folder)).toEqual(['a.db', 'a.db-shm', 'a.db-wal'])
  })
})

describe.skipIf(process.platform === 'win32')('without permission', () => {
  // The superuser, who runs tests in containers, ignores permissions, so another process gives them up.
  const nobody = process.getuid?.() === 0 ? 65_534 : undefined
  const unwritable: readonly [string, RegExp, number, number][] = [
    ['a read-only folder', /read-only folder/, 0o555, 0o666],
    ['a read-only file', /cannot be read and written/, 0o777, 0o444],
    ['an unreadable file', /cannot be read and written/, 0o777, 0o000],
  ]
  test('a read-only folder or file and an unreadable file are refused', async () => {
    const given = await Promise.all(
      unwritable.map(async ([name, words, folderMode, fileMode]) => {
        const folder = aFolder()
        const file = await aDatabase(folder)
        const before = contents(folder)
        chmodSync(file, fileMode)
        chmodSync(folder, folderMode)
        return { name, words, folder, file, before }
      }),
    )
    const lines = refusedElsewhere(
      given.map(({ file }) => file),
      nobody,
    )
    for (const [index, { name, words, folder, file, before }] of given.entries()) {
      expect(lines[index], name).toMatch(words)
      chmodSync(file, 0o600)
      expect(contents(folder), name).toEqual(before)
    }
  })
})

describe('a database has one owner', () => {
  test('a second process is refused while the first lives, and takes over after its crash', async () => {
    const folder = aFolder()
    const file = join(folder, 'a.db')
    const { child, line } = await openElsewhere(file)
    expect(line).toBe('open')
    expect(readdirSync(folder)).toEqual(['a.db', 'a.db-lock', 'a.db-owner', 'a.db-wal'])
    await refusedInUse(folder, file, `is in use by process ${child.pid} on `)
    await crash(child)
    const store = await open(file)
    expect(await store.clients()).toHaveLength(1)
    await store.close()
    expect(Object.keys(contents(folder))).toEqual(['a.db'])
  })

  test('a second store in one process is refused, under any name of the file, and so is one in another process', async () => {
    const folder = aFolder()
    const file = join(folder, 'a.db')
    const store = await open(file)
    symlinkSync(file, join(folder, 'link.db'))
    symlinkSync(folder, join(folder, 'here'))
    for (const name of ['a.db', 'link.db', 'here/a.db', './here/../a.db', ' a.db '.trim()])
      await refusedInUse(folder, join(folder, name), 'is in use by this process')
    // The refusals have not dropped the lock.
    expect((await openElsewhere(file)).line).toContain(`is in use by process ${process.pid} on `)
    await store.createClient(aClient())
    await store.close()
    await (await open(join(folder, 'link.db'))).close()
  })

  async function refusedInUse(folder: string, file: string, words: string): Promise<void> {
    // Only names: reading a file that this process has locked would drop the lock.
    const before = readdirSync(folder)
    await expect(open(file)).rejects.toThrow(words)
    expect(readdirSync(folder)).toEqual(before)
  }
})

describe('a new database', () => {
  test('is ours by its header, and stands alone once closed', async () => {
    const folder = aFolder()
    const file = join(folder, 'new.db')
    const store = await open(file)
    await store.createClient(aClient())
    await store.close()
    expect(Object.keys(contents(folder))).toEqual(['new.db'])
    const header = readFileSync(file).subarray(0, 100)
    expect(header.readUInt32BE(68)).toBe(applicationId)
    expect(header.readUInt32BE(60)).toBe(schemaVersion)
  })

  test('leaves nothing if it cannot be made', async () => {
    const folder = aFolder()
    const file = join(folder, 'a.db')
    const { serialize } = Sqlite.prototype
    // Something comes into its place before it is there. (The lock is made before.)
    const spied = vi.spyOn(Sqlite.prototype, 'serialize').mockImplementation(function (
      this: Sqlite.Database,
    ) {
      if (existsSync(`${file}-lock`)) mkdirSync(file)
      return serialize.call(this)
    })
    await expect(open(file)).rejects.toThrow(/cannot be opened/)
    spied.mockRestore()
    expect(readdirSync(folder)).toEqual(['a.db'])
  })

  test('leaves nothing if the disk fills up meanwhile', async () => {
    const folder = aFolder()
    const full = vi.spyOn(Sqlite.prototype, 'serialize').mockImplementation(() => {
      throw new Error('database or disk is full')
    })
    await refused(folder, join(folder, 'a.db'), /cannot be opened \(database or disk is full\)/)
    full.mockRestore()
  })

  test('can have any name', async () => {
    const folder = aFolder()
    for (const name of ['file:a?mode=ro.db', '%41.db', ' b.db', 'ü\u{1F9FE}', ':memory: ']) {
      const store = await open(join(folder, name))
      await store.createClient(aClient())
      await store.close()
    }
    expect(Object.keys(contents(folder))).toHaveLength(5)
  })
})

describe('an existing database', () => {
  test('that a crash left with a log keeps what is in it', async () => {
    const folder = aFolder()
    const file = await aCrashedDatabase(folder, "insert into scenario_versions values ('a', '{}', 1)")
    const store = await open(file)
    expect((await store.findScenarioVersion('a'))?.scenarioJson).toBe('{}')
    await store.close()
    expect(Object.keys(contents(folder))).toEqual(['a.db'])
  })

  test('is not changed by being opened and closed', async () => {
    const folder = aFolder()
    const file = await aDatabase(folder)
    const before = contents(folder)
    await (await open(file)).close()
    expect(contents(folder)).toEqual(before)
  })

  test('that another program is writing to is refused', async () => {
    const folder = aFolder()
    const file = await aDatabase(folder)
    const other = new Sqlite(file)
    other.pragma('journal_mode = delete')
    other.exec('begin exclusive')
    await expect(open(file)).rejects.toThrow(/is in use by another program\. Close it there/)
    other.exec('rollback')
    other.close()
    await (await open(file)).close()
  })

  test('that another one replaces while it is checked is refused', async () => {
    const folder = aFolder()
    const file = await aDatabase(folder)
    const other = await aDatabase(folder, 'b.db')
    const unchanged = contents(folder)['b.db']
    const { pragma } = Sqlite.prototype
    const spied = vi.spyOn(Sqlite.prototype, 'pragma').mockImplementation(function (
      this: Sqlite.Database,
      text,
      options,
    ) {
      if (text.startsWith('quick_check')) renameSync(other, file)
      return pragma.call(this, text, options)
    })
    await expect(open(file)).rejects.toThrow(/was replaced during the start/)
    spied.mockRestore()
    expect(contents(folder)['a.db']).toBe(unchanged)
  })

  test('can be moved while it is closed', async () => {
    const folder = aFolder()
    const file = await aDatabase(folder)
    renameSync(file, join(folder, 'moved.db'))
    const store = await open(join(folder, 'moved.db'))
    expect(await store.clients()).toHaveLength(1)
    await store.close()
  })

  test('shows a held delivery', async () => {
    const file = await aDatabase(aFolder())
    tamper(file, "update deliveries set status = 'held' where seq = 1")
    const store = await open(file)
    expect((await store.listDeliveries({ status: 'held', limit: 9 })).items).toMatchObject([
      { status: 'held' },
    ])
    await store.close()
  })
})

describe('settings of the connection', () => {
  const settings: readonly [string, string | number][] = [
    ['journal_mode', 'wal'],
    ['busy_timeout', 250],
    ['foreign_keys', 1],
    ['trusted_schema', 0],
    ['wal_autocheckpoint', 8_000],
    ['cache_size', -4_000],
  ]
  test.each([
    [false, 1],
    [true, 2],
  ])('are explicit, durable %s', async (durable, synchronous) => {
    const spied = vi.spyOn(Sqlite.prototype, 'pragma')
    const store = await openSqliteStore({ file: await aDatabase(aFolder()), durable })
    const connection = spied.mock.contexts.findLast((one) => one instanceof Sqlite)
    spied.mockRestore()
    for (const [name, value] of [...settings, ['synchronous', synchronous] as const])
      expect([name, connection?.pragma(name, { simple: true })]).toEqual([name, value])
    await store.close()
  })
})
