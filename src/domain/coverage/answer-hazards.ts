import type { JournalEntry, Operation } from '../journal/entry.ts'
import { isTerminal } from '../order/statuses.ts'
import type { SeenOrders } from './seen-order.ts'
import { isKnownStatus, namesOf } from './seen-order.ts'

const lookups: readonly (Operation | null)[] = ['orders', 'crypto-orders', 'fiat-refunds']
const creates: readonly (Operation | null)[] = ['create-checkout-order', 'create-subscription-order']

/** The wall-clock milliseconds from which a create call counts as slow. */
const slowMs = 2_000

/** The hazards in the answer of a call. Its notes record faults on purpose. */
export function answerHazards(entry: JournalEntry, orders: SeenOrders): string[] {
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
    'lookup-behind': notes.some((note) => /^fault: .*still shows CREATED/.test(note)),
    'lookup-unknown-status': status === 200 && shownStatuses(response).some((one) => !isKnownStatus(one)),
    'lookup-fails-in-webhook': isFailed && inFlight.some(({ orderStatus }) => isTerminal(orderStatus)),
  })
}

/** The statuses in an answer. It may be cut in the log, and is then no JSON. */
const shownStatuses = (response: string): string[] =>
  [...response.matchAll(/"orderStatus":"([^"]*)"/g)].map(([, status = '']) => status)
