import { copiedSince } from '../../domain/attempt-faults.ts'
import type { ClaimedDelivery, DeliveryPlan } from '../../domain/delivery.ts'
import { claimableRows } from './claimable.ts'
import type { Connection } from './connection.ts'
import { byDueTime } from './delivery-rows.ts'
import { placeholdersIn } from './parameter.ts'

/** A claimed delivery as better-sqlite3 answers it: drizzle takes as long to map a row as SQLite to find it. */
interface ClaimedRow extends Omit<ClaimedDelivery, 'plan' | 'status' | 'accepted'> {
  readonly seq: number
  /** As JSON. */
  readonly plan: string | null
}

/** Marks deliveries as in flight and raises their attempts' numbers, part of a write; answers them by due time.
 *  `due` takes the first that are claimable, `these` those that were chosen. */
export function claimers(connection: Connection) {
  const { sqlite } = connection
  const due = claimableRows(connection).toSQL()
  const claimDue = sqlite.prepare<unknown[], ClaimedRow>(claimOf(due.sql))
  const claimThese = sqlite.prepare<unknown[], ClaimedRow>(claimOf('select value from json_each(?)'))
  const valuesOf = placeholdersIn(due)
  return {
    due: ({ url, ...which }: { url: string; clientId: string; until: number; limit: number }) =>
      claimDue.all(url, ...valuesOf(which)).sort(byDueTime),
    these: ({ url, seqs }: { url: string; seqs: readonly number[] }) =>
      claimThese.all(url, JSON.stringify(seqs)).sort(byDueTime),
  }
}

const claimOf = (
  which: string,
) => `update deliveries set in_flight = 1, attempt = attempt + 1, url = ? where seq in (${which})
  returning seq, id, webhook_id as webhookId, client_id as clientId, request_id as requestId, order_id as orderId,
            sequence, event_type as eventType, order_status as orderStatus, order_type as orderType, body,
            created_at as createdAt, due_at as dueAt, plan, attempt`

/** Completes a claimed row: its plan, and how many of its attempts were accepted since a fault has it sent again, if one
 *  has. */
export function claimedPresenter({ sqlite }: Connection): (row: ClaimedRow) => ClaimedDelivery {
  const count = sqlite
    .prepare<[number, number], number>(
      `select count(*) from attempts where delivery_seq = ? and n >= ? and outcome = 'accepted'`,
    )
    .pluck()
  return ({ seq, plan: planJson, ...delivery }) => {
    const plan: DeliveryPlan | null = planJson === null ? null : JSON.parse(planJson)
    const since = copiedSince(plan)
    const accepted = since === null ? {} : { accepted: count.get(seq, since) }
    return { ...delivery, plan, status: 'pending', ...accepted }
  }
}
