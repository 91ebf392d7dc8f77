import type { Decision } from '../decision.ts'
import type { JournalEntry } from '../journal-entry.ts'
import { answerHazards } from './answer-hazards.ts'
import { decisionHazards } from './decision-hazards.ts'
import type { AttemptEvent, CoverageEvent, Section } from './event.ts'
import { SeenOrders } from './seen-order.ts'
import { attemptHazards, leaves } from './webhook-hazards.ts'

/** Something that has just been met. */
export type Meeting = readonly [section: Section, name: string]

/** Works out what a suite has met from what happens. Several events may have to come together for one hazard, so it
 *  remembers the orders that it has seen. */
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

/** `refund 2` is the second of its order. */
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
