import type { Circumstances } from './change.ts'
import type { NewDelivery } from './delivery.ts'
import { eventIds } from './ids.ts'
import type { Order } from './order.ts'
import { orderType } from './order-type.ts'
import { orderEvent, payload, type WebhookEvent } from './payload.ts'
import { pickedParts } from './scenario/random-mix.ts'
import type { ExtraWebhook, WebhookRule } from './scenario/webhook-rules.ts'

/** The outbox rows that tell an order's new status, or none if `webhook.on` leaves this one out.
 *  @param before the order before its status changed; null for a new order */
export function tellStatus(
  before: Order | null,
  order: Order,
  around: Circumstances,
  how: { awaitsAnswer: boolean } = { awaitsAnswer: false },
): NewDelivery[] {
  const wanted = around.settings['webhook.on']
  if (wanted !== null && !wanted.includes(order.orderStatus)) return []
  return typesToTell(order, around).flatMap((type, index) => {
    const sequence = (before?.events ?? 0) + 1 + index
    return delivery(order, orderEvent(order, type), sequence, around, how)
  })
}

/** The outbox row that tells of a refund, if `webhook.refunds` wants one (N43). */
export function tellRefund(before: Order, order: Order, around: Circumstances): NewDelivery[] {
  if (around.settings['webhook.refunds'] === 'none') return []
  const latest = order.refunds?.at(-1)
  const known = before.refunds?.[(order.refunds?.length ?? 0) - 1]
  if (latest === undefined || latest.status === known?.status) return []
  const event = {
    ...orderEvent(order, orderType(order.kind, around.settings)),
    orderStatus: latest.status,
    errorCode: undefined,
  }
  return delivery(order, event, order.events + 1, around)
}

/** A webhook that tells of no change. */
export function tellExtra(order: Order, { status }: ExtraWebhook, around: Circumstances): NewDelivery[] {
  const event = orderEvent(order, orderType(order.kind, around.settings))
  const claimed = status === null ? event : { ...event, orderStatus: status, errorCode: undefined }
  return delivery(order, claimed, order.events + 1, around)
}

/** An order with two legs has two events where the settings say so; the second is told as the crypto leg's (N41). */
function typesToTell({ kind }: Order, { settings }: Circumstances): string[] {
  const type = orderType(kind, settings)
  const both = settings['webhook.legs'] === 'both' && kind !== 'crypto-payin'
  return both ? [type, settings['orders.cryptoPayinType']] : [type]
}

function delivery(
  order: Order,
  event: WebhookEvent,
  sequence: number,
  around: Circumstances,
  how: { awaitsAnswer: boolean } = { awaitsAnswer: false },
): NewDelivery[] {
  const rules = rulesAbout(order, event.orderStatus, around)
  if (rules.some(({ drop }) => drop)) return []
  const { settings, nowMs, client } = around
  const delayMs = Math.max(0, ...rules.map((rule) => rule.delayMs))
  const ids = eventIds(order.orderId, sequence)
  const urlRegistered = client.webhookUrl !== null
  return [
    {
      ...ids,
      clientId: order.clientId,
      requestId: order.requestId,
      orderId: order.orderId,
      sequence,
      eventType: event.eventType,
      orderStatus: event.orderStatus,
      orderType: event.orderType,
      body: payload(event, { settings, webhookId: ids.webhookId, at: nowMs }),
      createdAt: nowMs,
      dueAt: how.awaitsAnswer && urlRegistered && delayMs === 0 ? null : nowMs + delayMs,
      keptBack: delayMs > 0,
      status: urlRegistered ? 'pending' : 'skipped',
      plan: null,
    },
  ]
}

/** The rules of the scenario about the webhook that tells this status, those that the seed has drawn included. */
function rulesAbout(order: Order, status: string, { scenario, seed }: Circumstances): WebhookRule[] {
  const drawn = pickedParts(scenario, [seed, order.clientId, order.requestId])
  const rules = [...scenario.webhooks, ...drawn.flatMap(({ webhooks }) => webhooks)]
  return rules.filter(({ of }) => of === null || of === status)
}
