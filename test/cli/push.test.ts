import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { freePort } from '../../tools/free-port.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'
import { serverFor } from './servers.ts'

const scenario = (id: string) => `id: ${id}\ndescription: pushed\ntimeline: []\n`

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = aFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

async function push(url: string, argv: readonly string[], env = {}) {
  const terminal = new FakeTerminal({ EMULATOR_URL: url, ...env })
  const exitCode = await run(['push', ...argv], terminal)
  return { exitCode, out: terminal.output, err: terminal.errors.join('\n') }
}

const shown = async (url: string, id: string): Promise<Readonly<Record<string, unknown>>> =>
  Object(await (await fetch(`${url}/_emulator/scenarios/${id}`)).json())

test('files are sent, a line each, and are there', async () => {
  const { url } = await startForTest()
  const folder = folderWith({ 'a.yaml': scenario('a'), 'happy.yaml': scenario('happy') })
  const { exitCode, out } = await push(url, [folder])
  expect(exitCode).toBe(0)
  expect(out).toEqual([`${folder}/a.yaml: scenario a loaded`, `${folder}/happy.yaml: scenario happy loaded`])
  expect(await shown(url, 'happy')).toMatchObject({ description: 'pushed', from: 'put' })
})

test('a folder is read as `serve --scenarios` reads it', async () => {
  const folder = folderWith({
    'sub/deep.yaml': scenario('deep'),
    'upper.YAML': scenario('upper'),
    '._upper.yaml': '\u0000',
    '.git/x.yaml': '{',
    'node_modules/x.yaml': '{',
    'x.json': '{',
  })
  const { url } = await startForTest()
  const { exitCode, out, err } = await push(url, [folder])
  expect([exitCode, out]).toEqual([
    0,
    [`${folder}/sub/deep.yaml: scenario deep loaded`, `${folder}/upper.YAML: scenario upper loaded`],
  ])
  expect(err).toMatch(/^warning: ignored .*x\.json; .*$/)
  const served = await startForTest({ scenarios: [folder] })
  for (const id of ['deep', 'upper']) expect(await shown(served.url, id)).toMatchObject({ from: 'file' })
  for (const id of ['x', '._upper']) expect(await shown(served.url, id)).toHaveProperty('error')
})

test('two scenarios with one id are refused, and nothing is sent', async () => {
  const { url } = await startForTest()
  const folder = folderWith({ 'a.yaml': scenario('a'), 'sub/a.yaml': scenario('a') })
  const { exitCode, err } = await push(url, [folder])
  expect([exitCode, err]).toEqual([1, expect.stringMatching(/already has the id "a"[\s\S]*nothing was sent/)])
  await expect(startForTest({ scenarios: [folder] })).rejects.toThrow(
    /sub\/a\.yaml:1:1: .* already has the id "a"/,
  )
})

test('--json prints an object for each file', async () => {
  const { url } = await startForTest()
  const { out } = await push(url, ['--json', folderWith({ 'a.yaml': scenario('a') })])
  expect(out.map((line) => JSON.parse(line))).toMatchObject([{ kind: 'scenario', ok: true, id: 'a' }])
})

test('if one file is wrong, nothing is sent', async () => {
  const { url } = await startForTest()
  const folder = folderWith({ 'a.yaml': scenario('a'), 'b.yaml': 'id: b\n' })
  const { exitCode, err } = await push(url, [folder])
  expect(exitCode).toBe(1)
  expect(err).toMatch(/b\.yaml:1:1: [\s\S]*nothing was sent/)
  expect(await shown(url, 'a')).toHaveProperty('error')
})

