import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { open } from './connection.ts'
import type { Load, LoadEnd } from './load.ts'

/** Whether servers and load get cores of their own, so that they do not take them from each other. */
export const pinned =
  availableParallelism() >= 4 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0

const cores = { server: '0,1', load: '2,3' }

/** The processes of a run; leaving the scope ends them. */
export class Processes implements AsyncDisposable {
  readonly #children: ChildProcess[] = []
  #load: ChildProcess | undefined

  /** Starts a server on a free port and waits until it takes connections. */
  async serve(file: URL, argumentsFor: (port: string) => string[]): Promise<number> {
    const port = await freePort()
    const child = this.#start(file, argumentsFor(String(port)), cores.server)
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`)
      const socket = await open(port).catch(() => null)
      socket?.destroy()
      if (socket !== null) return port
      await pause(20)
    }
  }

  /** Sends a load. @returns requests per second */
  async send(load: Load): Promise<number> {
    this.#load ??= this.#start(new URL('load.ts', import.meta.url), [], cores.load)
    this.#load.send(load)
    const [end]: LoadEnd[] = await once(this.#load, 'message')
    if (end === undefined || 'failure' in end) throw new Error(`${load.kind}: ${end?.failure}`)
    return load.count / end.seconds
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = this.#children.filter(({ exitCode }) => exitCode === null)
    for (const child of running) child.kill()
    await Promise.all(running.map((child) => once(child, 'exit')))
  }

  #start(file: URL, args: string[], core: string): ChildProcess {
    const onCores = { execPath: 'taskset', execArgv: ['--cpu-list', core, process.execPath] }
    const child = fork(file, args, pinned ? onCores : {})
    this.#children.push(child)
    return child
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
