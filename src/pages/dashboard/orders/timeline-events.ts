import type { z } from 'zod'
import type { delivery as deliveryShape } from '../../../control/shapes/delivery.ts'
import type { order as orderShape } from '../../../control/shapes/order.ts'
import type { journalEntry } from '../../../control/shapes/request.ts'
import type { ShownSettings } from '../../../domain/choices/settings.ts'
import { isTerminal } from '../../../domain/order/statuses.ts'
import { spanWords } from '../../../domain/text/duration.ts'
import { overrideOf } from '../../../domain/webhook/faults/attempt-faults.ts'
import { nextAttemptAt, type RetryPolicy } from '../../../domain/webhook/retry.ts'
import { type Tone, toneOf } from '../../framework/parts.tsx'
import { deliveryPath, orderPath, requestPath } from '../../framework/view.ts'
import { policyIn } from '../deliveries/next-try.ts'

/** Turns the past attempts of a delivery into timeline events. */
const attemptsMade = ({ id, orderStatus, attempts, plan }: ShownDelivery): TimelineEvent[] =>
  attempts.map((attempt) => {
    const { n, at, outcome, status, ms, error } = attempt
    const override = overrideOf(plan, attempt)
    const ended = override ?? `${outcome}${status === null ? '' : ` (${status})`}`
    const took = ms === null ? {} : { more: `after ${ms} ms` }
    return {
      ...{ id: `attempt-${id}-${n}`, lane: 'webhook', at, done: true, path: deliveryPath(id) },
      ...{ deliveryId: id, attempt: n },
      tone: override === null ? toneOf(outcome) : 'waiting',
      label: orderStatus,
      words: `Webhook ${orderStatus}, attempt ${n}: ${ended}`,
      ...(error === null || override !== null ? took : { more: error }),
    }
  })

/** Turns the coming attempt of a delivery into a timeline event. */
function nextAttempt(delivery: ShownDelivery, { settings }: Sources): TimelineEvent[] {
  const { id, orderStatus, status, dueAt, attempts } = delivery
  const common = {
    id: `next-${id}`,
    lane: 'webhook',
    done: false,
    tone: 'waiting',
    label: orderStatus,
    path: deliveryPath(id),
    deliveryId: id,
  } as const
  if (status === 'held')
    return [{ ...common, at: null, words: `Webhook ${orderStatus}: held until a release` }]
  if (status === 'skipped') {
    const words = `Webhook ${orderStatus}: not sent, no URL is registered`
    return [{ ...common, id: `skipped-${id}`, at: dueAt, done: true, words }]
  }
  if (status !== 'pending') return []
  if (dueAt === null)
    return [{ ...common, at: null, words: `Webhook ${orderStatus}: after its create call is answered` }]
  const n = attempts.length + 1
  return [
    {
      ...common,
      at: dueAt,
      words: `Webhook ${orderStatus}, attempt ${n}`,
      ...retriesAfter(dueAt, n, policyIn(settings, delivery.plan)),
    },
  ]
}

/** The further retries if the endpoint keeps failing. */
function retriesAfter(dueAt: number, n: number, retry: RetryPolicy): { more?: string } {
  let last = dueAt
  let count = 0
  for (let made = n; ; made += 1) {
    const next = nextAttemptAt(made, last, retry)
    if (next === null) break
    last = next
    count += 1
  }
  if (count === 0) return { more: 'the last one' }
  return { more: `if it fails, up to ${count} more within ${spanWords(last - dueAt)}` }
}

export type ShownOrder = z.output<typeof orderShape>
export type ShownDelivery = z.output<typeof deliveryShape>
export type ShownRequest = z.output<typeof journalEntry>

/** A row of the timeline drawing, by the kind of its events. */
export type Lane = 'step' | 'webhook' | 'request' | 'charge'

