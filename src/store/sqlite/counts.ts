import type { Census, Standing, Store } from '../store.ts'
import type { Connection } from './connection.ts'

/** How much there is of what may pile up. */
export function standingVerbs({ sqlite }: Connection): Pick<Store, 'standing' | 'countOrders'> {
  // Each count walks an index that holds nothing but what it counts.
  const ofAll = sqlite.prepare<[], Standing>(
    `select (select count(*) from deliveries where status = 'pending') as pendingDeliveries,
            (select count(*) from deliveries where status = 'held') as heldDeliveries,
            kept_requests as keptRequests, pruned_requests as prunedRequests
     from world`,
  )
  const ofOne = sqlite.prepare<[string, string], Standing>(
    `select (select count(*) from deliveries where status = 'pending' and client_id = ?) as pendingDeliveries,
            (select count(*) from deliveries where status = 'held' and client_id = ?) as heldDeliveries,
            null as keptRequests, null as prunedRequests
     from world`,
  )
  const orders = sqlite.prepare<[], { count: number }>('select count(*) as count from orders')
  const ordersOf = sqlite.prepare<[string], { count: number }>(
    'select count(*) as count from orders where client_id = ?',
  )
  const none = { pendingDeliveries: 0, heldDeliveries: 0, keptRequests: 0, prunedRequests: 0 }
  return {
    standing: async (clientId) =>
      (clientId === undefined ? ofAll.get() : ofOne.get(clientId, clientId)) ?? none,
    countOrders: async (clientId) =>
      (clientId === undefined ? orders.get() : ordersOf.get(clientId))?.count ?? 0,
  }
}

/** So many rows are counted before others have their turn: a few milliseconds. */
const rowsAtOnce = 10_000

/** Counts what there is. No index holds all states: one would have to be written at each change of an order. So all
 *  rows are walked through, in parts. */
export function censusVerbs({ sqlite }: Connection): Pick<Store, 'census'> {
  const counting = (table: 'orders' | 'deliveries', status: 'order_status' | 'status') => ({
    last: sqlite.prepare<[], { seq: number | null }>(`select max(seq) as seq from ${table}`),
    part: sqlite.prepare<[number, number], Row>(
      `select client_id as clientId, ${status} as status, count(*) as count
       from ${table} where seq > ? and seq <= ? group by client_id, ${status}`,
    ),
  })
  const orders = counting('orders', 'order_status')
  const deliveries = counting('deliveries', 'status')
  const count = async ({ last, part }: ReturnType<typeof counting>): Promise<Counted> => {
    const counted: Counted = new Map()
    const end = last.get()?.seq ?? 0
    for (let seq = 0; seq < end; seq += rowsAtOnce) {
      if (seq > 0) await new Promise((resolve) => setImmediate(resolve))
      for (const row of part.all(seq, seq + rowsAtOnce)) add(counted, row)
    }
    return counted
  }
  return {
    census: async (): Promise<Census> => ({
      orders: await count(orders),
      deliveries: await count(deliveries),
    }),
  }
}

interface Row {
  readonly clientId: string
  readonly status: string
  readonly count: number
}

type Counted = Map<string, Record<string, number>>

function add(counted: Counted, { clientId, status, count }: Row): void {
  const ofClient = counted.get(clientId) ?? {}
  ofClient[status] = (ofClient[status] ?? 0) + count
  counted.set(clientId, ofClient)
}
