import { readdirSync, readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { describe, expect, test } from 'vitest'
import { migrate, schemaVersion } from '../../src/store/sqlite/migrate.ts'
import { migrations } from '../../src/store/sqlite/migrations.generated.ts'
import * as schema from '../../src/store/sqlite/schema.ts'
import { generateMigrations } from '../../tools/migrations.ts'

const source = new URL('../../src/store/sqlite/', import.meta.url)

test('the embedded migrations are those in the folder', () => {
  expect(readFileSync(new URL('migrations.generated.ts', source), 'utf8')).toBe(generateMigrations())
})

test('the migrations lead to the schema', async () => {
  const snapshots = readdirSync(new URL('migrations/meta/', source)).filter((name) =>
    name.endsWith('_snapshot.json'),
  )
  const newest = readFileSync(new URL(`migrations/meta/${snapshots.sort().at(-1)}`, source), 'utf8')
  const missing = await generateSQLiteMigration(JSON.parse(newest), await generateSQLiteDrizzleJson(schema))
  expect(missing).toEqual([])
})

describe('a migrated database', () => {
  test('has its version, and only strict tables', () => {
    const sqlite = new Sqlite(':memory:')
    migrate(sqlite)
    expect(sqlite.pragma('user_version', { simple: true })).toBe(schemaVersion)
    const loose = sqlite.prepare(
      "select name from pragma_table_list where type = 'table' and strict = 0 and name not like 'sqlite_%'",
    )
    expect(loose.all()).toEqual([])
    sqlite.close()
  })

  test('is the same, new or brought from version to version', () => {
    const madeOf = (scripts?: readonly string[]) => {
      const sqlite = new Sqlite(':memory:')
      migrate(sqlite, scripts)
      const made = sqlite.prepare('select type, name, tbl_name, sql from sqlite_schema order by name').all()
      const version = sqlite.pragma('user_version')
      sqlite.close()
      return { made, version }
    }
    expect(madeOf()).toEqual(madeOf([...migrations]))
  })

  test('is not written to again', () => {
    const sqlite = new Sqlite(':memory:')
    migrate(sqlite)
    const before = sqlite.serialize()
    migrate(sqlite)
    expect(sqlite.serialize().equals(before)).toBe(true)
    sqlite.close()
  })
})

describe('a migration', () => {
  const first =
    'create table parent (id integer primary key); create table child (id integer references parent on delete cascade)'
  const rebuild =
    'create table p2 (id integer primary key, more text); insert into p2 select id, null from parent; drop table parent; alter table p2 rename to parent'

  const versionOf = (sqlite: Sqlite.Database) => sqlite.pragma('user_version', { simple: true })

  test('goes on from the version that is there', () => {
    const sqlite = new Sqlite(':memory:')
    migrate(sqlite, [first])
    migrate(sqlite, [first, 'create table other (id integer)'])
    expect(versionOf(sqlite)).toBe(2)
    expect(sqlite.prepare('select * from other').all()).toEqual([])
    sqlite.close()
  })

  test('that rebuilds a table keeps the rows that refer to it', () => {
    const sqlite = new Sqlite(':memory:')
    migrate(sqlite, [first])
    sqlite.exec('pragma foreign_keys = on; insert into parent values (1); insert into child values (1)')
    migrate(sqlite, [first, rebuild])
    expect(sqlite.prepare('select * from child').all()).toEqual([{ id: 1 }])
    sqlite.close()
  })

  test('that fails leaves the version before, whole', () => {
    const sqlite = new Sqlite(':memory:')
    migrate(sqlite, [first])
    const before = sqlite.serialize()
    expect(() => migrate(sqlite, [first, rebuild, 'create table parent (id integer)'])).toThrow()
    expect(versionOf(sqlite)).toBe(1)
    expect(sqlite.serialize().equals(before)).toBe(true)
    sqlite.close()
  })
})

test('what happened to an order is moved into the order', () => {
  const sqlite = new Sqlite(':memory:')
  migrate(sqlite, migrations.slice(0, 4))
  const needed = sqlite.prepare<[], string>(
    `select name from pragma_table_info('orders') where "notnull" = 1`,
  )
  const names = needed.pluck().all()
  for (const seq of [1, 2]) {
    sqlite.prepare(`insert into orders (${names}) values (${names.map(() => '?')})`).run(names.map(() => seq))
  }
  sqlite.exec(`
    insert into order_history (order_seq, at, what, "from", "to", step) values
      (1, 10, 'created', null, 'CREATED', null), (2, 11, 'step', null, null, 0), (1, 12, 'order', 'CREATED', 'FAILED', 1)`)
  migrate(sqlite)
  const histories = sqlite.prepare<[], string>('select history from orders order by seq').pluck().all()
  expect(histories.map((text) => JSON.parse(text))).toEqual([
    [
      { at: 10, what: 'created', to: 'CREATED' },
      { at: 12, what: 'order', from: 'CREATED', to: 'FAILED', step: 1 },
    ],
    [{ at: 11, what: 'step', step: 0 }],
  ])
  sqlite.close()
})
