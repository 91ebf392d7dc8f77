import { and, asc, eq, exists, gt, isNotNull, lt, lte, min, not, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Connection } from './connection.ts'
import { limited, p } from './parameter.ts'
import { deliveries } from './schema.ts'

// Two questions about what is claimable. They are worded so that SQLite answers both through the partial indexes: those
// serve a condition only where it stands literally, not as a parameter.

type Builder = Pick<Connection, 'db'>

/** The condition that a delivery is claimable until a moment. */
export const claimable = ({ db }: Builder) =>
  and(claimableAt(db, sql`${p('until')}`), lte(deliveries.dueAt, p('until')))

/** The first to be due first, so many. */
export const inDueOrder = [asc(deliveries.dueAt), limited(deliveries.seq)] as const

/** The `seq` of the first that are claimable. */
export const claimableSeqs = ({ db }: Builder) =>
  db
    .select({ seq: deliveries.seq })
    .from(deliveries)
    .where(claimable({ db }))
    .orderBy(...inDueOrder)

/** When the next one is claimable after a moment. */
export const nextClaimable = ({ db }: Builder) =>
  db
    .select({ dueAt: min(deliveries.dueAt) })
    .from(deliveries)
    .where(and(claimableAt(db, sql`max(${p('now')}, ${deliveries.dueAt})`), gt(deliveries.dueAt, p('after'))))

const claimableAt = (db: Builder['db'], moment: SQL): SQL | undefined =>
  and(
    sql`${deliveries.status} = 'pending'`,
    eq(deliveries.clientId, p('clientId')),
    sql`${deliveries.inFlight} = 0`,
    isNotNull(deliveries.dueAt),
    not(blocked(db, moment)),
  )

/** What a fault delays blocks nothing before it is due (N46). Everything else does, whenever it is due: an answer may
 *  have left, and made its event due, after the moment that is asked for. */
function blocked(db: Builder['db'], moment: SQL): SQL {
  const earlier = alias(deliveries, 'earlier')
  return exists(
    db
      .select({ one: sql`1` })
      .from(earlier)
      .where(
        and(
          sql`${earlier.blocking} = 1`,
          eq(earlier.orderSeq, deliveries.orderSeq),
          lt(earlier.sequence, deliveries.sequence),
          // What still waits for that answer has no time yet.
          sql`(coalesce(${earlier.dueAt}, 0) <= ${moment} or ${earlier.plan} ->> '$.delayed' is null)`,
        ),
      ),
  )
}
