import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aFolder } from '../support/folder.ts'
import { aClient, several } from './factories.ts'

async function aStore() {
  const file = join(aFolder(), 'emulator.db')
  const store = await openSqliteStore({ file, durable: false })
  onTestFinished(() => store.close())
  const write = (verbs: number) => Promise.all(several(verbs, () => store.createClient(aClient())))
  return { store, write, size: () => statSync(file).size }
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

test('a pause between two writes is not used for a little', async () => {
  const { store, write, size } = await aStore()
  await write(10)
  const before = size()
  for (const _ of [1, 2, 3]) await store.tidy()
  expect(size()).toBe(before)
})
