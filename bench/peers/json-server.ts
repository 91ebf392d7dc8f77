import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandOf } from './packages.ts'
import type { Peer } from './peer.ts'
import { storedOrders } from './stored-orders.ts'

const name = 'json-server'

/** A collection of orders, in a file that it writes as a whole with each order. */
export const jsonServer: Peer = {
  name: 'json-server',
  package: name,
  work: 'nothing is checked; the body stored under a new id, in memory and a JSON file',
  keepsOrders: true,
  create: { sends: 'order', path: '/orders' },
  lookup: { sends: 'nothing', path: '/orders/{requestId}' },
  aims: { creates: 70 },
  prepare({ folder, processes }, _, stored) {
    const file = join(folder, 'db.json')
    writeFileSync(file, JSON.stringify({ orders: storedOrders(stored) }))
    return () =>
      processes.serve((port) => [
        ...[...commandOf(name), '--quiet', '--host', '127.0.0.1', '--port', port],
        ...['--snapshots', folder, file],
      ])
  },
}
