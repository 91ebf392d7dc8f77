import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const program = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')

/** Sends itself a signal as soon as anybody listens for it. */
const signalled = (signal: string) => {
  const hook = `process.on('newListener', function tell(name) {
    if (name !== '${signal}') return
    process.off('newListener', tell)
    process.kill(process.pid, '${signal}')
  })`
  return `data:text/javascript,${encodeURIComponent(hook)}`
}

/** Runs the program as the first process of a PID namespace, as in a container. */
const asFirst = (signal: string, ...args: string[]) =>
  spawnSync(
    'unshare',
    ['--pid', '--fork', process.execPath, '--import', signalled(signal), program, ...args],
    { encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' },
  )

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
])('as the first process, a command that listens to no signal ends of %s all the same', (signal, code) => {
  expect(asFirst(signal, 'wait').status).toBe(code)
})

test.each(['SIGTERM', 'SIGINT'])(
  'as the first process, serve ends with 0 of a %s that comes at its start',
  (signal) => {
    expect(asFirst(signal, '--port', '0').status).toBe(0)
  },
)
