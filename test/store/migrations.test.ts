import { readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { expect, test } from 'vitest'
import { migrate, schemaDifference, schemaVersion } from '../../src/store/sqlite/database-file.ts'
import { firstMigration } from '../../src/store/sqlite/first-migration.ts'
import * as schema from '../../src/store/sqlite/schema.ts'

const meta = new URL('../../src/store/sqlite/migrations/meta/0000_snapshot.json', import.meta.url)

test('the migration is what drizzle-kit makes of the schema', async () => {
  const statements = await generateSQLiteMigration(
    await generateSQLiteDrizzleJson({}),
    await generateSQLiteDrizzleJson(schema),
  )
  const inOrder = (texts: readonly string[]) => texts.map((text) => text.trim()).sort()
  expect(inOrder(firstMigration.split('--> statement-breakpoint'))).toEqual(inOrder(statements))
})

test('drizzle-kit finds nothing left to migrate', async () => {
  const known = JSON.parse(readFileSync(meta, 'utf8'))
  expect(await generateSQLiteMigration(known, await generateSQLiteDrizzleJson(schema))).toEqual([])
})

test('a new database has the version and the schema of this program, and only strict tables', () => {
  const sqlite = new Sqlite(':memory:')
  migrate(sqlite)
  expect(sqlite.pragma('user_version', { simple: true })).toBe(schemaVersion)
  expect(schemaDifference(sqlite)).toBeUndefined()
  const loose = sqlite.prepare(
    "select name from pragma_table_list where type = 'table' and strict = 0 and name not like 'sqlite_%'",
  )
  expect(loose.all()).toEqual([])
  sqlite.close()
})
