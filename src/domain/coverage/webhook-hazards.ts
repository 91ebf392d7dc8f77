import { isTerminal, orderEventType } from '../order/statuses.ts'
import { isMapping } from '../text/objects.ts'
import type { AttemptResult } from '../webhook/delivery.ts'
import { faultsAt } from '../webhook/faults/attempt-faults.ts'
import type { AttemptFaults } from '../webhook/faults/faults.ts'
import { haveValidSignature } from '../webhook/faults/signatures.ts'
import { type ReadEvent, type ReadingSettings, readEvents } from '../webhook/read-events.ts'
import type { AttemptEvent, Attempted } from './seen-order.ts'
import {
  type Flying,
  isKnownStatus,
  namesOf,
  remember,
  type SeenOrder,
  type SeenOrders,
} from './seen-order.ts'

/** The body of a webhook as JSON. */
interface WebhookBody {
  /** The fields at the top; of a list, those of its first element. */
  readonly fields: JsonObject
  /** The event in the body, in the emulator's own words. */
  readonly event: ReadEvent
}

type JsonObject = Readonly<Record<string, unknown>>

/** Reads the body of a webhook; null unless it is an event as JSON. */
function readWebhook(body: string, settings: ReadingSettings): WebhookBody | null {
  const value = jsonIn(body)
  const [event] = readEvents(body, settings)
  const first: unknown = Array.isArray(value) && event !== undefined ? value[0] : value
  return isMapping(first) ? { fields: { ...first }, event: event ?? {} } : null
}

