import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandOf } from './packages.ts'
import type { Peer } from './peer.ts'
import { storedOrders } from './stored-orders.ts'

const name = '@mockoon/cli'

/** A CRUD route as the tool makes it: orders are found by an `id` that it gives them. */
export const mockoon: Peer = {
  ...keyedBy('id'),
  name: 'Mockoon, CRUD',
  work: 'nothing is checked; the body stored in memory under a new id',
  aims: { creates: 12 },
}

/** The same route with the key set to a field that the create call brings along: the tool need not find the next id,
 *  and doesn't look whether this one is taken. */
export const mockoonByRequestId: Peer = {
  ...keyedBy('requestId'),
  name: 'Mockoon, CRUD by requestId',
  work: 'nothing is checked; the body stored in memory as it is',
}

function keyedBy(key: 'id' | 'requestId') {
  return {
    package: name,
    keepsOrders: true,
    create: { sends: 'order', path: '/orders' },
    lookup: { sends: 'nothing', path: '/orders/{requestId}' },
    prepare({ folder, processes }, _, stored) {
      const file = join(folder, 'mockoon.json')
      writeFileSync(file, JSON.stringify(environment(key, storedOrders(stored))))
      return () =>
        processes.serve((port) => [
          ...[...commandOf(name), 'start', '--data', file, '--hostname', '127.0.0.1', '--port', port],
          ...['--repair', '--disable-log-to-file', '--disable-admin-api'],
        ])
    },
  } satisfies Partial<Peer>
}

/** Mockoon's file for one CRUD route over one list. It adds what is missing (`--repair`). */
function environment(crudKey: string, orders: readonly object[]): object {
  const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
  const list = { uuid: uuid(1), id: 'list', name: 'orders', value: JSON.stringify(orders) }
  const answer = {
    uuid: uuid(2),
    default: true,
    statusCode: 200,
    bodyType: 'DATABUCKET',
    databucketID: list.id,
    crudKey,
    disableTemplating: true,
  }
  const route = { uuid: uuid(3), type: 'crud', endpoint: 'orders', responses: [answer] }
  return {
    uuid: uuid(4),
    lastMigration: 33,
    name: 'orders',
    routes: [route],
    rootChildren: [{ type: 'route', uuid: route.uuid }],
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    data: [list],
  }
}
