import { asc, sql } from 'drizzle-orm'
import type { Attempt, Delivery } from '../../domain/delivery.ts'
import type { Connection } from './connection.ts'
import { jsonList, listsBy } from './grouping.ts'
import { attempts, type deliveries } from './schema.ts'

/** A delivery as it is stored, without its attempts. */
export type DeliveryRow = typeof deliveries.$inferSelect

/** Completes stored deliveries by their attempts, all of which are read at once. */
export function deliveryPresenter({ db }: Connection): (rows: readonly DeliveryRow[]) => Delivery[] {
  const attemptsOf = db
    .select()
    .from(attempts)
    .where(sql`${attempts.deliverySeq} in ${jsonList('seqs')}`)
    .orderBy(asc(attempts.deliverySeq), asc(attempts.n))
    .prepare()

  return (rows) => {
    const seqs = JSON.stringify(rows.map(({ seq }) => seq))
    const made = listsBy(attemptsOf.all({ seqs }), ({ deliverySeq }) => deliverySeq, attemptOf)
    return rows.map(
      ({ seq, orderSeq: _, inFlight: __, blocking: ___, attempt: ____, released: _____, ...delivery }) => ({
        ...delivery,
        attempts: made.get(seq) ?? [],
      }),
    )
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
