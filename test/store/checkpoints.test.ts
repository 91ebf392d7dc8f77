import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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
  await write(120)
  await store.tidy()
  const before = size()
  await write(120)
  await store.tidy()
  expect(size()).toBeGreaterThan(before)
})

test('under a heavy load the log begins anew once it is 40 MiB', async () => {
  const { store, logSize } = await aStore()
  const mebibyte = 2 ** 20
  const entry = anEntry({ body: 'x'.repeat(mebibyte) })
  for (let written = 0; written < 120; written += 10) {
    await store.appendRequests(
      several(10, () => ({ ...entry, id: crypto.randomUUID() })),
      atMost(5),
    )
    expect(logSize()).toBeLessThan(64 * mebibyte)
  }
})

test('a pause between two writes is not used for a little', async () => {
  const { store, write, size } = await aStore()
  await write(10)
  const before = size()
  for (const _ of [1, 2, 3]) await store.tidy()
  expect(size()).toBe(before)
})
