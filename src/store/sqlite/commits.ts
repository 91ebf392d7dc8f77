import { and, eq, type InferInsertModel, sql } from 'drizzle-orm'
import type { Decision } from '../../domain/decision.ts'
import { EmulatorError } from '../../domain/errors.ts'
import type { HistoryEntry, Order } from '../../domain/order.ts'
import type { Store } from '../store.ts'
import { clientChanger } from './clients.ts'
import type { Connection } from './connection.ts'
import { deliveryInserter } from './deliveries.ts'
import { refuseEnded } from './ended.ts'
import { jsonList } from './grouping.ts'
import { p } from './parameter.ts'
import { inserter, updater } from './rows.ts'
import { bindingTaker } from './scenarios.ts'
import { orders } from './schema.ts'
import { isOrphan } from './sqlite-errors.ts'

/** Decisions as they are written, and the history they leave. */
export function commitVerbs(connection: Connection): Pick<Store, 'commit' | 'historiesOf'> {
  const { db, write } = connection
  const writeOrder = orderWriter(connection)
  const insertDelivery = deliveryInserter(connection)
  const takeBinding = bindingTaker(connection)
  const histories = db
    .select({ orderId: orders.orderId, history: orders.history })
    .from(orders)
    .where(sql`${orders.orderId} in ${jsonList('orderIds')}`)
    .prepare()

  const changeClient = clientChanger(connection)

  const commit = (decision: Decision) => {
    const orderSeq = writeOrder(decision)
    if (decision.takesBinding !== undefined && !takeBinding(decision.takesBinding))
      throw new EmulatorError('binding_used')
    for (const event of decision.events) insertDelivery(event, orderSeq)
    if (decision.client !== undefined) changeClient(decision.order.clientId, decision.client)
    if (decision.opens !== undefined) commit(decision.opens)
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
      const found = histories.all({ orderIds: JSON.stringify(orderIds) })
      const told = found.filter(({ history }) => history.length > 0)
      return new Map(told.map(({ orderId, history }) => [orderId, [...history]]))
    },
  }
}

/** Inserts or updates a decision's order, by its version. Answers its `seq`. */
function orderWriter(connection: Connection): (decision: Decision) => number {
  const { sqlite, db } = connection
  const insert = orderInserter(connection)
  const before = db
    .select({ seq: orders.seq, history: orders.history })
    .from(orders)
    .where(and(eq(orders.orderId, p('orderId')), eq(orders.version, p('version'))))
    .prepare()
  const update = updater<typeof orders, [seq: number]>(
    sqlite,
    orders,
    ['clientId', 'orderId', 'requestId', 'charge', 'token'],
    'seq = ?',
  )

  return (decision) => {
    const { order, history } = decision
    if (order.version > 1) {
      const found = before.get({ orderId: order.orderId, version: order.version - 1 })
      if (found === undefined) throw new EmulatorError('stale_order')
      update(rowOf(order, [...found.history, ...history]), found.seq)
      return found.seq
    }
    return insert(decision)
  }
}

/** Inserts an order with its history, part of a write, and answers its `seq`. @throws order_exists */
export function orderInserter({
  sqlite,
}: Connection): (begun: Pick<Decision, 'order' | 'history' | 'uniqueAcrossClients'>) => number {
  const usedByAnother = sqlite.prepare<[string, string]>(
    'select 1 from orders where request_id = +? and client_id <> +?',
  )
  const insert = inserter(sqlite, orders, 'on conflict (request_id, client_id, charge) do nothing')
  return ({ order, history, uniqueAcrossClients }) => {
    const taken = uniqueAcrossClients && usedByAnother.get(order.requestId, order.clientId)
    const { changes, lastInsertRowid } = taken ? nothing : insert(rowOf(order, history))
    if (changes === 0) throw new EmulatorError('order_exists', { requestId: order.requestId })
    return Number(lastInsertRowid)
  }
}

const nothing = { changes: 0, lastInsertRowid: 0 }

function rowOf(order: Order, history: readonly HistoryEntry[]): InferInsertModel<typeof orders> {
  const { id, why, version } = order.scenario
  return { ...order, scenarioId: id, scenarioWhy: why, scenarioVersion: version, history }
}
