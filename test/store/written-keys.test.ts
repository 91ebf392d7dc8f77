import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { WrittenKeys } from '../../src/store/sqlite/written-keys.ts'

/** A table, what knows of it, and what the table has been asked since. */
function aTable(...keys: string[]) {
  const asked: string[] = []
  const sqlite = new Sqlite(':memory:', { verbose: (statement) => asked.push(String(statement)) })
  migrate(sqlite)
  const insert = sqlite.prepare('insert into order_keys values (?, 1)')
  const write = (...written: string[]) => {
    for (const key of written) insert.run(key)
  }
  const remove = (key: string) => sqlite.prepare('delete from order_keys where id_key = ?').run(key)
  write(...keys)
  asked.length = 0
  return { known: new WrittenKeys(sqlite), write, remove, asked }
}

test('a key is known if it was there before, or was added since', () => {
  const { known, write } = aTable('00000001', 'fffffffe')
  expect([known.has('00000001'), known.has('fffffffe')]).toEqual([true, true])
  expect([known.has('00000002'), known.has('7fffffff'), known.has('80000000')]).toEqual([false, false, false])
  write('80000000', '00000002')
  known.add('80000000')
  known.add('00000002')
  expect([known.has('80000000'), known.has('00000002'), known.has('7fffffff')]).toEqual([true, true, false])
})

test('the table is read once for neighbours, and looked into only for a key that is very near to one of its own', () => {
  const { known, asked } = aTable('abc00000')
  expect([known.has('abc00800'), known.has('abcfffff'), known.has('abc00200')]).toEqual([false, false, false])
  expect(asked).toHaveLength(1)
  expect([known.has('abc001ff'), known.has('abc00000')]).toEqual([false, true])
  expect(asked).toHaveLength(3)
  expect(known.has('abd00000')).toBe(false)
  expect(asked).toHaveLength(4)
})

test('what the table got unseen is known once the rest is forgotten', () => {
  const { known, write } = aTable()
  expect([known.has('12345678'), known.has('fedcba98')]).toEqual([false, false])
  write('12345678', 'fedcba98')
  known.forget()
  expect([known.has('12345678'), known.has('fedcba98'), known.has('12345679')]).toEqual([true, true, false])
})

test('a key that is there no more is not known, forgotten or not', () => {
  const { known, remove, asked } = aTable('12345678', '12345000')
  expect(known.has('12345678')).toBe(true)
  remove('12345678')
  expect([known.has('12345678'), known.has('12345000')]).toEqual([false, true])
  known.forget()
  asked.length = 0
  expect([known.has('12345678'), known.has('1234ffff')]).toEqual([false, false])
  expect(asked).toHaveLength(1)
})

test('whatever keys there are, those and no others are known', () => {
  const digit = fc.constantFrom('0', '1', '7', '8', 'f')
  const key = fc.array(digit, { minLength: 8, maxLength: 8 }).map((digits) => digits.join(''))
  fc.assert(
    fc.property(
      fc.uniqueArray(key, { maxLength: 30 }),
      fc.array(fc.record({ key, deed: fc.constantFrom('write', 'ask', 'forget') }), { maxLength: 60 }),
      (before, deeds) => {
        const { known, write } = aTable(...before)
        const there = new Set(before)
        for (const { key: one, deed } of deeds) {
          if (deed === 'forget') known.forget()
          if (deed === 'write' && !there.has(one)) {
            write(one)
            known.add(one)
            there.add(one)
          }
          expect(known.has(one)).toBe(there.has(one))
        }
        for (const one of there) expect(known.has(one)).toBe(true)
      },
    ),
  )
})
