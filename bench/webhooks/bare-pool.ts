import { once } from 'node:events'
import { join } from 'node:path'
import type { Bench } from '../frame/bench.ts'

/** POSTs to be sent, always as many at once as there are connections. */
export interface PoolLoad {
  readonly origin: string
  readonly connections: number
  readonly count: number
  /** Besides sending them: each rung does what the one before does, too. */
  readonly does: 'sends' | 'signs' | 'records'
}

export interface PoolEnd {
  readonly perSecond: number
  /** For each POST. */
  readonly cpuMicros: number
}

/** Starts a process with a bare pool, on the servers' cores. @returns sends a load */
export function barePool({ processes, folder }: Bench): (load: PoolLoad) => Promise<PoolEnd> {
  const file = new URL('../servers/pool.ts', import.meta.url).pathname
  const child = processes.start([process.execPath, file, join(folder, 'bare-outbox.db')], 'server')
  return async (load) => {
    child.send(load)
    const [end]: PoolEnd[] = await once(child, 'message')
    if (end === undefined) throw new Error('the bare pool told nothing')
    return end
  }
}
