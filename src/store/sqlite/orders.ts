import { and, asc, eq, gt, lte, min, ne, type SQL, sql } from 'drizzle-orm'
import type { ListMember } from '../list-members.ts'
import type { Store } from '../store.ts'
import type { Connection } from './connection.ts'
import { lister, lookedAtOnce } from './lists.ts'
import { orderColumns, toOrder } from './order-rows.ts'
import { jsonList, limited, once, p } from './parameter.ts'
import { orders } from './schema.ts'

/** A client's orders are created in the order of their `createdAt`, but for those decided at the same time.
 *  So the newest moment stands on one of its last orders, and a million older ones need no reading. */
const newestWindow = 1_000

/** What is read of orders. `commits.ts` writes them. */
export function orderVerbs(
  connection: Connection,
): Pick<
  Store,
  | 'findOrder'
  | 'findOrderByToken'
  | 'ordersOf'
  | 'usedByAnotherClient'
  | 'listOrders'
  | 'dueOrders'
  | 'ordersDue'
  | 'nextOrderDue'
  | 'newestMoment'
> {
  const { sqlite, db } = connection
  const select = (where: SQL | undefined) => db.select(orderColumns).from(orders).where(where)
  const byId = once(() => select(eq(orders.orderId, p('orderId'))).prepare())
  const byToken = once(() => select(eq(orders.token, p('token'))).prepare())
  const byRequestId = once(() =>
    select(and(eq(orders.requestId, p('requestId')), eq(orders.clientId, p('clientId'))))
      .orderBy(asc(orders.charge))
      .prepare(),
  )
  const isDue = and(eq(orders.clientId, p('clientId')), lte(orders.nextDueAt, p('until')))
  const due = once(() => select(isDue).orderBy(asc(orders.nextDueAt), limited(orders.seq)).prepare())
  const dueIds = once(() =>
    db
      .select({ orderId: orders.orderId })
      .from(orders)
      .where(and(isDue, sql`(${p('orderIds')} is null or ${orders.orderId} in ${jsonList('orderIds')})`))
      .prepare(),
  )
  const nextDue = once(() =>
    db
      .select({ dueAt: min(orders.nextDueAt) })
      .from(orders)
      .where(and(eq(orders.clientId, p('clientId')), gt(orders.nextDueAt, p('after'))))
      .prepare(),
  )
  const newest = sqlite
    .prepare<[clientId: string], number | null>(
      `select max(created_at) from
       (select created_at from orders where client_id = +? order by seq desc limit ${newestWindow})`,
    )
    .pluck()
  const usedByAnother = usedByAnotherClient(connection)
  const list = lister(connection, {
    letter: 'o',
    seq: orders.seq,
    filters: {
      orderId: orders.orderId,
      requestId: orders.requestId,
      clientId: orders.clientId,
      status: orders.orderStatus,
    },
    members: {
      orderId: orders.orderId,
      requestId: orders.requestId,
      clientId: orders.clientId,
      kind: orders.kind,
      charge: orders.charge,
      email: orders.email,
      fiatAmount: orders.fiatAmount,
      currencyId: orders.currencyId,
      orderStatus: orders.orderStatus,
      status: orders.orderStatus,
      paymentStatus: orders.paymentStatus,
      settlementStatus: orders.settlementStatus,
      'errorReason.errorCode': sql`${orders.errorReason} ->> 'errorCode'`,
      'scenario.id': orders.scenarioId,
      'scenario.why': orders.scenarioWhy,
    } satisfies Record<ListMember<'orders'>, unknown>,
    searched: [orders.requestId, orders.orderId, orders.email, sql`${orders.request} ->> '$.userId'`],
    leads: [
      { filter: 'orderId', condition: eq(orders.orderId, p('orderId')), leavesFew: true },
      { filter: 'requestId', condition: eq(orders.requestId, p('requestId')), leavesFew: true },
      { filter: 'clientId', condition: eq(orders.clientId, p('clientId')), leavesFew: false },
    ],
    part: lookedAtOnce,
    prepare: (where, order) => select(where).orderBy(order).limit(sql.placeholder('limit')).prepare(),
    present: (rows) => rows.map(toOrder),
  })

  return {
    findOrder: async (orderId) => byId().all({ orderId }).map(toOrder)[0] ?? null,
    findOrderByToken: async (token) => byToken().all({ token }).map(toOrder)[0] ?? null,
    ordersOf: async (clientId, requestId) => byRequestId().all({ clientId, requestId }).map(toOrder),
    usedByAnotherClient: async (clientId, requestId) => usedByAnother(clientId, requestId),
    listOrders: async (query) => list(query),
    dueOrders: async (clientId, until, limit) => due().all({ clientId, until, limit }).map(toOrder),
    ordersDue: async (clientId, until, among) =>
      dueIds()
        .all({ clientId, until, orderIds: among ? JSON.stringify(among) : null })
        .map(({ orderId }) => orderId),
    nextOrderDue: async (clientId, after = -1) => nextDue().get({ clientId, after })?.dueAt ?? null,
    newestMoment: async (clientId) => newest.get(clientId) ?? null,
  }
}

/** Whether a requestId is another client's. */
export function usedByAnotherClient({ db }: Connection): (clientId: string, requestId: string) => boolean {
  const byAnother = once(() =>
    db
      .select({ seq: orders.seq })
      .from(orders)
      .where(and(eq(orders.requestId, p('requestId')), ne(orders.clientId, p('clientId'))))
      .prepare(),
  )
  return (clientId, requestId) => byAnother().get({ clientId, requestId }) !== undefined
}
