import { and, asc, desc, eq, getTableColumns, gt, lte, max, min, ne, type SQL, sql } from 'drizzle-orm'
import { orderIdOf } from '../../domain/ids.ts'
import type { Order } from '../../domain/order.ts'
import type { ListMember } from '../list-members.ts'
import type { Store } from '../store.ts'
import type { Connection } from './connection.ts'
import { jsonList } from './grouping.ts'
import { lookedAtOnce } from './list-parts.ts'
import { lister } from './lists.ts'
import { hasOwnId } from './own-ids.ts'
import { limited, p } from './parameter.ts'
import { orders } from './schema.ts'

/** What is read of orders. `commits.ts` writes them. */
export function orderVerbs(
  connection: Connection,
): Pick<
  Store,
  | 'findOrder'
  | 'findOrderByToken'
  | 'ordersOf'
  | 'usedByAnotherClient'
  | 'newestMoment'
  | 'listOrders'
  | 'dueOrders'
  | 'ordersDue'
  | 'nextOrderDue'
> {
  const { db } = connection
  const select = (where: SQL | undefined) => db.select(columns).from(orders).where(where)
  const byId = select(eq(orders.orderId, p('orderId'))).prepare()
  const byOwnToken = select(and(eq(orders.token, p('token')), sql.raw(hasOwnId))).prepare()
  const byRequestId = select(and(eq(orders.requestId, p('requestId')), eq(orders.clientId, p('clientId'))))
    // By `charge` and not by `seq`, which is the same order: this one the index on requestIds serves.
    .orderBy(asc(orders.charge))
    .prepare()
  const due = select(and(eq(orders.clientId, p('clientId')), lte(orders.nextDueAt, p('until'))))
    .orderBy(asc(orders.nextDueAt), limited(orders.seq))
    .prepare()
  const dueIds = db
    .select({ orderId: orders.orderId })
    .from(orders)
    .where(
      and(
        eq(orders.clientId, p('clientId')),
        lte(orders.nextDueAt, p('until')),
        sql`(${p('orderIds')} is null or ${orders.orderId} in ${jsonList('orderIds')})`,
      ),
    )
    .prepare()
  const nextDue = db
    .select({ dueAt: min(orders.nextDueAt) })
    .from(orders)
    .where(and(eq(orders.clientId, p('clientId')), gt(orders.nextDueAt, p('after'))))
    .prepare()
  const byAnother = db
    .select({ seq: orders.seq })
    .from(orders)
    .where(and(eq(orders.requestId, p('requestId')), ne(orders.clientId, p('clientId'))))
    .prepare()
  const latest = db
    .select({ createdAt: orders.createdAt })
    .from(orders)
    .where(eq(orders.clientId, p('clientId')))
    .orderBy(desc(orders.seq))
    .limit(newestWindow)
    .as('latest')
  const newest = db
    .select({ moment: max(latest.createdAt) })
    .from(latest)
    .prepare()
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
    present: (rows) => rows.map(orderOf),
  })

  return {
    findOrder: async (orderId) => orderOrNull(byId.get({ orderId })),
    findOrderByToken: async (token) => {
      // It follows from the token, or is the token itself (`orders.orderIdEqualsToken`), or a fixture gave it.
      const rows = [
        byId.get({ orderId: orderIdOf(token) }),
        byId.get({ orderId: token }),
        byOwnToken.get({ token }),
      ]
      return orderOrNull(rows.find((row) => row?.token === token))
    },
    ordersOf: async (clientId, requestId) => byRequestId.all({ clientId, requestId }).map(orderOf),
    usedByAnotherClient: async (clientId, requestId) => byAnother.get({ clientId, requestId }) !== undefined,
    newestMoment: async (clientId) => newest.get({ clientId })?.moment ?? null,
    listOrders: async (query) => list(query),
    dueOrders: async (clientId, until, limit) => due.all({ clientId, until, limit }).map(orderOf),
    ordersDue: async (clientId, until, among) =>
      dueIds
        .all({ clientId, until, orderIds: among ? JSON.stringify(among) : null })
        .map(({ orderId }) => orderId),
    nextOrderDue: async (clientId, after = -1) => nextDue.get({ clientId, after })?.dueAt ?? null,
  }
}

/** A client's orders are created in the order of their `createdAt`, but for those decided at the same time.
 *  So the newest moment stands on one of its last orders, and a million older ones need no reading. */
const newestWindow = 1_000

const { history: _, ...columns } = getTableColumns(orders)

type OrderRow = Omit<typeof orders.$inferSelect, 'history'>

const orderOrNull = (row: OrderRow | undefined) => (row ? orderOf(row) : null)

function orderOf({ seq: _, scenarioId, scenarioWhy, scenarioVersion, ...order }: OrderRow): Order {
  return { ...order, scenario: { id: scenarioId, why: scenarioWhy, version: scenarioVersion } }
}
