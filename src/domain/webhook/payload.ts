import type { Settings } from '../choices/settings.ts'
import type { Order, OrderKind } from '../order/order.ts'
import { orderEventType } from '../order/statuses.ts'
import { fillTemplate } from '../text/template.ts'
import {
  envelope,
  type Notice,
  type PayloadContext,
  payloadValues,
  type WebhookEvent,
  worded,
} from './payload-values.ts'

export type { Notice, WebhookEvent } from './payload-values.ts'

/** Returns the event that reports an order's present status. */
export function orderEvent(order: Order, orderType: string): WebhookEvent {
  return {
    requestId: order.requestId,
    clientId: order.clientId,
    orderId: order.orderId,
    orderStatus: order.orderStatus,
    orderType,
    eventType: orderEventType,
    errorCode: order.errorReason?.errorCode,
  }
}

/** The webhook body of an event in the format of the settings (N36). For `jwt` it is the content of the token, which
 *  is made when the webhook is stored. */
export function payload(notice: Notice, context: PayloadContext): string {
  const { settings } = context
  const format = settings['webhook.format']
  const claims = settings['webhook.jwt']?.claims
  const event = worded(notice, context)
  if (format === 'envelope' || (format === 'jwt' && claims === undefined)) return envelope(event, settings)
  const template = format === 'jwt' ? claims : templateOf(notice, settings)
  if (format === 'flat' || template === null) return JSON.stringify(event)
  return fillTemplate(template, payloadValues(notice, context)) ?? 'null'
}

/** Refunds may have a template of their own (N77). */
const templateOf = ({ refund }: Notice, settings: Settings): unknown =>
  (refund === undefined ? null : settings['webhook.refundTemplate']) ?? settings['webhook.template']

/** The type of an order in records and webhooks (R69, N61). */
export function orderType(kind: OrderKind, settings: Settings): string {
  if (kind === 'payout') return 'PAYOUT'
  if (kind === 'crypto-payin') return settings['orders.cryptoPayinType']
  return 'CHECKOUT'
}
