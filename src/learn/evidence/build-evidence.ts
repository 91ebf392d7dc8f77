import type { EpochMs } from '../../domain/text/time.ts'
import type { Direction, Exchange } from '../traffic/exchange.ts'
import type { Evidence, Secrets, TokenCall } from './evidence.ts'
import { parsedJson, textsIn } from './parsed-json.ts'
import { isCall, isStray, isUnderService, readCall } from './read-call.ts'
import { ordersOf } from './seen-orders.ts'
import { namesIn, readWebhooks } from './seen-webhooks.ts'

/** An exchange, with what its capture says it is. */
export interface Observed {
  readonly exchange: Exchange
  readonly direction: Direction
}

/** What was read, put together, and what was left out. */
export interface Built {
  readonly evidence: Evidence
  /** Exchanges of other services, by file. */
  readonly foreign: ReadonlyMap<string, number>
  /** Sentences about the capture for its reader, such as clocks that disagree. */
  readonly notes: readonly string[]
}

/** Puts exchanges together to orders, webhooks and calls. A path under `/v1/client` makes a call, a token in the answer
 *  that later calls carry makes a token call, and the requestId or orderId of an order in the body makes a webhook.
 *  @param completeUntil the time from which exchanges were left out; null if none were */
export function buildEvidence(
  observed: readonly Observed[],
  secrets: Secrets,
  completeUntil: EpochMs | null = null,
): Built {
  const sorted = withoutRepeated(observed).toSorted((a, b) => a.exchange.at - b.exchange.at)
  const calls = sorted.flatMap(({ exchange, direction }) =>
    direction !== 'webhook' && isCall(exchange) ? readCall(exchange) : [],
  )
  const rest = sorted.filter(({ exchange, direction }) => direction === 'webhook' || !isCall(exchange))
  const carried = new Set(calls.flatMap(({ headers }) => headers['access-token'] ?? []))
  const ids = namesIn(calls)
  const tokenCalls: TokenCall[] = []
  const posts: Exchange[] = []
  const strays: Exchange[] = []
  const foreign = new Map<string, number>()
  const tokenPaths = new Set<string>()
  const tokenOf = (exchange: Exchange) =>
    exchange.response === null ? null : tokenIn(exchange.response, carried)
  for (const { exchange } of rest) if (tokenOf(exchange) !== null) tokenPaths.add(placeOf(exchange))
  for (const { exchange, direction } of rest) {
    if (direction === 'webhook') posts.push(exchange)
    else if (tokenPaths.has(placeOf(exchange)))
      tokenCalls.push({
        ...exchange,
        input: parsedJson(exchange.body),
        output: parsedJson(exchange.response),
        token: tokenOf(exchange),
      })
    else if (isStray(exchange)) strays.push(exchange)
    // A POST to another path of the service names orders too.
    else if (exchange.method === 'POST' && !isUnderService(exchange) && ids.areIn(exchange))
      posts.push(exchange)
    else foreign.set(exchange.source.file, (foreign.get(exchange.source.file) ?? 0) + 1)
  }
  const orders = ordersOf(calls)
  const webhooks = readWebhooks(posts, orders)
  const skew = skewOf(webhooks)
  const ahead = serviceAheadOf(calls)
  return {
    evidence: {
      calls,
      strays,
      tokenCalls,
      orders,
      webhooks,
      clientIds: [...new Set(calls.flatMap(({ clientId }) => clientId ?? []))],
      secrets,
      until: completeUntil ?? sorted.at(-1)?.exchange.at ?? 0,
      isOneClock: skew === null,
      serviceAhead: ({ file }) => ahead.get(file) ?? 0,
    },
    foreign,
    notes: [...(skew === null ? [] : [skew]), ...[...ahead].map(correction)],
  }
}

/** Leaves out what a second file has too: a log and a snapshot of the same time, for example. */
function withoutRepeated(observed: readonly Observed[]): readonly Observed[] {
  const files = new Map<string, string>()
  if (new Set(observed.map(({ exchange }) => exchange.source.file)).size < 2) return observed
  return observed.filter(({ exchange, direction }) => {
    const { at, method, path, query, body, status, source } = exchange
    const key = JSON.stringify([direction === 'webhook', at, method, path, `${query}`, body, status])
    const first = files.get(key) ?? source.file
    files.set(key, first)
    return first === source.file
  })
}

const placeOf = ({ method, origin, path }: Exchange): string => `${method} ${origin} ${path}`

/** The access token in an answer: a text that the calls of the capture carry. */
function tokenIn(response: string, carried: ReadonlySet<string>): string | null {
  return textsIn(parsedJson(response)).find((value) => carried.has(value)) ?? null
}

/** A webhook that arrived before the order was asked for shows that the clocks of two files disagree. */
function skewOf(webhooks: Evidence['webhooks']): string | null {
  const early = webhooks.filter(({ order, attempts: [first] }) => {
    const call = order?.creates[0]
    return call !== undefined && call.source.file !== first.source.file && first.at < call.at - 1000
  })
  const [one] = early
  if (early.length < 2 || one === undefined) return null
  const [first] = one.attempts
  const call = one.order?.creates[0]
  const seconds = Math.round(((call?.at ?? 0) - first.at) / 1000)
  return (
    `the clocks of ${first.source.file} and ${call?.source.file} disagree: ${early.length} webhooks arrived before the ` +
    `create call of their order, the first one by ${seconds} s; times of one file are not compared with those of the other`
  )
}

/** How far the service's clock is ahead of the clock of a file, by the `Date` headers of its answers: the median, and
 *  no file below two seconds, because the header has whole seconds. */
function serviceAheadOf(calls: Evidence['calls']): ReadonlyMap<string, number> {
  const offsets = new Map<string, number[]>()
  for (const { source, at, ms, responseHeaders } of calls) {
    const date = Date.parse(responseHeaders.date ?? '')
    if (Number.isNaN(date)) continue
    const list = offsets.get(source.file) ?? []
    list.push(date + 500 - at - (ms ?? 0))
    offsets.set(source.file, list)
  }
  const medians = [...offsets].map(
    ([file, list]) => [file, list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0] as const,
  )
  return new Map(medians.filter(([, median]) => Math.abs(median) >= 2000))
}

const correction = ([file, ahead]: readonly [file: string, ahead: number]): string =>
  `the clock of ${file} is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'behind' : 'ahead of'} that of the service, by the \`Date\` headers of its answers; times are corrected`
