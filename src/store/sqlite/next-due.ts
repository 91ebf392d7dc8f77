import { and, eq, gt, min } from 'drizzle-orm'
import type { Store } from '../store.ts'
import { nextClaimable } from './claimable.ts'
import type { Connection } from './connection.ts'
import { numberReader, p } from './parameter.ts'
import { orders } from './schema.ts'

/** When something is due next. All that a start asks of orders and deliveries. */
export function nextDueVerbs(connection: Connection): Pick<Store, 'nextOrderDue' | 'nextDeliveryDue'> {
  const { sqlite, db } = connection
  const nextOrder = numberReader(sqlite, () =>
    db
      .select({ dueAt: min(orders.nextDueAt) })
      .from(orders)
      .where(and(eq(orders.clientId, p('clientId')), gt(orders.nextDueAt, p('after')))),
  )
  const nextDelivery = nextClaimable(connection)
  return {
    nextOrderDue: async (clientId, after = -1) => nextOrder({ clientId, after }),
    nextDeliveryDue: async (clientId, now, after = -1) => nextDelivery({ clientId, now, after }),
  }
}
