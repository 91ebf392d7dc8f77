import type { Store } from '../store.ts'
import type { Connection } from './connection.ts'

/** How much there is of what may pile up. */
export function standingVerbs({ sqlite }: Connection): Pick<Store, 'standing'> {
  // Each count walks an index that holds nothing but what it counts.
  const standing = sqlite.prepare<[], Awaited<ReturnType<Store['standing']>>>(
    `select (select count(*) from deliveries where status = 'pending') as pendingDeliveries,
            (select count(*) from deliveries where status = 'held') as heldDeliveries,
            kept_requests as keptRequests, pruned_requests as prunedRequests
     from world`,
  )
  const none = { pendingDeliveries: 0, heldDeliveries: 0, keptRequests: 0, prunedRequests: 0 }
  return { standing: async () => standing.get() ?? none }
}
