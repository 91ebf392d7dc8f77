import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { freePort } from '../../tools/free-port.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'

async function keep(url: string, argv: readonly string[], env = {}) {
  const terminal = new FakeTerminal({ EMULATOR_URL: url, ...env })
  const exitCode = await run(['keep', ...argv], terminal)
  return { exitCode, out: terminal.output, err: terminal.errors.join('\n') }
}

/** An emulator with an order. */
async function withOrder(): Promise<{ url: string; orderId: string }> {
  const { url } = await startForTest()
  const made = await fetch(`${url}/_emulator/orders?clientId=demo-client`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requestId: 'r1', scenario: 'fail-9004' }),
  })
  const { orderId } = Object(await made.json())
  return { url, orderId: String(orderId) }
}

test('writes the scenario file, which `check` and `push` accept', async () => {
  const { url, orderId } = await withOrder()
  const folder = aFolder()
  const { exitCode, out } = await keep(url, [orderId, '--out', join(folder, 'new')])
  const [file = ''] = out
  expect([exitCode, file]).toEqual([0, join(folder, 'new', `kept-${orderId.slice(-12)}.yaml`)])
  expect(readFileSync(file, 'utf8')).toContain('followed the scenario fail-9004')
  const terminal = new FakeTerminal({ EMULATOR_URL: url })
  expect(await run(['check', file], terminal)).toBe(0)
  expect(await run(['push', file], terminal)).toBe(0)
})

test.each([
  ['vitest', '.test.ts'],
  ['jest', '.test.js'],
  ['pytest', '.py'],
  ['go', '_test.go'],
])('--test %s writes a test beside it', async (runner, ending) => {
  const { url, orderId } = await withOrder()
  const folder = aFolder()
  const { exitCode, out } = await keep(url, [orderId, '--test', runner, '--out', folder, '--json'])
  expect(exitCode).toBe(0)
  const { id, files } = JSON.parse(out.join())
  expect(files).toEqual([join(folder, `${id}.yaml`), expect.stringMatching(new RegExp(`${ending}$`))])
  for (const file of files) expect(readFileSync(file, 'utf8')).toContain(id)
})

test('an existing file is overwritten with --force alone, and otherwise nothing is written', async () => {
  const { url, orderId } = await withOrder()
  const folder = aFolder()
  const file = join(folder, `kept-${orderId.slice(-12)}.test.ts`)
  writeFileSync(file, 'mine')
  const refused = await keep(url, [orderId, '--test', 'vitest', '--out', folder])
  expect(refused).toMatchObject({
    exitCode: 2,
    err: `error: ${JSON.stringify(file)} already exists; \`--force\` overwrites it`,
  })
  expect([readdirSync(folder).length, readFileSync(file, 'utf8')]).toEqual([1, 'mine'])
  expect(await keep(url, [orderId, '--test', 'vitest', '--out', folder, '--force'])).toMatchObject({
    exitCode: 0,
  })
  expect(readFileSync(file, 'utf8')).not.toBe('mine')
})

test('wrong use says what is right, and writes nothing', async () => {
  const { url, orderId } = await withOrder()
  const folder = aFolder()
  const out = ['--out', join(folder, 'none')]
  expect(await keep(url, ['no-such-order', ...out])).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining('No order has the orderId "no-such-order"'),
  })
  expect(await keep(url, [orderId, '--test', 'gotest', ...out])).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('--test: expected vitest, jest, pytest or go, not "gotest"'),
  })
  const nowhere = `http://127.0.0.1:${await freePort()}`
  expect(await keep(nowhere, [orderId, ...out])).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining(`no emulator answers at ${nowhere}`),
  })
  expect(await keep(url, [])).toMatchObject({ exitCode: 2 })
  expect(existsSync(join(folder, 'none'))).toBe(false)
})