/** An event in the lifecycle of an order, past or coming. */
export interface TimelineEvent {
  /** The id of the event, stable across refreshes. */
  readonly id: string
  readonly lane: Lane
  /** On the client's clock; null for an undated event. */
  readonly at: number | null
  /** The time of the last one, if it stands for several. */
  readonly until?: number
  readonly done: boolean
  readonly tone: Tone
  /** One or two words for the drawing. */
  readonly label: string
  readonly words: string
  /** Further facts about the event, for the table. */
  readonly more?: string
  /** The path of the page with details, below `/_emulator`. */
  readonly path?: string
  /** The delivery to which an attempt belongs. */
  readonly deliveryId?: string
  /** The number of a past attempt. */
  readonly attempt?: number
  /** The number of events that it stands for; 1 if left out. */
  readonly count?: number
}

/** The sources of an order's time line. */
export interface Sources {
  readonly order: ShownOrder
  /** The deliveries of the order, oldest first. */
  readonly deliveries: readonly ShownDelivery[]
  /** The requests about the order's requestId, oldest first. */
  readonly requests: readonly ShownRequest[]
  /** The later charges of the first order of a subscription. */
  readonly charges: readonly ShownOrder[]
  /** The present time on the client's clock. */
  readonly now: number
  /** The client's settings, as the control API shows them. */
  readonly settings: ShownSettings
}

/** The past and coming events of an order, in order of time; undated ones come last. */
export function storyOf(sources: Sources): readonly TimelineEvent[] {
  const timelineEvents = [
    ...sources.requests.filter(makesOrders).map(requestMade),
    ...historyTold(sources),
    ...sources.charges.map(chargeMade),
    ...sources.deliveries.flatMap(attemptsMade),
    ...sources.requests.filter((request) => !makesOrders(request)).map(requestMade),
    ...sources.deliveries.flatMap((delivery) => nextAttempt(delivery, sources)),
    ...coming(sources.order),
    ...expiry(sources),
  ]
  // Stable: at the same time, a cause stands before its effects.
  return folded(
    timelineEvents.toSorted((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity) || later(a) - later(b)),
  )
}

/** The past and coming events that the order itself shows, for a list. */
export function outlineOf(order: ShownOrder, now: number): readonly TimelineEvent[] {
  const timelineEvents = [...historyTold({ order, charges: [] }), ...coming(order), ...expiry({ order, now })]
  return timelineEvents.toSorted((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity) || later(a) - later(b))
}

/** The maximum number of past events that are shown. */
const mostDone = 150
const mostToCome = 50

/** The part of a time line around the present: the latest past events, and the next.
 *  @returns also the number of events left out */
export function latestOf(story: readonly TimelineEvent[]): { story: readonly TimelineEvent[]; left: number } {
  const done = story.filter((event) => event.done)
  const toCome = story.filter((event) => !event.done)
  const shown = [...done.slice(-mostDone), ...toCome.slice(0, mostToCome)]
  return { story: shown, left: story.length - shown.length }
}

/** Sorts coming events after past ones of the same time. Undated events are `Infinity`, whose difference is not a
 *  number. */
const later = ({ done }: TimelineEvent): number => (done ? 0 : 1)

const makesOrders = ({ operation }: ShownRequest): boolean => operation?.startsWith('create') ?? false

function requestMade({ id, at, operation, method, path, status, diagnosis }: ShownRequest): TimelineEvent {
  const answer = status === 0 ? 'no answer' : String(status)
  return {
    ...{ id: `request-${id}`, lane: 'request', at, done: true, path: requestPath(id) },
    tone: status >= 200 && status < 400 ? 'good' : 'bad',
    label: requestLabel(operation),
    words: `${requestWords(operation) ?? `${method} ${path}`}: ${answer}`,
    ...(diagnosis === null ? {} : { more: diagnosis.message }),
  }
}

const lookups: readonly (string | null)[] = ['orders', 'crypto-orders', 'fiat-refunds']

function requestLabel(operation: ShownRequest['operation']): string {
  if (lookups.includes(operation)) return 'lookup'
  return operation?.startsWith('create') ? 'create' : 'request'
}

function requestWords(operation: ShownRequest['operation']): string | null {
  return lookups.includes(operation) ? `Lookup ${operation}` : operation
}

const chargeMade = ({ orderId, charge, createdAt, orderStatus }: ShownOrder): TimelineEvent => ({
  ...{ id: `charge-${charge}`, lane: 'charge', at: createdAt, done: true, path: orderPath(orderId) },
  tone: toneOf(orderStatus),
  label: String(charge),
  words: `Charge ${charge}: ${orderStatus}`,
})

