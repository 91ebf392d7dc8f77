import type { Store } from '../store.ts'
import type { Connection } from './connection.ts'

/** A client's orders are created in the order of their `createdAt`, but for those decided at the same time.
 *  So the newest moment stands on one of its last orders, and a million older ones need no reading. */
const newestWindow = 1_000

/** How far the orders of clients have come. Every start on a file asks, so it stands apart from the other verbs of orders,
 *  which take a twentieth of such a start to be made. */
export function newestMomentVerbs({ sqlite }: Connection): Pick<Store, 'newestMoment'> {
  const newest = sqlite
    .prepare<[clientId: string], number | null>(
      `select max(created_at) from
       (select created_at from orders where client_id = +? order by seq desc limit ${newestWindow})`,
    )
    .pluck()
  return { newestMoment: async (clientId) => newest.get(clientId) ?? null }
}
