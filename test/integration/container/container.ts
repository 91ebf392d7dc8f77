import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { type Ended, run } from '../support/run.ts'

/** How a process within a container is started, in the words of the OCI runtime specification. */
export interface ProcessSpec {
  readonly args: readonly string[]
  readonly env: readonly string[]
  readonly cwd: string
  readonly user: { readonly uid: number; readonly gid: number }
  readonly noNewPrivileges: boolean
}

const state = z.object({ pid: z.number() })

const patienceMs = 20_000

/** A container that runs, or has run. */
export class Container {
  readonly ended: Promise<Ended>
  readonly #id: string
  readonly #bundle: string
  readonly #process: ProcessSpec
  readonly #healthcheck: readonly string[]
  #over = false

  /** @param bundle folder with its `config.json`
   *  @param healthcheck the image's: `CMD` and a command */
  constructor(id: string, bundle: string, process: ProcessSpec, healthcheck: readonly string[]) {
    this.#id = id
    this.#bundle = bundle
    this.#process = process
    this.#healthcheck = healthcheck
    this.ended = runtime('run', '--bundle', bundle, id).finally(() => {
      this.#over = true
    })
  }

  /** Runs a command in it, as its user and with its environment. */
  exec(...args: readonly string[]): Promise<Ended> {
    const file = join(this.#bundle, 'exec.json')
    writeFileSync(file, JSON.stringify({ ...this.#process, args }))
    return runtime('exec', '--process', file, this.#id)
  }

  /** Runs its HEALTHCHECK until that is content. Throws if the container ends before, or takes too long. */
  async healthy(): Promise<Ended> {
    const [kind, ...command] = this.#healthcheck
    if (kind !== 'CMD') throw new Error(`a HEALTHCHECK of kind ${kind} takes a shell`)
    const before = performance.now() + patienceMs
    let last: Ended
    do {
      last = await this.exec(...command)
      if (last.code === 0) return last
    } while (!this.#over && performance.now() < before)
    const { out, err } = this.#over ? await this.ended : last
    throw new Error(`not healthy: ${out}${err}`)
  }

  /** Its network, for others to join. */
  async network(): Promise<{ readonly path: string }> {
    const { pid } = state.parse(JSON.parse((await runtime('state', this.#id)).out))
    return { path: `/proc/${pid}/ns/net` }
  }

  /** Sends its first process a signal, and waits for its end; kills it after 10 s, as engines do. */
  async stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' = 'SIGTERM'): Promise<Ended> {
    const kill = setTimeout(() => void runtime('kill', this.#id, 'SIGKILL'), 10_000)
    await runtime('kill', this.#id, signal)
    const ended = await this.ended
    clearTimeout(kill)
    return ended
  }
}

/** Runs crun, which needs no daemon. It looks for control groups, wants none, and does not know the way in which some
 *  machines have them: so it gets to see none. */
function runtime(...args: readonly string[]): Promise<Ended> {
  const hidden = 'mount -t tmpfs none /sys/fs/cgroup && exec crun --cgroup-manager=disabled "$@"'
  return run('unshare', ['--mount', 'sh', '-c', hidden, 'sh', ...args])
}