/** Turns the coming steps of the scenario into timeline events. */
const coming = ({ timeline, waitsForPayer }: ShownOrder): TimelineEvent[] =>
  timeline.flatMap(({ dueAt, what, doneAt }, index): TimelineEvent[] => {
    if (doneAt !== null) return []
    const isCharge = /^charge \d+$/.test(what)
    // The payer's step keeps its planned time, but it depends on the payer.
    const isPayers = waitsForPayer && timeline.findIndex((step) => step.doneAt === null) === index
    return [
      {
        ...{ id: `step-${index}`, lane: isCharge ? 'charge' : 'step', done: false, tone: 'waiting' },
        // What follows the payer waits as well.
        at: waitsForPayer ? null : dueAt,
        label: isCharge ? what.replace('charge ', '') : what.replace(/^order /, ''),
        words: isCharge ? what.replace('charge', 'Charge') : what,
        ...(isPayers
          ? { more: 'waits for the payer' }
          : waitsForPayer || dueAt === null
            ? { more: 'after the payer or a lookup' }
            : {}),
      },
    ]
  })

function expiry({ order, now }: Pick<Sources, 'order' | 'now'>): TimelineEvent[] {
  const { orderStatus, expiresAt, kind } = order
  if (isTerminal(orderStatus) || orderStatus === 'ABANDONED') return []
  if (kind !== 'checkout' && kind !== 'subscription') return []
  const words = expiresAt > now ? 'The payment page expires' : 'The payment page expired'
  return [
    {
      id: 'expiry',
      lane: 'step',
      at: expiresAt,
      done: expiresAt <= now,
      tone: 'other',
      label: 'expiry',
      words,
    },
  ]
}

/** The number of equal requests in a row that are shown one by one. */
const fewRequests = 3

/** Folds long rows of equal requests, which polling produces. */
function folded(timelineEvents: readonly TimelineEvent[]): TimelineEvent[] {
  const rows: TimelineEvent[][] = []
  for (const event of timelineEvents) {
    const row = rows.at(-1)
    const before = row?.[0]
    const alike = event.lane === 'request' && before?.lane === 'request' && before.words === event.words
    if (row !== undefined && alike) row.push(event)
    else rows.push([event])
  }
  return rows.flatMap((row) => {
    const [first] = row
    const last = row.at(-1)
    if (first === undefined || last?.at == null || row.length <= fewRequests) return row
    return [{ ...first, until: last.at, count: row.length, words: `${row.length} × ${first.words}` }]
  })
}

/** The history, with the events of one step or act as one. */
function historyTold({ order, charges }: Pick<Sources, 'order' | 'charges'>): TimelineEvent[] {
  const shown = order.history.filter(({ what }) => !charges.some(({ charge }) => what === `charge ${charge}`))
  const groups: (typeof shown)[] = []
  for (const entry of shown) {
    const group = groups.at(-1)
    const before = group?.[0]
    const same = before?.at === entry.at && before.step === entry.step && before.what !== 'created'
    if (same) group?.push(entry)
    else groups.push([entry])
  }
  return groups.flatMap((entries, index): TimelineEvent[] => {
    const [first] = entries
    if (first === undefined) return []
    const end = entries.findLast(({ to }) => to !== undefined)
    return [
      {
        ...{ id: `history-${index}`, lane: 'step', at: first.at, done: true },
        tone: toneOf(end?.to ?? first.what),
        label: first.from === undefined ? first.what : (end?.to ?? first.what),
        words: entries.map(entryWords).join(', '),
        ...reasonOf(order, end?.to),
      },
    ]
  })
}

function entryWords({ what, from, to }: ShownOrder['history'][number]): string {
  if (to === undefined || what === 'created') return what
  return from === undefined || from === 'none' ? `${what} ${to}` : `${what} ${from} → ${to}`
}

function reasonOf({ errorReason }: ShownOrder, status: string | undefined): { more?: string } {
  if (status !== 'FAILED' || errorReason === null) return {}
  return { more: `${errorReason.errorCode}: ${errorReason.errorDesc}` }
}
