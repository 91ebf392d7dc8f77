// One process of the load: told a load, it prepares the requests; told to send, it sends them and tells how long
// that took.

import type { Socket } from 'node:net'
import { drive, open } from './connection.ts'
import type { FromGenerator, Load, Part, ToGenerator } from './load.ts'
import { sendPaced } from './paced.ts'
import { requestBytes } from './requests.ts'

interface Prepared {
  readonly load: Load
  readonly requests: readonly Buffer[]
  readonly sockets: readonly Socket[]
}

let prepared: Promise<Prepared> | undefined

const tell = (message: FromGenerator) => process.send?.(message)
const fail = (error: unknown) => tell({ failure: String(error) })

process.once('disconnect', () => process.exit())
process.on('message', (message: ToGenerator) => {
  if (message === 'send') prepared?.then(send).then((part) => tell({ part }), fail)
  else {
    prepared = prepare(message.prepare)
    prepared.then(() => tell('ready'), fail)
  }
})

async function prepare(load: Load): Promise<Prepared> {
  const { shape, port, connections, first, count, different = count } = load
  const requests = Array.from({ length: different }, (_, index) => requestBytes(shape, first + index))
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  return { load, requests, sockets }
}

async function send({ load, requests, sockets }: Prepared): Promise<Part> {
  const latencies = new Float64Array(load.count)
  let sent = 0
  let answered = 0
  const work = {
    next: () => (sent < load.count ? requests[sent++ % requests.length] : undefined),
    answered: (latencyMs: number) => {
      latencies[answered++] = latencyMs
    },
  }
  const cpu = process.cpuUsage()
  const begun = performance.now()
  if (load.perSecond === undefined) await Promise.all(sockets.map((socket) => drive(socket, work)))
  else await sendPaced(sockets, work, load.perSecond)
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(cpu)
  for (const socket of sockets) socket.removeAllListeners('close').destroy()
  return { seconds, cpuSeconds: (user + system) / 1e6, latencies }
}
