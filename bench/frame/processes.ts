import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { open } from '../load/connection.ts'
import { onCores, type Side } from './cores.ts'
import { Server } from './server.ts'

/** A large file is checked before the port opens. */
const mostMsToStart = 120_000

/** The processes of a section; leaving the scope ends them. */
export class Processes implements AsyncDisposable {
  readonly #children: ChildProcess[] = []

  /** Starts a server on a free port and waits until it takes connections, two minutes at most.
   *  @param command the words of the command line, given the port */
  async serve(command: (port: string) => readonly string[], side: Side = 'server'): Promise<Server> {
    const port = await freePort()
    const words = command(String(port))
    const child = this.start(words, side)
    for (const giveUpAt = performance.now() + mostMsToStart; performance.now() < giveUpAt; await pause(20)) {
      if (child.exitCode !== null) throw new Error(`${words.join(' ')} ended with ${child.exitCode}`)
      const socket = await open(port).catch(() => null)
      socket?.destroy()
      if (socket !== null) return new Server(child, port)
    }
    throw new Error(`${words.join(' ')} takes no connections`)
  }

  /** Starts a command with a channel to this process; programs of this project end when it closes. */
  start(words: readonly string[], side: Side): ChildProcess {
    const [command = '', ...args] = onCores(side, words)
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Lets typed arrays through.
      serialization: 'advanced',
    })
    this.#children.push(child)
    return child
  }

  /** Tells those that still run to end. @returns them */
  kill(): ChildProcess[] {
    const running = this.#children.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    )
    for (const child of running) child.kill()
    return running
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.kill().map((child) => once(child, 'exit')))
  }
}

/** A port of this machine that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
