import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { version } from '../../src/app/package.ts'
import { programOf, run } from '../../src/cli/program.ts'
import { loadSettings } from '../../src/cli/serve/options.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'

test.each([
  [['--prot', '4700'], "error: unknown option '--prot' (Did you mean --port?)"],
  [['serve', '--clok', 'real'], "error: unknown option '--clok' (Did you mean --clock?)"],
  [['lisen'], 'error: unknown command "lisen"; did you mean `listen`?'],
  [
    ['x\u001b[2J'],
    /^error: unknown command "x\\u001b\[2J"; there are check, completion, conform, coverage, drift, exec, explain, explore, health, help, keep, learn, listen, push, serve, sign, status, sweep, wait$/,
  ],
  [['serve', 'now'], 'error: `serve` takes no arguments, but got "now"'],
  [
    ['--clock', 'manual', 'exec', '--', 'true'],
    'error: the command exec comes first, then its flags: payment-order-emulator exec ...',
  ],
  [['serve', '--port', '1', 'listen'], 'error: the command listen comes first'],
  [['--port'], "error: option '--port <number>' argument missing"],
  [['--log', 'loud'], /^error: --log: expected pretty, json or silent, not "loud"/],
  [['listen', '--port', '99999'], 'error: --port: expected a whole number from 0 to 65535, not "99999"'],
  [['listen', '--answer', '99'], 'error: --answer: expected a whole number from 200 to 599, not "99"'],
  [['listen', '--forward', 'localhost:3000'], /^error: --forward: expected a URL like/],
  [['listen', '--answer', '500', '--forward', 'http://a/'], /cannot be used with option '--answer/],
  [['listen', '--url', 'localhost'], /^error: --url: expected a URL like http:\/\/127\.0\.0\.1:4600/],
  [['health', '--url', 'https://a'], 'error: `health` supports http only, not https; use an http URL'],
])('%j ends with 2 and one line', async (argv, message) => {
  const terminal = new FakeTerminal()
  expect(await run(argv, terminal)).toBe(2)
  expect(terminal.output).toEqual([])
  expect(terminal.errors).toHaveLength(1)
  expect(terminal.errors[0]).toMatch(message)
  expect(terminal.errors[0]).not.toContain('\n')
})

test('--version prints the version', async () => {
  const terminal = new FakeTerminal()
  expect(await run(['--version'], terminal)).toBe(0)
  expect(terminal.output).toEqual([version])
})

const commands = programOf(new FakeTerminal(), () => {}).commands

test.each([
  ['--help'],
  ...commands.flatMap((command) => [
    [command.name(), '-h'],
    ['help', command.name()],
  ]),
])('%s %s shows examples that are right and ends with 0', async (...argv) => {
  const terminal = new FakeTerminal()
  expect(await run(argv, terminal)).toBe(0)
  const [, examples = ''] = terminal.output.join('\n').split('Examples:')
  const called = [...examples.matchAll(/payment-order-emulator (\S+)(.*)/g)]
  expect(called.length).toBeGreaterThan(0)
  for (const [, name = '', rest = ''] of called) {
    const command = commands.find((each) => each.name() === name.replace(/^--.*/, 'serve'))
    const known = ['--', ...(command?.options.map(({ long }) => long) ?? [])]
    const used = `${name}${rest.replace(/ -- .*/, '')}`.match(/--[a-z-]+/g) ?? []
    expect(name === 'help' || used.every((flag) => known.includes(flag)), `${name}${rest}`).toBe(true)
  }
})

test('every command that prints results can print them as JSON', () => {
  const others = ['serve', 'exec', 'completion']
  const without = commands.filter(({ options }) => !options.some(({ long }) => long === '--json'))
  expect(without.map((command) => command.name())).toEqual(others)
})

test('a settings file that is wrong is told line by line', () => {
  const file = fileWith('signature:\n  checkot: short\nnonsense: 1\n')
  expect(() => loadSettings(file)).toThrow(`${file}:2:3: unknown setting`)
  expect(() => loadSettings(file)).toThrow(`\n${file}:3:1: `)
})

test('a settings file that is not there is named', () => {
  expect(() => loadSettings('/nowhere/s.yaml')).toThrow(
    'error: cannot read the settings file "/nowhere/s.yaml": there is no such file',
  )
})

test('a file of more than 16 MiB is refused at the start', async () => {
  const file = fileWith(' '.repeat(16 * 1024 * 1024 + 1))
  expect(() => loadSettings(file)).toThrow('it is larger than 16 MiB; split it')
  await expect(startForTest({ scenarios: [file] })).rejects.toThrow(`${file}:1:1: is larger than 16 MiB`)
  await expect(startForTest({ fixtures: [file] })).rejects.toThrow(`${file}" is larger than 16 MiB`)
})

test('a scenario file that is wrong is told line by line', async () => {
  const file = fileWith('id: x\n')
  await expect(startForTest({ scenarios: [file] })).rejects.toThrow(`${file}:1:1: `)
})

test('a scenario path that is not there is named', async () => {
  await expect(startForTest({ scenarios: ['/nowhere'] })).rejects.toThrow(
    'error: there is no scenario file or folder "/nowhere"',
  )
})

test('a taken port is told before the database is made', async () => {
  const { url } = await startForTest()
  const port = Number(new URL(url).port)
  const database = join(newFolder(), 'orders.db')
  await expect(startForTest({ port, database })).rejects.toThrow(
    `error: port ${port} is in use by another emulator (version `,
  )
  expect(() => rmSync(database)).toThrow('ENOENT')
})

test('a file that is no database is refused in its own words', async () => {
  const database = fileWith('hello')
  await expect(startForTest({ database })).rejects.toThrow(/^error: The database ".*" is not an SQLite file/)
})

test('an address of another machine is no host', async () => {
  await expect(startForTest({ host: '192.0.2.1' })).rejects.toThrow(/^error: --host: this machine has no/)
})

function fileWith(text: string): string {
  const file = join(newFolder(), 'file.yaml')
  writeFileSync(file, text)
  return file
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'emulator-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
