import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { spawnProgram } from './spawned.ts'

/** A command of this very Node. */
const node = (code: string) => [process.execPath, '-e', code]

test('the command gets what it needs, standard output to itself, and its own exit code', async () => {
  const code = `
    const { PAYMENT_ORDER_BASE_URL: url, PAYMENT_ORDER_CLIENT_ID: id, PAYMENT_ORDER_API_SECRET: secret,
      PAYMENT_ORDER_ACCESS_TOKEN: token, PAYMENT_ORDER_WEBHOOK_SECRET: hook, EMULATOR_URL, EMULATOR_CLIENT_ID } = process.env
    fetch(url + '/_emulator/health').then((answer) => {
      console.log(JSON.stringify([answer.status, id, secret, token, hook, url === EMULATOR_URL, id === EMULATOR_CLIENT_ID, process.argv.slice(1)]))
      process.exit(7)
    })`
  const program = spawnProgram([
    'exec',
    '--access-token',
    't',
    '--client-id',
    'shop',
    '--',
    ...node(code),
    '--',
    '--port',
    '--',
    'x y',
  ])
  expect(await program.ended).toBe(7)
  expect(JSON.parse(program.written.out)).toEqual([
    200,
    'shop',
    'demo-secret',
    't',
    'whsec_ZGVtby13ZWJob29rLXNlY3JldA==',
    true,
    true,
    ['--port', '--', 'x y'],
  ])
  expect(program.written.err).toBe('')
})

test('SIGTERM is passed on, the command decides how it ends, and a log goes to standard error', async () => {
  const code = `trap 'exit 9' TERM; echo up; while :; do sleep 0.05; done`
  const program = spawnProgram(['exec', '--log', 'json', '--', '/bin/sh', '-c', code], { detached: true })
  await program.wrote(/^up$/m)
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(9)
  expect(program.written.out).toBe('up\n')
  expect(program.written.err).toContain('"event":"ready"')
})

test('after SIGKILL nothing that the command has started is left', async () => {
  // A first request is answered only after `exec` has begun to watch its command.
  const ask = 'fetch(process.env.EMULATOR_URL + "/_emulator/health").then(() => console.log("up"))'
  const code = 'sleep 600 & (sleep 600; true) & "$0" -e "$1"; wait'
  const command = ['/bin/sh', '-c', code, process.execPath, ask]
  const program = spawnProgram(['exec', '--', ...command], { detached: true })
  await program.wrote(/^up$/m)
  program.child.kill('SIGKILL')
  // It waits for the end of standard output as well, which all of them have open.
  expect(await program.ended).toBe('SIGKILL')
})

test('a command that a signal ended is told as a shell tells it', async () => {
  const exitCode = await run(['exec', '--', '/bin/sh', '-c', 'kill -9 $$'], new FakeTerminal())
  expect(exitCode).toBe(128 + 9)
})

test.each([
  [['exec', '--', 'no-such-command'], 127, 'error: command not found: "no-such-command"'],
  [['exec', '--', ''], 127, 'error: command not found: ""'],
  [['exec', '--', './package.json'], 126, 'error: cannot run "./package.json"'],
  [['exec'], 2, "error: missing required argument 'command'"],
  [['exec', '--prot', '1', '--', 'true'], 2, "error: unknown option '--prot' (Did you mean --port?)"],
  [['exec', '--clock', 'fast', '--', 'true'], 2, 'error: --clock: expected'],
])('%j ends with %i', async (argv, exitCode, words) => {
  const terminal = new FakeTerminal({ PATH: process.env.PATH })
  expect(await run(argv, terminal)).toBe(exitCode)
  expect(terminal.output).toEqual([])
  expect(terminal.errors).toEqual([expect.stringContaining(words)])
})

test.each([
  [{ EMULATOR_PORT: 'tcp://10.0.0.1:4600' }, 0, 'a service link is no port'],
  [{ EMULATOR_PORT: 'x' }, 2, 'a port that is chosen holds'],
])('with %j it ends with %i: %s', async (env, exitCode) => {
  expect(await run(['exec', '--', '/bin/true'], new FakeTerminal(env))).toBe(exitCode)
})
