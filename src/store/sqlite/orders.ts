import { getTableColumns, type InferInsertModel } from 'drizzle-orm'
import type { Decision } from '../../domain/order/decision.ts'
import type { Order } from '../../domain/order/order.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { listFields } from '../list-fields.ts'
import type { Store, User } from '../store.ts'
import { changeClient, refuseEnded } from './clients.ts'
import { areOf, insertDelivery } from './deliveries.ts'
import { batchSize, type ListSpec, lister } from './lists.ts'
import { eachOf, membersBut, type RowOf, selector, valuesOf } from './rows.ts'
import { takeBinding } from './scenarios.ts'
import { deliveries, orders } from './schema.ts'
import type { Connection } from './writer.ts'
import { isTaken } from './writer.ts'

/** The verb for the users of orders, as far as orders name them (R29). */
export function userVerbs({ prepare, values, read }: Connection) {
  return {
    listUsers: ({ clientId, cursor, limit, newestFirst = false }) =>
      read(() => {
        const [beyond, direction] = newestFirst ? (['<', 'desc'] as const) : (['>', 'asc'] as const)
        const first: Place = newestFirst ? [beyondAll, ''] : ['', '']
        const place = cursor === undefined ? first : placeOf(cursor)
        const clients = `
          select client_id from clients where client_id ${beyond}= +? order by client_id ${direction}`
        const users = prepare<[clientId: string, ...Place, limit: number], Row>(`
          select client_id as clientId, coalesce(request ->> '$.userId', email) as userKey, max(email) as email,
            max(request ->> '$.userId') as userId, count(*) as orders
          from orders where client_id = +?
          group by client_id, userKey having (client_id, userKey) ${beyond} (?, ?)
          order by userKey ${direction} limit +?`)
        const rows: Row[] = []
        // Client by client: a page ends long before all orders have been scanned.
        for (const each of clientId === undefined ? values<string>(clients, place[0]) : [clientId]) {
          if (rows.length > limit) break
          rows.push(...users.all(each, ...place, limit + 1 - rows.length))
        }
        const items = rows
          .slice(0, limit)
          .map(({ userId, ...user }) => (userId === null ? user : { ...user, userId }))
        const last = rows.length > limit ? items.at(-1) : undefined
        return { items, next: last === undefined ? null : cursorOf(last) }
      }),
  } satisfies Partial<Store>
}

/** The last of all characters: every name sorts before it. */
const beyondAll = '\u{10ffff}'

type Place = readonly [clientId: string, userKey: string]

interface Row extends Omit<User, 'userId'> {
  readonly userId: string | null
}

const cursorOf = ({ clientId, userKey }: Pick<User, 'clientId' | 'userKey'>): string =>
  `u${[clientId, userKey].map((text) => Buffer.from(text).toString('base64url')).join('.')}`

/** @throws bad_cursor */
function placeOf(cursor: string): Place {
  const [clientId = '', userKey = ''] = cursor
    .slice(1)
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString())
  // Base64 decoding is lenient, but only a cursor of a page comes out as it went in.
  if (cursorOf({ clientId, userKey }) !== cursor) throw new EmulatorError('bad_cursor', { cursor })
  return [clientId, userKey]
}

/** Returns the store's operations on orders: commits and reads. */
export function orderVerbs(connection: Connection) {
  const { sqlite, value, values, read, write } = connection
  const select = selector(sqlite, orderColumns)
  const byId = select('where order_id = +?')
  const byToken = select('where token = +?')
  const byRequestId = select('where request_id = +:requestId and client_id = +:clientId order by charge')
  const due = select(`where ${isDue} order by next_due_at, seq limit +:limit`)
  const histories = selector(sqlite, { ...idsOf(orders), history: orders.history })(
    `where order_id in ${eachOf('orderIds')}`,
  )
  const deliveryIds = selector(sqlite, { ...idsOf(deliveries), id: deliveries.id })(
    `where ${areOf(eachOf('orderIds'))} order by seq`,
  )
  const list = orderList(connection, select)

  return {
    commit: (decision, generation) =>
      write(() => {
        refuseEnded(connection, decision.order.clientId, generation)
        commit(connection, decision)
      }),

    findOrder: (orderId) => read(() => byId(orderId).map(toOrder)[0] ?? null),
    findOrderByToken: (token) => read(() => byToken(token).map(toOrder)[0] ?? null),
    ordersOf: (clientId, requestId) => read(() => byRequestId({ clientId, requestId }).map(toOrder)),
    usedByAnotherClient: (clientId, requestId) =>
      read(() => isUsedByAnotherClient(connection, clientId, requestId)),
    listOrders: (query) => read(() => list(query)),

    pastsOf: (asked) =>
      read(() => {
        const orderIds = JSON.stringify(asked)
        const made = Map.groupBy(deliveryIds({ orderIds }), ({ orderId }) => orderId)
        return new Map(
          histories({ orderIds }).map(({ orderId, clientId, history }) => {
            const mine = (made.get(orderId) ?? []).filter((each) => each.clientId === clientId)
            return [orderId, { history, deliveryIds: mine.map(({ id }) => id) }]
          }),
        )
      }),

    dueOrders: (clientId, until, limit) => read(() => due({ clientId, until, limit }).map(toOrder)),
    ordersDue: (clientId, until, among) =>
      read(() => values(dueIds, { clientId, until, among: among ? JSON.stringify(among) : null })),
    nextOrderDue: (clientId, after = -1) => read(() => value(nextDue, { clientId, after }) ?? null),
  } satisfies Partial<Store>
}

