import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ConfigInput } from '../../src/app/config.ts'
import { createLog } from '../../src/cli/log/log.ts'
import { startDetails, startFacts } from '../../src/cli/serve/start-text.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'

/** A file with a fixture. */
function fileWith(text: string): string {
  const file = join(aFolder(), 'world.yaml')
  writeFileSync(file, text)
  return file
}

const shop = 'clients:\n  - clientId: shop\n    orders: [{ requestId: r1, created: 1h ago }, {}]\n'

/** Starts and stops an emulator once, and returns the start entries of both logs. */
async function startedOnce(input: ConfigInput): Promise<{ pretty: string; json: string }> {
  const { emulator, config, url, close } = await startForTest(input)
  const facts = startFacts(emulator, config, url, { env: {}, keys: false })
  const terminal = new FakeTerminal()
  const log = createLog('json', terminal, 'demo-client')
  log.ready(facts)
  await close()
  return { pretty: startDetails(facts), json: terminal.output[0] ?? '' }
}

test('the start tells what a fixture has brought; the second one on the same database, that it is there already', async () => {
  const fixture = fileWith(shop)
  const input = { database: join(aFolder(), 'e.db'), fixtures: [fixture] }
  const first = await startedOnce(input)
  expect(first.pretty).toContain(fixture)
  expect(first.pretty).toContain('shop with 2 orders')
  expect(JSON.parse(first.json)).toMatchObject({
    event: 'fixture',
    loaded: [{ clientId: 'shop', orders: 2 }],
    left: [],
  })
  const second = await startedOnce(input)
  expect(second.pretty).toContain('shop: already in the database, not changed')
  expect(JSON.parse(second.json)).toMatchObject({ event: 'fixture', loaded: [], left: ['shop'] })
})

test('what a client of a fixture has become outlives a restart; a client that the file has got since is loaded', async () => {
  const database = join(aFolder(), 'e.db')
  const one = await startTestEmulator({ database, fixtures: [fileWith(shop)] })
  await one.control('/clients/shop', 'PATCH', { defaultScenario: 'never-pays' })
  await one.close()
  const two = await startTestEmulator({ database, fixtures: [fileWith(`${shop}  - clientId: new\n`)] })
  expect((await two.control('/clients/shop')).json).toMatchObject({ defaultScenario: 'never-pays' })
  expect((await two.control('/orders?clientId=shop')).items).toHaveLength(2)
  expect((await two.control('/clients/new')).json).toMatchObject({ accessToken: 'new-token' })
})

test('a fixture may bring the demo client; flags win over it', async () => {
  const fixture = fileWith(
    'clients: [{ clientId: demo-client, accessToken: mine, orders: [{}], apiSecret: s }]',
  )
  const emulator = await startTestEmulator({ fixtures: [fixture], accessToken: 'flag' })
  expect((await emulator.control('/clients/demo-client')).json).toMatchObject({
    apiSecret: 's',
    accessToken: 'flag',
  })
  expect((await emulator.control('/orders')).items).toHaveLength(1)
})

test('a reset of everything brings the clients of the fixtures back as they began; one that keeps clients empties them', async () => {
  const emulator = await startTestEmulator({ fixtures: [fileWith(shop)] })
  const orders = async () =>
    (await emulator.control('/orders?clientId=shop')).items.map(({ orderStatus }) => orderStatus)
  await emulator.control('/clock/advance?clientId=shop', 'POST', { by: '1h' })
  expect(await orders()).toEqual(['COMPLETED', 'COMPLETED'])
  await emulator.control('/reset', 'POST', {})
  expect(await orders()).toEqual(['COMPLETED', 'CREATED'])
  await emulator.control('/reset', 'POST', { keep: ['clients'] })
  expect(await orders()).toEqual([])
})

test.each([
  [
    'a file that is not there',
    'nope.yaml',
    /^error: there is no fixture file "nope\.yaml", and no built-in fixture with that name; built-in fixtures are (\S+, )*busy-merchant(, \S+)*$/,
  ],
  ['a name that is mistyped', 'busy-mercant', /busy-merchant.*; did you mean `busy-merchant`\?$/],
  ['a folder', '.', /^error: the fixture "\." is a folder; name a file in it$/],
  ['a device', '/dev/null', /^error: the fixture "\/dev\/null" is not a readable file$/],
])('%s is refused before anything is changed', async (_, fixture, message) => {
  const database = join(aFolder(), 'e.db')
  const start = startForTest({ database, fixtures: [fixture] })
  await expect(start).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(message) })
})

test('a fixture that is wrong is told line by line, and no database is made', async () => {
  const fixture = fileWith(
    'clients:\n  - clientId: shop\n    defaultScenario: hapy\n    orders: [{ created: in 2h }]\n',
  )
  const folder = aFolder()
  await expect(startForTest({ database: join(folder, 'e.db'), fixtures: [fixture] })).rejects.toThrow(
    `${fixture}:3:22: there is no scenario \`hapy\`; did you mean \`happy\`?\n${fixture}:4:25: is in the future`,
  )
  expect(readdirSync(folder)).toEqual([])
})

test('two fixtures that bring one token are refused with the client’s name', async () => {
  const [one, two] = ['a', 'b'].map((name) => fileWith(`clients: [{ clientId: ${name}, accessToken: same }]`))
  const start = startForTest({ fixtures: [one ?? '', two ?? ''] })
  await expect(start).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('already uses the clientId or access token of "b"'),
  })
})
