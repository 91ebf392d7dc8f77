import type { JournalEntry } from '../journal/entry.ts'
import type { Decision } from '../order/decision.ts'
import { isTerminal } from '../order/statuses.ts'
import { compareAmounts } from '../text/money.ts'
import { answerHazards } from './answer-hazards.ts'
import type { AttemptEvent, CoverageEvent, Section } from './seen-order.ts'
import { namesOf, SeenOrders } from './seen-order.ts'
import { attemptHazards, leaves } from './webhook-hazards.ts'

/** An orderId in its usual form. */
const usualId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The hazards in a change of an order. */
function decisionHazards({ order, history, events }: Decision, orders: SeenOrders): string[] {
  const { orderId, orderStatus, receivedAmount, cryptoAmount, charge, refundError } = order
  const isNew = order.version === 1
  const known = isNew ? undefined : orders.get(orderId)
  const seen = known ?? orders.add(order)
  seen.status = orderStatus
  // The create call of an order from before the start is over.
  if (!isNew && known === undefined) seen.answered = true
  const isTold = events.some((event) => event.orderStatus === orderStatus)
  const waits = (order.terms.turns?.waiting ?? []).some(({ event }) => event.orderStatus === orderStatus)
  if (isNew && orderStatus === 'CREATED' && !isTold && !waits) seen.lacksCreated = true
  const ends = isTerminal(orderStatus) && history.some(({ what }) => what === 'order')
  const hasFailed = ends && orderStatus === 'FAILED'
  const paid = receivedAmount === null ? 0 : compareAmounts(receivedAmount, cryptoAmount)
  return namesOf({
    'ids-other-shape': isNew && !usualId.test(orderId),
    'order-failed': hasFailed,
    'order-paid-then-failed': hasFailed && order.paymentStatus === 'COMPLETED' && paid >= 0,
    'order-underpaid': ends && paid < 0,
    'order-overpaid': ends && paid > 0,
    'subscription-charge-failed': hasFailed && charge > 1,
    'refund-failed': refundError !== null && history.some(({ what }) => what === 'refund error'),
    'webhook-lost': ends && !isTold && !waits,
  })
}

/** A hazard or another fact that was just met. */
export type Meeting = readonly [section: Section, name: string]

/** Derives the hazards that a suite meets from the feed's events. A hazard may need several events, so the watch
 *  remembers the orders it has seen. */
export class CoverageWatch {
  readonly #orders = new SeenOrders()

  meetings(event: CoverageEvent): Meeting[] {
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

const asHazards = (names: readonly string[]): Meeting[] => names.map((name) => ['hazards', name] as const)

/** `refund 2` is the second refund of its order. */
const kindOf = (what: string): string => (what.startsWith('refund ') ? 'refund' : what)

function ofDecision({ order, history }: Decision): Meeting[] {
  const meetings: Meeting[] = []
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

function ofAttempt({ result }: AttemptEvent): Meeting[] {
  const ended = result.next.status === 'dead' ? [['attempts', 'dead'] as const] : []
  return [['attempts', result.outcome], ...ended]
}

function ofRequest({ operation, status, diagnosis }: JournalEntry): Meeting[] {
  const cause = diagnosis === null ? '' : ` ${diagnosis.cause}`
  const answer = `${operation ?? 'unknown'} ${status === 0 ? 'none' : status}${cause}`
  const taken: Meeting[] = diagnosis?.cause === 'requestId.taken' ? [['errorCodes', '7001']] : []
  return [['answers', answer], ...taken]
}
