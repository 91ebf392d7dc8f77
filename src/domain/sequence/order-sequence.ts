import type { JournalEntry } from '../journal/entry.ts'
import type { Order } from '../order/order.ts'
import { statuses } from '../order/statuses.ts'
import { oneLine } from '../text/issue-words.ts'
import type { EpochMs } from '../text/time.ts'
import type { Attempt, Delivery } from '../webhook/delivery.ts'
import { faultsAt, overrideOf } from '../webhook/faults/attempt-faults.ts'
import { faultSentences } from '../webhook/faults/faults.ts'
import { type Change, type Dated, folded, inOrder } from './order-of-messages.ts'
import type { Message, Sequence } from './sequence.ts'

/** The data that a sequence is drawn from, as the control API shows it. */
export interface SequenceSources {
  readonly order: Pick<Order, 'requestId' | 'createdAt' | 'errorReason'> & {
    readonly history: readonly {
      readonly at: EpochMs
      readonly what: string
      readonly from?: string | undefined
      readonly to?: string | undefined
      readonly step?: number | undefined
    }[]
  }
  readonly deliveries: readonly (Pick<
    Delivery,
    'id' | 'webhookId' | 'orderStatus' | 'status' | 'createdAt' | 'plan'
  > & {
    readonly attempts: readonly Pick<Attempt, 'n' | 'at' | 'wallAt' | 'outcome' | 'status' | 'ms' | 'error'>[]
  })[]
  readonly requests: readonly Pick<
    JournalEntry,
    'id' | 'at' | 'wallAt' | 'ms' | 'operation' | 'method' | 'path' | 'status' | 'notes' | 'diagnosis'
  >[]
}

type SourceDelivery = SequenceSources['deliveries'][number]
type SourceRequest = SequenceSources['requests'][number]

/** The maximum number of messages in a sequence; older ones are left out. */
export const mostMessages = 300

/** Draws up the sequence of an order. The wall clock orders calls and webhooks; changes of the order stand before the
 *  webhooks that report them. */
export function sequenceOf({ order, deliveries, requests }: SequenceSources): Sequence {
  const creator = creatorOf(requests, order.createdAt)
  const dated = [
    ...requests.flatMap((request) => exchange(request, order.createdAt, request === creator)),
    ...attemptsOf(deliveries),
  ]
  const messages = folded(inOrder(dated, [...changes(order), ...deliveries.flatMap(unsent)]))
  const left = Math.max(0, messages.length - mostMessages)
  return {
    title: oneLine(`Order ${order.requestId}`),
    messages: messages
      .slice(left)
      .map((message) => ({ ...message, text: oneLine(message.text), more: oneLine(message.more) })),
    left,
  }
}

const lookups: readonly (string | null)[] = ['orders', 'crypto-orders', 'fiat-refunds']

const isCreateCall = ({ operation }: SourceRequest): boolean => operation?.startsWith('create-') ?? false
const isGood = ({ status }: SourceRequest): boolean => status >= 200 && status < 400

/** Finds the call that created an order: its answer may have been lost or replaced by an error. */
function creatorOf(requests: readonly SourceRequest[], createdAt: EpochMs): SourceRequest | undefined {
  const possible = requests.filter((request) => isCreateCall(request) && request.at >= createdAt)
  return possible.find(isGood) ?? possible.find(({ status }) => status < 400 || status >= 500)
}

/** A call of the application and its answer. */
function exchange(request: SourceRequest, createdAt: EpochMs, creates: boolean): Dated[] {
  const { id, at, wallAt, ms, operation, method, path, status, notes, diagnosis } = request
  const about = { type: 'request', id } as const
  const call = lookups.includes(operation)
    ? `lookup ${operation}`
    : (operation ?? `${method} ${path.split('?')[0]}`)
  return [
    {
      message: {
        ...{ id: `call-${id}`, kind: 'call', from: 'application', to: 'service', about, count: 1 },
        ...{ at: creates ? createdAt : at - ms, text: call, more: '', tone: 'other', lost: false },
      },
      // Only a create call can begin before its order.
      ...{ wallAt: wallAt - ms, isEstimate: true, notBefore: isCreateCall(request) ? undefined : createdAt },
      creates,
    },
    {
      message: {
        ...{ id: `answer-${id}`, kind: 'answer', from: 'service', to: 'application', about, count: 1, at },
        text: status === 0 ? 'no answer' : [status, diagnosis?.cause].filter(Boolean).join(' '),
        more: diagnosis?.message ?? notes.filter((note) => !usual.test(note)).join('; '),
        tone: isGood(request) ? 'good' : 'bad',
        lost: status === 0,
      },
      wallAt,
    },
  ]
}

/** Notes that nearly every call has. */
const usual = /^(?:signature form|scenario): /

function attemptsOf(deliveries: readonly SourceDelivery[]): Dated[] {
  const seen = new Set<string>()
  const attempts = deliveries.flatMap((delivery) =>
    delivery.attempts.map((attempt) => ({ delivery, attempt })),
  )
  return attempts
    .toSorted((a, b) => a.attempt.wallAt - b.attempt.wallAt)
    .flatMap(({ delivery, attempt }) => {
      // The id of a webhook whose acceptance the service has seen.
      const isDuplicate = seen.has(delivery.webhookId)
      if (attempt.outcome === 'accepted' || isDuplicate) seen.add(delivery.webhookId)
      return attemptMessages(delivery, attempt, isDuplicate)
    })
}

