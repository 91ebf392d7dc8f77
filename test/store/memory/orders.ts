import type { ClientChange, Decision } from '../../../src/domain/order/decision.ts'
import type { Order } from '../../../src/domain/order/order.ts'
import { EmulatorError } from '../../../src/domain/text/errors.ts'
import { listFields } from '../../../src/store/list-fields.ts'
import type { OrderPast, Store } from '../../../src/store/store.ts'
import { addDelivery } from './deliveries.ts'
import { pageOf, usersPage } from './lists.ts'
import { takeBinding } from './planned.ts'
import { changeClient, type Memory, nextNumber, own, type State } from './state.ts'

export const orderVerbs = ({ read, writeIn }: Memory) =>
  ({
    commit: (decision, generation) =>
      writeIn({ clientId: decision.order.clientId, generation }, (state) => commit(state, decision)),

    findOrder: (orderId) => read((state) => state.orders.get(orderId)?.thing ?? null),

    findOrderByToken: (token) =>
      read((state) => ordersIn(state).find((order) => order.token === token) ?? null),

    ordersOf: (clientId, requestId) =>
      read((state) =>
        ordersIn(state)
          .filter((order) => order.clientId === clientId && order.requestId === requestId)
          .sort((a, b) => a.charge - b.charge),
      ),

    usedByAnotherClient: (clientId, requestId) =>
      read((state) => isUsedByAnother(state, clientId, requestId)),

    listOrders: (query) => read((state) => pageOf(state.orders.values(), orderList, query)),

    listUsers: (query) => read((state) => usersPage(ordersIn(state), query)),

    pastsOf: (orderIds) => read((state) => pastsOf(state, orderIds)),

    dueOrders: (clientId, until, limit) =>
      read((state) =>
        ordersDue(state, clientId, until)
          .sort((a, b) => (a.nextDueAt ?? 0) - (b.nextDueAt ?? 0))
          .slice(0, limit),
      ),

    ordersDue: (clientId, until, among) =>
      read((state) =>
        ordersDue(state, clientId, until)
          .map(({ orderId }) => orderId)
          .filter((orderId) => among?.includes(orderId) ?? true),
      ),

    nextOrderDue: (clientId, after = Number.NEGATIVE_INFINITY) =>
      read((state) => {
        const due = ordersDue(state, clientId, Number.POSITIVE_INFINITY).map(
          ({ nextDueAt }) => nextDueAt ?? 0,
        )
        const later = due.filter((dueAt) => dueAt > after)
        return later.length === 0 ? null : Math.min(...later)
      }),
  }) satisfies Partial<Store>

function commit(state: State, decision: Decision): void {
  const { order, events, takesBinding, client, opens } = decision
  if (order.version === 1) addOrder(state, decision)
  else changeOrder(state, decision)
  if (takesBinding !== undefined && !takeBinding(state, takesBinding)) throw new EmulatorError('binding_used')
  for (const event of events) addDelivery(state, event)
  if (client !== undefined) applyChange(state, order.clientId, client)
  if (opens !== undefined) commit(state, opens)
}

/** @throws order_exists, order_id_taken */
export function addOrder(
  state: State,
  {
    order,
    history,
    uniqueAcrossClients = false,
  }: Pick<Decision, 'order' | 'history' | 'uniqueAcrossClients'>,
): void {
  const { clientId, requestId, orderId, charge, token } = order
  if (uniqueAcrossClients && isUsedByAnother(state, clientId, requestId))
    throw new EmulatorError('order_exists', { requestId })
  for (const other of ordersIn(state)) {
    if (other.clientId === clientId && other.requestId === requestId && other.charge === charge)
      throw new EmulatorError('order_exists', { requestId })
    if (other.orderId === orderId || other.token === token)
      throw new EmulatorError('order_id_taken', { orderId })
  }
  state.orders.set(orderId, own({ place: nextNumber(state), thing: order, history }))
}

/** @throws stale_order */
function changeOrder(state: State, { order, history }: Decision): void {
  const before = state.orders.get(order.orderId)
  if (before === undefined || before.thing.version !== order.version - 1)
    throw new EmulatorError('stale_order')
  const { orderId, requestId, clientId, charge, token } = before.thing
  const thing = { ...order, orderId, requestId, clientId, charge, token }
  state.orders.set(orderId, own({ ...before, thing, history: [...before.history, ...history] }))
}

function applyChange(state: State, clientId: string, { tokensExpireAt, ...members }: ClientChange): void {
  changeClient(state, clientId, members)
  if (tokensExpireAt === null) return
  endTokens(state, clientId, tokensExpireAt)
}

/** Makes the tokens of a client expire at a time, unless they expire before.
 *  @param but a token that keeps its time */
export function endTokens(state: State, clientId: string, at: number, but?: string): void {
  for (const token of state.tokens.values())
    if (token.clientId === clientId && token.token !== but && token.expiresAt > at)
      state.tokens.set(token.token, own({ ...token, expiresAt: at }))
}

const ordersIn = (state: State): Order[] => [...state.orders.values()].map(({ thing }) => thing)

const isUsedByAnother = (state: State, clientId: string, requestId: string): boolean =>
  ordersIn(state).some((order) => order.requestId === requestId && order.clientId !== clientId)

const ordersDue = (state: State, clientId: string, until: number): Order[] =>
  ordersIn(state).filter(
    (order) => order.clientId === clientId && order.nextDueAt !== null && order.nextDueAt <= until,
  )

function pastsOf(state: State, orderIds: readonly string[]): Map<string, OrderPast> {
  const pasts = new Map<string, OrderPast>()
  for (const orderId of orderIds) {
    const order = state.orders.get(orderId)
    if (order === undefined) continue
    const { clientId } = order.thing
    const deliveries = [...state.deliveries.values()].filter(
      ({ thing }) => thing.orderId === orderId && thing.clientId === clientId,
    )
    pasts.set(orderId, { history: order.history, deliveryIds: deliveries.map(({ thing }) => thing.id) })
  }
  return pasts
}

const orderList = {
  letter: 'o',
  members: listFields.orders,
  shown: (order: Order) => ({ ...order, status: order.orderStatus }),
  searched: ({ requestId, orderId, email, request }: Order) => [requestId, orderId, email, request.userId],
}
