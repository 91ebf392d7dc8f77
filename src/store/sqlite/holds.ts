import { and, eq, gt, sql } from 'drizzle-orm'
import { EmulatorError } from '../../domain/errors.ts'
import { fits, type Where } from '../../domain/where.ts'
import type { Store } from '../store.ts'
import { claimableSeqs } from './claimable.ts'
import type { Connection } from './connection.ts'
import { deliveryFinder } from './deliveries.ts'
import { deliveryPresenter } from './delivery-rows.ts'
import { limited, once, p } from './parameter.ts'
import { deliveries } from './schema.ts'

/** A claim takes fewer at once, so that whatever it takes has been looked at. */
const lookedAt = 500

/** Held ones that a release goes through in one transaction, so that requests are served in between. */
const releasedAtOnce = 2_000

/** Keeping deliveries back, and letting them go. */
export function holdVerbs(
  connection: Connection,
): Pick<Store, 'holdDeliveries' | 'releaseDeliveries' | 'resendDelivery'> {
  const { sqlite, db, write } = connection
  const keepBack = keeper(connection)
  const present = deliveryPresenter(connection)
  const held = once(() =>
    db
      .select(facts)
      .from(deliveries)
      .where(
        and(
          eq(deliveries.clientId, p('clientId')),
          sql`${deliveries.status} = 'held'`,
          gt(deliveries.seq, p('after')),
        ),
      )
      .orderBy(limited(deliveries.seq))
      .prepare(),
  )
  // First attempts that were kept back are in sequence again among themselves.
  const letGo = sqlite.prepare<[number, string]>(
    `update deliveries
     set status = 'pending', due_at = ?, released = 1, blocking = (attempt = 0 and sequence > 0)
     where seq in (select value from json_each(?))`,
  )
  const seqOf = deliveryFinder(sqlite)
  const inFlight = sqlite.prepare<[number], number>('select in_flight from deliveries where seq = ?').pluck()
  const again = once(() =>
    db
      .update(deliveries)
      .set({ status: 'pending', dueAt: sql`${p('now')}`, released: true })
      .where(eq(deliveries.seq, p('seq')))
      .returning()
      .prepare(),
  )

  return {
    holdDeliveries: (clientId, until, holds) => write(() => keepBack(clientId, until, holds)),

    releaseDeliveries: (clientId, where, now, after = 0) =>
      write(() => {
        const part = held().all({ clientId, after, limit: releasedAtOnce })
        const fitting = part.filter((delivery) => fits(where, delivery))
        letGo.run(now, JSON.stringify(fitting.map(({ seq }) => seq)))
        const last = part.length < releasedAtOnce ? undefined : part.at(-1)
        return { released: fitting.map(({ id }) => id), next: last?.seq ?? null }
      }),

    resendDelivery: (id, now) =>
      write(() => {
        const seq = seqOf(id)
        if (seq !== undefined && inFlight.get(seq) === 1)
          throw new EmulatorError('delivery_in_flight', { id })
        const [delivery] = seq === undefined ? [] : present(again().all({ seq, now }))
        if (delivery === undefined) throw new EmulatorError('delivery_unknown', { id })
        return delivery
      }),
  }
}

/** Marks the first claimable deliveries that a hold fits as `held`, part of a write; answers their ids. Nothing else
 *  has to wait for them. */
export function keeper(
  connection: Connection,
): (clientId: string, until: number, holds: readonly Where[]) => string[] {
  const { db, sqlite } = connection
  const due = once(() =>
    db
      .select(facts)
      .from(deliveries)
      .where(sql`${deliveries.seq} in ${claimableSeqs(connection)} and ${deliveries.released} = 0`)
      .prepare(),
  )
  const hold = sqlite.prepare<[string]>(
    `update deliveries set status = 'held', blocking = 0 where seq in (select value from json_each(?))`,
  )
  return (clientId, until, holds) => {
    if (holds.length === 0) return []
    const fitting = due()
      .all({ clientId, until, limit: lookedAt })
      .filter((delivery) => holds.some((where) => fits(where, delivery)))
    if (fitting.length > 0) hold.run(JSON.stringify(fitting.map(({ seq }) => seq)))
    return fitting.map(({ id }) => id)
  }
}

/** What a hold or a fault can ask for. */
export const facts = {
  seq: deliveries.seq,
  id: deliveries.id,
  requestId: deliveries.requestId,
  orderId: deliveries.orderId,
  orderStatus: deliveries.orderStatus,
  orderType: deliveries.orderType,
  eventType: deliveries.eventType,
}
