import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Bench } from '../frame/bench.ts'
import { freePort } from '../frame/processes.ts'
import { open } from '../load/connection.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The words of a command line, given the port. */
type Command = (port: string) => readonly string[]

/** The built program as a user starts it. */
export const emulatorCommand =
  (database: string): Command =>
  (port) => [process.execPath, `${root}dist/cli.js`, 'serve', '--port', port, '--database', database]

/** What no start can be faster than. */
export const leastCommand: Command = (port) => [process.execPath, `${root}bench/servers/least.mjs`, port]

/** In a checkout with everything installed and built. */
export const npmStart: Command = (port) => ['npm', '--prefix', root, 'start', '--', '--port', port]

/** @returns how long a Node takes that does nothing, from its start to its end, in milliseconds */
export async function nothing(bench: Bench): Promise<number> {
  const since = performance.now()
  await once(bench.processes.start([process.execPath, '-e', '0'], 'server'), 'exit')
  return performance.now() - since
}

/** Starts a command, and ends it.
 *  @returns how long it took until the first answer 200, in milliseconds */
export async function started(bench: Bench, command: Command): Promise<number> {
  const port = await freePort()
  const since = performance.now()
  const child = bench.processes.start(command(String(port)), 'server')
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${command('PORT').join(' ')} ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const ms = performance.now() - since
  const ended = once(child, 'exit')
  child.kill()
  await ended
  return ms
}

/** Over a bare socket, as an HTTP client takes longer to load than some servers. */
async function answers(port: number): Promise<boolean> {
  const socket = await open(port).catch(() => null)
  if (socket === null) return false
  socket.write('GET /_emulator/health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n')
  // Whoever only looks whether the port is free hangs up.
  const hungUp = once(socket, 'close').then(() => [''])
  try {
    const [head] = await Promise.race([once(socket, 'data'), hungUp])
    return String(head).startsWith('HTTP/1.1 200')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
