import { join } from 'node:path'
import { create, lookup } from '../load/requests.ts'
import type { Peer } from './peer.ts'

/** The program of the ladder that keeps the promises of a create call and does nothing else: no tool, but how far the
 *  emulator could get ahead of the tools at most. */
export const bareProgram: Peer = {
  name: 'bare program',
  package: null,
  work: 'token, signature, fields; order, step and outbox row in a file before the answer; nothing else',
  keepsOrders: true,
  isFloor: true,
  create,
  lookup,
  async prepare(bench, _, stored) {
    const database = join(bench.folder, 'bare.db')
    const before = await bench.program('ladder', database)
    await bench.send({ shape: create, port: before.port, connections: 64, first: 0, count: stored })
    await before.stop()
    return () => bench.program('ladder', database)
  },
}