const idsOf = ({ orderId, clientId }: typeof orders | typeof deliveries) => ({ orderId, clientId })

const isDue = 'client_id = +:clientId and next_due_at <= +:until'

const dueIds = `
  select order_id from orders where ${isDue} and (:among is null or order_id in ${eachOf('among')})`

const nextDue = 'select min(next_due_at) from orders where client_id = +:clientId and next_due_at > +:after'

function orderList(connection: Connection, select: ListSpec<OrderRow, Order>['select']) {
  return lister(connection, {
    letter: 'o',
    table: orders,
    select,
    members: listFields.orders,
    found: {
      status: orders.orderStatus,
      'errorReason.errorCode': `error_reason ->> 'errorCode'`,
      'scenario.id': orders.scenarioId,
      'scenario.why': orders.scenarioWhy,
    },
    searched: [orders.requestId, orders.orderId, orders.email, `request ->> '$.userId'`],
    leads: [
      { filter: 'orderId', leavesFew: true },
      { filter: 'requestId', leavesFew: true },
      { filter: 'clientId', leavesFew: false },
    ],
    part: batchSize,
    present: (rows) => rows.map(toOrder),
  })
}

// ---- helpers that run inside the transaction of a write ------------------------------------------------

function commit(connection: Connection, decision: Decision): void {
  const { order, events, takesBinding, client, opens } = decision
  const orderSeq = order.version === 1 ? insertOrder(connection, decision) : updateOrder(connection, decision)
  if (takesBinding !== undefined && !takeBinding(connection, takesBinding))
    throw new EmulatorError('binding_used')
  for (const event of events) insertDelivery(connection, event, orderSeq)
  if (client !== undefined) changeClient(connection, order.clientId, client)
  if (opens !== undefined) commit(connection, opens)
}

/** Inserts an order with its history.
 *  @returns the `seq` of its row
 *  @throws order_exists, order_id_taken */
export function insertOrder(
  connection: Connection,
  { order, history, uniqueAcrossClients }: Pick<Decision, 'order' | 'history' | 'uniqueAcrossClients'>,
): number {
  const { clientId, requestId, orderId, charge } = order
  if (uniqueAcrossClients && isUsedByAnotherClient(connection, clientId, requestId))
    throw new EmulatorError('order_exists', { requestId })
  try {
    return Number(connection.insert(orders, { ...toRow(order), history }).lastInsertRowid)
  } catch (error) {
    if (!isTaken(error)) throw error
    const isThere = connection.value(
      'select 1 from orders where request_id = ? and client_id = ? and charge = ?',
      ...[requestId, clientId, charge],
    )
    throw isThere === undefined
      ? new EmulatorError('order_id_taken', { orderId })
      : new EmulatorError('order_exists', { requestId })
  }
}

/** The columns that a change of an order writes. Its identity is left out, because SQLite would write the indexes
 *  over it again. */
const changed = membersBut(orders, [
  ...['seq', 'clientId', 'orderId', 'requestId', 'charge', 'token'],
  'history',
])

/** The history is extended as text: parsing the history of thousands of charges would take longer than everything
 *  else. */
const update = `
  update orders set ${changed.map(([, { name }]) => `"${name}" = ?`)},
    history = case :entries when '[]' then history
      else rtrim(history, ']') || iif(history = '[]', '', ',') || ltrim(:entries, '[') end
  where order_id = :orderId and version = +:before returning seq`

/** Updates an order from the version before the decision's.
 *  @returns its `seq`
 *  @throws stale_order */
function updateOrder({ value }: Connection, { order, history }: Decision): number {
  const { orderId, version } = order
  const entries = JSON.stringify(history)
  const seq = value<number>(update, valuesOf(changed, toRow(order)), {
    entries,
    orderId,
    before: version - 1,
  })
  if (seq === undefined) throw new EmulatorError('stale_order')
  return seq
}

function isUsedByAnotherClient({ value }: Connection, clientId: string, requestId: string): boolean {
  const byAnother = 'select 1 from orders where request_id = +? and client_id <> +?'
  return value(byAnother, requestId, clientId) !== undefined
}

// ---- conversion between rows and objects --------------------------------------------------------------

const { history: _, ...orderColumns } = getTableColumns(orders)

type OrderRow = RowOf<typeof orderColumns>

/** Converts a row to an order. */
export function toOrder(row: OrderRow): Order {
  const { seq: _, scenarioId: id, scenarioWhy: why, scenarioVersion: version, ...order } = row
  return { ...order, scenario: { id, why, version } }
}

/** Converts an order to a row, without its history. */
function toRow({ scenario, ...order }: Order): Omit<InferInsertModel<typeof orders>, 'history'> {
  const { id, why, version } = scenario
  return { ...order, scenarioId: id, scenarioWhy: why, scenarioVersion: version }
}
