import { and, asc, eq, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { SelectedFields } from 'drizzle-orm/sqlite-core'
import type { ListMember } from '../list-members.ts'
import type { Store } from '../store.ts'
import type { Connection } from './connection.ts'
import { jsonList } from './grouping.ts'
import { lookedAtOnce } from './list-parts.ts'
import { lister } from './lists.ts'
import { type LookedUpRow, lookedUpColumns, lookedUpOrderOf } from './looked-up-rows.ts'
import { type OrderRow, orderColumns, orderOf } from './order-rows.ts'
import { limited, once, p, rowReader } from './parameter.ts'
import { orders } from './schema.ts'

/** What is read of orders. `commits.ts` writes them. */
export function orderVerbs(
  connection: Connection,
): Pick<
  Store,
  | 'findOrder'
  | 'findOrderByToken'
  | 'ordersOf'
  | 'lookUpOrders'
  | 'usedByAnotherClient'
  | 'listOrders'
  | 'dueOrders'
  | 'ordersDue'
> {
  const { sqlite, db } = connection
  const select = (where: SQL | undefined) => db.select(orderColumns).from(orders).where(where)
  const byId = rowReader<OrderRow>(sqlite, () => select(eq(orders.orderId, p('orderId'))))
  const byToken = rowReader<OrderRow>(sqlite, () => select(eq(orders.token, p('token'))))
  const byRequestId = requestReader<OrderRow>(connection, orderColumns)
  const lookedUp = requestReader<LookedUpRow>(connection, lookedUpColumns)
  const due = rowReader<OrderRow>(sqlite, () =>
    select(and(eq(orders.clientId, p('clientId')), lte(orders.nextDueAt, p('until')))).orderBy(
      asc(orders.nextDueAt),
      limited(orders.seq),
    ),
  )
  const dueIds = once(() =>
    db
      .select({ orderId: orders.orderId })
      .from(orders)
      .where(
        and(
          eq(orders.clientId, p('clientId')),
          lte(orders.nextDueAt, p('until')),
          sql`(${p('orderIds')} is null or ${orders.orderId} in ${jsonList('orderIds')})`,
        ),
      )
      .prepare(),
  )
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
    prepare: (where, order) => ({
      all: rowReader<OrderRow>(sqlite, () => select(where).orderBy(order).limit(sql.placeholder('limit'))),
    }),
    present: (rows) => rows.map(orderOf),
  })

  return {
    findOrder: async (orderId) => firstOf(byId({ orderId })),
    findOrderByToken: async (token) => firstOf(byToken({ token })),
    ordersOf: async (clientId, requestId) => byRequestId(clientId, requestId).map(orderOf),
    lookUpOrders: async (clientId, requestId) =>
      lookedUp(clientId, requestId).map((row) => lookedUpOrderOf(row, clientId, requestId)),
    usedByAnotherClient: async (clientId, requestId) => usedByAnother(clientId, requestId),
    listOrders: async (query) => list(query),
    dueOrders: async (clientId, until, limit) => due({ clientId, until, limit }).map(orderOf),
    ordersDue: async (clientId, until, among) =>
      dueIds()
        .all({ clientId, until, orderIds: among ? JSON.stringify(among) : null })
        .map(({ orderId }) => orderId),
  }
}

/** Reads what a client has made under a requestId, by charge. */
function requestReader<Row>(
  { sqlite, db }: Connection,
  columns: SelectedFields,
): (clientId: string, requestId: string) => Row[] {
  const isOfRequest = and(eq(orders.requestId, p('requestId')), eq(orders.clientId, p('clientId')))
  const ofRequest = rowReader<Row>(sqlite, () =>
    db.select(columns).from(orders).where(isOfRequest).orderBy(asc(orders.charge)),
  )
  return (clientId, requestId) => ofRequest({ clientId, requestId })
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

const firstOf = ([row]: readonly OrderRow[]) => (row ? orderOf(row) : null)
