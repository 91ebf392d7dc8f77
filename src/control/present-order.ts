import { effectWords } from '../domain/effect-words.ts'
import { withMember } from '../domain/json-text.ts'
import type { HistoryEntry, Order } from '../domain/order.ts'
import { picked } from '../domain/picked.ts'
import { plannedSteps } from '../domain/plan.ts'
import type { Scenario } from '../domain/scenario/scenario.ts'
import { isTerminal } from '../domain/statuses.ts'
import type { Lifecycle } from '../lifecycle/lifecycle.ts'
import type { OrderPast, Store } from '../store/store.ts'
import { order as orderShape } from './shapes/order.ts'

/** An order as the control API shows it, as JSON text. */
export async function presentOne(order: Order, parts: OrderSources): Promise<string> {
  const [text = ''] = await presentOrders([order], parts)
  return text
}

/** Orders as the control API shows them. */
export async function presentOrders(
  orders: readonly Order[],
  { store, lifecycle }: OrderSources,
): Promise<string[]> {
  const ids = orders.map(({ orderId }) => orderId)
  const [pasts, scenarios] = await Promise.all([
    store.pastsOf(ids),
    Promise.all(orders.map((order) => lifecycle.versions.readable(order))),
  ])
  return orders.flatMap((order, index) => {
    const scenario = scenarios[index]
    if (scenario === undefined) return []
    return [presentOrder(order, scenario, pasts.get(order.orderId) ?? noPast)]
  })
}

/** What presenting orders reads from. */
export interface OrderSources {
  readonly store: Store
  readonly lifecycle: Pick<Lifecycle, 'versions'>
}

const noPast: OrderPast = { history: [], deliveryIds: [] }

const members = orderShape.keyof().options

/** As JSON text: `metadata` is the text that came in (N69).
 *  @param scenario null: nobody can read it any more */
function presentOrder(order: Order, scenario: Scenario | null, { history, deliveryIds }: OrderPast): string {
  const { id, why } = order.scenario
  const told = {
    ...order.request,
    ...order,
    metadata: undefined,
    refunds: order.refunds ?? [],
    refundError: order.refundError ?? undefined,
    subscription: order.subscription ?? undefined,
    scenario: { id, why },
    waitsForPayer: scenario !== null && waitsForPayer(order, scenario),
    timeline: scenario === null ? [] : timeline(order, scenario, history),
    history,
    deliveries: deliveryIds,
  }
  const text = JSON.stringify(picked(told, members))
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
