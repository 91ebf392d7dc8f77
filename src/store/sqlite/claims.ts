import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import { copiedSince } from '../../domain/attempt-faults.ts'
import type { ClaimedDelivery } from '../../domain/delivery.ts'
import type { Store } from '../store.ts'
import { attemptWriter } from './attempts.ts'
import { claimableRows } from './claimable.ts'
import type { Connection } from './connection.ts'
import { deliveryFinder } from './delivery-ids.ts'
import { byDueTime, type DeliveryRow, deliveryPresenter } from './delivery-rows.ts'
import { faultsOnDue } from './due-faults.ts'
import { refuseEnded } from './ended.ts'
import { jsonList } from './grouping.ts'
import { keeper } from './holds.ts'
import { p } from './parameter.ts'
import { deliveries } from './schema.ts'

/** The way of a delivery: released, claimed, finished. */
export function claimVerbs(
  connection: Connection,
): Pick<
  Store,
  | 'releaseAnswer'
  | 'nextDeliveryDue'
  | 'ordersWithDeliveriesDue'
  | 'claimDeliveries'
  | 'skipDeliveries'
  | 'finishAttempt'
> {
  const { sqlite, db, write } = connection
  const claimable = claimableRows(connection)
  const { begin, end } = attemptWriter(connection)
  const keepBack = keeper(connection)
  const meetFaults = faultsOnDue(connection)
  const present = deliveryPresenter(connection)
  const acceptedBefore = acceptedCounter(connection)

  const release = sqlite.prepare<[number, string]>(
    `update deliveries set due_at = ? + coalesce(plan ->> '$.delayMs', 0)
     where order_seq = (select seq from orders where order_id = ?) and status = 'pending' and due_at is null`,
  )
  // In flight or not: both values, so that the index over what is pending serves.
  const withDue = db
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
    .prepare()
  const claimOf = (which: SQL) =>
    db
      .update(deliveries)
      .set({
        inFlight: sql`1`,
        attempt: sql`${deliveries.attempt} + 1`,
        url: sql`${p('url')}`,
      })
      .where(sql`${deliveries.seq} in ${which}`)
      .returning()
      .prepare()
  const claimDue = claimOf(sql`${claimable.due}`)
  const claimThese = claimOf(jsonList('seqs'))
  const skip = db
    .update(deliveries)
    .set({ status: 'skipped', blocking: false })
    .where(sql`${deliveries.seq} in ${claimable.due}`)
    .returning()
    .prepare()
  const seqOf = deliveryFinder(sqlite)
  const settle = sqlite.prepare<[string, number | null, number, number]>(
    `update deliveries set in_flight = 0, blocking = 0, released = 0, status = ?, due_at = coalesce(?, due_at)
     where seq = ? and in_flight = 1 and attempt = ?`,
  )

  return {
    releaseAnswer: (orderId, now, life) =>
      write(() => {
        refuseEnded(life)
        release.run(now, orderId)
      }),

    ordersWithDeliveriesDue: async (clientId, until, among) =>
      withDue
        .all({ clientId, until, orderIds: among ? JSON.stringify(among) : null })
        .map(({ orderId }) => orderId),

    nextDeliveryDue: async (clientId, now, after = -1) =>
      claimable.next.get({ clientId, now, after })?.dueAt ?? null,

    claimDeliveries: ({ clientId, until, now, wallNow, url, limit, holds, faults = [] }) =>
      write(() => {
        const held = keepBack(clientId, until, holds)
        // What comes after them has not been looked at yet.
        if (held.length > 0) return { claimed: [], held, late: 0, met: nothingMet }
        const due = faults.length === 0 ? null : meetFaults({ clientId, until, now, limit }, faults)
        const rows =
          due === null
            ? claimDue.all({ clientId, until, url, limit })
            : claimThese.all({ seqs: JSON.stringify(due.seqs), url })
        const claimed = rows.sort(byDueTime)
        for (const { seq, attempt } of claimed) begin(seq, attempt, { at: now, wallAt: wallNow, url })
        return {
          claimed: claimed.map((row) => ({ ...claimedOf(row), ...acceptedBefore(row) })),
          held,
          late: due?.late ?? 0,
          met: due?.met ?? nothingMet,
        }
      }),

    skipDeliveries: (clientId, until, limit) =>
      write(() => present(skip.all({ clientId, until, limit }).sort(byDueTime))),

    finishAttempt: (deliveryId, attempt, result) =>
      write(() => {
        const { next } = result
        const dueAt = next.status === 'pending' ? next.dueAt : null
        const seq = seqOf(deliveryId)
        if (seq === undefined || settle.run(next.status, dueAt, seq, attempt).changes === 0) return false
        end(seq, attempt, result)
        return true
      }),
  }
}

const nothingMet = { counts: [], gone: [] }

/** How many attempts of a delivery were accepted since a fault has it sent again, if one has. */
function acceptedCounter({ sqlite }: Connection): (row: DeliveryRow) => Pick<ClaimedDelivery, 'accepted'> {
  const count = sqlite
    .prepare<[number, number], number>(
      `select count(*) from attempts where delivery_seq = ? and n >= ? and outcome = 'accepted'`,
    )
    .pluck()
  return ({ seq, plan }) => {
    const since = copiedSince(plan)
    return since === null ? {} : { accepted: count.get(seq, since) }
  }
}

function claimedOf({
  seq: _,
  orderSeq: __,
  inFlight: ___,
  blocking: ____,
  url: _____,
  released: ______,
  ...delivery
}: DeliveryRow): ClaimedDelivery {
  return { ...delivery, status: 'pending' }
}
