import { asc, eq, type InferInsertModel, sql } from 'drizzle-orm'
import type { Decision } from '../../domain/decision.ts'
import { EmulatorError } from '../../domain/errors.ts'
import type { HistoryEntry, Order } from '../../domain/order.ts'
import type { Store } from '../store.ts'
import { clientChanger } from './clients.ts'
import type { Connection } from './connection.ts'
import { deliveryInserter } from './deliveries.ts'
import { jsonList, listsBy } from './grouping.ts'
import { inserter, updater } from './rows.ts'
import { bindingTaker } from './scenarios.ts'
import { orderHistory, orders } from './schema.ts'
import { isOrphan } from './sqlite-errors.ts'

/** Decisions as they are written, and the history they leave. */
export function commitVerbs(connection: Connection): Pick<Store, 'commit' | 'historiesOf'> {
  const { sqlite, db, write } = connection
  const writeOrder = orderWriter(connection)
  const insertHistory = inserter(sqlite, orderHistory)
  const insertDelivery = deliveryInserter(connection)
  const takeBinding = bindingTaker(connection)
  const histories = db
    .select({ orderId: orders.orderId, entry: orderHistory })
    .from(orderHistory)
    .innerJoin(orders, eq(orders.seq, orderHistory.orderSeq))
    .where(sql`${orders.orderId} in ${jsonList('orderIds')}`)
    .orderBy(asc(orderHistory.seq))
    .prepare()

  const changeClient = clientChanger(connection)

  const commit = (decision: Decision) => {
    const orderSeq = writeOrder(decision)
    if (decision.takesBinding !== undefined && !takeBinding(decision.takesBinding))
      throw new EmulatorError('binding_used')
    for (const entry of decision.history) insertHistory({ orderSeq, ...entry })
    for (const event of decision.events) insertDelivery(event, orderSeq)
    if (decision.client !== undefined) changeClient(decision.order.clientId, decision.client)
    if (decision.opens !== undefined) commit(decision.opens)
  }

  return {
    commit: (decision) =>
      write(() => {
        try {
          commit(decision)
        } catch (error) {
          // The client was deleted since it was read.
          if (isOrphan(error))
            throw new EmulatorError('client_unknown', { clientId: decision.order.clientId })
          throw error
        }
      }),
    historiesOf: async (orderIds) =>
      listsBy(
        histories.all({ orderIds: JSON.stringify(orderIds) }),
        ({ orderId }) => orderId,
        ({ entry }) => historyEntry(entry),
      ),
  }
}

/** Inserts or updates a decision's order, by its version. Answers its `seq`. */
function orderWriter(connection: Connection): (decision: Decision) => number {
  const { sqlite } = connection
  const insert = orderInserter(connection)
  const seqAt = sqlite
    .prepare<[string, number], number>('select seq from orders where order_id = ? and version = ?')
    .pluck()
  const update = updater<typeof orders, [seq: number]>(
    sqlite,
    orders,
    ['clientId', 'orderId', 'requestId', 'charge', 'token'],
    'seq = ?',
  )

  return ({ order, uniqueAcrossClients }) => {
    if (order.version > 1) {
      const seq = seqAt.get(order.orderId, order.version - 1)
      if (seq === undefined) throw new EmulatorError('stale_order')
      update(rowOf(order), seq)
      return seq
    }
    return insert(order, uniqueAcrossClients)
  }
}

/** Inserts an order, part of a write, and answers its `seq`. @throws order_exists */
export function orderInserter({
  sqlite,
}: Connection): (order: Order, uniqueAcrossClients: boolean | undefined) => number {
  const usedByAnother = sqlite.prepare<[string, string]>(
    'select 1 from orders where request_id = +? and client_id <> +?',
  )
  const insert = inserter(sqlite, orders, 'on conflict (request_id, client_id, charge) do nothing')
  return (order, uniqueAcrossClients = false) => {
    const taken = uniqueAcrossClients && usedByAnother.get(order.requestId, order.clientId)
    const { changes, lastInsertRowid } = taken ? nothing : insert(rowOf(order))
    if (changes === 0) throw new EmulatorError('order_exists', { requestId: order.requestId })
    return Number(lastInsertRowid)
  }
}

const nothing = { changes: 0, lastInsertRowid: 0 }

function rowOf(order: Order): InferInsertModel<typeof orders> {
  const { id, why, version } = order.scenario
  return { ...order, scenarioId: id, scenarioWhy: why, scenarioVersion: version }
}

function historyEntry({ at, what, from, to, step }: typeof orderHistory.$inferSelect): HistoryEntry {
  return {
    at,
    what,
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    ...(step !== null && { step }),
  }
}
