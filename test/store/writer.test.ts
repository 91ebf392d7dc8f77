import Sqlite from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Write, Writer } from '../../src/store/sqlite/writer.ts'
import { several } from './factories.ts'

describe('writing', () => {
  let sqlite: Sqlite.Database
  let write: Write
  let statements: string[]
  beforeEach(() => {
    statements = []
    sqlite = new Sqlite(':memory:', { verbose: (statement) => statements.push(String(statement)) })
    sqlite.exec('create table parent (id integer primary key); create table t (a, b references parent)')
    const writer = new Writer(sqlite)
    write = writer.write
  })

  const insert = (a: unknown) => write(() => sqlite.prepare('insert into t (a) values (?)').run(a))
  const rows = () => sqlite.prepare('select a from t').pluck().all()
  const count = (statement: string) => statements.filter((one) => one === statement).length
  const outcomes = async (all: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(all)).map(({ status }) => status === 'fulfilled')

  test('verbs of one turn share a transaction, in their order', async () => {
    await Promise.all([insert(1), insert(2), insert(3)])
    expect(rows()).toEqual([1, 2, 3])
    expect([count('begin immediate'), count('commit')]).toEqual([1, 1])
  })

  test('verbs of different turns do not', async () => {
    await insert(1)
    await insert(2)
    expect(count('commit')).toBe(2)
  })

  test('nothing is written, nor a transaction begun, in the turn of the call', async () => {
    const written = insert(1)
    expect(sqlite.inTransaction).toBe(false)
    expect(rows()).toEqual([])
    await written
  })

  test('a verb answers what it returned, after the commit', async () => {
    const answer = await write(() => sqlite.inTransaction)
    expect(answer).toBe(true)
    expect(sqlite.inTransaction).toBe(false)
  })

  test('a verb that throws undoes its own writes alone', async () => {
    const broken = write(() => {
      sqlite.exec("insert into t (a) values ('half')")
      throw new RangeError('mine')
    })
    expect(await outcomes([insert(1), broken, insert(2)])).toEqual([true, false, true])
    await expect(broken).rejects.toThrow(new RangeError('mine'))
    expect(rows()).toEqual([1, 2])
  })

  test('a transaction that cannot be committed fails all its verbs, and the next works', async () => {
    const orphan = write(() =>
      sqlite.exec('pragma defer_foreign_keys = on; insert into t (a, b) values (9, 9)'),
    )
    expect(await outcomes([insert(1), orphan, insert(2)])).toEqual([false, false, false])
    expect(rows()).toEqual([])
    await insert(3)
    expect(rows()).toEqual([3])
  })

  test('a transaction that SQLite ends fails all its verbs, and the next works', async () => {
    const ending = write(() => {
      sqlite.exec('rollback')
      throw new Error('the disk is full')
    })
    const others = [insert(1), insert(2)]
    for (const verb of [ending, ...others]) await expect(verb).rejects.toThrow('the disk is full')
    expect(rows()).toEqual([])
    await insert(3)
    expect(rows()).toEqual([3])
  })

  test('a transaction that SQLite ends in the second run says why', async () => {
    const verbs = [
      write(() => sqlite.exec('no SQL')),
      write(() => {
        sqlite.exec('rollback')
        throw new Error('the disk is full')
      }),
    ]
    for (const verb of verbs) await expect(verb).rejects.toThrow('the disk is full')
    await insert(1)
    expect(rows()).toEqual([1])
  })

  test('a full disk fails what does not fit, and keeps exactly what it acknowledged', async () => {
    const pages = Number(sqlite.pragma('page_count', { simple: true }))
    sqlite.pragma(`max_page_count = ${pages + 20}`)
    const values = several(10, (n) => `${n}`.repeat(n < 5 ? 10 : 90_000))
    const written = await outcomes(values.map(insert))
    expect(written).toContain(false)
    expect(rows()).toEqual(values.filter((_, n) => written[n]))
    sqlite.pragma('max_page_count = 100000')
    await insert('room again')
    expect(rows().at(-1)).toBe('room again')
  })

  test.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE'])(
    'a write that fails with %s is told as a full disk, alone or among others',
    async (code) => {
      const failing = () =>
        write(() => {
          throw new Sqlite.SqliteError('no space', code)
        })
      await expect(failing()).rejects.toMatchObject({ code: 'disk_full' })
      const [one, other] = [failing(), insert('fits')]
      await expect(one).rejects.toMatchObject({ code: 'disk_full' })
      await other
      expect(rows()).toEqual(['fits'])
    },
  )

  test('a thousand verbs of one turn are several transactions, and all are answered', async () => {
    await Promise.all(several(1_000, insert))
    expect(rows()).toEqual(several(1_000, (n) => n))
    expect(count('commit')).toBe(4)
  })

  test('a closed database rejects', async () => {
    sqlite.close()
    await expect(insert(1)).rejects.toThrow(/not open/)
  })

  test('flushing writes at once', () => {
    const writer = new Writer(sqlite)
    void writer.write(() => sqlite.exec('insert into t (a) values (1)'))
    writer.flush()
    expect(rows()).toEqual([1])
  })
})
