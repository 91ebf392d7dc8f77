import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { copiedSince } from '../../domain/attempt-faults.ts'
import type { ClaimedDelivery } from '../../domain/delivery.ts'
import { faultsLeft, planWith } from '../../domain/fault/attempt-plan.ts'
import type { DeliveryFault, FaultsMet } from '../../domain/fault/planned-fault.ts'
import type { EpochMs } from '../../domain/time.ts'
import { fits } from '../../domain/where.ts'
import type { Store } from '../store.ts'
import { attemptBegun, attemptEnded, type BegunAttempt, endedParameters, latestMover } from './attempts.ts'
import { claimable, claimableSeqs, inDueOrder, nextClaimable } from './claimable.ts'
import type { Connection } from './connection.ts'
import { deliveryFinder } from './deliveries.ts'
import { byDueTime, type DeliveryRow, deliveryPresenter, toDelivery } from './delivery-rows.ts'
import { refuseEnded } from './ended.ts'
import { faultCounter } from './faults.ts'
import { facts, keeper } from './holds.ts'
import { jsonList, once, p } from './parameter.ts'
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
  const keepBack = keeper(connection)
  const meetFaults = faultsOnDue(connection)
  const present = deliveryPresenter(connection)
  const begin = beginner(connection)
  const findDelivery = deliveryFinder(sqlite)

  const release = sqlite.prepare<{ now: EpochMs; orderId: string }>(
    `update deliveries set due_at = :now + coalesce(plan ->> '$.delayMs', 0)
     where order_seq = (select seq from orders where order_id = +:orderId)
       and order_id = +:orderId and status = 'pending' and due_at is null`,
  )
  const nextDue = once(() => nextClaimable(connection).prepare())
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
  const due = once(() =>
    db
      .select()
      .from(deliveries)
      .where(claimable(connection))
      .orderBy(...inDueOrder)
      .prepare(),
  )
  const chosen = once(() =>
    db
      .select()
      .from(deliveries)
      .where(sql`${deliveries.seq} in ${jsonList('seqs')}`)
      .orderBy(asc(deliveries.dueAt), asc(deliveries.seq))
      .prepare(),
  )
  const skip = once(() =>
    db
      .update(deliveries)
      .set({ status: 'skipped', blocking: false })
      .where(sql`${deliveries.seq} in ${claimableSeqs(connection)}`)
      .returning()
      .prepare(),
  )
  const settle = sqlite.prepare<
    ReturnType<typeof endedParameters> & { next: string; dueAt: EpochMs | null; seq: number; n: number }
  >(
    `update deliveries
     set in_flight = 0, blocking = 0, released = 0, status = :next, due_at = coalesce(:dueAt, due_at), ${attemptEnded}
     where seq = :seq and in_flight = 1 and attempt = :n`,
  )

  return {
    releaseAnswer: (orderId, now, life) =>
      write(() => {
        refuseEnded(life)
        release.run({ orderId, now })
      }),

    nextDeliveryDue: async (clientId, now, after = -1) =>
      nextDue().get({ clientId, now, after })?.dueAt ?? null,

    ordersWithDeliveriesDue: async (clientId, until, among) =>
      withDue()
        .all({ clientId, until, orderIds: among ? JSON.stringify(among) : null })
        .map(({ orderId }) => orderId),

    claimDeliveries: ({ clientId, until, now, wallNow, url, limit, holds, faults = [] }) =>
      write(() => {
        const held = keepBack(clientId, until, holds)
        // What comes after them has not been looked at yet.
        if (held.length > 0) return { claimed: [], held, late: 0, met: nothingMet }
        const begun = { url, at: now, wallAt: wallNow }
        if (faults.length === 0) {
          const claimed = due().all({ clientId, until, limit }).map(begin(begun))
          return { claimed, held, late: 0, met: nothingMet }
        }
        const { seqs, late, met } = meetFaults({ clientId, until, now, limit }, faults)
        const claimed = chosen()
          .all({ seqs: JSON.stringify(seqs) })
          .map(begin(begun))
        return { claimed, held, late, met }
      }),

    skipDeliveries: (clientId, until, limit) =>
      write(() => present(skip().all({ clientId, until, limit }).sort(byDueTime))),

    finishAttempt: (deliveryId, attempt, result) =>
      write(() => {
        const { next } = result
        const dueAt = next.status === 'pending' ? next.dueAt : null
        const seq = findDelivery(deliveryId)
        if (seq === undefined) return false
        const ended = endedParameters(result)
        return settle.run({ ...ended, next: next.status, dueAt, seq, n: attempt }).changes > 0
      }),
  }
}

const nothingMet = { counts: [], gone: [] }

/** Marks a delivery as in flight and begins its next attempt, part of a write. Of one that a fault has sent again it counts
 *  the attempts that were accepted since. */
function beginner(connection: Connection): (begun: BegunAttempt) => (row: DeliveryRow) => ClaimedDelivery {
  const { sqlite } = connection
  const moveLatest = latestMover(connection)
  const take = sqlite.prepare<BegunAttempt & { seq: number }>(
    `update deliveries set in_flight = 1, ${attemptBegun} where seq = :seq`,
  )
  const accepted = sqlite
    .prepare<[number, number], number>(
      `select count(*) from attempts where delivery_seq = ? and n >= ? and outcome = 'accepted'`,
    )
    .pluck()
  return (begun) => (row) => {
    const { seq } = row
    if (row.attempt > 0) moveLatest(seq)
    take.run({ ...begun, seq })
    const { attempts: _, url: __, ...delivery } = toDelivery(row, [])
    const claimed: ClaimedDelivery = { ...delivery, status: 'pending', attempt: row.attempt + 1 }
    const since = copiedSince(row.plan)
    return since === null ? claimed : { ...claimed, accepted: accepted.get(seq, since) }
  }
}

/** Has the first claimable deliveries meet the planned faults that fit them, part of a write. Answers what is to be claimed
 *  now, and how many are put off. */
function faultsOnDue(
  connection: Connection,
): (
  due: { clientId: string; until: number; now: number; limit: number },
  faults: readonly DeliveryFault[],
) => { seqs: readonly number[]; late: number; met: FaultsMet } {
  const { db, sqlite } = connection
  const counter = faultCounter(connection)
  const rows = once(() =>
    db
      .select({ ...facts, attempt: deliveries.attempt, plan: deliveries.plan })
      .from(deliveries)
      .where(claimable(connection))
      .orderBy(...inDueOrder)
      .prepare(),
  )
  const change = sqlite.prepare<{ plan: string; dueAt: number | null; seq: number }>(
    'update deliveries set plan = :plan, due_at = coalesce(:dueAt, due_at) where seq = :seq',
  )

  return ({ clientId, until, now, limit }, faults) => {
    const count = counter()
    const seqs: number[] = []
    let late = 0
    for (const { seq, attempt, plan, ...delivery } of rows().all({ clientId, until, limit })) {
      const fitting = faultsLeft(plan, attempt + 1, faults).filter(({ where }) => fits(where, delivery))
      const hit = count.firstOf(fitting)
      const fault = fitting.find(({ id }) => id === hit?.id)
      const dueAt = fault && fault.effect.delayMs > 0 ? now + fault.effect.delayMs : null
      if (fault !== undefined)
        change.run({ plan: JSON.stringify(planWith(plan, fault, attempt + 1)), dueAt, seq })
      if (dueAt === null) seqs.push(seq)
      else late += 1
    }
    return { seqs, late, met: count.met() }
  }
}
