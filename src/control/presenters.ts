import type { Settings } from '../domain/choices/settings.ts'
import { effectWords } from '../domain/order/effects.ts'
import { plannedSteps } from '../domain/order/next-steps.ts'
import type { HistoryEntry, Order } from '../domain/order/order.ts'
import { isTerminal } from '../domain/order/statuses.ts'
import type { Scenario } from '../domain/scenario/scenario.ts'
import { withMember } from '../domain/text/json-text.ts'
import { picked } from '../domain/text/objects.ts'
import { attemptOf } from '../domain/webhook/attempt-number.ts'
import { batched } from '../domain/webhook/batch.ts'
import type { Delivery } from '../domain/webhook/delivery.ts'
import { faultsAt } from '../domain/webhook/faults/attempt-faults.ts'
import { bodyWith } from '../domain/webhook/faults/faults.ts'
import { withTokens } from '../domain/webhook/jwt.ts'
import type { Lifecycle } from '../lifecycle/lifecycle.ts'
import type { OrderPast, Store } from '../store/store.ts'
import { order as orderShape } from './shapes/order.ts'

/** Converts an order to the JSON text of the control API. */
export async function presentOne(order: Order, parts: OrderSources): Promise<string> {
  const [text = ''] = await presentOrders([order], parts)
  return text
}

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

export interface OrderSources {
  readonly store: Store
  readonly lifecycle: Pick<Lifecycle, 'versions'>
}

const noPast: OrderPast = { history: [], deliveryIds: [] }

const members = orderShape.keyof().options

/** The JSON text of `metadata` stays as received (N69).
 *  @param scenario null if the scenario is no longer readable */
function presentOrder(order: Order, scenario: Scenario | null, { history, deliveryIds }: OrderPast): string {
  const { id, why } = order.scenario
  const fields = {
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
  const text = JSON.stringify(picked(fields, members))
  return withMember(text, 'metadata', order.metadata ?? '{}')
}

/** Whether the next step waits for the payer, because the scenario or a setting leaves the payment to a person
 *  (N65). */
function waitsForPayer(order: Order, scenario: Scenario): boolean {
  const next = plannedSteps(order, scenario)[order.nextStep]
  if (isTerminal(order.orderStatus)) return false
  return order.paidAt === null && (order.waitsForPayer || next?.waitsFor === 'payer')
}

/** Completed and planned steps. Steps that the payer's action cancelled are left out. */
function timeline(order: Order, scenario: Scenario, history: readonly HistoryEntry[]): object[] {
  const steps = plannedSteps(order, scenario).flatMap(({ dueAt, effects }, index) => {
    const doneAt = history.find((entry) => entry.step === index)?.at ?? null
    // Steps that wait for a payer or a lookup have no planned time.
    const when = dueAt ?? doneAt
    return doneAt === null && index < order.nextStep
      ? []
      : [{ dueAt: when, what: effectWords(effects), doneAt }]
  })
  const { next, nextAt = null } = order.subscription ?? {}
  return nextAt === null ? steps : [...steps, { dueAt: nextAt, what: `charge ${next}`, doneAt: null }]
}

/** The deliveries of a batch (N82), and the settings of their client. */
export interface Together {
  readonly deliveries: readonly Delivery[]
  readonly settings: Settings
}

/** Converts a delivery for the control API. `bodyText` is the exact text of the latest attempt, or of the first one
 *  that will be sent; `body` is the same content, parsed if possible.
 *  @param together the deliveries of its batch, and the settings of the client: then the attempts have the whole text */
export function presentDelivery(delivery: Delivery, together?: Together): object {
  const { sequence: _, body, attempts, ...rest } = attemptOf(delivery, delivery.attempts.at(-1)?.n ?? 1)
  const sent = attempts.map((attempt) => ({
    ...attempt,
    ...sentInstead(delivery, attempt.n, body, together),
  }))
  return { ...rest, plan: planWithoutTokens(rest), body: parsed(body), bodyText: body, attempts: sent }
}

/** The plan of a delivery. A token in its headers is made for each attempt. */
const planWithoutTokens = ({ plan, webhookId }: Pick<Delivery, 'plan' | 'webhookId'>): unknown =>
  JSON.parse(withTokens(JSON.stringify(plan), webhookId, () => '${jwt}'))

/** The text that an attempt sent, if it was another than the body that is shown. */
function sentInstead(
  delivery: Delivery,
  attempt: number,
  shown: string,
  together?: Together,
): { bodyText?: string } {
  const { body, plan } =
    together === undefined
      ? attemptOf(delivery, attempt)
      : batched(
          together.deliveries.map((each) => ({ ...each, status: 'pending', attempt })),
          together.settings,
        )
  const text = bodyWith(faultsAt(plan, attempt), body).sent.toString()
  return text === shown ? {} : { bodyText: text }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
