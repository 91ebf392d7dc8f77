import type { ChildProcess } from 'node:child_process'
import { ask, coresEach, type Processes } from '../frame/processes.ts'
import { quantile } from '../frame/statistics.ts'
import type { RequestShape } from './requests.ts'

/** Requests of one shape. Each connection waits for an answer before it sends the next. */
export interface Load {
  readonly shape: RequestShape
  readonly port: number
  readonly connections: number
  readonly count: number
  /** Number of the first request. */
  readonly first: number
  /** From one number to the next. By default 1. */
  readonly step?: number
  /** How many different requests there are. Without it every one is new. */
  readonly different?: number
  /** Sends at this even pace; without it as fast as the answers come. */
  readonly perSecond?: number
}

export interface LoadResult {
  readonly perSecond: number
  readonly p50Ms: number
  /** How much of its core the busiest load process used, 0 to 1. Near 1 it was the load that was measured. */
  readonly busy: number
}

/** A command to a load process: prepare a load, or send it. */
export type LoadCommand = { readonly prepare: Load } | 'send'
export type LoadAnswer =
  | 'ready'
  | { readonly seconds: number; readonly cpuSeconds: number; readonly latencies: Float64Array }
  | { readonly failure: string }

/** The processes that send the load, one for each of its cores. */
export class LoadProcesses {
  readonly #children: readonly ChildProcess[]

  constructor(processes: Processes) {
    const file = new URL('main.ts', import.meta.url).pathname
    this.#children = Array.from({ length: Math.max(1, coresEach) }, () =>
      processes.start([process.execPath, file], 'load'),
    )
  }

  /** @throws if a request is not answered by 200 or 201 */
  async send(load: Load): Promise<LoadResult> {
    const shares = sharesOf(load, Math.min(this.#children.length, load.connections))
    const children = this.#children.slice(0, shares.length)
    await Promise.all(children.map((child, index) => askLoad(child, { prepare: shares[index] ?? load })))
    const answers = await Promise.all(children.map((child) => askLoad(child, 'send')))
    const parts = answers.flatMap((answer) =>
      typeof answer === 'object' && 'seconds' in answer ? [answer] : [],
    )
    const latencies = parts.flatMap((part) => [...part.latencies])
    return {
      perSecond: load.count / Math.max(...parts.map(({ seconds }) => seconds)),
      p50Ms: quantile(latencies, 0.5),
      busy: Math.max(...parts.map(({ cpuSeconds, seconds }) => cpuSeconds / seconds)),
    }
  }
}

async function askLoad(child: ChildProcess, command: LoadCommand): Promise<LoadAnswer> {
  const answer = await ask<LoadAnswer>(child, command)
  if (typeof answer === 'object' && 'failure' in answer) throw new Error(answer.failure)
  return answer
}

/** Shares of a load that have no number in common: the processes take the numbers in turn. */
export function sharesOf(load: Load, processes: number): Load[] {
  const { first, step = 1, different, perSecond } = load
  const part = (whole: number, index: number) => Math.floor((whole + processes - 1 - index) / processes)
  return Array.from({ length: processes }, (_, index) => ({
    ...load,
    connections: part(load.connections, index),
    count: part(load.count, index),
    first: first + index * step,
    step: step * processes,
    ...(different !== undefined && { different: part(different, index) }),
    ...(perSecond !== undefined && { perSecond: perSecond / processes }),
  }))
}
