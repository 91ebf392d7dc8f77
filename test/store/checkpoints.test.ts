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

test('while something is written between two looks, it is not moved', async () => {
  const { store, write, size } = await aStore()
  const before = size()
  for (let looks = 0; looks < 10; looks += 1) {
    await write(50)
    await store.tidy()
  }
  expect(size()).toBe(before)
})

test('under a heavy load the log begins anew once it is 32 MiB', async () => {
  const { store, logSize } = await aStore()
  const mebibyte = 2 ** 20
  const entry = anEntry({ body: 'x'.repeat(mebibyte) })
  for (let written = 0; written < 120; written += 5) {
    await store.appendRequests(
      several(5, () => ({ ...entry, id: crypto.randomUUID() })),
      atMost(5),
    )
    expect(logSize()).toBeLessThan(44 * mebibyte)
  }
})
