import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../tools/free-port.ts'
import { onCores, type Side } from './cores.ts'
import { Server } from './server.ts'

/** A large file is checked before anything is answered. */
const mostMsToStart = 120_000

/** The processes of a section; leaving the scope ends them. */
export class Processes implements AsyncDisposable {
  readonly #children: ChildProcess[] = []

  /** Starts a server on a free port and waits until it answers, whatever it may be, two minutes at most. That it takes
   *  connections says little: the emulator takes them before it has opened its database.
   *  @param command the words of the command line, given the port
   *  @param writesBehind see `Server` */
  async serve(
    command: (port: string) => readonly string[],
    { side = 'server', writesBehind }: { side?: Side; writesBehind?: string } = {},
  ): Promise<Server> {
    const port = await freePort()
    const words = command(String(port))
    const child = this.start(words, side)
    const giveUpAt = performance.now() + mostMsToStart
    for (let leftMs = mostMsToStart; leftMs > 0; leftMs = giveUpAt - performance.now()) {
      if (hasEnded(child))
        throw new Error(`${words.join(' ')} ended with ${child.exitCode ?? child.signalCode}`)
      if (await answers(port, leftMs)) return new Server(child, port, writesBehind)
      await pause(20)
    }
    throw new Error(`${words.join(' ')} has answered nothing in ${mostMsToStart / 1000} seconds`)
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
    const running = this.#children.filter((child) => !hasEnded(child))
    for (const child of running) child.kill()
    return running
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.kill().map((child) => once(child, 'exit')))
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function answers(port: number, withinMs: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(Math.ceil(withinMs))
    await (await fetch(`http://127.0.0.1:${port}/`, { signal })).arrayBuffer()
    return true
  } catch {
    return false
  }
}
