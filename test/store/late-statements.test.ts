import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LateStatements } from '../../src/store/sqlite/late-statements.ts'

/** Late statements on a database with two words in it, and what is really prepared there. */
function late() {
  const database = new Sqlite(':memory:')
  onTestFinished(() => void database.close())
  database.exec(`create table words (word text not null); insert into words values ('one'), ('two')`)
  const prepare = vi.spyOn(database, 'prepare')
  const statements = new LateStatements(database)
  return { statements, sqlite: statements.sqlite, prepared: () => prepare.mock.calls.map(([sql]) => sql) }
}

const words = 'select word from words order by word'

test('a statement is prepared when it is first asked, once', () => {
  const { sqlite, prepared } = late()
  const statement = sqlite.prepare(words)
  expect(prepared()).toEqual([])
  for (let time = 0; time < 3; time++) expect(statement.all()).toEqual([{ word: 'one' }, { word: 'two' }])
  expect(prepared()).toEqual([words])
})

test('those that nobody has asked are prepared together, the others not again', () => {
  const { statements, sqlite, prepared } = late()
  const asked = sqlite.prepare(words)
  const unasked = sqlite.prepare<[string]>('delete from words where word = ?')
  asked.get()
  statements.prepareAll()
  statements.prepareAll()
  expect(unasked.run('one').changes).toBe(1)
  expect(asked.all()).toEqual([{ word: 'two' }])
  expect(prepared()).toEqual([words, 'delete from words where word = ?'])
})

test.each(['before', 'after'])('it answers as it was last told %s it was prepared', (when) => {
  const { sqlite } = late()
  const statement = sqlite.prepare(words)
  const tell = (how: 'pluck' | 'raw') => {
    if (when === 'after') statement.get()
    return statement[how]()
  }
  expect(tell('pluck').all()).toEqual(['one', 'two'])
  expect(tell('raw').all()).toEqual([['one'], ['two']])
  expect([...tell('raw').iterate()]).toEqual([['one'], ['two']])
  expect(tell('pluck').get()).toBe('one')
})

test('one that SQLite refuses is refused whenever it is asked', () => {
  const { statements, sqlite } = late()
  const wrong = sqlite.prepare('select it from nowhere')
  expect(() => wrong.get()).toThrow('no such table: nowhere')
  expect(() => statements.prepareAll()).toThrow('no such table: nowhere')
  expect(() => wrong.get()).toThrow('no such table: nowhere')
})

test('all else is as the database has it', () => {
  const { sqlite } = late()
  const insert = sqlite.prepare<[string]>('insert into words values (?)')
  const undone = sqlite.transaction(() => {
    insert.run('three')
    expect(sqlite.inTransaction).toBe(true)
    throw new Error('no')
  })
  expect(undone).toThrow('no')
  expect(sqlite.pragma('user_version', { simple: true })).toBe(0)
  expect(sqlite.prepare('select count(*) from words').pluck().get()).toBe(2)
  sqlite.close()
  expect(sqlite.open).toBe(false)
})
