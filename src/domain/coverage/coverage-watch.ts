import type { JournalEntry, Operation } from '../journal/entry.ts'
import type { Decision } from '../order/decision.ts'
import { isOtherOrderId } from '../order/ids.ts'
import { isTerminal } from '../order/statuses.ts'
import { compareAmounts } from '../text/money.ts'
import {
  type AttemptEvent,
  type CoverageEvent,
  isKnownStatus,
  namesOf,
  type Section,
  SeenOrders,
} from './seen-order.ts'
import { attemptHazards, leaves } from './webhook-hazards.ts'

/** The hazards in a change of an order. */
function decisionHazards({ order, history, events }: Decision, orders: SeenOrders): string[] {
  const { orderId, orderStatus, receivedAmount, cryptoAmount, charge, refundError } = order
  const isNew = order.version === 1
  const known = isNew ? undefined : orders.get(orderId)
  const seen = known ?? orders.add(order)
  seen.status = orderStatus
  // The create call of an order from before the start is over.
  if (!isNew && known === undefined) seen.answered = true
  const isReported = events.some((event) => event.orderStatus === orderStatus)
  const waits = (order.terms.turns?.waiting ?? []).some(({ event }) => event.orderStatus === orderStatus)
  if (isNew && orderStatus === 'CREATED' && !isReported && !waits) seen.lacksCreated = true
  const ends = isTerminal(orderStatus) && history.some(({ what }) => what === 'order')
  const hasFailed = ends && orderStatus === 'FAILED'
  const paid = receivedAmount === null ? 0 : compareAmounts(receivedAmount, cryptoAmount)
  return namesOf({
    'ids-other-shape': isNew && isOtherOrderId(orderId),
    'order-failed': hasFailed,
    'order-paid-then-failed': hasFailed && order.paymentStatus === 'COMPLETED' && paid >= 0,
    'order-underpaid': ends && paid < 0,
    'order-overpaid': ends && paid > 0,
    'subscription-charge-failed': hasFailed && charge > 1,
    'refund-failed': refundError !== null && history.some(({ what }) => what === 'refund error'),
    'webhook-lost': ends && !isReported && !waits,
  })
}

/** A hazard or another item that a test has just met. */
export type HazardHit = readonly [section: Section, name: string]

/** Derives the hazards that a suite meets from the feed's events. A hazard may need several events, so the watch
 *  remembers the orders it has seen. */
export class CoverageWatch {
  readonly #orders = new SeenOrders()

