import type { z } from 'zod'
import type { delivery as deliveryShape } from '../../../control/shapes/delivery.ts'
import type { order as orderShape } from '../../../control/shapes/order.ts'
import type { journalEntry } from '../../../control/shapes/request.ts'
import type { RetryPolicy } from '../../../domain/retry.ts'
import { isTerminal } from '../../../domain/statuses.ts'
import { type Tone, toneOf } from '../parts.tsx'
import { orderPath, requestPath } from '../paths.ts'
import { attemptsMade, nextAttempt } from './attempts-told.ts'
import { historyTold } from './history-told.ts'

export type ShownOrder = z.output<typeof orderShape>
export type ShownDelivery = z.output<typeof deliveryShape>
export type ShownRequest = z.output<typeof journalEntry>

/** Which line of the drawing a happening stands on. */
export type Lane = 'step' | 'webhook' | 'request' | 'charge'

/** One thing in the life of an order, done or to come. */
export interface Happening {
  /** Stable as long as the thing is the same one. */
  readonly id: string
  readonly lane: Lane
  /** On the client's clock; null where nobody knows when it comes. */
  readonly at: number | null
  /** Where it stands for several, when the last of them was. */
  readonly until?: number
  readonly done: boolean
  readonly tone: Tone
  /** A word or two for the drawing. */
  readonly label: string
  readonly words: string
  /** What else is to be known of it. */
  readonly more?: string
  /** Where there is more of it, below `/_emulator`. */
  readonly path?: string
  /** Which delivery it is an attempt of. */
  readonly deliveryId?: string
  /** How many it stands for; 1 if left out. */
  readonly count?: number
}

/** What the story of an order is made of. */
export interface Sources {
  readonly order: ShownOrder
  /** Its own, oldest first. */
  readonly deliveries: readonly ShownDelivery[]
  /** About its requestId, oldest first. */
  readonly requests: readonly ShownRequest[]
  /** The later charges, if it is the first order of a subscription. */
  readonly charges: readonly ShownOrder[]
  /** Of its client's clock. */
  readonly now: number
  readonly retry: RetryPolicy
}

/** What happened to an order and what is to come, in order of time; what nobody can date stands last. */
export function storyOf(sources: Sources): readonly Happening[] {
  const happenings = [
    ...sources.requests.filter(makesOrders).map(requestMade),
    ...historyTold(sources),
    ...sources.charges.map(chargeMade),
    ...sources.deliveries.flatMap(attemptsMade),
    ...sources.requests.filter((request) => !makesOrders(request)).map(requestMade),
    ...sources.deliveries.flatMap((delivery) => nextAttempt(delivery, sources)),
    ...coming(sources.order),
    ...expiry(sources),
  ]
  // Stable: of one moment the cause stands before what follows from it.
  return folded(happenings.toSorted((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity) || later(a) - later(b)))
}

/** Of a story, so much can be read, and drawn. */
const mostDone = 150
const mostToCome = 50

/** The part of a story around its now: the latest that was done, and what comes next.
 *  @returns how many things it leaves out, too */
export function latestOf(story: readonly Happening[]): { story: readonly Happening[]; left: number } {
  const done = story.filter((happening) => happening.done)
  const toCome = story.filter((happening) => !happening.done)
  const told = [...done.slice(-mostDone), ...toCome.slice(0, mostToCome)]
  return { story: told, left: story.length - told.length }
}

/** What is to come follows what is done, also at one moment; `Infinity - Infinity` above is no number. */
const later = ({ done }: Happening): number => (done ? 0 : 1)

const makesOrders = ({ operation }: ShownRequest): boolean => operation?.startsWith('create') ?? false

function requestMade({ id, at, operation, method, path, status, diagnosis }: ShownRequest): Happening {
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

const chargeMade = ({ orderId, charge, createdAt, orderStatus }: ShownOrder): Happening => ({
  ...{ id: `charge-${charge}`, lane: 'charge', at: createdAt, done: true, path: orderPath(orderId) },
  tone: toneOf(orderStatus),
  label: String(charge),
  words: `Charge ${charge}: ${orderStatus}`,
})

/** The steps that the scenario still has. */
const coming = ({ timeline, waitsForPayer }: ShownOrder): Happening[] =>
  timeline.flatMap(({ dueAt, what, doneAt }, index): Happening[] => {
    if (doneAt !== null) return []
    const isCharge = /^charge \d+$/.test(what)
    // The payer's step keeps its planned moment, but somebody has to come.
    const isPayers = waitsForPayer && timeline.findIndex((step) => step.doneAt === null) === index
    return [
      {
        ...{ id: `step-${index}`, lane: isCharge ? 'charge' : 'step', done: false, tone: 'waiting' },
        at: isPayers ? null : dueAt,
        label: isCharge ? what.replace('charge ', '') : what.replace(/^order /, ''),
        words: isCharge ? what.replace('charge', 'Charge') : what,
        ...(isPayers
          ? { more: 'waits for the payer' }
          : dueAt === null
            ? { more: 'after the payer or a lookup' }
            : {}),
      },
    ]
  })

function expiry({ order, now }: Sources): Happening[] {
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

/** In a row as many as are still told one by one. */
const fewRequests = 3

/** The story with long rows of equal requests told as one: who polls fills it otherwise. */
function folded(happenings: readonly Happening[]): Happening[] {
  const rows: Happening[][] = []
  for (const happening of happenings) {
    const row = rows.at(-1)
    const before = row?.[0]
    const alike =
      happening.lane === 'request' && before?.lane === 'request' && before.words === happening.words
    if (row !== undefined && alike) row.push(happening)
    else rows.push([happening])
  }
  return rows.flatMap((row) => {
    const [first] = row
    const last = row.at(-1)
    if (first === undefined || last?.at == null || row.length <= fewRequests) return row
    return [{ ...first, until: last.at, count: row.length, words: `${row.length} × ${first.words}` }]
  })
}
