import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import type { Environment } from '../../src/cli/terminal.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'

async function conform(argv: readonly string[], env: Environment = {}) {
  const terminal = new FakeTerminal(env)
  const exitCode = await run(['conform', ...argv], terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

const nowhere = 'http://127.0.0.1:9'

test('--init writes a file in which check finds nothing wrong, and says what to do next', async () => {
  const file = join(aFolder(), 'deeper', 'conform.yaml')
  const { exitCode, out } = await conform(['--init', file])
  expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining(`check ${file}`) })
  const terminal = new FakeTerminal()
  expect(await run(['check', file], terminal)).toBe(0)
  expect(terminal.output).toEqual(['1 conform file: all right'])
})

test('what --init leaves out of use is right as well, once it is put to use', async () => {
  const file = join(aFolder(), 'conform.yaml')
  await conform(['--init', file])
  const text = readFileSync(file, 'utf8').replaceAll(/^( *)# (?=\w+:| {2}\w+:)/gm, '$1')
  expect(text).toMatch(/^startSubscription:\n {2}url/m)
  writeFileSync(file, text)
  expect(await run(['check', file], new FakeTerminal())).toBe(0)
})

test('--init writes over nothing unless it is forced to', async () => {
  const file = join(aFolder(), 'conform.yaml')
  writeFileSync(file, 'client: mine\n')
  expect(await conform(['--init', file])).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('--force'),
  })
  expect(readFileSync(file, 'utf8')).toBe('client: mine\n')
  expect(await conform(['--init', file, '--force'])).toMatchObject({ exitCode: 0 })
})

test.each([
  [['nowhere.yaml'], /no file "nowhere.yaml"[\s\S]*--init/],
  [['--only', 'K08,K77'], /--only: there is no case "K77"/],
  [['--only', 'K8'], /did you mean `K08`/],
  [['--level', 'may'], /must, should/],
  [['--settle', '5'], /--settle: .*write 5s/],
  [['--webhook-url', 'localhost:3000'], /--webhook-url: must be an absolute/],
  [['--force'], /--force goes with --init/],
  [['a.yaml', 'b.yaml'], /too many arguments/],
])('%s is wrong usage', async (argv, message) => {
  expect(await conform(argv, { EMULATOR_URL: nowhere })).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(message),
  })
})

test('a wrong configuration is told with its place before anything is called', async () => {
  const file = join(aFolder(), 'conform.yaml')
  writeFileSync(file, 'webhookUrl: ${SHOP}\nsetle: 1s\n')
  const { exitCode, err } = await conform([file], { EMULATOR_URL: nowhere })
  expect(exitCode).toBe(2)
  expect(err).toContain(`${file}:1:13: the environment variable SHOP is not set`)
  expect(err).toContain(`${file}:2:1: unknown key \`setle\`; did you mean \`settle\`?`)
})

test('an emulator that is not there ends it with 1', async () => {
  expect(await conform(['--webhook-url', 'http://a.test', '--url', nowhere])).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining(nowhere),
  })
})

test('an emulator that asks for a token says so', async () => {
  const { url } = await startForTest({ controlToken: 'key' })
  expect(await conform(['--webhook-url', 'http://a.test', '--url', url])).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('--control-token'),
  })
})

test('a file of results that cannot be written is told before the run', async () => {
  const file = join(aFolder(), 'file')
  writeFileSync(file, '')
  const { exitCode, err } = await conform(['--webhook-url', 'http://a.test', '--junit', join(file, 'x.xml')])
  expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining('cannot be written') })
  expect(existsSync(join(file, 'x.xml'))).toBe(false)
})

test('--webhook-url leaves a conform.yaml that is there in force', async () => {
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  process.chdir(aFolder())
  writeFileSync('conform.yaml', 'setle: 1s\n')
  const { exitCode, err } = await conform(['--webhook-url', 'http://a.test', '--url', nowhere])
  expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining('conform.yaml:1:1') })
})
