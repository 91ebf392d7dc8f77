import type { Standing, Store } from '../store.ts'
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