type SourceAttempt = SourceDelivery['attempts'][number]

/** A webhook on its way, and the answer of the webhook URL. */
function attemptMessages(delivery: SourceDelivery, attempt: SourceAttempt, isDuplicate: boolean): Dated[] {
  const { id, orderStatus, plan, createdAt } = delivery
  const { n, at, wallAt, outcome, status, ms, error } = attempt
  const about = { type: 'delivery', id } as const
  const lost = outcome === 'connection'
  const which = [
    `webhook ${orderStatus}`.trim(),
    ...(n > 1 && !isDuplicate ? [`attempt ${n}`] : []),
    ...(isDuplicate ? ['duplicate'] : []),
    ...(outcome === 'unknown' ? ['not answered yet'] : []),
    ...(lost ? [givenUp('not delivered', delivery, attempt)] : []),
  ]
  const sent: Dated = {
    message: {
      ...{
        id: `attempt-${id}-${n}`,
        kind: 'call',
        from: 'service',
        to: 'webhook',
        about,
        count: 1,
        at,
        lost,
      },
      text: which.join(', '),
      more: [...faultSentences(faultsAt(plan, n)), ...(lost && error !== null ? [error] : [])].join(' '),
      tone: lost ? 'bad' : outcome === 'unknown' ? 'waiting' : 'other',
    },
    wallAt,
    reports: { status: orderStatus, at: createdAt },
  }
  if (lost || outcome === 'unknown') return [sent]
  const override = overrideOf(plan, attempt)
  const timedOut = outcome === 'timeout'
  const ended = override ?? (timedOut ? 'no answer in time' : String(status))
  return [
    sent,
    {
      message: {
        ...{ id: `reply-${id}-${n}`, kind: 'answer', from: 'webhook', to: 'service', about, count: 1, at },
        text: givenUp(ended, delivery, attempt),
        more: override === null ? (error ?? '') : '',
        tone: override !== null ? 'waiting' : outcome === 'accepted' ? 'good' : 'bad',
        lost: timedOut,
      },
      wallAt: wallAt + (ms ?? 0),
    },
  ]
}

const givenUp = (words: string, { status, attempts }: SourceDelivery, attempt: SourceAttempt): string =>
  status === 'dead' && attempts.at(-1) === attempt ? `${words}, given up` : words

/** A webhook that is not sent, or not yet. */
function unsent({ id, orderStatus, status, createdAt, attempts }: SourceDelivery): Change[] {
  if (attempts.length > 0 || (status !== 'skipped' && status !== 'held')) return []
  const why = status === 'held' ? 'held until a release' : 'not sent, no URL is registered'
  const text = `webhook ${orderStatus}: ${why}`
  return [{ message: note(`unsent-${id}`, createdAt, text, 'waiting'), creates: false, status: null }]
}

const note = (id: string, at: EpochMs, text: string, tone: Message['tone'], more = ''): Message => ({
  ...{ id, kind: 'note', from: 'service', to: 'service', at, text, more, tone },
  ...{ lost: false, count: 1, about: null },
})

/** The changes of an order, those of one step or act as one. */
function changes({ history, errorReason }: SequenceSources['order']): Change[] {
  const groups: (typeof history)[number][][] = []
  for (const entry of history) {
    const group = groups.at(-1)
    const before = group?.[0]
    const same = before?.at === entry.at && before.step === entry.step && before.what !== 'created'
    if (same) group?.push(entry)
    else groups.push([entry])
  }
  return groups.flatMap((entries, index): Change[] => {
    const [first] = entries
    if (first === undefined) return []
    const status = entries.findLast(({ what }) => what === 'order')?.to ?? first.to ?? null
    const tone = statuses.find(({ name }) => name === status)?.tone ?? 'other'
    const isFailure = status === 'FAILED' && errorReason !== null
    const more = isFailure ? `${errorReason.errorCode}: ${errorReason.errorDesc}` : ''
    const message = note(`change-${index}`, first.at, changeWords(entries), tone, more)
    return [{ message, creates: first.what === 'created', status }]
  })
}

/** The words for acts of the payer, who has no lane. */
const acts: Readonly<Record<string, string>> = {
  paid: 'the payer pays',
  authorised: 'the payer authorises',
  abandoned: 'the payer leaves',
  'payment page opened': 'the payer opens the payment page',
}

function changeWords(entries: SequenceSources['order']['history']): string {
  const [first] = entries
  if (first?.what === 'created') return `order created${first.to === undefined ? '' : `: ${first.to}`}`
  // The status of the payment follows that of the order, so it is named only if it changes alone.
  const telling = entries.filter(({ what }) => !['payment', 'settlement'].includes(what))
  return (telling.length > 0 ? telling : entries)
    .map(({ what, to }) => (to === undefined ? (acts[what] ?? what) : `${what} → ${to}`))
    .join(', ')
}
