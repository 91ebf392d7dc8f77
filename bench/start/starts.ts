import { once } from 'node:events'
import { freePort } from '../../tools/free-port.ts'
import type { Processes } from '../frame/processes.ts'
import { open } from '../load/connection.ts'

/** @returns how long a Node takes that does nothing, from its start to its end, in milliseconds */
export async function nothing(processes: Processes): Promise<number> {
  const since = performance.now()
  await once(processes.start([process.execPath, '-e', '0'], 'started'), 'exit')
  return performance.now() - since
}

/** Starts a command, and ends it.
 *  @param portWord stands for the port in its words
 *  @returns how long it took until the first answer 200, in milliseconds */
export async function started(
  processes: Processes,
  { words, portWord }: { words: readonly string[]; portWord: string },
): Promise<number> {
  const port = await freePort()
  const command = words.map((word) => (word === portWord ? String(port) : word))
  const since = performance.now()
  const child = processes.start(command, 'started')
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${words.join(' ')} ended with ${child.exitCode}`)
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
