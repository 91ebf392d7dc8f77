import type { Database } from 'better-sqlite3'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { NewDelivery } from '../../domain/delivery.ts'
import { EmulatorError } from '../../domain/errors.ts'
import type { ListMember } from '../list-members.ts'
import type { Store } from '../store.ts'
import type { Connection } from './connection.ts'
import { deliveryPresenter } from './delivery-rows.ts'
import { refuseEnded } from './ended.ts'
import { lister, lookedAtOnce } from './lists.ts'
import { jsonList, once, p } from './parameter.ts'
import { inserter } from './rows.ts'
import { deliveries, orders } from './schema.ts'
import { isOrphan, isTaken } from './sqlite-errors.ts'

/** Deliveries as they come into being and are looked at. `claims.ts` moves them. */
export function deliveryVerbs(
  connection: Connection,
): Pick<Store, 'addDelivery' | 'findDelivery' | 'deliveryIdsOf' | 'countSimulations' | 'listDeliveries'> {
  const { sqlite, db, write } = connection
  const add = deliveryAdder(connection)
  const present = deliveryPresenter(connection)
  const seqOf = deliveryFinder(sqlite)
  const bySeq = once(() =>
    db
      .select()
      .from(deliveries)
      .where(eq(deliveries.seq, p('seq')))
      .prepare(),
  )
  const ids = once(() =>
    db
      .select({ orderId: deliveries.orderId, id: deliveries.id })
      .from(deliveries)
      .where(ofOrders(jsonList('orderIds')))
      .orderBy(asc(deliveries.seq))
      .prepare(),
  )
  const simulations = once(() =>
    db
      .select({ count: sql<number>`count(*)` })
      .from(deliveries)
      .where(
        and(
          sql`${deliveries.sequence} = 0`,
          eq(deliveries.requestId, p('requestId')),
          eq(deliveries.clientId, p('clientId')),
        ),
      )
      .prepare(),
  )
  const list = lister(connection, {
    letter: 'd',
    seq: deliveries.seq,
    filters: {
      orderId: deliveries.orderId,
      requestId: deliveries.requestId,
      clientId: deliveries.clientId,
      status: deliveries.status,
    },
    members: {
      id: deliveries.id,
      webhookId: deliveries.webhookId,
      orderId: deliveries.orderId,
      requestId: deliveries.requestId,
      clientId: deliveries.clientId,
      eventType: deliveries.eventType,
      orderStatus: deliveries.orderStatus,
      orderType: deliveries.orderType,
      status: deliveries.status,
      outcome: deliveries.outcome,
    } satisfies Record<ListMember<'deliveries'>, unknown>,
    searched: [deliveries.requestId, deliveries.orderId, deliveries.id, deliveries.webhookId],
    leads: [
      { filter: 'orderId', condition: ofOrders(sql`(select ${p('orderId')} as value)`), leavesFew: true },
      { filter: 'requestId', condition: ofRequest, leavesFew: true },
    ],
    part: lookedAtOnce,
    prepare: (where, order) =>
      db.select().from(deliveries).where(where).orderBy(order).limit(sql.placeholder('limit')).prepare(),
    present,
  })

  return {
    addDelivery: (delivery, life) =>
      write(() => {
        refuseEnded(life)
        add(delivery)
      }),
    findDelivery: async (id) => {
      const seq = seqOf(id)
      const row = seq === undefined ? undefined : bySeq().get({ seq })
      return row ? (present([row])[0] ?? null) : null
    },
    deliveryIdsOf: async (orderIds) => {
      const found = Map.groupBy(ids().all({ orderIds: JSON.stringify(orderIds) }), ({ orderId }) => orderId)
      return new Map([...found].map(([orderId, rows]) => [orderId, rows.map(({ id }) => id)]))
    },
    countSimulations: async (clientId, requestId) => simulations().get({ clientId, requestId })?.count ?? 0,
    listDeliveries: async (query) => list(query),
  }
}

/** Inserts a delivery that is born of no change of an order, part of a write. Answers its `seq`. */
export function deliveryAdder(connection: Connection): (delivery: NewDelivery) => number {
  const insert = deliveryInserter(connection)
  // Of the same client: a simulation may name any orderId, and belongs to no other client's order.
  const orderSeq = connection.sqlite
    .prepare<[{ orderId: string; clientId: string }], number>(
      'select seq from orders where order_id = +:orderId and client_id = :clientId',
    )
    .pluck()
  return (delivery) => {
    const { id, clientId, orderId } = delivery
    try {
      return insert(delivery, orderSeq.get({ orderId, clientId }) ?? null)
    } catch (error) {
      if (isTaken(error)) throw new EmulatorError('delivery_exists', { id })
      if (isOrphan(error)) throw new EmulatorError('client_unknown', { clientId })
      throw error
    }
  }
}

/** Finds the `seq` of a delivery by its id. */
export function deliveryFinder(sqlite: Database): (id: string) => number | undefined {
  const found = sqlite.prepare<[string], number>('select seq from deliveries where id = ?').pluck()
  return (id) => found.get(id)
}

/** Inserts an outbox row, part of a commit too. Answers its `seq`. */
export function deliveryInserter({
  sqlite,
}: Connection): (delivery: NewDelivery, orderSeq: number | null) => number {
  const insert = inserter(sqlite, deliveries)
  return (delivery, orderSeq) => {
    const blocking = delivery.status === 'pending' && delivery.sequence > 0
    const { lastInsertRowid } = insert({
      ...delivery,
      ...{ orderSeq, blocking, inFlight: false, released: false, attempt: 0 },
    })
    return Number(lastInsertRowid)
  }
}

/** @param orderIds a `(select value …)` */
const ofOrders = (orderIds: SQL) => sql`(
  ${deliveries.orderSeq} in (select ${orders.seq} from ${orders} where ${orders.orderId} in ${orderIds})
  or (${deliveries.orderSeq} is null and ${deliveries.orderId} in ${orderIds})
)`

/** A delivery is found by its requestId through its order, or is a simulated one: an index of its own would cost
 *  each event more than this saves. */
const ofRequest = sql`(
  ${deliveries.orderSeq} in (select ${orders.seq} from ${orders} where ${orders.requestId} = ${p('requestId')})
  or (${deliveries.sequence} = 0 and ${deliveries.requestId} = ${p('requestId')})
)`
