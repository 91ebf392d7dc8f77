import { effectWords } from '../domain/effect-words.ts'
import { withMember } from '../domain/json-text.ts'
import type { HistoryEntry, Order } from '../domain/order.ts'
import { plannedSteps } from '../domain/plan.ts'
import type { Scenario } from '../domain/scenario/scenario.ts'
import { isTerminal } from '../domain/statuses.ts'
import type { Lifecycle } from '../lifecycle/lifecycle.ts'
import type { Store } from '../store/store.ts'

/** An order as the control API shows it, as JSON text. */
export async function presentOne(order: Order, parts: OrderSources): Promise<string> {
  const [text = ''] = await presentOrders([order], parts)
  return text
}

/** Orders as the control API shows them. What is read for them is read in the turn of this call. */
export async function presentOrders(
  orders: readonly Order[],
  { store, lifecycle }: OrderSources,
): Promise<string[]> {
  const ids = orders.map(({ orderId }) => orderId)
  const [histories, deliveries, scenarios] = await Promise.all([
    store.historiesOf(ids),
    store.deliveryIdsOf(ids),
    Promise.all(orders.map((order) => lifecycle.versions.readable(order))),
  ])
  return orders.flatMap((order, index) => {
    const scenario = scenarios[index]
    if (scenario === undefined) return []
    const history = histories.get(order.orderId) ?? []
    return [presentOrder(order, { scenario, history, deliveryIds: deliveries.get(order.orderId) ?? [] })]
  })
}

/** What presenting orders reads from. */
export interface OrderSources {
  readonly store: Store
  readonly lifecycle: Pick<Lifecycle, 'versions'>
}

/** What an order's presentation needs beside the order. */
interface OrderDetails {
  /** null: nobody can read it any more. */
  readonly scenario: Scenario | null
  readonly history: readonly HistoryEntry[]
  readonly deliveryIds: readonly string[]
}

/** As JSON text: `metadata` is the text that came in (N69). */
function presentOrder(order: Order, { scenario, history, deliveryIds }: OrderDetails): string {
  const { id, why } = order.scenario
  const text = JSON.stringify({
    orderId: order.orderId,
    requestId: order.requestId,
    clientId: order.clientId,
    kind: order.kind,
    token: order.token,
    fiatAmount: order.fiatAmount,
    currencyId: order.currencyId,
    email: order.email,
    orderStatus: order.orderStatus,
    paymentStatus: order.paymentStatus,
    settlementStatus: order.settlementStatus,
    errorReason: order.errorReason,
    receivedAmount: order.receivedAmount,
    txnHash: order.txnHash,
    refunds: order.refunds ?? [],
    ...(order.refundError === null ? {} : { refundError: order.refundError }),
    ...(order.subscription === null ? {} : { subscription: order.subscription }),
    charge: order.charge,
    scenario: { id, why },
    waitsForPayer: scenario !== null && waitsForPayer(order, scenario),
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    expiresAt: order.expiresAt,
    nextDueAt: order.nextDueAt,
    timeline: scenario === null ? [] : timeline(order, scenario, history),
    history,
    deliveries: deliveryIds,
  })
  return withMember(text, 'metadata', order.metadata ?? '{}')
}

/** Whether the next step is the payer's: because the file or the settings leave the payment to somebody (N65). */
function waitsForPayer(order: Order, scenario: Scenario): boolean {
  const next = plannedSteps(order, scenario)[order.nextStep]
  if (isTerminal(order.orderStatus)) return false
  return order.paidAt === null && (order.waitsForPayer || next?.waitsFor === 'payer')
}

/** The steps done and the steps to come; what the payer's act has dropped is neither. */
function timeline(order: Order, scenario: Scenario, history: readonly HistoryEntry[]): object[] {
  const steps = plannedSteps(order, scenario).flatMap(({ dueAt, effects }, index) => {
    const doneAt = history.find((entry) => entry.step === index)?.at ?? null
    // Nobody knew when a payer or a lookup would come.
    const when = dueAt ?? doneAt
    return doneAt === null && index < order.nextStep
      ? []
      : [{ dueAt: when, what: effectWords(effects), doneAt }]
  })
  const { next, nextAt = null } = order.subscription ?? {}
  return nextAt === null ? steps : [...steps, { dueAt: nextAt, what: `charge ${next}`, doneAt: null }]
}
