import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'

test('what is planned is listed until it is used up', async () => {
  const { emulator, c1 } = await startFixture()
  const planned = { scenario: 'fail-9004', clientId: 'C1', count: 2 }
  const { json } = await emulator.control('/scenarios/next', 'POST', planned)
  expect((await emulator.control('/scenarios/next')).items).toEqual([json])
  await c1.createCheckout('r1')
  expect((await emulator.control('/scenarios/next')).items).toEqual([{ ...json, remaining: 1 }])
  await c1.createCheckout('r2')
  expect((await emulator.control('/scenarios/next')).items).toEqual([])
})

test('the list of one client leaves out what is planned for others and for anybody', async () => {
  const { emulator } = await startFixture()
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004' })
  await emulator.control('/scenarios/next?clientId=C2', 'POST', { scenario: 'fail-9004' })
  await emulator.control('/scenarios/next?clientId=C1', 'POST', { scenario: 'fail-9005' })
  const { items } = await emulator.control('/scenarios/next?clientId=C1')
  expect(items).toMatchObject([{ scenario: 'fail-9005', clientId: 'C1' }])
})

test('a plan that is taken back touches no order, and is not there a second time', async () => {
  const { emulator, c1 } = await startFixture()
  const { json } = await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004' })
  const path = `/_emulator/scenarios/next?id=${String(json.id)}`
  const foreign = await emulator.send(`${path}&clientId=C1`, { method: 'DELETE' })
  expect(foreign.json).toMatchObject({ error: { code: 'binding_unknown' } })
  expect((await emulator.send(path, { method: 'DELETE' })).json).toEqual({ removed: 1 })
  expect((await emulator.send(path, { method: 'DELETE' })).status).toBe(404)
  await c1.createCheckout('r1')
  expect((await c1.order('r1')).scenario).toEqual({ id: 'happy', why: 'default' })
})

test('a scenario that was put in place of one that ships is taken back', async () => {
  const emulator = await startTestEmulator()
  const body = 'id: happy\ndescription: mine\ntimeline: []\n'
  const headers = { 'content-type': 'application/yaml' }
  await emulator.send('/_emulator/scenarios/happy', { method: 'PUT', headers, body })
  await emulator.control('/scenarios/happy', 'DELETE')
  expect((await emulator.control('/scenarios/happy')).json).toMatchObject({ from: 'built-in' })
  const again = await emulator.send('/_emulator/scenarios/happy', { method: 'DELETE' })
  expect(again).toMatchObject({ status: 409, json: { error: { code: 'scenario_not_put' } } })
})

test('a file that never was right is told with its place, though there is no such scenario', async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'mine.yaml'), 'id: mine\ndescription: d\ntimeline: []\n')
  const emulator = await startTestEmulator({ scenarios: [folder] })
  expect((await emulator.control('/scenarios/problems')).items).toEqual([])
  writeFileSync(join(folder, 'new.yaml'), 'id: new\ndescription: d\ntimeline:\n  - { atr: 2s }\n')
  writeFileSync(join(folder, 'mine.yaml'), 'id: [')
  const items = await vi.waitFor(async () => {
    const found = (await emulator.control('/scenarios/problems')).items
    expect(found.length).toBeGreaterThan(1)
    return found
  }, 5_000)
  expect(items).toMatchObject([
    { id: 'mine', line: 1, used: true },
    { id: 'new', line: 4, column: 7, used: false, message: expect.stringContaining('did you mean `at`?') },
  ])
})