  meetings(event: CoverageEvent): HazardHit[] {
    switch (event.type) {
      case 'order':
        return [...ofDecision(event.decision), ...asHazards(decisionHazards(event.decision, this.#orders))]
      case 'claimed':
        leaves(event.deliveries, this.#orders)
        return []
      case 'attempt':
        return [...ofAttempt(event), ...asHazards(attemptHazards(event, this.#orders))]
      case 'skipped':
        return [['attempts', 'skipped']]
      case 'request':
        return [...ofRequest(event.entry), ...asHazards(answerHazards(event.entry, this.#orders))]
    }
  }
}

const asHazards = (names: readonly string[]): HazardHit[] => names.map((name) => ['hazards', name] as const)

/** Returns the kind of a history entry: `refund 2` is the second refund of its order. */
const kindOf = (what: string): string => (what.startsWith('refund ') ? 'refund' : what)

function ofDecision({ order, history }: Decision): HazardHit[] {
  const meetings: HazardHit[] = []
  if (order.version === 1)
    meetings.push(['statuses', `order ${order.orderStatus}`], ['statuses', `payment ${order.paymentStatus}`])
  for (const { what, from, to } of history) {
    if (from === undefined || to === undefined) continue
    if (what === 'refund error') meetings.push(['errorCodes', to])
    else if (isCounted(kindOf(what))) {
      meetings.push(
        ['statuses', `${kindOf(what)} ${to}`],
        ['transitions', `${kindOf(what)} ${from} -> ${to}`],
      )
    }
    if (what === 'order' && order.errorReason !== null)
      meetings.push(['errorCodes', order.errorReason.errorCode])
  }
  return meetings
}

const isCounted = (kind: string): boolean => ['order', 'payment', 'refund'].includes(kind)

function ofAttempt({ result }: AttemptEvent): HazardHit[] {
  const ended = result.next.status === 'dead' ? [['attempts', 'dead'] as const] : []
  return [['attempts', result.outcome], ...ended]
}

function ofRequest({ operation, status, diagnosis }: JournalEntry): HazardHit[] {
  // A 429 is the same to the application, whether a rate limit or a fault causes it.
  const cause = diagnosis === null || diagnosis.cause === 'limit.reached' ? '' : ` ${diagnosis.cause}`
  const answer = `${operation ?? 'unknown'} ${status === 0 ? 'none' : status}${cause}`
  const taken: HazardHit[] = diagnosis?.cause === 'requestId.taken' ? [['errorCodes', '7001']] : []
  return [['answers', answer], ...taken]
}

const lookups: readonly (Operation | null)[] = ['orders', 'crypto-orders', 'fiat-refunds']
const creates: readonly (Operation | null)[] = ['create-checkout-order', 'create-subscription-order']

/** The wall-clock milliseconds from which a create call counts as slow. */
const slowMs = 2_000

/** The hazards in the answer of a call. Its notes record faults on purpose. */
function answerHazards(entry: JournalEntry, orders: SeenOrders): string[] {
  return [
    ...(creates.includes(entry.operation) ? createHazards(entry, orders) : []),
    ...(lookups.includes(entry.operation) ? lookupHazards(entry, orders) : []),
    ...anyHazards(entry),
  ]
}

function anyHazards({ diagnosis, response, notes }: JournalEntry): string[] {
  const hasNote = (pattern: RegExp) => notes.some((note) => pattern.test(note))
  const hazards = {
    'token-expires': diagnosis?.cause === 'token.expired',
    'tokens-refused': diagnosis?.cause === 'token.refused',
    'answer-new-fields': hasNote(/^fault: .*with unknown fields/),
    'answer-slow': hasNote(/^fault: .*(held for|answered slowly)/),
    'expiry-offset': otherOffset.test(response),
  }
  return namesOf(hazards)
}

const otherOffset = /"expiryTs":"[^"]*[+-](?!00:00)\d\d:\d\d"/

function createHazards(entry: JournalEntry, orders: SeenOrders): string[] {
  const { status, clientId, requestId, notes, ms, diagnosis } = entry
  if (status === 429) return ['create-429']
  // A call rejected by the service has created no order.
  if (diagnosis !== null) return []
  const order = orders.newestOf(clientId, requestId)
  const isStored = order !== undefined && !order.answered
  if (!isStored) return status >= 500 ? ['create-503'] : []
  order.answered = true
  const isCut = notes.some((note) => /^fault: .*cut after half/.test(note))
  const isHeld = notes.some((note) => /^fault: .*held for/.test(note))
  const isAnswered = status > 0 && !isCut
  return namesOf({
    'create-answer-lost': !isAnswered,
    'create-answer-500': isAnswered && status >= 500,
    'create-answer-slow': isAnswered && status < 400 && (isHeld || ms >= slowMs),
    'webhook-before-answer': order.sent.size > 0,
  })
}

function lookupHazards({ status, response, notes, clientId, requestId }: JournalEntry, orders: SeenOrders) {
  const isHtml = status >= 400 && response.trimStart().startsWith('<')
  const isFailed = status >= 500 || status === 0
  const inFlight = [...(orders.newestOf(clientId, requestId)?.inFlight.values() ?? [])]
  return namesOf({
    'lookup-503': status >= 500 && !isHtml,
    'lookup-429': status === 429,
    'lookup-html': isHtml,
    'lookup-behind': notes.some((note) => /^fault: .*before their last change/.test(note)),
    'lookup-unknown-status': status === 200 && shownStatuses(response).some((one) => !isKnownStatus(one)),
    'lookup-fails-in-webhook': isFailed && inFlight.some(({ orderStatus }) => isTerminal(orderStatus)),
  })
}

/** The statuses in an answer. It may be cut in the log, and is then no JSON. */
const shownStatuses = (response: string): string[] =>
  [...response.matchAll(/"orderStatus":"([^"]*)"/g)].map(([, status = '']) => status)
