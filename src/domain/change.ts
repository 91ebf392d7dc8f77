import type { Settings } from './choices.ts'
import type { Decision } from './decision.ts'
import type { NewDelivery } from './delivery.ts'
import { eventIds } from './ids.ts'
import type { HistoryEntry, Order } from './order.ts'
import { orderType } from './order-type.ts'
import { orderEvent, payload } from './payload.ts'
import { nextThing } from './plan.ts'
import type { Scenario } from './scenario.ts'
import type { EpochMs } from './time.ts'

/** What a verb must know besides the order: everything a decision depends on is handed in. */
export interface Circumstances {
  readonly nowMs: EpochMs
  readonly settings: Settings
  /** The scenario in the version that the order began with. */
  readonly scenario: Scenario
  /** Whether the client has a webhook URL at this moment (N48). */
  readonly urlRegistered: boolean
}

/** The members of an order that a verb may change. */
export type OrderPatch = Partial<
  Pick<
    Order,
    | 'orderStatus'
    | 'paymentStatus'
    | 'settlementStatus'
    | 'errorReason'
    | 'receivedAmount'
    | 'txnHash'
    | 'paidAt'
    | 'nextStep'
    | 'shiftMs'
    | 'waitsForPayer'
  >
>

/** Changes an order: moves `updatedAt` (never back, N64e), writes down which statuses changed, works out what
 *  is due next, and tells the client when `orderStatus` changed (N40). Every verb ends here. */
export function change(
  order: Order,
  patch: OrderPatch,
  around: Circumstances,
  cause: { note?: string | undefined; step?: number | undefined } = {},
): Decision {
  const at = Math.max(around.nowMs, order.updatedAt + 1)
  const changed: Order = { ...order, ...patch, updatedAt: at, version: order.version + 1 }
  const entries = statusChanges(order, changed, around.nowMs)
  if (cause.note !== undefined || entries.length === 0) {
    entries.unshift({ at: around.nowMs, what: cause.note ?? 'step' })
  }
  const history = entries.map((entry) => (cause.step === undefined ? entry : { ...entry, step: cause.step }))
  const events =
    changed.orderStatus === order.orderStatus ? [] : tell(changed, around, { awaitsAnswer: false })
  return {
    order: {
      ...changed,
      nextDueAt: nextThing(changed, around.scenario)?.dueAt ?? null,
      events: changed.events + events.length,
    },
    history,
    events,
  }
}

/** The outbox rows that tell an order's status, or none if `webhook.on` leaves this one out. */
export function tell(order: Order, around: Circumstances, how: { awaitsAnswer: boolean }): NewDelivery[] {
  const { settings, nowMs } = around
  const wanted = settings['webhook.on']
  if (wanted !== null && !wanted.includes(order.orderStatus)) return []
  const type = orderType(order.kind, settings)
  const event = orderEvent(order, type)
  const sequence = order.events + 1
  const ids = eventIds(order.orderId, sequence)
  return [
    {
      ...ids,
      clientId: order.clientId,
      requestId: order.requestId,
      orderId: order.orderId,
      sequence,
      eventType: event.eventType,
      orderStatus: event.orderStatus,
      orderType: type,
      body: payload(event, { settings, webhookId: ids.webhookId, at: nowMs }),
      createdAt: nowMs,
      dueAt: how.awaitsAnswer && around.urlRegistered ? null : nowMs,
      status: around.urlRegistered ? 'pending' : 'skipped',
    },
  ]
}

function statusChanges(before: Order, after: Order, at: EpochMs): HistoryEntry[] {
  const kinds = [
    ['payment', before.paymentStatus, after.paymentStatus],
    ['settlement', before.settlementStatus, after.settlementStatus],
    ['order', before.orderStatus, after.orderStatus],
  ] as const
  return kinds.filter(([, from, to]) => from !== to).map(([what, from, to]) => ({ at, what, from, to }))
}
