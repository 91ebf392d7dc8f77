import { copyFileSync } from 'node:fs'
import { create, lookup } from '../load/requests.ts'
import type { Peer } from './peer.ts'

/** The emulator itself: the built program on a file, its clock standing still, no webhook URL. */
export const emulator: Peer = {
  name: 'payment-order-emulator',
  package: null,
  work: 'token, signature, fields; order, step and outbox row in a file before the answer; requests recorded',
  keepsOrders: true,
  create,
  lookup,
  prepare(bench, { databases }, stored) {
    const database = bench.newDatabase()
    copyFileSync(databases.get(stored) ?? '', database)
    return () => bench.emulator({ database })
  },
}
