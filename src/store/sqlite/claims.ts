import { and, eq, lte, sql } from 'drizzle-orm'
import type { EpochMs } from '../../domain/time.ts'
import type { Store } from '../store.ts'
import { attemptEnded, endedValues } from './attempts.ts'
import { claimers } from './claim-rows.ts'
import { claimableRows } from './claimable.ts'
import type { Connection } from './connection.ts'
import { deliveryFinder } from './delivery-ids.ts'
import { byDueTime, deliveryPresenter } from './delivery-rows.ts'
import { faultsOnDue } from './due-faults.ts'
import { refuseEnded } from './ended.ts'
import { jsonList } from './grouping.ts'
import { keeper } from './holds.ts'
import { once, p } from './parameter.ts'
import { deliveries } from './schema.ts'

/** The way of a delivery: released, claimed, finished. */
export function claimVerbs(
  connection: Connection,
): Pick<
  Store,
  'releaseAnswer' | 'ordersWithDeliveriesDue' | 'claimDeliveries' | 'skipDeliveries' | 'finishAttempt'
> {
  const { sqlite, db, write } = connection
  const keepBack = keeper(connection)
  const meetFaults = faultsOnDue(connection)
  const present = deliveryPresenter(connection)

  const release = sqlite.prepare<[EpochMs, number, string]>(
    `update deliveries set due_at = ? + coalesce(plan ->> '$.delayMs', 0)
     where order_seq = ? and order_id = ? and status = 'pending' and due_at is null`,
  )
  // In flight or not: both values, so that the index over what is pending serves.
  const withDue = once(() =>
    db
      .selectDistinct({ orderId: deliveries.orderId })
      .from(deliveries)
      .where(
        and(
          sql`${deliveries.status} = 'pending'`,
          eq(deliveries.clientId, p('clientId')),
          sql`${deliveries.inFlight} in (0, 1)`,
          lte(deliveries.dueAt, p('until')),
          sql`(${p('orderIds')} is null or ${deliveries.orderId} in ${jsonList('orderIds')})`,
        ),
      )
      .prepare(),
  )
  const claim = claimers(connection)
  const skip = once(() =>
    db
      .update(deliveries)
      .set({ status: 'skipped', blocking: false })
      .where(sql`${deliveries.seq} in ${claimableRows(connection)}`)
      .returning()
      .prepare(),
  )
  const findDelivery = deliveryFinder(sqlite)
  const findOrder = sqlite
    .prepare<[orderId: string], number>('select seq from orders where order_id = ?')
    .pluck()
  const settle = sqlite.prepare<
    [string, number | null, ...ReturnType<typeof endedValues>, number, number, string]
  >(
    `update deliveries
     set in_flight = 0, blocking = 0, released = 0, status = ?, due_at = coalesce(?, due_at), ${attemptEnded}
     where seq = ? and in_flight = 1 and attempt = ? and id = ?`,
  )

  return {
    releaseAnswer: (orderId, now, life) =>
      write(() => {
        refuseEnded(life)
        const seq = findOrder.get(orderId)
        if (seq !== undefined) release.run(now, seq, orderId)
      }),

    ordersWithDeliveriesDue: async (clientId, until, among) =>
      withDue()
        .all({ clientId, until, orderIds: among ? JSON.stringify(among) : null })
        .map(({ orderId }) => orderId),

    claimDeliveries: ({ clientId, until, now, wallNow, url, limit, holds, faults = [] }) =>
      write(() => {
        const held = keepBack(clientId, until, holds)
        // What comes after them has not been looked at yet.
        if (held.length > 0) return { claimed: [], held, late: 0, met: nothingMet }
        const due = faults.length === 0 ? null : meetFaults({ clientId, until, now, limit }, faults)
        const begun = { url, at: now, wallAt: wallNow }
        const taken =
          due === null ? claim.due({ clientId, until, limit }, begun) : claim.these(due.seqs, begun)
        return {
          claimed: taken,
          held,
          late: due?.late ?? 0,
          met: due?.met ?? nothingMet,
        }
      }),

    skipDeliveries: (clientId, until, limit) =>
      write(() => present(skip().all({ clientId, until, limit }).sort(byDueTime))),

    finishAttempt: (deliveryId, attempt, result) =>
      write(() => {
        const { next } = result
        const dueAt = next.status === 'pending' ? next.dueAt : null
        const seq = findDelivery(deliveryId)
        if (seq === undefined) return false
        return settle.run(next.status, dueAt, ...endedValues(result), seq, attempt, deliveryId).changes > 0
      }),
  }
}

const nothingMet = { counts: [], gone: [] }
