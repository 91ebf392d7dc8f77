import { attemptWords } from '../../domain/explain/rule-words.ts'
import type { JournalEntry } from '../../domain/journal/entry.ts'
import { maskedUrl } from '../../domain/journal/masking.ts'
import type { Decision } from '../../domain/order/decision.ts'
import type { HistoryEntry } from '../../domain/order/order.ts'
import type { ScenarioNews } from '../../domain/scenario/scenario.ts'
import { formatProblem } from '../../domain/text/yaml-source.ts'
import type { AttemptOutcome } from '../../domain/webhook/delivery.ts'
import { overrideOf } from '../../domain/webhook/faults/attempt-faults.ts'
import type { FeedEvent } from '../../journal/feed.ts'
import type { ClockMove } from '../../time/scheduler.ts'

/** The records of the log, with the field names of the JSON log. */
export type LogRecord =
  | RequestRecord
  | DeliveryRecord
  | UnsentRecord
  | DeliveriesRecord
  | OrderRecord
  | ClockRecord
  | WorldRecord
  | ScenarioRecord

/** The log record of a request to the service, with its answer. */
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
  /** The cause of the refusal, by its name in the diagnosis. */
  readonly cause?: string
  readonly message?: string
  readonly notes?: readonly string[]
}

/** The log record of one attempt to deliver a webhook. */
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
  /** A fault replaced the status of the endpoint; `error` names both. */
  readonly overridden?: true
  /** The fault that was applied to the webhook. */
  readonly fault?: string
  /** The state of the delivery after the attempt. */
  readonly next: 'delivered' | 'dead' | 'pending'
  /** The number of failures in a row, if this attempt has paused the webhooks of the client. */
  readonly pausedAfter?: number
  /** The delay until the next attempt, on the client's clock. */
  readonly nextInMs?: number
}

/** The log record of a webhook that had no webhook URL (N48). */
export interface UnsentRecord {
  readonly event: 'delivery-skipped'
  readonly clientId: string
  readonly requestId: string
  readonly orderStatus: string
  readonly body: string
}

/** Webhooks that were held, released or sent again by hand. */
export interface DeliveriesRecord {
  readonly event: 'deliveries'
  readonly change: 'held' | 'released' | 'resent'
  readonly clientId: string
  readonly ids: readonly string[]
}

/** A client's clock that was moved, or changed its speed. */
export interface ClockRecord extends ClockMove {
  readonly event: 'clock'
}

/** A client that was reset or loaded from a snapshot; null for all clients. */
export interface WorldRecord {
  readonly event: 'world'
  readonly clientId: string | null
  readonly change: 'loaded' | 'reset'
}

/** An order that was created, changed its status, or had another event. */
export interface OrderRecord {
  readonly event: 'order'
  readonly orderId: string
  readonly requestId: string
  readonly clientId: string
  readonly kind: string
  readonly orderStatus: string
  readonly from?: string
  readonly errorCode?: string
  /** Other events: `paid`, `expired`, `payment page opened`, `payment COMPLETED`. */
  readonly also?: readonly string[]
}

/** The log record about an added scenario file that was read again. */
export interface ScenarioRecord {
  readonly event: 'scenario'
  readonly id: string
  readonly file: string
  readonly change: ScenarioNews['change']
  /** The problems of the file, each as `file:line:column: problem`. */
  readonly problems?: readonly string[]
}

/** Converts an event to log records, without secrets. */
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
    case 'deliveries': {
      const { change, clientId, ids } = event
      return change === 'made' || ids.length === 0 ? [] : [{ event: 'deliveries', change, clientId, ids }]
    }
    case 'moved':
      return event.moves
        .filter((move) => move.paceChanged || isMove(move))
        .map((move) => ({ event: 'clock', ...move }))
    case 'worlds':
      return event.clientIds.map((clientId) => ({ event: 'world', clientId, change: 'loaded' }))
    case 'reset':
      return [{ event: 'world', clientId: event.clientId ?? null, change: 'reset' }]
    case 'claimed':
    case 'clocks':
    case 'emptied':
    case 'setup':
      return []
    case 'scenario': {
      const { id, file, change, problems } = event.news
      const found = problems.length === 0 ? {} : { problems: problems.map(formatProblem) }
      return [{ event: 'scenario', id, file, change, ...found }]
    }
  }
}

/** Whether the clock was moved, and did not only change its speed. */
export const isMove = ({ from, now }: ClockMove): boolean => now > from

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
  const { delivery, url, at, result, pausedAfter } = event
  const { next, outcome, status, ms, error } = result
  const fault = attemptWords(delivery.plan, delivery.attempt)
  const override = overrideOf(delivery.plan, { n: delivery.attempt, status, error })
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
    ...(override === null ? {} : { overridden: true }),
    ...(fault === '' ? {} : { fault }),
    next: next.status,
    ...(next.status === 'pending' ? { nextInMs: Math.max(0, next.dueAt - at) } : {}),
    ...(pausedAfter === undefined ? {} : { pausedAfter }),
  }
}

function orderRecords({ order, history }: Decision): OrderRecord[] {
  const [main] = history.filter(({ what }) => what === 'created' || what === 'order')
  const also = history.filter((entry) => entry !== main && entry.what !== 'step').map(alsoWords)
  if (main === undefined && also.length === 0) return []
  const { orderId, requestId, clientId, kind, errorReason } = order
  return [
    {
      event: 'order',
      orderId,
      requestId,
      clientId,
      kind,
      orderStatus: main?.to ?? order.orderStatus,
      ...(main?.from === undefined ? {} : { from: main.from }),
      ...(errorReason === null ? {} : { errorCode: errorReason.errorCode }),
      ...(also.length === 0 ? {} : { also }),
    },
  ]
}

const alsoWords = ({ what, to }: HistoryEntry): string => (to === undefined ? what : `${what} ${to}`)
