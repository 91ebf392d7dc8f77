import type { Counts, Histogram } from '../../journal/counts.ts'
import type { Tally } from '../../journal/tallies.ts'
import type { Standing } from '../../store/store.ts'
import type { Family, Sample } from './exposition.ts'

/** What there is at this moment, beside what has been counted. */
export interface Present {
  readonly standing: Standing
  readonly clients: number
  /** Streams of events that are open; null where one client is asked for. */
  readonly streams: number | null
  /** null where one client is asked for. `runtime` is the version of Node. */
  readonly build: { readonly version: string; readonly runtime: string } | null
}

/** A metric before it is asked for. */
interface Metric extends Omit<Family, 'samples'> {
  readonly read: (tally: Tally, present: Present) => readonly Sample[]
}

const prefix = 'payment_order_emulator_'

/** The emulator's own metrics, in the order of `docs/reference/metrics.md`, whose table is made from them. */
const metrics: readonly Metric[] = [
  counter('orders_created_total', 'Orders created.', (tally) => tally.ordersCreated),
  counter('order_transitions_total', 'Status changes of orders.', (tally) => tally.transitions),
  counter('requests_total', 'Requests to the service that were answered.', (tally) => tally.requests),
  counter('refusals_total', 'Requests to the service that were refused.', (tally) => tally.refusals),
  counter('delivery_attempts_total', 'Attempts to send a webhook.', (tally) => tally.attempts),
  counter('deliveries_ended_total', 'Deliveries that ended.', (tally) => tally.deliveriesEnded),
  histogram(
    'delivery_attempt_duration_seconds',
    'Duration of webhook attempts.',
    (tally) => tally.attemptSeconds,
  ),
  histogram(
    'first_attempt_lateness_seconds',
    "Delay between a webhook's due time and its first attempt, on the client's clock.",
    (tally) => tally.latenessSeconds,
  ),
  gauge('deliveries', 'Deliveries that have not ended.', ({ standing }) => [
    { labels: { status: 'pending' }, value: standing.pendingDeliveries },
    { labels: { status: 'held' }, value: standing.heldDeliveries },
  ]),
  gauge('clients', 'Existing clients.', ({ clients }) => [{ value: clients }]),
  gauge('event_streams', 'Open event streams.', ({ streams }) => whole(streams)),
  gauge('journal_entries', 'Entries in the request log.', ({ standing }) => whole(standing.keptRequests)),
  {
    name: `${prefix}journal_pruned_total`,
    type: 'counter',
    help: 'Entries of the request log that newer ones replaced, since the database was created.',
    read: (_, { standing }) => whole(standing.prunedRequests),
  },
  gauge('build_info', 'The running version, and its Node version.', ({ build }) =>
    build === null ? [] : [{ labels: { ...build }, value: 1 }],
  ),
]

/** A number that only the whole emulator has. */
const whole = (value: number | null): Sample[] => (value === null ? [] : [{ value }])

/** The emulator's own metrics with their values. */
export function ownMetrics(tally: Tally, present: Present): Family[] {
  return metrics.map(({ read, ...metric }) => ({ ...metric, samples: read(tally, present) }))
}

function counter(name: string, help: string, counts: (tally: Tally) => Counts<string>): Metric {
  const read = (tally: Tally) => {
    const { names } = counts(tally)
    return counts(tally)
      .entries()
      .map(({ values, count }) => ({
        labels: Object.fromEntries(names.map((each, n) => [each, values[n] ?? ''])),
        value: count,
      }))
  }
  return { name: `${prefix}${name}`, type: 'counter', help, read }
}

function gauge(name: string, help: string, read: (present: Present) => readonly Sample[]): Metric {
  return { name: `${prefix}${name}`, type: 'gauge', help, read: (_, present) => read(present) }
}

function histogram(name: string, help: string, values: (tally: Tally) => Histogram): Metric {
  const read = (tally: Tally): Sample[] => {
    const { bounds, upTo, sum } = values(tally)
    const buckets = upTo.map((value, n) => ({
      suffix: '_bucket',
      labels: { le: String(bounds[n] ?? '+Inf') },
      value,
    }))
    return [...buckets, { suffix: '_sum', value: sum }, { suffix: '_count', value: upTo.at(-1) ?? 0 }]
  }
  return { name: `${prefix}${name}`, type: 'histogram', help, read }
}
