import { setTimeout as pause } from 'node:timers/promises'
import { Bench } from '../frame/bench.ts'
import type { Server } from '../frame/server.ts'
import type { LoadEnd } from '../load/load.ts'
import { callOf, type RequestShape } from '../load/requests.ts'
import type { Materials } from './materials.ts'
import type { Peer } from './peer.ts'

/** What came of one start of a peer. */
export interface Figures {
  /** From the start of its process to the first 200, milliseconds, to some twenty: so often it is tried. */
  readonly coldStartMs: number
  readonly createsPerSecond: number
  readonly lookupsPerSecond: number
  /** What all its threads have computed for a create call, microseconds. */
  readonly createCpuMicros: number
  /** After the load, MB (10^6 bytes). */
  readonly residentMb: number
  /** Orders created by then, besides those of the start. */
  readonly created: number
}

const connections = 64
/** The first warm-up is the longer one: a virtual machine compiles what lookups and creates have in common. A long one
 *  before the creates would have filled up the tools that slow down with what they keep. */
const seconds = { beforeLookups: 4, beforeCreates: 2, measured: 2 }
/** However slow a peer is. */
const fewestRequests = 3

/** Starts a peer, measures lookups and then creates, each after a warm-up, and ends it.
 *  @param stored how many orders it begins with, if it keeps any */
export async function measure(peer: Peer, materials: Materials, stored: number): Promise<Figures> {
  await using bench = new Bench(false, () => {})
  // The numbers of those that it begins with.
  bench.newOrders(stored)
  const start = await peer.prepare(bench, materials, stored)
  const begun = performance.now()
  const server = await start()
  await firstAnswer(server, peer.lookup)
  const coldStartMs = performance.now() - begun
  const lookups = await warmAndMeasured(seconds.beforeLookups, (count) =>
    send(bench, server, peer.lookup, count, stored),
  )
  const creates = await warmAndMeasured(seconds.beforeCreates, (count) =>
    send(bench, server, peer.create, count),
  )
  return {
    coldStartMs,
    createsPerSecond: creates.perSecond,
    lookupsPerSecond: lookups.perSecond,
    createCpuMicros: creates.cpuMicros,
    residentMb: server.residentMb(),
    // The next number is as many as have been handed out.
    created: bench.newOrders(0) - stored,
  }
}

/** Waits until a lookup is answered by 200. @throws Error if none is within a minute */
async function firstAnswer({ url }: Server, lookup: RequestShape): Promise<void> {
  const { path, headers } = callOf(lookup, 0)
  const deadline = performance.now() + 60_000
  while (performance.now() < deadline) {
    const status = await fetch(url + path, { headers }).then(
      (answer) => answer.text().then(() => answer.status),
      () => null,
    )
    if (status === 200) return
    await pause(20)
  }
  throw new Error(`GET ${path} was not answered by 200 within a minute`)
}

interface LoadFigures extends LoadEnd {
  readonly cpuMicros: number
}

/** Begins with one request and sends up to four times as many each time, since nobody knows how slow a peer is. */
async function warmAndMeasured(
  warmUpSeconds: number,
  send: (count: number) => Promise<LoadFigures>,
): Promise<LoadFigures> {
  const end = performance.now() + warmUpSeconds * 1000
  let count = 1
  let rate = 0
  while (performance.now() < end) {
    rate = (await send(count)).perSecond
    count = Math.ceil(Math.min(count * 4, rate / 2))
  }
  return send(Math.max(fewestRequests, Math.ceil(rate * seconds.measured)))
}

/** @param stored orders that are looked up again and again; without it every request is new */
async function send(
  bench: Bench,
  server: Server,
  shape: RequestShape,
  count: number,
  stored?: number,
): Promise<LoadFigures> {
  const first = stored === undefined ? bench.newOrders(count) : 0
  const different = stored === undefined ? undefined : Math.min(stored, count)
  const before = server.cpuMicros()
  const end = await bench.send({ shape, port: server.port, connections, first, count, different })
  return { ...end, cpuMicros: (server.cpuMicros() - before) / count }
}
