// Starts the built program again and again, in turns with a Node that does nothing, and prints how long each start took.
// It is a process of its own because a process that has grown takes longer to start another one.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../../tools/free-port.ts'

const [folder = '', rounds = '1'] = process.argv.slice(2)
const program = new URL('../../dist/cli.js', import.meta.url).pathname
const start = (...words: string[]) => spawn(process.execPath, words, { stdio: 'ignore' })
const times: { nothing: number[]; program: number[] } = { nothing: [], program: [] }

// Two rounds fill caches.
for (let round = -2; round < Number(rounds); round++) {
  const nothing = await timeOf(async () => void (await once(start('-e', '0'), 'exit')))
  const port = await freePort()
  const database = join(folder, `start-${round}.db`)
  let child: ChildProcess | undefined
  const own = await timeOf(async () => {
    child = start(program, 'serve', '--port', String(port), '--database', database)
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}`)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  })
  child?.kill()
  if (child) await once(child, 'exit')
  if (round < 0) continue
  times.nothing.push(nothing)
  times.program.push(own)
}
console.log(JSON.stringify(times))

async function timeOf(act: () => Promise<void>): Promise<number> {
  const since = performance.now()
  await act()
  return performance.now() - since
}

/** Asks over a bare socket: `fetch` would take longer to load than some programs take to start. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(false)).on('close', () => resolve(false))
    socket.on('data', (head) => {
      resolve(String(head).startsWith('HTTP/1.1 200'))
      socket.destroy()
    })
    socket.write('GET /_emulator/health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n')
  })
}
