import { expect, test } from 'vitest'
import { spawnProgram } from '../cli/spawned.ts'

test('SIGQUIT is passed on, and the command decides how it ends', async () => {
  const code = `trap 'exit 9' QUIT; echo up; while :; do sleep 0.05; done`
  const program = spawnProgram(['exec', '--', '/bin/sh', '-c', code], { detached: true })
  await program.wrote(/^up$/m)
  program.child.kill('SIGQUIT')
  expect(await program.ended).toBe(9)
  expect(program.written.out).toBe('up\n')
})

test.each([
  ['SIGTERM', 128 + 15],
  ['SIGINT', 128 + 2],
  ['SIGHUP', 128 + 1],
  ['SIGQUIT', 128 + 3],
  ['SIGUSR2', 128 + 12],
  ['SIGALRM', 'SIGALRM'],
] as const)('after %s nothing that the command has started is left', async (signal, end) => {
  // A first request is answered only after `exec` has begun to watch its command.
  const ask = 'fetch(process.env.EMULATOR_URL + "/_emulator/health").then(() => console.log("up"))'
  const code = 'sleep 600 & (sleep 600; true) & "$0" -e "$1"; wait'
  const command = ['/bin/sh', '-c', code, process.execPath, ask]
  const program = spawnProgram(['exec', '--', ...command], { detached: true })
  await program.wrote(/^up$/m)
  program.child.kill(signal)
  // It waits for the end of standard output as well, which all of them have open.
  expect(await program.ended).toBe(end)
})

test('SIGINT ends what a shell is running, as Ctrl-C does', async () => {
  // The program says that it runs: a signal that comes while the shell starts it is lost.
  const code = '"$0" -e "$1"; echo never'
  const command = ['/bin/sh', '-c', code, process.execPath, `console.log('up'); setInterval(() => {}, 1e6)`]
  const program = spawnProgram(['exec', '--', ...command], { detached: true })
  await program.wrote(/^up$/m)
  program.child.kill('SIGINT')
  expect(await program.ended).toBe(128 + 2)
  expect(program.written.out).toBe('up\n')
})

test('a signal that the command handles ends nothing', async () => {
  const code = "trap 'echo caught' USR2; echo up; while :; do sleep 0.05; done"
  const program = spawnProgram(['exec', '--', '/bin/sh', '-c', code], { detached: true })
  await program.wrote(/^up$/m)
  program.child.kill('SIGUSR2')
  await program.wrote(/^caught$/m)
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(128 + 15)
})

test('what a command leaves behind that ends by itself runs on, as in a shell', async () => {
  const code = 'sleep 600 >/dev/null 2>&1 & echo $!; exit 3'
  const program = spawnProgram(['exec', '--', '/bin/sh', '-c', code], { detached: true })
  expect(await program.ended).toBe(3)
  expect(process.kill(Number(program.written.out), 'SIGKILL')).toBe(true)
})

test('the end of the launcher ends the command', async () => {
  const code = `setInterval(() => {}, 1e6); console.log('up')`
  const program = spawnProgram(['exec', '--', process.execPath, '-e', code], { channel: true })
  await program.wrote(/^up$/m)
  program.child.disconnect()
  expect(await program.ended).toBe(128 + 15)
})