/** Whether a body is a token (`webhook.format: jwt`), whose contents are not readable. */
const isToken = (body: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(body)

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

const lateMs = 30_000
const veryLateMs = 600_000
/** The accepted deviation of a timestamp; beyond it a receiver has to reject the webhook. */
const toleratedMs = 300_000
/** A second copy within this time counts as simultaneous. */
const togetherMs = 1_000

/** Records that attempts are being sent, and which other ones are in flight. */
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

/** Finds the hazards that the end of a webhook attempt shows. */
export function attemptHazards(event: AttemptEvent, orders: SeenOrders): string[] {
  const { delivery, result } = event
  const order = orders.get(delivery.orderId)
  const flying = order?.inFlight.get(delivery.id)
  order?.inFlight.delete(delivery.id)
  const faults = faultsAt(delivery.plan, delivery.attempt)
  if (!hasReached(faults, result)) return order === undefined ? [] : lostHazards(event, faults, order)
  const body = readWebhook(delivery.body, event.settings)
  const isGenuine = isOfService(delivery, body, faults)
  return [
    ...textHazards(event, body, faults, orders),
    ...(event.severalSignatures ? ['two-signatures'] : []),
    ...(faults.cut !== undefined && result.outcome === 'connection' ? ['webhook-cut'] : []),
    ...(order === undefined ? [] : orderHazards(event, order, flying, isGenuine)),
  ]
}

/** Whether an attempt reached the endpoint: not if a fault prevented it, or nothing listens. */
const hasReached = ({ lost, drop, cut }: AttemptFaults, { outcome }: AttemptResult): boolean =>
  !lost && !drop && (outcome !== 'connection' || cut !== undefined)

/** The hazards of a webhook whose every attempt a fault keeps from its endpoint. */
function lostHazards({ delivery }: AttemptEvent, faults: AttemptFaults, order: SeenOrder): string[] {
  const isForEver = (delivery.plan?.faults ?? []).some(
    ({ lost, drop, times, attempt }) => drop || (lost && times === undefined && attempt === undefined),
  )
  if (!isForEver || !(faults.lost || faults.drop)) return []
  if (delivery.orderStatus === 'CREATED') order.lacksCreated = true
  return isTerminal(delivery.orderStatus) ? ['webhook-lost'] : []
}

/** The hazards in a webhook's text, signature and fields. */
function textHazards(
  { delivery, settings }: AttemptEvent,
  body: WebhookBody | null,
  faults: AttemptFaults,
  orders: SeenOrders,
): string[] {
  // Another client's webhook is correctly signed with that client's secret.
  const isOthers = (body?.event.clientId ?? delivery.clientId) !== delivery.clientId
  const signing = signingHazards(faults, isOthers)
  if (isToken(delivery.body)) return signing
  if (body === null) return ['webhook-no-event', ...signing]
  return [
    ...namesOf({ ...bodyFacts(body, delivery, settings), 'webhook-other-client': isOthers }),
    ...signing,
    ...(isOthers || signing.includes('webhook-forged') ? [] : claimHazards(body, delivery, orders)),
  ]
}

/** The fields of webhooks in the usual formats and templates. */
const usualFields: ReadonlySet<string> = new Set([
  ...['requestId', 'clientId', 'orderId', 'orderStatus', 'orderType', 'eventType', 'errorCode'],
  ...['type', 'data', 'error'],
  ...['errorMessage', 'eventTimestamp', 'eventTime', 'webhookId'],
])

function bodyFacts(
  { fields, event: { eventType, orderStatus } }: WebhookBody,
  { body }: Attempted,
  settings: ReadingSettings,
) {
  const known = new Set([...usualFields, ...fieldsOf(settings)])
  return {
    'webhook-new-fields': Object.keys(fields).some((name) => !known.has(name)),
    'webhook-unknown-event': eventType !== undefined && eventType !== orderEventType,
    'webhook-null-error': fields.errorCode === null || fields.error === null,
    'webhook-pretty': JSON.stringify(jsonIn(body)) !== body,
    'webhook-unknown-status': orderStatus !== undefined && !isKnownStatus(orderStatus),
  }
}

/** The fields at the top of the templates. */
function fieldsOf(settings: ReadingSettings): readonly string[] {
  const templates = [settings['webhook.template'], settings['webhook.refundTemplate']]
  const objects = templates.map((template) => (Array.isArray(template) ? template[0] : template))
  return objects.filter(isMapping).flatMap((template) => Object.keys(template))
}

function signingHazards(faults: AttemptFaults, isOthers: boolean): string[] {
  const offMs = Math.abs(faults.timestampMs ?? 0)
  return namesOf({
    'webhook-forged': !isGenuinelySigned({ ...faults, ...(isOthers && { sign: 'right' }) }),
    'webhook-wrong-time': offMs > toleratedMs,
    'webhook-clock-off': offMs > 0 && offMs <= toleratedMs,
  })
}

/** The hazards of false claims: a webhook may misstate an order, or name an unknown one. */
function claimHazards(
  { event }: WebhookBody,
  { orderId, sequence }: Attempted,
  orders: SeenOrders,
): string[] {
  const { orderId: named, orderStatus: status } = event
  if (named === undefined || status === undefined) return []
  const order = orders.get(named)
  // An unseen order may be from before the start, unless it comes beside a seen one.
  if (order === undefined) return namesOf({ 'webhook-unknown-order': sequence > 0 && named !== orderId })
  return namesOf({ 'webhook-untrue': isTerminal(status) && status !== order.status })
}

/** Finds hazards by comparing an attempt with others of the same order. */
function orderHazards(
  { delivery, at, url, result }: AttemptEvent,
  order: SeenOrder,
  flying: Flying | undefined,
  isGenuine: boolean,
): string[] {
  const { id, webhookId, orderStatus, orderType, createdAt, dueAt, plan } = delivery
  const before = order.sent.get(webhookId)
  const isFinal = isGenuine && isTerminal(orderStatus)
  // Counted from its due time: on a fast clock a webhook is sent seconds later anyway.
  const lateBy = before === undefined && isFinal ? (dueAt ?? createdAt) - createdAt : 0
  const isBeside = (fits: (other: Flying) => boolean) => flying?.beside.some(fits) ?? false
  const eventKey = `${orderStatus} ${orderType}`
  const isAccepted = before?.accepted ?? false
  // On a clock that stands still, only the rule distinguishes a second delivery from a later one.
  const isTogether =
    before !== undefined && at - before.at < togetherMs && !plan?.by?.includes('webhook-again-later')
  const hazards = {
    'webhook-twice': isBeside((other) => other.webhookId === webhookId) || (isAccepted && isTogether),
    'webhook-again-later': isAccepted && !isTogether,
    'webhook-retried': before !== undefined && before.deliveryId === id && !isAccepted,
    'webhook-another-id': isGenuine && (order.idsByEvent.get(eventKey) ?? webhookId) !== webhookId,
    'webhook-two-legs':
      isGenuine &&
      [...order.idsByEvent.keys()].some((other) => other !== eventKey && other.startsWith(`${orderStatus} `)),
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
  if (isGenuine && !order.idsByEvent.has(eventKey)) remember(order.idsByEvent, eventKey, webhookId)
  order.finalSent ||= isFinal
  order.url = url
  return namesOf(hazards)
}

/** Whether a webhook is the service's own about this order, and not an invented one. */
function isOfService(
  { body: text, orderId, clientId }: Attempted,
  body: WebhookBody | null,
  faults: AttemptFaults,
): boolean {
  if (!isGenuinelySigned(faults)) return false
  if (isToken(text)) return true
  if (body === null) return false
  const { event } = body
  const isUsual = (event.eventType ?? orderEventType) === orderEventType
  return isUsual && (event.orderId ?? orderId) === orderId && (event.clientId ?? clientId) === clientId
}

const isGenuinelySigned = (faults: AttemptFaults): boolean =>
  (faults.sign ?? 'right') === 'right' && !faults.tamper && haveValidSignature(faults)
