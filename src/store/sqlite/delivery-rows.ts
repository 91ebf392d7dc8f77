import { asc, sql } from 'drizzle-orm'
import type { Attempt, Delivery } from '../../domain/delivery.ts'
import { latestOf } from './attempts.ts'
import type { Connection } from './connection.ts'
import { jsonList, once } from './parameter.ts'
import { attempts, type deliveries } from './schema.ts'

/** A delivery as it is stored, with its latest attempt. */
export type DeliveryRow = typeof deliveries.$inferSelect

/** Completes stored deliveries by their earlier attempts, all of which are read at once. */
export function deliveryPresenter({ db }: Connection): (rows: readonly DeliveryRow[]) => Delivery[] {
  const earlierOf = once(() =>
    db
      .select()
      .from(attempts)
      .where(sql`${attempts.deliverySeq} in ${jsonList('seqs')}`)
      .orderBy(asc(attempts.deliverySeq), asc(attempts.n))
      .prepare(),
  )

  return (rows) => {
    const repeated = rows.filter(({ attempt }) => attempt > 1)
    const seqs = JSON.stringify(repeated.map(({ seq }) => seq))
    const earlier = Map.groupBy(earlierOf().all({ seqs }), ({ deliverySeq }) => deliverySeq)
    return rows.map((row) =>
      toDelivery(row, [...(earlier.get(row.seq) ?? []).map(attemptOf), ...latestOf(row)]),
    )
  }
}

/** A delivery out of its row. */
export function toDelivery(row: DeliveryRow, attempts: readonly Attempt[]): Delivery {
  return {
    id: row.id,
    webhookId: row.webhookId,
    clientId: row.clientId,
    requestId: row.requestId,
    orderId: row.orderId,
    sequence: row.sequence,
    eventType: row.eventType,
    orderStatus: row.orderStatus,
    orderType: row.orderType,
    body: row.body,
    createdAt: row.createdAt,
    dueAt: row.dueAt,
    plan: row.plan,
    status: row.status,
    url: row.url,
    attempts,
  }
}

function attemptOf({ deliverySeq: _, ...attempt }: typeof attempts.$inferSelect): Attempt {
  return attempt
}

/** For rows of what is due: an update answers them in no particular order. */
export function byDueTime(
  a: Pick<DeliveryRow, 'dueAt' | 'seq'>,
  b: Pick<DeliveryRow, 'dueAt' | 'seq'>,
): number {
  return (a.dueAt ?? 0) - (b.dueAt ?? 0) || a.seq - b.seq
}
