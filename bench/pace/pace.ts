import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Processes } from '../frame/processes.ts'
import { median } from '../frame/statistics.ts'

/** Far longer than the work takes on any machine. */
const mostMs = 30_000

/** How quick the machine is from moment to moment: how long the same piece of work takes, on the cores of the servers. A
 *  virtual machine may give more or less, by half and more, without any figure of its own that says so. */
export class Pace {
  readonly #worker: ChildProcess
  readonly #ended = new AbortController()
  readonly #ready: Promise<unknown>
  readonly #ms: number[] = []

  constructor(processes: Processes) {
    const file = new URL('main.ts', import.meta.url).pathname
    this.#worker = processes.start([process.execPath, file], 'server')
    this.#worker.once('exit', () => this.#ended.abort())
    this.#ready = this.#told()
    // Whoever never looks does not care.
    this.#ready.catch(() => undefined)
  }

  /** Does the work once, while the servers rest. */
  async look(): Promise<void> {
    await this.#ready
    this.#worker.send('work')
    this.#ms.push(Number(await this.#told()))
  }

  /** What each look has taken so far, milliseconds. */
  get ms(): readonly number[] {
    return this.#ms
  }

  async #told(): Promise<unknown> {
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(mostMs)])
    const [answer] = await once(this.#worker, 'message', { signal })
    return answer
  }
}

/** How long the work took on the machine that figures in time are meant for: one of four cores, in milliseconds. */
const paceOfGoals = 2
/** A machine that is slower still tells nothing of the program. */
const mostSlowness = 3

/** How many times slower a machine was than the one that figures in time are meant for; 1 if it was as quick or quicker,
 *  or nobody looked. */
export function slowness(ms: readonly number[]): number {
  return ms.length === 0 ? 1 : Math.min(Math.max(median(ms) / paceOfGoals, 1), mostSlowness)
}

/** `the same piece of work took 4.8 to 7.6 ms, mostly 5.1`; nothing if it was never done. */
export function inWords(ms: readonly number[]): string {
  if (ms.length === 0) return ''
  const [least, most, mostly] = [Math.min(...ms), Math.max(...ms), median(ms)].map((each) => each.toFixed(1))
  return `the same piece of work took ${least} to ${most} ms, mostly ${mostly}`
}

/** Whether a machine was so unsteady that figures of one moment and those of another cannot be compared. */
export const isUnsteady = (ms: readonly number[]): boolean => Math.max(...ms) > 1.3 * Math.min(...ms)
