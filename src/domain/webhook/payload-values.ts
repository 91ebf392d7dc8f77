import type { Settings } from '../choices/settings.ts'
import { echoed } from '../order/amounts.ts'
import type { news, Order, webhookEvent } from '../order/order.ts'
import { errorReason } from '../order/statuses.ts'
import { type Plain, picked } from '../text/objects.ts'
import { fillText, type TemplateValues } from '../text/template.ts'
import type { EpochMs } from '../text/time.ts'
import type { WebhookValue } from './payload-template.ts'
import { eventWord, wordOf } from './words.ts'

/** The event that a webhook reports. */
export type WebhookEvent = Plain<typeof webhookEvent>

/** A webhook event with the time at which it happened. */
export type Notice = Plain<typeof news>

/** The circumstances of a webhook that its body and headers can name. */
export interface PayloadContext {
  readonly settings: Settings
  readonly webhookId: string
  readonly deliveryId: string
  /** Its position among the events of its order; left out for a webhook outside of any sequence. */
  readonly sequence?: number | undefined
  /** The order as it is when the webhook is made; left out for a simulated webhook. */
  readonly order?: Order | undefined
  /** True for a simulated webhook, which has the caller's words. */
  readonly keepsWords?: boolean | undefined
}

/** The headers that the settings add to a webhook (N75); undefined for none. */
export function ownHeaders(notice: Notice, context: PayloadContext): Record<string, string> | undefined {
  const templates = Object.entries(context.settings['webhook.headers'])
  if (templates.length === 0) return undefined
  const values = payloadValues(notice, context)
  const filled = templates.map(([name, template]) => [name, headerText(template, values)] as const)
  return Object.fromEntries(filled.filter(([, text]) => text !== ''))
}

/** Fills a header. Characters that a header cannot have are percent-encoded. */
export const headerText = (template: string, values: TemplateValues): string =>
  fillText(template, values)
    .toWellFormed()
    .replaceAll(/[^\x20-\x7e\u{E000}\u{E001}]/gu, encodeURIComponent)

/** The event in the words of the settings (N76). */
export function worded({ event, refund }: Notice, { settings, keepsWords }: PayloadContext): WebhookEvent {
  if (keepsWords) return event
  const about = { status: event.orderStatus, isRefund: refund !== undefined }
  return {
    ...event,
    orderStatus: wordOf(event.orderStatus, settings['words.webhook']),
    eventType: eventWord(event.eventType, about, settings),
  }
}

/** The values of all placeholders in a webhook. */
export function payloadValues(notice: Notice, context: PayloadContext): TemplateValues {
  const { refund, at } = notice
  const { settings, webhookId, deliveryId, sequence, order, keepsWords } = context
  const event = worded(notice, context)
  const word = (status: string) => (keepsWords ? status : wordOf(status, settings['words.webhook']))
  const time = (ms: EpochMs) => ({ time: ms, offset: settings['time.offset'] })
  const filled: { readonly [Name in WebhookValue]?: TemplateValues[string] } = {
    ...(order && orderValues(order, time)),
    ...(order && { fiatAmount: echoed(order.fiatAmount, settings) }),
    ...event,
    ...errorIn(event, settings),
    ...(refund && { refundId: refund.refundId, refundAmount: echoed(refund.fiatAmount, settings) }),
    ...(refund && { refundStatus: event.orderStatus }),
    statusOfOrder: order && refund ? word(order.orderStatus) : event.orderStatus,
    eventTimestamp: at,
    eventTime: time(at),
    ...{ webhookId, deliveryId, sequence },
    attempt: { mark: webhookId },
  }
  return filled
}

type OrderValue = Exclude<WebhookValue, keyof WebhookEvent>

function orderValues(
  order: Order,
  time: (ms: EpochMs) => TemplateValues[string],
): { readonly [Name in OrderValue]?: TemplateValues[string] } {
  const { userId, firstName, lastName, phoneNumber, userMessage } = order.request
  const { requestDescription, paymentMethodId, interval } = order.request
  return {
    ...{ userId, firstName, lastName, phoneNumber, userMessage, requestDescription, interval },
    ...picked(order, ['fiatAmount', 'currencyId', 'cryptoAmount', 'cryptoCurId', 'email', 'charge']),
    ...picked(order, ['paymentStatus', 'settlementStatus']),
    receivedAmount: order.receivedAmount ?? undefined,
    txnHash: order.txnHash ?? undefined,
    paymentMethodId,
    selectedPaymentMethod: paymentMethodId ?? anyMethod,
    metadata: order.metadata === null ? undefined : { json: order.metadata },
    createdTime: time(order.createdAt),
    updatedTime: time(order.updatedAt),
    expiryTime: time(order.expiresAt),
    paidTime: order.paidAt === null ? undefined : time(order.paidAt),
  }
}

/** The payment method of an order that names none, as in answers (N9). */
const anyMethod = 'ALL'

/** The error of an event: its code, and the description of the code. */
export function errorIn({ errorCode }: WebhookEvent, settings: Settings) {
  return errorCode === undefined
    ? undefined
    : { errorCode, errorMessage: errorReason(errorCode, settings).errorDesc }
}

/** The refund of an order that an event with this status reports; undefined if the status is not a refund's. */
export function refundAbout({ refunds, orderStatus }: Order, status: string): Notice['refund'] {
  const latest = refunds?.at(-1)
  if (latest === undefined || latest.status !== status || status === orderStatus) return undefined
  return picked(latest, ['refundId', 'fiatAmount', 'status'])
}
