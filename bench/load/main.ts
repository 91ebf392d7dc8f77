// A load process: prepares the requests of a load, then sends them and says how long that took.

import { setTimeout as pause } from 'node:timers/promises'
import { Connection } from './connection.ts'
import type { Load, LoadAnswer, LoadCommand } from './load.ts'
import { requestBytes } from './requests.ts'

interface Prepared {
  readonly load: Load
  readonly requests: readonly Buffer[]
  readonly connections: readonly Connection[]
}

let prepared: Prepared | undefined

process.once('disconnect', () => process.exit())
process.on('message', async (command: LoadCommand) => {
  const answer = await obey(command).catch((error: unknown) => ({ failure: String(error) }))
  process.send?.(answer)
})

async function obey(command: LoadCommand): Promise<LoadAnswer> {
  if (command === 'send') {
    if (prepared === undefined) throw new Error('no load is prepared')
    return sent(prepared)
  }
  prepared = await prepare(command.prepare)
  return 'ready'
}

async function prepare(load: Load): Promise<Prepared> {
  const { shape, port, first, count, step = 1, different = count } = load
  const requests = Array.from({ length: different }, (_, index) => requestBytes(shape, first + index * step))
  const connections = await Promise.all(Array.from({ length: load.connections }, () => Connection.open(port)))
  return { load, requests, connections }
}

async function sent({ load, requests, connections }: Prepared): Promise<LoadAnswer> {
  const { count, perSecond } = load
  const latencies = new Float64Array(count)
  const cpu = process.cpuUsage()
  const begun = performance.now()
  let next = 0
  const drive = async (connection: Connection) => {
    for (let n = next++; n < count; n = next++) {
      const bytes = requests[n % requests.length]
      if (bytes === undefined) return
      if (perSecond !== undefined) {
        const leftMs = begun + (n / perSecond) * 1000 - performance.now()
        if (leftMs > 0) await pause(leftMs)
      }
      const since = performance.now()
      await connection.request(bytes)
      latencies[n] = performance.now() - since
    }
  }
  await Promise.all(connections.map(drive))
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(cpu)
  for (const connection of connections) connection.close()
  return { seconds, cpuSeconds: (user + system) / 1e6, latencies }
}
