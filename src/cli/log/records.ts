import type { Decision } from '../../domain/decision.ts'
import type { AttemptOutcome } from '../../domain/delivery.ts'
import type { JournalEntry } from '../../domain/journal-entry.ts'
import type { ScenarioNews } from '../../domain/scenario/scenario-news.ts'
import { formatProblem } from '../../domain/yaml-source.ts'
import type { FeedEvent } from '../../journal/feed.ts'
import { maskedUrl } from './one-line.ts'

/** What the log tells, with the member names of the JSON log. */
export type LogRecord = RequestRecord | DeliveryRecord | UnsentRecord | OrderRecord | ScenarioRecord

/** A request to the service and how it was answered. */
export interface RequestRecord {
  readonly event: 'request'
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly operation: string | null
  readonly clientId: string | null
  readonly requestId: string | null
  /** Why it was refused. */
  readonly cause?: string
  readonly message?: string
  readonly notes?: readonly string[]
}

/** One attempt to deliver a webhook. */
export interface DeliveryRecord {
  readonly event: 'delivery'
  readonly id: string
  readonly webhookId: string
  readonly clientId: string
  readonly requestId: string
  readonly orderStatus: string
  readonly url: string
  readonly attempt: number
  readonly outcome: AttemptOutcome
  readonly status: number | null
  readonly ms: number
  readonly error?: string
  /** What becomes of the delivery. */
  readonly next: 'delivered' | 'dead' | 'pending'
  /** On the client's clock. */
  readonly nextInMs?: number
}

/** A webhook that had nowhere to go (N48). */
export interface UnsentRecord {
  readonly event: 'delivery-skipped'
  readonly clientId: string
  readonly requestId: string
  readonly orderStatus: string
  readonly body: string
}

/** An order that began, or took another status. */
export interface OrderRecord {
  readonly event: 'order'
  readonly orderId: string
  readonly requestId: string
  readonly clientId: string
  readonly kind: string
  readonly orderStatus: string
  readonly from?: string
  readonly errorCode?: string
}

/** What became of an added scenario file. */
export interface ScenarioRecord {
  readonly event: 'scenario'
  readonly id: string
  readonly file: string
  readonly change: ScenarioNews['change']
  /** `file:line:column: what is wrong`, each. */
  readonly problems?: readonly string[]
}

/** What the log tells of something that happened. Secrets stay out of it. */
export function recordsOf(event: FeedEvent): LogRecord[] {
  switch (event.type) {
    case 'request':
      return [requestRecord(event.entry)]
    case 'attempt':
      return [deliveryRecord(event)]
    case 'skipped': {
      const { clientId, requestId, orderStatus, body } = event.delivery
      return [{ event: 'delivery-skipped', clientId, requestId, orderStatus, body }]
    }
    case 'order':
      return orderRecords(event.decision)
    case 'claimed':
    case 'deliveries':
    case 'clocks':
    case 'worlds':
    case 'emptied':
      return []
    case 'scenario': {
      const { id, file, change, problems } = event.news
      const found = problems.length === 0 ? {} : { problems: problems.map(formatProblem) }
      return [{ event: 'scenario', id, file, change, ...found }]
    }
  }
}

function requestRecord(entry: JournalEntry): RequestRecord {
  const { id, method, path, status, ms, operation, clientId, requestId, diagnosis, notes } = entry
  return {
    event: 'request',
    id,
    method,
    path: maskedUrl(path),
    status,
    ms,
    operation,
    clientId,
    requestId,
    ...(diagnosis === null ? {} : { cause: diagnosis.cause, message: diagnosis.message }),
    ...(notes.length === 0 ? {} : { notes }),
  }
}

function deliveryRecord(event: FeedEvent & { type: 'attempt' }): DeliveryRecord {
  const { delivery, url, at, result } = event
  const { next, outcome, status, ms, error } = result
  return {
    event: 'delivery',
    id: delivery.id,
    webhookId: delivery.webhookId,
    clientId: delivery.clientId,
    requestId: delivery.requestId,
    orderStatus: delivery.orderStatus,
    url: maskedUrl(url),
    attempt: delivery.attempt,
    outcome,
    status,
    ms,
    ...(error === null ? {} : { error }),
    next: next.status,
    ...(next.status === 'pending' ? { nextInMs: Math.max(0, next.dueAt - at) } : {}),
  }
}

function orderRecords({ order, history }: Decision): OrderRecord[] {
  return history.flatMap(({ what, from, to }) => {
    if (what !== 'created' && what !== 'order') return []
    const orderStatus = to ?? order.orderStatus
    const { orderId, requestId, clientId, kind, errorReason } = order
    return [
      {
        event: 'order' as const,
        orderId,
        requestId,
        clientId,
        kind,
        orderStatus,
        ...(from === undefined ? {} : { from }),
        ...(errorReason === null ? {} : { errorCode: errorReason.errorCode }),
      },
    ]
  })
}
