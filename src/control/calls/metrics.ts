import type { Registry } from 'prom-client'
import * as z from 'zod'
import type { Counts, Histogram, Tally } from '../../journal/tallies.ts'
import type { Backlog } from '../../store/store.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery } from '../input.ts'

/** The prom-client registry, loaded at the first scrape. */
let loaded: Promise<Registry> | undefined

/** Process metrics of prom-client: CPU time, memory, and event loop lag from the first scrape on. */
async function processMetrics(): Promise<string> {
  loaded ??= load()
  return (await loaded).metrics()
}

/** Metrics that `promtool` reports because gauges are named like counters. Others such as `nodejs_active_handles`
 *  have the same values. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

async function load(): Promise<Registry> {
  // In the bundle, the exports of this CommonJS module are properties of its default export.
  const { default: prometheus } = await import('prom-client')
  const register = new prometheus.Registry()
  prometheus.collectDefaultMetrics({ register })
  for (const name of misnamed) register.removeSingleMetric(name)
  return register
}

interface Sample {
  /** The suffix of the metric name, such as `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly Sample[]
}

const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** Formats metrics in the text format of Prometheus, version 0.0.4. */
export function exposition(families: readonly Family[]): string {
  return families.map(familyText).join('')
}

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelsText(labels)} ${value}\n`,
  )
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`,
  )
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

/** The current values of the emulator, which are read for each scrape. */
interface Present {
  readonly backlog: Backlog
  readonly clients: number
  /** Number of open event streams; null in the metrics of one client. */
  readonly streams: number | null
  /** Versions of the emulator and of Node; null in the metrics of one client. */
  readonly build: { readonly version: string; readonly runtime: string } | null
}

interface Metric extends Omit<Family, 'samples'> {
  readonly read: (tally: Tally, present: Present) => readonly Sample[]
}

const prefix = 'payment_order_emulator_'

/** All metrics of the emulator, in the order of the generated table in `docs/reference/metrics.md`. */
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
  gauge('deliveries', 'Deliveries that have not ended.', ({ backlog }) => [
    { labels: { status: 'pending' }, value: backlog.pendingDeliveries },
    { labels: { status: 'held' }, value: backlog.heldDeliveries },
  ]),
  gauge('clients', 'Existing clients.', ({ clients }) => [{ value: clients }]),
  gauge('event_streams', 'Open event streams.', ({ streams }) => whole(streams)),
  gauge('journal_entries', 'Entries in the request log.', ({ backlog }) => whole(backlog.keptRequests)),
  {
    name: `${prefix}journal_pruned_total`,
    type: 'counter',
    help: 'Entries of the request log that newer ones replaced, since the database was created.',
    read: (_, { backlog }) => whole(backlog.prunedRequests),
  },
  gauge('build_info', 'The running version, and its Node version.', ({ build }) =>
    build === null ? [] : [{ labels: { ...build }, value: 1 }],
  ),
]

/** A sample that exists only for the whole emulator, not for one client. */
const whole = (value: number | null): Sample[] => (value === null ? [] : [{ value }])

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

/** `/metrics`: metrics for Prometheus to scrape. The emulator itself sends nothing. */
export const metricsCalls = [
  controlCall({
    method: 'GET',
    path: '/metrics',
    name: 'getMetrics',
    summary: 'Read the metrics for Prometheus',
    description:
      'No label names a client or an order. With `clientId`, the metrics cover that client, and leave out what belongs to no client (process, build, request log).',
    query: clientQuery,
    body: noBody,
    answers: { 200: z.string() },
    gives: 'text/plain',
    handle: async ({ query: { clientId } }, { store, clients, tallies, streams, version, runtime }) => {
      const isNarrow = clientId !== undefined
      const tally = isNarrow ? tallies.of(clientId) : tallies.all
      const backlog = await store.backlog(clientId)
      const ofProcess = isNarrow ? '' : await processMetrics()
      const build = isNarrow ? null : { version, runtime }
      const present = isNarrow
        ? { clients: 1, streams: null }
        : { clients: clients.count, streams: streams.count }
      const own = ownMetrics(tally, { backlog, build, ...present })
      return new Response(`${exposition(own)}${ofProcess}`, { headers: { 'content-type': expositionType } })
    },
  }),
]
