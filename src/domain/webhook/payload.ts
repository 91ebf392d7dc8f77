import type { Settings } from '../choices/settings.ts'
import type { news, Order, OrderKind, webhookEvent } from '../order/order.ts'
import { errorReason, orderEventType } from '../order/statuses.ts'
import type { Plain } from '../text/objects.ts'
import { fillTemplate } from '../text/template.ts'
import type { EpochMs } from '../text/time.ts'

/** The event that a webhook reports. */
export type WebhookEvent = Plain<typeof webhookEvent>

/** A webhook event with the time at which it happened. */
export type Notice = Plain<typeof news>

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
export function payload(
  event: WebhookEvent,
  { settings, webhookId, at }: { settings: Settings; webhookId: string; at: EpochMs },
): string {
  const format = settings['webhook.format']
  const claims = settings['webhook.jwt']?.claims
  if (format === 'envelope' || (format === 'jwt' && claims === undefined)) return envelope(event, settings)
  const template = format === 'jwt' ? claims : settings['webhook.template']
  if (format === 'flat' || template === null) return JSON.stringify(event)
  const times = { eventTimestamp: at, eventTime: { time: at, offset: settings['time.offset'] } }
  return fillTemplate(template, { ...event, ...errorIn(event, settings), ...times, webhookId }) ?? 'null'
}

function envelope(event: WebhookEvent, settings: Settings): string {
  const { requestId, eventType: type, orderType, orderId, orderStatus } = event
  const found = errorIn(event, settings)
  const error = found && { code: found.errorCode, message: found.errorMessage }
  return JSON.stringify({ requestId, type, data: { orderType, orderId, orderStatus }, error })
}

function errorIn({ errorCode }: WebhookEvent, settings: Settings) {
  return errorCode === undefined
    ? undefined
    : { errorCode, errorMessage: errorReason(errorCode, settings).errorDesc }
}

/** The type of an order in records and webhooks (R69, N61). */
export function orderType(kind: OrderKind, settings: Settings): string {
  if (kind === 'payout') return 'PAYOUT'
  if (kind === 'crypto-payin') return settings['orders.cryptoPayinType']
  return 'CHECKOUT'
}