test.each([
  ['larger than 1 MiB', `# ${'x'.repeat(1024 * 1024)}`, 'is larger than 1 MiB; send less'],
  ['with more tokens than a call takes', '#\n'.repeat(20_001), 'has more than 20000 tokens'],
])('if one file is %s, nothing is sent', async (_, more, told) => {
  const { url } = await startForTest()
  const folder = folderWith({ 'a.yaml': scenario('a'), 'b.yaml': `${scenario('b')}${more}` })
  const { exitCode, err } = await push(url, [folder])
  expect(exitCode).toBe(1)
  expect(err).toContain(told)
  expect(err).toMatch(/--scenarios, --fixtures\)[\s\S]*nothing was sent/)
  expect(await shown(url, 'a')).toHaveProperty('error')
})

test('a fixture with more orders than a call takes is not sent', async () => {
  const { url } = await startForTest()
  const orders = Array.from({ length: 4_000 }, () => ({ status: 'CREATED' }))
  const text = JSON.stringify({ clients: [{ clientId: 'shop', orders }] })
  const { exitCode, err } = await push(url, [folderWith({ 'shop.yaml': text })])
  expect(exitCode).toBe(1)
  expect(err).toContain('the fixture exceeds the limit')
})

test('a fixture is sent after the scenario that its orders follow, and again only with --replace', async () => {
  const { url } = await startForTest()
  const fixture = 'clients:\n  - clientId: shop\n    orders: [{ requestId: r1, scenario: mine }]\n'
  const folder = folderWith({ 'a-shop.yaml': fixture, 'mine.yaml': scenario('mine') })
  const first = await push(url, [folder])
  expect([first.out, first.exitCode]).toEqual([
    [`${folder}/mine.yaml: scenario mine loaded`, `${folder}/a-shop.yaml: fixture a-shop loaded`],
    0,
  ])
  expect((await fetch(`${url}/_emulator/clients/shop`)).status).toBe(200)
  const again = await push(url, [join(folder, 'a-shop.yaml')])
  expect([again.exitCode, again.out]).toEqual([1, [expect.stringContaining('a-shop.yaml: rejected: ')]])
  expect((await push(url, ['--replace', join(folder, 'a-shop.yaml')])).exitCode).toBe(0)
})

test('a settings file cannot be sent', async () => {
  const { exitCode, err } = await push('http://127.0.0.1:9', [
    folderWith({ 's.yaml': 'orders.expiry: 3m\n' }),
  ])
  expect(exitCode).toBe(2)
  expect(err).toContain('start the emulator with --settings')
})

test('a conform file cannot be sent either, and it says where it goes', async () => {
  const file = join(
    folderWith({ 'conform.yaml': 'webhookUrl: http://a.test\nstart: { url: http://a.test }\n' }),
    'conform.yaml',
  )
  const { exitCode, err } = await push('http://127.0.0.1:9', [file])
  expect([exitCode, err]).toEqual([
    2,
    `error: ${file} is a conform file, which \`push\` cannot send; use it with \`conform ${file}\``,
  ])
})

test('a control token is passed on, and a refusal is told', async () => {
  const { url } = await startForTest({ controlToken: 'secret' })
  const folder = folderWith({ 'a.yaml': scenario('a') })
  const without = await push(url, [folder])
  expect([without.exitCode, without.out]).toEqual([
    1,
    [expect.stringContaining('rejected: The control API requires')],
  ])
  expect((await push(url, [folder, '--control-token', 'secret'])).exitCode).toBe(0)
  expect((await push(url, [folder], { EMULATOR_CONTROL_TOKEN: 'secret' })).exitCode).toBe(0)
})

test('what does not answer, or is no emulator, ends with 1', async () => {
  const folder = folderWith({ 'a.yaml': scenario('a') })
  const nobody = await push(`http://127.0.0.1:${await freePort()}`, [folder])
  expect([nobody.exitCode, nobody.err]).toEqual([1, expect.stringContaining('no emulator answers at')])
  const { url } = await serverFor((_, answer) => answer.end('hello'))
  const another = await push(url, [folder])
  expect([another.exitCode, another.err]).toEqual([1, expect.stringContaining('is not an emulator')])
})
