import Sqlite from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Part, Writer } from '../../src/store/sqlite/writer.ts'
import { several } from './factories.ts'

describe('the queue', () => {
  let sqlite: Sqlite.Database
  let writer: Writer
  let statements: string[]
  beforeEach(() => {
    statements = []
    sqlite = new Sqlite(':memory:', { verbose: (statement) => statements.push(String(statement)) })
    sqlite.exec('create table parent (id integer primary key); create table t (a, b references parent)')
    writer = new Writer(sqlite)
  })

  const write = <T>(verb: () => T) => writer.write(verb)
  const add = (a: unknown) => sqlite.prepare('insert into t (a) values (?)').run(a)
  const insert = (a: unknown) => write(() => add(a))
  const rows = () => sqlite.prepare('select a from t').pluck().all()
  const read = () => writer.read(rows)
  const broken = () =>
    write(() => {
      add('half')
      throw new RangeError('mine')
    })
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
    const breaking = broken()
    expect(await outcomes([insert(1), breaking, insert(2)])).toEqual([true, false, true])
    await expect(breaking).rejects.toThrow(new RangeError('mine'))
    expect(rows()).toEqual([1, 2])
  })

  test('a verb that cannot be committed fails alone', async () => {
    const orphan = write(() =>
      sqlite.exec('pragma defer_foreign_keys = on; insert into t (a, b) values (9, 9)'),
    )
    expect(await outcomes([insert(1), orphan, insert(2)])).toEqual([true, false, true])
    expect(rows()).toEqual([1, 2])
  })

  test('so does one whose transaction SQLite ends, and each says why', async () => {
    const broken = write(() => sqlite.exec('no SQL'))
    const ending = write(() => {
      sqlite.exec('rollback')
      throw new Error('the disk is full')
    })
    const others = [insert(1), insert(2)]
    await expect(broken).rejects.toThrow('near "no"')
    await expect(ending).rejects.toThrow('the disk is full')
    await Promise.all(others)
    expect(rows()).toEqual([1, 2])
  })

  test('of many verbs every one fails that throws, and the others are written in their order', async () => {
    const fails = (n: number) => n % 7 === 0 || n > 90
    const all = several(100, (n) => (fails(n) ? broken() : insert(n)))
    expect(await outcomes(all)).toEqual(several(100, (n) => !fails(n)))
    expect(rows()).toEqual(several(100, (n) => n).filter((n) => !fails(n)))
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
    'a write that fails with %s is told as a full disk, as are those that share its transaction; reads are answered',
    async (code) => {
      const failing = () =>
        write(() => {
          throw new Sqlite.SqliteError('no space', code)
        })
      await expect(failing()).rejects.toMatchObject({ code: 'disk_full' })
      const [one, looked, other] = [failing(), read(), insert('fits')]
      for (const each of [one, other]) await expect(each).rejects.toMatchObject({ code: 'disk_full' })
      expect(await looked).toEqual([])
      await insert('later')
      expect(rows()).toEqual(['later'])
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
    await expect(read()).rejects.toThrow(/not open/)
  })

  describe('a read', () => {
    test('runs in the turn of its call if nothing waits', async () => {
      let seen: unknown
      const reading = writer.read(() => {
        seen = rows()
      })
      expect(seen).toEqual([])
      await reading
      expect(count('begin immediate')).toBe(0)
    })

    test('sees what was written by calls before it, and nothing of later ones', async () => {
      const seen = [insert(1), read(), insert(2), read()]
      expect((await Promise.all(seen)).filter(Array.isArray)).toEqual([[1], [1, 2]])
      expect(count('commit')).toBe(1)
    })

    test('that throws rejects alone, and no verb is run again', async () => {
      let runs = 0
      const counting = write(() => {
        runs += 1
      })
      const failing = writer.read(() => sqlite.exec('no SQL'))
      expect(await outcomes([counting, failing, insert(1)])).toEqual([true, false, true])
      expect([runs, rows()]).toEqual([1, [1]])
    })

    test('sees nothing of a write that was undone in its group', async () => {
      const verbs = [insert(1), broken(), read()]
      expect((await Promise.allSettled(verbs))[2]).toMatchObject({ value: [1] })
    })

    test('sees nothing of what cannot be committed', async () => {
      const orphan = write(() =>
        sqlite.exec('pragma defer_foreign_keys = on; insert into t (a, b) values (9, 9)'),
      )
      const results = await Promise.allSettled([insert(1), orphan, read()])
      expect(results).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }, { value: [1] }])
    })
  })

  describe('a transaction in parts', () => {
    test('is committed once, and other turns come between its parts', async () => {
      let turns = 0
      const turn = () => {
        turns += 1
        if (turns < 100) setImmediate(turn)
      }
      setImmediate(turn)
      const answer = await writer.writeInParts(async (part) => {
        const before = turns
        for (const a of [1, 2, 3]) await part(() => add(a))
        return turns - before
      })
      expect(answer).toBeGreaterThan(1)
      expect(rows()).toEqual([1, 2, 3])
      expect([count('begin immediate'), count('commit')]).toEqual([1, 1])
    })

    test('comes after what was called before, and all that is called later waits for its end', async () => {
      const log: string[] = []
      const as = (name: string, doing: Promise<unknown>) => doing.then(() => log.push(name))
      const before = as('before', insert(0))
      const inParts = as(
        'parts',
        writer.writeInParts(async (part) => {
          await part(() => expect(rows()).toEqual([0]))
          await part(() => add(1))
          await part(() => add(2))
        }),
      )
      const seen = read()
      const after = [as('write', insert(3)), as('read', seen)]
      await Promise.all([before, inParts, ...after])
      expect(log).toEqual(['before', 'parts', 'read', 'write'])
      expect(await seen).toEqual([0, 1, 2])
      expect(rows()).toEqual([0, 1, 2, 3])
    })

    test.each<[string, (part: Part) => Promise<unknown>]>([
      ['a part throws', (part) => part(() => sqlite.exec('no SQL'))],
      ['something between its parts does', () => Promise.reject(new Error('the file: no SQL'))],
    ])('leaves nothing if %s, and what waited goes on', async (_, fail) => {
      const inParts = writer.writeInParts(async (part) => {
        await part(() => add(1))
        await fail(part)
      })
      const seen = read()
      await expect(inParts).rejects.toThrow(/no SQL|near "no"/)
      expect(await seen).toEqual([])
      await insert(2)
      expect(rows()).toEqual([2])
    })

    test('that fills the disk leaves nothing, and says so', async () => {
      const pages = Number(sqlite.pragma('page_count', { simple: true }))
      sqlite.pragma(`max_page_count = ${pages + 20}`)
      const inParts = writer.writeInParts(async (part) => {
        for (let n = 0; n < 10; n++) await part(() => add('x'.repeat(90_000)))
      })
      await expect(inParts).rejects.toMatchObject({ code: 'disk_full' })
      expect(rows()).toEqual([])
      await insert('room again')
      expect(rows()).toEqual(['room again'])
    })

    test('that SQLite has ended runs no further part, whatever its caller does', async () => {
      const inParts = writer.writeInParts(async (part) => {
        await part(() => add(1))
        await part(() => sqlite.exec('rollback'))
        await part(() => add(2)).catch(() => undefined)
      })
      await expect(inParts).rejects.toThrow()
      expect(rows()).toEqual([])
    })

    test('runs no part after its end, not even in the next transaction of its kind', async () => {
      let late: Promise<unknown> | undefined
      await writer.writeInParts(async (part) => {
        await part(() => add(1))
        late = part(() => add('late'))
        late.catch(() => undefined)
      })
      await writer.writeInParts((part) => part(() => add(2)))
      await expect(late).rejects.toThrow('the transaction is over')
      expect(rows()).toEqual([1, 2])
    })
  })

  describe('closing', () => {
    test('completes what was called before, and refuses what is called later', async () => {
      const before = [insert(1), writer.writeInParts((part) => part(() => add(2))), insert(3), read()]
      let left: unknown[] = []
      const closing = writer.close(() => {
        left = rows()
      })
      const later = [insert(4), read(), writer.writeInParts((part) => part(() => add(5)))]
      expect(await outcomes(later)).toEqual([false, false, false])
      expect(await outcomes(before)).toEqual([true, true, true, true])
      await closing
      expect(left).toEqual([1, 2, 3])
      for (const verb of [insert(6), read()]) await expect(verb).rejects.toThrow('the store is closed')
      expect(rows()).toEqual([1, 2, 3])
    })

    test('happens once, however often it is asked for', async () => {
      let ends = 0
      const close = () =>
        writer.close(() => {
          ends += 1
        })
      await Promise.all([close(), close()])
      await close()
      expect(ends).toBe(1)
    })

    test('that fails says why', async () => {
      const closing = writer.close(() => {
        throw new Error('locked')
      })
      await expect(closing).rejects.toThrow('locked')
    })
  })

  test('transactions are counted, but not while verbs wait', async () => {
    const writing = [insert(1), insert(2)]
    expect(writer.committed).toBeNull()
    await Promise.all(writing)
    await writer.writeInParts((part) => part(() => add(3)))
    await read()
    expect(writer.committed).toBe(2)
  })
})
