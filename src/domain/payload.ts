import type { Order } from './order.ts'

/** What every order event is called (N39). */
const orderEventType = 'service-sdk-transaction-status'

/** What a webhook tells. */
export interface WebhookEvent {
  readonly requestId: string
  readonly clientId: string
  readonly orderId: string
  readonly orderStatus: string
  readonly orderType: string
  readonly eventType: string
  readonly errorCode?: string | undefined
}

/** The event that tells an order's present status. */
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

/** The *flat* payload: the names the interface document uses for a simulated webhook; `errorCode` only when
 *  there is one (N36). */
export function flatPayload(event: WebhookEvent): string {
  return JSON.stringify(event)
}
