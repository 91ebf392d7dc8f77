import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuSeconds, residentBytes } from './proc.ts'

/** A server that has been started and answers. */
export class Server {
  readonly port: number
  readonly url: string
  readonly #process: ChildProcess

  constructor(child: ChildProcess, port: number) {
    this.#process = child
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

  /** Waits until it has had nothing to do for a while, at most so long.
   *  @param quietMs how long; what is written behind comes up to two seconds after the load */
  async idle(mostMs: number, quietMs = 50): Promise<void> {
    const [lookEveryMs, littleMicros] = [50, 10_000]
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
