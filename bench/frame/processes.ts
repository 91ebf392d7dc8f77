import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../tools/free-port.ts'

const hasTaskset = spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0

/** Cores that the servers and the load have for themselves, each of the two. 0: they share all cores. */
export const coresEach = hasTaskset ? Math.min(2, Math.floor(availableParallelism() / 2)) : 0

const coresOf = { server: `0-${coresEach - 1}`, load: `${coresEach}-${2 * coresEach - 1}` }

/** A large database is checked before anything is answered. */
const mostMsToStart = 120_000

/** A load that never ends must not keep the bench. */
const mostMsToAnswer = 300_000

/** During this time the write-ahead log is copied into its file. */
const restMs = 500

/** A server that answers. */
export interface Server {
  readonly port: number
  readonly url: string
  /** Resident memory in MB (10^6 bytes). NaN where there is no `/proc`. */
  residentMb(): number
  /** Writes what it would write behind its answers, and rests: that must not fall into the next server's turn. */
  settle(): Promise<void>
  stop(): Promise<void>
}

/** The processes that a section started. */
export class Processes {
  readonly #children = new Set<ChildProcess>()

  /** Starts a command with a channel to this process. Programs of this project end when it closes. */
  start(words: readonly string[], side: 'server' | 'load'): ChildProcess {
    const pinned = coresEach === 0 ? words : ['taskset', '--cpu-list', coresOf[side], ...words]
    const [command = '', ...args] = pinned
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Lets typed arrays through.
      serialization: 'advanced',
    })
    this.#children.add(child)
    return child.once('exit', () => this.#children.delete(child))
  }

  /** Starts a server on a free port and waits until it answers anything.
   *  @param flushPath a GET of it has the server write what it would write later */
  async serve(command: (port: string) => readonly string[], flushPath = '/'): Promise<Server> {
    const port = await freePort()
    const words = command(String(port))
    const child = this.start(words, 'server')
    const url = `http://127.0.0.1:${port}`
    const deadline = performance.now() + mostMsToStart
    while (!(await answers(url))) {
      if (hasEnded(child)) throw new Error(`${words.join(' ')} ended with ${child.exitCode}`)
      if (performance.now() > deadline) throw new Error(`${words.join(' ')} does not answer`)
      await pause(20)
    }
    return {
      ...{ port, url, residentMb: () => residentMb(child.pid), stop: () => end(child) },
      settle: async () => {
        await answers(url + flushPath)
        await pause(restMs)
      },
    }
  }

  /** Ends all that still run and waits for them. */
  async end(): Promise<void> {
    await Promise.all([...this.#children].map(end))
  }

  /** Ends all at once: their files are about to be removed. */
  kill(): void {
    for (const child of this.#children) child.kill('SIGKILL')
  }
}

/** Sends a message to a process and waits for its answer. */
export async function ask<T>(child: ChildProcess, message: object | string | number): Promise<T> {
  child.send(message)
  const [answer]: T[] = await once(child, 'message', { signal: AbortSignal.timeout(mostMsToAnswer) })
  if (answer === undefined) throw new Error('a process answered nothing')
  return answer
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (answer) => answer.arrayBuffer().then(() => true),
    () => false,
  )

function residentMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6
  } catch {
    return Number.NaN
  }
}
