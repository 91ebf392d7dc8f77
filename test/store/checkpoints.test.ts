import { promises as files, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkpoints } from '../../src/store/sqlite/checkpoints.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aFolder } from '../support/folder.ts'
import { atMost } from './conformance/given.ts'
import { aClient, anEntry, several } from './factories.ts'

async function aStore() {
  const file = join(aFolder(), 'emulator.db')
  const store = await openSqliteStore({ file, durable: false })
  onTestFinished(() => store.close())
  const write = (verbs: number) => Promise.all(several(verbs, () => store.createClient(aClient())))
  const sizeOf = (path: string) => () => statSync(path).size
  return { store, write, size: sizeOf(file), logSize: sizeOf(`${file}-wal`) }
}

test('the log is moved into the database once nothing is written', async () => {
  const { store, write, size } = await aStore()
  await write(600)
  const before = size()
  await store.tidy()
  expect(size()).toBe(before)
  await store.tidy()
  expect(size()).toBeGreaterThan(before)
})

test('under a light load without a pause it is moved too, in small parts', async () => {
  const { store, write, size } = await aStore()
  for (let looks = 0; looks < 3; looks += 1) {
    await write(50)
    await store.tidy()
  }
  const before = size()
  await write(50)
  await store.tidy()
  expect(size()).toBeGreaterThan(before)
})

test('under a heavy load the log begins anew once it is 31 MiB', async () => {
  const { store, logSize } = await aStore()
  const mebibyte = 2 ** 20
  const entry = anEntry({ body: 'x'.repeat(mebibyte) })
  for (let written = 0; written < 120; written += 10) {
    await store.appendRequests(
      several(10, () => ({ ...entry, id: crypto.randomUUID() })),
      atMost(5),
    )
    expect(logSize()).toBeLessThan(50 * mebibyte)
  }
})

test('a pause between two writes is not used for a little', async () => {
  const { store, write, size } = await aStore()
  await write(10)
  const before = size()
  for (const _ of [1, 2, 3]) await store.tidy()
  expect(size()).toBe(before)
})

describe('what a checkpoint would have to wait for', () => {
  function aDatabase(flushLog: () => Promise<void>) {
    const file = join(aFolder(), 'emulator.db')
    const sqlite = new Sqlite(file)
    onTestFinished(() => void sqlite.close())
    sqlite.pragma('journal_mode = wal')
    sqlite.exec('create table t (a)')
    const progress = { writer: { written: 0 }, claimed: 0 }
    const { tidy } = checkpoints(sqlite, progress, flushLog)
    const written = (verbs: number, webhooks = 0) => {
      progress.writer.written += verbs
      progress.claimed += webhooks
      return tidy()
    }
    return { sqlite, written, size: () => statSync(file).size }
  }

  test('is flushed ahead under a heavy load, and nothing is moved', async () => {
    const flushLog = vi.fn(async () => {})
    const { written, size } = aDatabase(flushLog)
    const before = size()
    for (const times of [1, 2, 3]) {
      await written(1_000)
      expect(flushLog).toHaveBeenCalledTimes(times)
    }
    expect(size()).toBe(before)
  })

  test('is moved in small parts if it is a backlog of webhooks that is heavy: nobody waits for those', async () => {
    const { written, size } = aDatabase(async () => {})
    const before = size()
    for (const _ of [1, 2, 3, 4]) await written(1_000, 187)
    expect(size()).toBe(before)
    await written(1_000, 187)
    expect(size()).toBeGreaterThan(before)
  })

  test('is flushed before the checkpoint of a light load', async () => {
    const sizes: number[] = []
    const { written, size } = aDatabase(async () => void sizes.push(size()))
    for (let looks = 0; looks < 4; looks += 1) await written(50)
    expect(sizes).toHaveLength(1)
    expect(size()).toBeGreaterThan(sizes[0] ?? 0)
  })

  test('is not there once all has been moved, until more is written', async () => {
    const flushLog = vi.fn(async () => {})
    const { written } = aDatabase(flushLog)
    for (const [verbs, times] of [
      [50, 0],
      [50, 0],
      [50, 0],
      [50, 1],
      [0, 1],
      [50, 1],
      [50, 1],
      [50, 1],
      [49, 1],
      [1, 2],
    ] as const) {
      await written(verbs)
      expect(flushLog).toHaveBeenCalledTimes(times)
    }
  })

  test('is not flushed twice at once', async () => {
    const flushed = Promise.withResolvers<void>()
    const flushLog = vi.fn(() => flushed.promise)
    const { written } = aDatabase(flushLog)
    const first = written(1_000)
    await written(1_000)
    expect(flushLog).toHaveBeenCalledTimes(1)
    flushed.resolve()
    await first
    await written(1_000)
    expect(flushLog).toHaveBeenCalledTimes(2)
  })

  test.each([200, 1_000])('is flushed again after it could not be (%i verbs)', async (verbs) => {
    const flushLog = vi.fn(async () => {})
    flushLog.mockRejectedValueOnce(new Error('EIO'))
    const { written } = aDatabase(flushLog)
    await expect(written(verbs)).rejects.toThrow('EIO')
    await written(verbs)
    expect(flushLog).toHaveBeenCalledTimes(2)
  })

  test('may be gone with the database, and nobody is told', async () => {
    const database = aDatabase(async () => {
      database.sqlite.close()
      throw new Error('ENOENT')
    })
    await expect(database.written(1_000)).resolves.toBeUndefined()
  })

  test('does not matter any more once the database is closed', async () => {
    const { sqlite, written } = aDatabase(async () => void sqlite.close())
    await written(200)
    expect(sqlite.open).toBe(false)
  })

  test.runIf(process.platform === 'linux')('is the log, of a database that has one', async () => {
    const flushed = vi.fn()
    const open = files.open
    const opened = vi.spyOn(files, 'open').mockImplementation(async (...how) => {
      const log = await open(...how)
      vi.spyOn(log, 'datasync').mockImplementation(async () => flushed())
      return log
    })
    onTestFinished(() => opened.mockRestore())
    const { store, write } = await aStore()
    const inMemory = await openSqliteStore({ file: ':memory:', durable: false })
    onTestFinished(() => inMemory.close())
    await Promise.all(several(600, () => inMemory.createClient(aClient())))
    await inMemory.tidy()
    expect(opened).not.toHaveBeenCalled()
    await write(600)
    await store.tidy()
    expect(opened.mock.calls).toEqual([[expect.stringMatching(/emulator\.db-wal$/)]])
    expect(flushed).toHaveBeenCalledTimes(1)
  })
})
