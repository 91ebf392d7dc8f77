import { isTerminal } from '../order/statuses.ts'
import type { AttemptResult } from '../webhook/delivery.ts'
import { faultsAt } from '../webhook/faults/attempt-faults.ts'
import type { AttemptFaults } from '../webhook/faults/faults.ts'
import { orderEventType } from '../webhook/payload.ts'
import type { AttemptEvent, Attempted } from './seen-order.ts'
import {
  type Flying,
  isKnownStatus,
  namesOf,
  remember,
  type SeenOrder,
  type SeenOrders,
} from './seen-order.ts'

/** What the text of a webhook says. */
interface WebhookBody {
  /** All of it. */
  readonly fields: JsonObject
  /** A field at the top, or in the envelope's `data`. */
  readonly text: (name: string) => string | undefined
}

type JsonObject = Readonly<Record<string, unknown>>

/** Reads the text of a webhook; null where it is no JSON object. */
function readWebhook(body: string): WebhookBody | null {
  const fields = objectIn(body)
  if (fields === null) return null
  const data = objectOf(fields.data)
  return { fields, text: (name) => textIn(fields, name) ?? textIn(data, name) }
}

/** Whether it is a token (`webhook.format: jwt`), which shows nothing of what it says. */
const isToken = (body: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(body)

function objectIn(body: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function textIn(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' ? value : undefined
}

const lateMs = 30_000
const veryLateMs = 600_000
/** Up to here a time counts as right; from here on a receiver has to refuse it. */
const toleratedMs = 300_000
/** A second copy within this time counts as sent at the same time. */
const togetherMs = 1_000

/** Notes that attempts leave, and which are on their way beside them. */
export function leaves(deliveries: readonly Attempted[], orders: SeenOrders): void {
  for (const { id, orderId, orderStatus, webhookId, attempt, plan } of deliveries) {
    const order = orders.get(orderId)
    const { lost, drop } = faultsAt(plan, attempt)
    if (order === undefined || lost || drop) continue
    const others = [...order.inFlight.values()]
    const flying: Flying = { orderStatus, webhookId, afterFinal: order.finalSent, beside: [...others] }
    for (const other of others) other.beside.push(flying)
    order.inFlight.set(id, flying)
  }
}

/** The hazards that the end of an attempt shows. */
export function attemptHazards(event: AttemptEvent, orders: SeenOrders): string[] {
  const { delivery, result } = event
  const order = orders.get(delivery.orderId)
  const flying = order?.inFlight.get(delivery.id)
  order?.inFlight.delete(delivery.id)
  const faults = faultsAt(delivery.plan, delivery.attempt)
  if (!hasReached(faults, result)) return order === undefined ? [] : lostHazards(event, faults, order)
  const body = readWebhook(delivery.body)
  const isGenuine = isOfService(delivery, body, faults)
  return [
    ...textHazards(delivery, body, faults, orders),
    ...(faults.cut !== undefined && result.outcome === 'connection' ? ['webhook-cut'] : []),
    ...(order === undefined ? [] : orderHazards(event, order, flying, isGenuine)),
  ]
}

/** Whether anything came to the endpoint: nothing does that a fault keeps back, or where nobody listens. */
const hasReached = ({ lost, drop, cut }: AttemptFaults, { outcome }: AttemptResult): boolean =>
  !lost && !drop && (outcome !== 'connection' || cut !== undefined)

/** What it means that a fault keeps every attempt of a webhook from its endpoint. */
function lostHazards({ delivery }: AttemptEvent, faults: AttemptFaults, order: SeenOrder): string[] {
  const isForEver = (delivery.plan?.faults ?? []).some(
    ({ lost, drop, times, attempt }) => drop || (lost && times === undefined && attempt === undefined),
  )
  if (!isForEver || !(faults.lost || faults.drop)) return []
  if (delivery.orderStatus === 'CREATED') order.lacksCreated = true
  return isTerminal(delivery.orderStatus) ? ['webhook-lost'] : []
}

/** What is unusual about a webhook's text, its signature, and what it says. */
function textHazards(
  delivery: Attempted,
  body: WebhookBody | null,
  faults: AttemptFaults,
  orders: SeenOrders,
): string[] {
  // Another client's webhook is signed with that client's secret, which is the right one.
  const isOthers = (body?.text('clientId') ?? delivery.clientId) !== delivery.clientId
  const signing = signingHazards(faults, isOthers)
  if (isToken(delivery.body)) return signing
  if (body === null) return ['webhook-no-event', ...signing]
  return [
    ...namesOf({ ...bodyFacts(body, delivery), 'webhook-other-client': isOthers }),
    ...signing,
    ...(isOthers || signing.includes('webhook-forged') ? [] : claimHazards(body, delivery, orders)),
  ]
}

/** The fields of a webhook in its usual formats, and what a template can put into one. */
const usualFields: ReadonlySet<string> = new Set([
  ...['requestId', 'clientId', 'orderId', 'orderStatus', 'orderType', 'eventType', 'errorCode'],
  ...['type', 'data', 'error'],
  ...['errorMessage', 'eventTimestamp', 'eventTime', 'webhookId'],
])

function bodyFacts({ fields, text }: WebhookBody, { body }: Attempted) {
  const eventType = text('eventType') ?? text('type')
  const orderStatus = text('orderStatus')
  return {
    'webhook-new-fields': Object.keys(fields).some((name) => !usualFields.has(name)),
    'webhook-unknown-event': eventType !== undefined && eventType !== orderEventType,
    'webhook-null-error': fields.errorCode === null || fields.error === null,
    'webhook-pretty': JSON.stringify(fields) !== body,
    'webhook-unknown-status': orderStatus !== undefined && !isKnownStatus(orderStatus),
  }
}

function signingHazards(
  { sign = 'right', tamper = false, timestampMs = 0 }: AttemptFaults,
  isOthers: boolean,
): string[] {
  const offMs = Math.abs(timestampMs)
  return namesOf({
    'webhook-forged': (sign !== 'right' && !isOthers) || tamper,
    'webhook-wrong-time': offMs > toleratedMs,
    'webhook-clock-off': offMs > 0 && offMs <= toleratedMs,
  })
}

/** A webhook may say of an order what is not true, or name one that does not exist. */
function claimHazards({ text }: WebhookBody, { orderId, sequence }: Attempted, orders: SeenOrders): string[] {
  const named = text('orderId')
  const status = text('orderStatus')
  if (named === undefined || status === undefined) return []
  const order = orders.get(named)
  // An order that was never seen may be from before the start, unless it stands beside one that was.
  if (order === undefined) return namesOf({ 'webhook-unknown-order': sequence > 0 && named !== orderId })
  return namesOf({ 'webhook-untrue': isTerminal(status) && status !== order.status })
}

/** What an attempt means beside the others of its order. */
function orderHazards(
  { delivery, at, url, result }: AttemptEvent,
  order: SeenOrder,
  flying: Flying | undefined,
  isGenuine: boolean,
): string[] {
  const { id, webhookId, orderStatus, orderType, createdAt, dueAt, plan } = delivery
  const before = order.sent.get(webhookId)
  const isFinal = isGenuine && isTerminal(orderStatus)
  // Not from when it left: on a fast clock that is seconds later by itself.
  const lateBy = before === undefined && isFinal ? (dueAt ?? createdAt) - createdAt : 0
  const isBeside = (fits: (other: Flying) => boolean) => flying?.beside.some(fits) ?? false
  const teller = `${orderStatus} ${orderType}`
  const isAccepted = before?.accepted ?? false
  // On a clock that stands, only the rule tells a second delivery from a later one.
  const isTogether =
    before !== undefined && at - before.at < togetherMs && !plan?.by?.includes('webhook-again-later')
  const hazards = {
    'webhook-twice': isBeside((other) => other.webhookId === webhookId) || (isAccepted && isTogether),
    'webhook-again-later': isAccepted && !isTogether,
    'webhook-retried': before !== undefined && before.deliveryId === id && !isAccepted,
    'webhook-another-id': isGenuine && (order.tellers.get(teller) ?? webhookId) !== webhookId,
    'webhook-two-legs':
      isGenuine &&
      [...order.tellers.keys()].some((other) => other !== teller && other.startsWith(`${orderStatus} `)),
    'webhook-retry-meets-next':
      (orderStatus === 'CREATED' && isBeside((other) => isTerminal(other.orderStatus))) ||
      (isFinal && isBeside((other) => other.orderStatus === 'CREATED')),
    'webhook-reversed':
      orderStatus === 'CREATED' && before === undefined && (flying?.afterFinal ?? order.finalSent),
    'webhook-no-created': isFinal && order.lacksCreated,
    'webhook-late': lateBy >= lateMs,
    'webhook-very-late': lateBy >= veryLateMs,
    'webhook-url-moved': order.url !== null && order.url !== url,
  }
  remember(order.sent, webhookId, {
    deliveryId: id,
    at,
    accepted: isAccepted || result.outcome === 'accepted',
  })
  if (isGenuine && !order.tellers.has(teller)) remember(order.tellers, teller, webhookId)
  order.finalSent ||= isFinal
  order.url = url
  return namesOf(hazards)
}

/** Whether it is a webhook of the service about this order, and nothing that somebody has made up beside it. */
function isOfService(
  { body: text, orderId, clientId }: Attempted,
  body: WebhookBody | null,
  { sign = 'right', tamper = false }: AttemptFaults,
): boolean {
  if (sign !== 'right' || tamper) return false
  if (isToken(text)) return true
  const says = (name: string, wanted: string) => (body?.text(name) ?? wanted) === wanted
  const type = body?.text('eventType') ?? body?.text('type') ?? orderEventType
  return body !== null && type === orderEventType && says('orderId', orderId) && says('clientId', clientId)
}
