import type { Settings } from '../choices/settings.ts'
import { echoed } from '../order/amounts.ts'
import type { news, Order, webhookEvent } from '../order/order.ts'
import { errorReason, isTerminal } from '../order/statuses.ts'
import { compareAmounts, subtract } from '../text/money.ts'
import { type Plain, picked } from '../text/objects.ts'
import { fillTemplate, fillText, type TemplateValues } from '../text/template.ts'
import type { EpochMs } from '../text/time.ts'
import { tokenMark } from './jwt.ts'
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
    .replaceAll(/[^\x20-\x7e\u{E000}-\u{E003}]/gu, encodeURIComponent)

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
    ...(order &&
      orderValues(order, {
        settings,
        time,
        isPayable: refund === undefined && !isTerminal(notice.event.orderStatus),
      })),
    ...(order && { fiatAmount: echoed(order.fiatAmount, settings) }),
    ...event,
    ...errorIn(event, settings),
    ...(refund && { refundId: refund.refundId, refundAmount: echoed(refund.fiatAmount, settings) }),
    ...(refund && { refundStatus: event.orderStatus }),
    statusOfOrder:
      order && refund ? (wholeStatus(order, settings) ?? word(order.orderStatus)) : event.orderStatus,
    eventTimestamp: at,
    eventTime: time(at),
    ...{ webhookId, deliveryId, sequence },
    attempt: { mark: webhookId },
  }
  const jwt = settings['webhook.jwt']
  if (jwt === null) return filled
  const claims = jwt.claims === undefined ? envelope(event, settings) : fillTemplate(jwt.claims, filled)
  return { ...filled, jwt: tokenMark(webhookId, claims ?? '{}') }
}

/** The body in the format `envelope`, which is also the content of a token without claims of its own (N36). */
export function envelope(event: WebhookEvent, settings: Settings): string {
  const { requestId, eventType: type, orderType, orderId, orderStatus } = event
  const found = errorIn(event, settings)
  const error = found && { code: found.errorCode, message: found.errorMessage }
  return JSON.stringify({ requestId, type, data: { orderType, orderId, orderStatus }, error })
}

/** The status of an order of which the whole amount is refunded, if the settings have one (N85). */
function wholeStatus({ fiatAmount, refunds }: Order, settings: Settings): string | null {
  const whole = settings['refunds.orderStatus']
  if (whole === null) return null
  const standing = (refunds ?? []).filter(({ status }) => status !== settings['refunds.failedStatus'])
  const left = standing.reduce((rest, refund) => subtract(rest, refund.fiatAmount), fiatAmount)
  return compareAmounts(left, '0') <= 0 ? whole : null
}

type OrderValue = Exclude<WebhookValue, keyof WebhookEvent>

function orderValues(
  order: Order,
  {
    settings,
    time,
    isPayable,
  }: {
    readonly settings: Settings
    readonly time: (ms: EpochMs) => TemplateValues[string]
    /** Whether the event reports a status after which the order can still be paid. */
    readonly isPayable: boolean
  },
): { readonly [Name in OrderValue]?: TemplateValues[string] } {
  const { userId, firstName, lastName, phoneNumber, userMessage } = order.request
  const { requestDescription, paymentMethodId, interval, billingData } = order.request
  return {
    ...{ userId, firstName, lastName, phoneNumber, userMessage, requestDescription, interval },
    ...picked(order, ['fiatAmount', 'currencyId', 'cryptoAmount', 'cryptoCurId', 'email', 'charge']),
    ...picked(order, ['paymentStatus', 'settlementStatus']),
    receivedAmount: order.receivedAmount ?? undefined,
    txnHash: order.txnHash ?? undefined,
    paymentMethodId,
    selectedPaymentMethod: paymentMethodId ?? settings['responses.selectedPaymentMethod'],
    metadata: order.metadata === null ? undefined : { json: order.metadata },
    createdTime: time(order.createdAt),
    updatedTime: time(order.updatedAt),
    expiryTime: time(order.expiresAt),
    payableUntil: isPayable ? time(order.expiresAt) : undefined,
    billingData: isEmpty(billingData) ? undefined : { json: JSON.stringify(billingData) },
    paidTime: order.paidAt === null ? undefined : time(order.paidAt),
  }
}

const isEmpty = (object: object = {}): boolean => Object.values(object).every((value) => value === undefined)

/** The error of an event: its code, and the description of the code. */
function errorIn({ errorCode }: WebhookEvent, settings: Settings) {
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
