import { asc, sql } from 'drizzle-orm'
import { copiedSince } from '../../domain/attempt-faults.ts'
import type { ClaimedDelivery, DeliveryPlan } from '../../domain/delivery.ts'
import { attemptBegun, type BegunAttempt, begunValues, latestMover } from './attempts.ts'
import { claimableRows } from './claimable.ts'
import type { Connection } from './connection.ts'
import type { DeliveryRow } from './delivery-rows.ts'
import { jsonList } from './grouping.ts'
import { rowReader } from './parameter.ts'
import { deliveries } from './schema.ts'

/** What is read of a delivery that is sent. */
const claimedColumns = {
  seq: deliveries.seq,
  id: deliveries.id,
  webhookId: deliveries.webhookId,
  clientId: deliveries.clientId,
  requestId: deliveries.requestId,
  orderId: deliveries.orderId,
  sequence: deliveries.sequence,
  eventType: deliveries.eventType,
  orderStatus: deliveries.orderStatus,
  orderType: deliveries.orderType,
  body: deliveries.body,
  createdAt: deliveries.createdAt,
  dueAt: deliveries.dueAt,
  plan: deliveries.plan,
  attempt: deliveries.attempt,
}

/** Its row, as better-sqlite3 answers it: drizzle takes as long to map a row as SQLite to find it. */
interface ClaimedRow extends Pick<DeliveryRow, 'seq' | 'id' | 'sequence' | 'body' | 'attempt'> {
  readonly webhook_id: string
  readonly client_id: string
  readonly request_id: string
  readonly order_id: string
  readonly event_type: string
  readonly order_status: string
  readonly order_type: string
  readonly created_at: number
  readonly due_at: number | null
  /** As JSON. */
  readonly plan: string | null
}

/** Marks deliveries as in flight and begins their next attempts, part of a write; answers them by due time.
 *  `due` takes the first that are claimable, `these` those that were chosen. */
export function claimers(connection: Connection) {
  const { sqlite, db } = connection
  const due = rowReader<ClaimedRow>(sqlite, () => claimableRows(connection, claimedColumns))
  const chosen = rowReader<ClaimedRow>(sqlite, () =>
    db
      .select(claimedColumns)
      .from(deliveries)
      .where(sql`${deliveries.seq} in ${jsonList('seqs')}`)
      .orderBy(asc(deliveries.dueAt), asc(deliveries.seq)),
  )
  // One by one: of several at once SQLite makes a list first, which takes as long again.
  const take = sqlite.prepare<[...ReturnType<typeof begunValues>, seq: number]>(
    `update deliveries set in_flight = 1, ${attemptBegun} where seq = ?`,
  )
  const moveLatest = latestMover(connection)
  const claimedOf = presenter(connection)
  const claim = (rows: readonly ClaimedRow[], begun: BegunAttempt): ClaimedDelivery[] =>
    rows.map((row) => {
      if (row.attempt > 0) moveLatest(row.seq)
      take.run(...begunValues(begun), row.seq)
      return claimedOf(row)
    })
  return {
    due: (which: { clientId: string; until: number; limit: number }, begun: BegunAttempt) =>
      claim(due(which), begun),
    these: (seqs: readonly number[], begun: BegunAttempt) =>
      claim(chosen({ seqs: JSON.stringify(seqs) }), begun),
  }
}

/** Completes a row: its plan, and how many of its attempts were accepted since a fault has it sent again, if one has. */
function presenter({ sqlite }: Connection): (row: ClaimedRow) => ClaimedDelivery {
  const count = sqlite
    .prepare<[number, number], number>(
      `select count(*) from attempts where delivery_seq = ? and n >= ? and outcome = 'accepted'`,
    )
    .pluck()
  return (row) => {
    const plan: DeliveryPlan | null = row.plan === null ? null : JSON.parse(row.plan)
    const since = copiedSince(plan)
    const delivery: ClaimedDelivery = {
      id: row.id,
      webhookId: row.webhook_id,
      clientId: row.client_id,
      requestId: row.request_id,
      orderId: row.order_id,
      sequence: row.sequence,
      status: 'pending',
      eventType: row.event_type,
      orderStatus: row.order_status,
      orderType: row.order_type,
      body: row.body,
      createdAt: row.created_at,
      dueAt: row.due_at,
      plan,
      attempt: row.attempt + 1,
    }
    return since === null ? delivery : { ...delivery, accepted: count.get(row.seq, since) }
  }
}
