import { type InferInsertModel, sql } from 'drizzle-orm'
import type { OrderPatch } from '../../domain/change.ts'
import type { Decision } from '../../domain/decision.ts'
import { EmulatorError } from '../../domain/errors.ts'
import type { HistoryEntry, Order } from '../../domain/order.ts'
import type { Store } from '../store.ts'
import { clientChanger } from './clients.ts'
import type { Connection } from './connection.ts'
import { deliveryInserter } from './deliveries.ts'
import { refuseEnded } from './ended.ts'
import { jsonList } from './grouping.ts'
import { usedByAnotherClient } from './orders.ts'
import { once } from './parameter.ts'
import { inserter, updater } from './rows.ts'
import { bindingTaker } from './scenarios.ts'
import { orders } from './schema.ts'
import { isOrphan, isTaken } from './sqlite-errors.ts'

/** Decisions as they are written, and the history they leave. */
export function commitVerbs(connection: Connection): Pick<Store, 'commit' | 'historiesOf'> {
  const { db, write } = connection
  const writeOrder = orderWriter(connection)
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
      const found = histories().all({ orderIds: JSON.stringify(orderIds) })
      const told = found.filter(({ history }) => history.length > 0)
      return new Map(told.map(({ orderId, history }) => [orderId, [...history]]))
    },
  }
}

/** What no change of an order touches: half of its row, and most of its text. */
const neverChanged = [
  ...(['clientId', 'orderId', 'requestId', 'charge', 'token', 'kind', 'request'] as const),
  ...(['paymentMethodId', 'fiatAmount', 'currencyId', 'email', 'cryptoCurId', 'cryptoAmount'] as const),
  ...(['createdAt', 'expiresAt', 'scenarioId', 'scenarioWhy', 'scenarioVersion'] as const),
] satisfies Exclude<keyof InferInsertModel<typeof orders>, keyof OrderPatch>[]

/** Inserts or updates a decision's order, by its version. Answers its `seq`. */
function orderWriter(connection: Connection): (decision: Decision) => number {
  const { sqlite } = connection
  const insert = orderInserter(connection)
  const find = sqlite.prepare<[orderId: string], number>('select seq from orders where order_id = ?').pluck()
  // As text: to parse what thousands of charges have left would take longer than all the rest.
  const longer = `history = '[' || ltrim(rtrim(ltrim(history, '['), ']') || ?, ',') || ']'`
  const update = updater<
    typeof orders,
    (typeof neverChanged)[number] | 'history',
    [entries: string, seq: number, version: number]
  >(sqlite, orders, [...neverChanged, 'history'], {
    set: longer,
    where: 'seq = ? and version = +?',
    usual: nothingRare,
  })

  return (decision) => {
    const { order, history } = decision
    if (order.version === 1) return insert(decision)
    const { orderId, version } = order
    const entries = history.map((entry) => `,${JSON.stringify(entry)}`).join('')
    const seq = find.get(orderId)
    if (seq === undefined || update(order, entries, seq, version - 1).changes === 0)
      throw new EmulatorError('stale_order')
    return seq
  }
}

/** Inserts an order with its history, part of a write, and answers its `seq`.
 *  @throws order_exists, order_id_taken */
export function orderInserter(
  connection: Connection,
): (begun: Pick<Decision, 'order' | 'history' | 'uniqueAcrossClients'>) => number {
  const { sqlite } = connection
  const usedByAnother = usedByAnotherClient(connection)
  const isThere = sqlite
    .prepare<[requestId: string, clientId: string, charge: number], 1>(
      'select 1 from orders where request_id = ? and client_id = ? and charge = ?',
    )
    .pluck()
  const insert = inserter(sqlite, orders, { usual: atFirst, apart: restOfRow })
  return ({ order, history, uniqueAcrossClients }) => {
    const { clientId, requestId, orderId, charge } = order
    if (uniqueAcrossClients && usedByAnother(clientId, requestId))
      throw new EmulatorError('order_exists', { requestId })
    try {
      return Number(insert(order, restOf(order, history)).lastInsertRowid)
    } catch (error) {
      if (!isTaken(error)) throw error
      throw isThere.get(requestId, clientId, charge) === undefined
        ? new EmulatorError('order_id_taken', { orderId })
        : new EmulatorError('order_exists', { requestId })
    }
  }
}

/** An order that nothing rare has happened to. */
const nothingRare = {
  errorReason: null,
  refunds: null,
  refundError: null,
  crypto: null,
  lookups: null,
  subscription: null,
  shiftMs: 0,
  waitsForPayer: false,
} as const

/** How an order begins, unless its scenario fails or pays it at once. */
const atFirst = {
  ...nothingRare,
  charge: 1,
  version: 1,
  kind: 'checkout',
  orderStatus: 'CREATED',
  paymentStatus: 'CREATED',
  settlementStatus: 'NOT_REQUIRED',
  receivedAmount: null,
  txnHash: null,
  paidAt: null,
  nextStep: 0,
  events: 1,
} as const

/** What a row has that an order has not, or has elsewhere. */
const restOfRow = ['paymentMethodId', 'scenarioId', 'scenarioWhy', 'scenarioVersion', 'history'] as const

function restOf({ request, scenario }: Order, history: readonly HistoryEntry[]) {
  return {
    paymentMethodId: request.paymentMethodId ?? null,
    scenarioId: scenario.id,
    scenarioWhy: scenario.why,
    scenarioVersion: scenario.version,
    history,
  }
}
