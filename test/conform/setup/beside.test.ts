import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../src/cli/program.ts'
import type { Environment } from '../../../src/cli/terminal.ts'
import { freePort } from '../../../tools/free-port.ts'
import { FakeTerminal } from '../../cli/fake-terminal.ts'
import { serverFor } from '../../cli/servers.ts'
import { spawnProgram } from '../../cli/spawned.ts'
import { aFolder } from '../../support/folder.ts'
import { startReceiver } from '../../support/receiver.ts'

/** Runs `conform` beside a Node program.
 *  @returns its output, and whether the program's port is free again */
async function beside(program: string, argv: readonly string[] = [], env: Environment = {}) {
  const port = await freePort()
  const file = join(aFolder(), 'shop.mjs')
  writeFileSync(file, program)
  const terminal = new FakeTerminal({ ...process.env, PORT: String(port), ...env })
  const url = `http://127.0.0.1:${port}/webhooks`
  const exitCode = await run(
    ['conform', '--webhook-url', url, ...argv, '--', process.execPath, file],
    terminal,
  )
  const left = await fetch(url).then(
    () => true,
    () => false,
  )
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n'), left }
}

const shop = `
import { createServer } from 'node:http'
for (const name of ['BASE_URL', 'CLIENT_ID', 'API_SECRET', 'ACCESS_TOKEN'])
  if (!process.env['PAYMENT_ORDER_' + name]) throw new Error(name)
createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end())).listen(process.env.PORT)
`

test('an application runs beside an emulator of its own, for the length of the check', async () => {
  const { exitCode, out, left } = await beside(shop, ['--only', 'K03', '--json'])
  expect(JSON.parse(out)).toMatchObject({ problems: [], cases: [{ id: 'K03', verdict: 'PASS' }] })
  expect({ exitCode, left }).toEqual({ exitCode: 0, left: false })
})

test('one that does not run is told with what it wrote', async () => {
  const { exitCode, err } = await beside('console.error("no mugs"); process.exit(7)')
  expect({ exitCode, err }).toEqual({
    exitCode: 2,
    err: expect.stringMatching(/ended with 7 before anything listened at .*\/webhooks\. It wrote:\nno mugs$/),
  })
})

test('where something listens already, the command is not started: verdicts would be about that', async () => {
  const { url } = await startReceiver()
  const ran = join(aFolder(), 'ran')
  const terminal = new FakeTerminal(process.env)
  const touch = `require('node:fs').writeFileSync(${JSON.stringify(ran)}, '')`
  const argv = ['conform', '--webhook-url', url, '--only', 'K03', '--', process.execPath, '-e', touch]
  expect(await run(argv, terminal)).toBe(2)
  expect(terminal.errors.join()).toContain(`something already listens at ${url}`)
  expect(existsSync(ran)).toBe(false)
})

test('one that has ended is not tested, though something else listens', async () => {
  const { exitCode, err } = await beside(
    `
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
const other = "require('node:http').createServer((_, answer) => answer.writeHead(204).end()).listen(process.env.PORT)"
spawn(process.execPath, ['-e', other], { stdio: 'ignore' })
const look = () => connect(process.env.PORT).on('connect', () => process.exit(3)).on('error', () => setTimeout(look, 5))
look()
`,
    ['--only', 'K03'],
  )
  expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining('ended with 3 ') })
})

test('one that crashes in a case is told with what it wrote, which steers no terminal', async () => {
  const crashing = shop.replace(
    'request.resume()',
    `request.on('data', (text) => {
  try {
    JSON.parse(text)
  } catch {
    process.stderr.write('no mugs \\u001b[2J')
    process.exit(1)
  }
})`,
  )
  const { exitCode, out, err } = await beside(crashing, ['--only', 'K26', '--patience', '50ms'])
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: expect.stringMatching(/^K26 .*FAIL/) })
  expect(err).toMatch(/ended with 1 during the test\. It wrote:\nno mugs \\u001b\[2J$/)
})

test('one that crashes in a pod is told nothing of pods: it was reached before', async () => {
  const mortal = `let webhooks = 0\n${shop.replace('request.resume()', '(++webhooks > 12 ? process.exit(1) : request.resume())')}`
  const argv = ['--only', 'K03', '--patience', '50ms', '--json']
  const { exitCode, out } = await beside(mortal, argv, { KUBERNETES_SERVICE_HOST: '10.0.0.1' })
  expect(exitCode).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    cases: [{ id: 'K03', verdict: 'FAIL', finding: { defect: 'crashed' } }],
  })
  expect(out).toContain('ECONNREFUSED')
  expect(out).not.toMatch(/Kubernetes|Docker|container/)
})

test('database, clock and the like of another emulator are left alone', async () => {
  const database = join(aFolder(), 'mine.db')
  const env = { EMULATOR_DATABASE: database, EMULATOR_CLOCK: 'manual', EMULATOR_SETTINGS: 'nowhere.yaml' }
  const { exitCode } = await beside(shop, ['--only', 'K03'], env)
  expect({ exitCode, opened: existsSync(database) }).toEqual({ exitCode: 0, opened: false })
})

test.each([
  ['there-is-no-such-command', 127],
  ['', 127],
])('the command %j is no command', async (command, exitCode) => {
  const terminal = new FakeTerminal(process.env)
  const url = `http://127.0.0.1:${await freePort()}/`
  expect(await run(['conform', '--webhook-url', url, '--', command], terminal)).toBe(exitCode)
  expect(terminal.errors.join()).toContain(`command not found: "${command}"`)
})

test.each([
  [['--url', 'http://127.0.0.1:4600', '--', 'true'], 'leave out `--url`'],
  [['--'], 'no command after `--`'],
])('%s is wrong usage', async (argv, message) => {
  const terminal = new FakeTerminal()
  expect(await run(['conform', '--webhook-url', 'http://127.0.0.1:9', ...argv], terminal)).toBe(2)
  expect(terminal.errors.join()).toContain(message)
})

test.each(['SIGKILL', 'SIGQUIT', 'SIGUSR2', 'SIGTERM'] as const)(
  '%s to conform ends the application too',
  async (signal) => {
    const [connected, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { port } = await serverFor((request) => {
      connected.resolve()
      request.socket.on('close', () => gone.resolve())
    })
    const connect = `require('node:http').get('http://127.0.0.1:${port}/')`
    // No server listens there, and no other test gets that port.
    const argv = ['conform', '--webhook-url', 'http://127.0.0.1:9/', '--']
    const program = spawnProgram([...argv, '/bin/sh', '-c', '"$0" -e "$1"; true', process.execPath, connect])
    await Promise.race([connected.promise, program.ended])
    expect(program.written.err).toBe('')
    program.child.kill(signal)
    await program.ended
    await gone.promise
  },
)
