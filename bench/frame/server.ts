import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuSeconds, residentBytes } from './proc.ts'

/** A server that has been started and answers. */
export class Server {
  readonly port: number
  readonly url: string
  readonly #process: ChildProcess
  readonly #writesBehind: string | null

  /** @param writesBehind what to ask it for, that it first writes what it else would up to two seconds later */
  constructor(child: ChildProcess, port: number, writesBehind: string | null = null) {
    this.#process = child
    this.#writesBehind = writesBehind
    this.port = port
    this.url = `http://127.0.0.1:${port}`
  }

  /** What all its threads have computed so far, in microseconds, user and system, to ten milliseconds: what stands
   *  when other programs take the cores. NaN where there is no `/proc`. */
  cpuMicros(): number {
    return cpuSeconds(this.#process.pid).own * 1e6
  }

  /** Resident memory in MB (10^6 bytes). NaN where there is no `/proc`. */
  residentMb(): number {
    return residentBytes(this.#process.pid) / 1e6
  }

  /** Has it write what is written behind, and waits until it has had nothing to do for a while, at most so long. Else
   *  what it does after its answers would take the core from whatever is measured next, and not be its own. */
  async idle(mostMs: number): Promise<void> {
    if (this.#writesBehind !== null) await (await fetch(`${this.url}${this.#writesBehind}`)).arrayBuffer()
    const [lookEveryMs, quietMs, littleMicros] = [50, 100, 10_000]
    let quiet = 0
    for (let waitedMs = 0; waitedMs < mostMs && quiet < quietMs; waitedMs += lookEveryMs) {
      const before = this.cpuMicros()
      await pause(lookEveryMs)
      const isQuiet = !(this.cpuMicros() - before > littleMicros)
      quiet = isQuiet ? quiet + lookEveryMs : 0
    }
  }

  /** Ends it by a signal and waits until it has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill(signal)
    await ended
  }
}
