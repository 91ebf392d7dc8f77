import { sql } from 'drizzle-orm'
import type { Decision } from '../../domain/decision.ts'
import { EmulatorError } from '../../domain/errors.ts'
import type { Store } from '../store.ts'
import { clientChanger } from './clients.ts'
import type { Connection } from './connection.ts'
import { deliveryInserter } from './deliveries.ts'
import { refuseEnded } from './ended.ts'
import { toRow } from './order-rows.ts'
import { usedByAnotherClient } from './orders.ts'
import { jsonList, once } from './parameter.ts'
import { columnsBut, inserter, valuesOf } from './rows.ts'
import { bindingTaker } from './scenarios.ts'
import { orders } from './schema.ts'
import { isOrphan, isTaken } from './sqlite-errors.ts'

/** Decisions as they are written, and the history they leave. */
export function commitVerbs(connection: Connection): Pick<Store, 'commit' | 'historiesOf'> {
  const { db, write } = connection
  const insertOrder = orderInserter(connection)
  const updateOrder = orderUpdater(connection)
  const insertDelivery = deliveryInserter(connection)
  const takeBinding = bindingTaker(connection)
  const changeClient = clientChanger(connection)
  const histories = once(() =>
    db
      .select({ orderId: orders.orderId, history: orders.history })
      .from(orders)
      .where(sql`${orders.orderId} in ${jsonList('orderIds')}`)
      .prepare(),
  )

  const commit = (decision: Decision): void => {
    const { order, events, takesBinding, client, opens } = decision
    const orderSeq = order.version === 1 ? insertOrder(decision) : updateOrder(decision)
    if (takesBinding !== undefined && !takeBinding(takesBinding)) throw new EmulatorError('binding_used')
    for (const event of events) insertDelivery(event, orderSeq)
    if (client !== undefined) changeClient(order.clientId, client)
    if (opens !== undefined) commit(opens)
  }

  return {
    commit: (decision, life) =>
      write(() => {
        refuseEnded(life)
        try {
          commit(decision)
        } catch (error) {
          // The client was deleted since it was read.
          if (isOrphan(error))
            throw new EmulatorError('client_unknown', { clientId: decision.order.clientId })
          throw error
        }
      }),
    historiesOf: async (orderIds) => {
      const found = histories().all({ orderIds: JSON.stringify(orderIds) })
      const withHistory = found.filter(({ history }) => history.length > 0)
      return new Map(withHistory.map(({ orderId, history }) => [orderId, [...history]]))
    },
  }
}

/** Inserts an order with its history, part of a write, and answers its `seq`.
 *  @throws order_exists, order_id_taken */
export function orderInserter(
  connection: Connection,
): (begun: Pick<Decision, 'order' | 'history' | 'uniqueAcrossClients'>) => number {
  const { sqlite } = connection
  const usedByAnother = usedByAnotherClient(connection)
  const insert = inserter(sqlite, orders)
  const isThere = sqlite
    .prepare<[requestId: string, clientId: string, charge: number], 1>(
      'select 1 from orders where request_id = ? and client_id = ? and charge = ?',
    )
    .pluck()
  return ({ order, history, uniqueAcrossClients }) => {
    const { clientId, requestId, orderId, charge } = order
    if (uniqueAcrossClients && usedByAnother(clientId, requestId))
      throw new EmulatorError('order_exists', { requestId })
    try {
      return Number(insert({ ...toRow(order), history }).lastInsertRowid)
    } catch (error) {
      if (!isTaken(error)) throw error
      throw isThere.get(requestId, clientId, charge) === undefined
        ? new EmulatorError('order_id_taken', { orderId })
        : new EmulatorError('order_exists', { requestId })
    }
  }
}

/** Names an order. Not written again, because SQLite would write the indexes over it again too. */
const identity = ['seq', 'clientId', 'orderId', 'requestId', 'charge', 'token']

/** Updates an order that has the version below the decision's, and lengthens its history; answers its `seq`.
 *  @throws stale_order */
function orderUpdater({ sqlite }: Connection): (decision: Decision) => number {
  const columns = columnsBut(orders, [...identity, 'history'])
  const assignments = columns.map(([, { name }]) => `"${name}" = ?`)
  // As text: to parse what thousands of charges have left would take longer than all the rest.
  const update = sqlite
    .prepare<[values: unknown[], { entries: string; orderId: string; before: number }], number>(
      `update orders set ${assignments}, history = case :entries when '[]' then history
         else rtrim(history, ']') || iif(history = '[]', '', ',') || ltrim(:entries, '[') end
       where order_id = :orderId and version = +:before returning seq`,
    )
    .pluck()
  return ({ order, history }) => {
    const { orderId, version } = order
    const parameters = { entries: JSON.stringify(history), orderId, before: version - 1 }
    const seq = update.get(valuesOf(columns, toRow(order)), parameters)
    if (seq === undefined) throw new EmulatorError('stale_order')
    return seq
  }
}
