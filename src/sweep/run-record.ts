import type { Need } from '../domain/sweep/behaviour.ts'
import type { SweepLine } from '../journal/sweep-record.ts'
import type { TestSpan } from './test-report.ts'

/** The records of all emulators in one run of the test suite. */
export interface RunRecord {
  /** How often each behaviour was applied. */
  readonly strikes: ReadonlyMap<string, number>
  /** The features of the service that the test suite has used. */
  readonly met: ReadonlySet<Need>
  readonly orders: number
  /** Number of calls of the service and webhook attempts: 0 means that the suite used no emulator. */
  readonly activity: number
  readonly lines: readonly SweepLine[]
}

const lookups: readonly (string | null)[] = ['orders', 'crypto-orders', 'fiat-refunds']

/** Parses a record. A line that was cut off by the end of a process is ignored.
 *  @param text JSON lines; empty if no emulator has written any */
export function readRecord(text: string): RunRecord {
  const lines = text.split('\n').flatMap(lineIn)
  const strikes = new Map<string, number>()
  const met = new Set<Need>()
  let orders = 0
  let activity = 0
  for (const line of lines) {
    if ('struck' in line) strikes.set(line.struck, (strikes.get(line.struck) ?? 0) + 1)
    else if ('order' in line) {
      orders += 1
      met.add('order')
    } else if ('webhook' in line) {
      activity += 1
      met.add('webhook')
    } else if ('call' in line) {
      activity += 1
      if (line.call === 'access-token') met.add('token')
      if (lookups.includes(line.call)) met.add('lookup')
      if (line.call?.startsWith('create-')) met.add('order')
    }
  }
  return { strikes, met, orders, activity, lines }
}

function lineIn(text: string): SweepLine[] {
  try {
    return text === '' ? [] : [JSON.parse(text)]
  } catch {
    return []
  }
}

/** Whether a webhook that a behaviour held had not arrived when its test ended.
 *  @param spans the times of the tests, as far as known */
export function isOutstanding({ lines }: RunRecord, behaviour: string, spans: readonly TestSpan[]): boolean {
  return lines.some((line) => {
    if (!('kept' in line) || !(line.by.length === 0 || line.by.includes(behaviour))) return false
    const came = lines.findIndex((other) => 'came' in other && other.came === line.kept)
    return endsOfTests(lines, line.requestId, spans).some((end) => came < 0 || came >= end)
  })
}

/** Whether a call that a behaviour affected was not answered when its test ended.
 *  @param spans the times of the tests, as far as known */
export const awaitsAnswer = (record: RunRecord, behaviour: string, spans: readonly TestSpan[]): boolean =>
  callsAfterStrikes(record, behaviour, spans).some((calls) => calls === 0)

/** Whether the application sent nothing more about an order, during its test, after a behaviour had affected a call
 *  about it.
 *  @param spans the times of the tests, as far as known */
export const askedNoMore = (record: RunRecord, behaviour: string, spans: readonly TestSpan[]): boolean =>
  callsAfterStrikes(record, behaviour, spans).some((calls) => calls <= 1)

/** Like `askedNoMore`, without lookups, which webhooks may have caused. */
export function triedNoMore(record: RunRecord, behaviour: string, spans: readonly TestSpan[]): boolean {
  const firstWebhooks = new Map<string, number>()
  for (const line of record.lines)
    if ('webhook' in line) {
      const { requestId, at, ms } = line
      firstWebhooks.set(requestId, Math.min(at - ms, firstWebhooks.get(requestId) ?? Infinity))
    }
  const isCaused = (line: SweepLine) =>
    'call' in line &&
    lookups.includes(line.call) &&
    line.at >= (firstWebhooks.get(line.requestId ?? '') ?? Infinity)
  return askedNoMore({ ...record, lines: record.lines.filter((line) => !isCaused(line)) }, behaviour, spans)
}

/** For each affected call, the number of calls about its order that ended during its test. The affected call itself
 *  is included, because it is recorded when it is answered. */
function callsAfterStrikes({ lines }: RunRecord, behaviour: string, spans: readonly TestSpan[]): number[] {
  return lines.flatMap((line, at) => {
    if (!('struck' in line) || line.struck !== behaviour || line.requestId === null) return []
    const { requestId } = line
    const isCall = (later: SweepLine) => 'call' in later && later.requestId === requestId
    return endsOfTests(lines, requestId, spans).map((end) => lines.slice(at, end).filter(isCall).length)
  })
}

/** Within this time a test creates several orders at once; milliseconds of the client's clock. */
const atOnceMs = 1_000

/** The lines at which the tests of the orders with a requestId ended. Without spans, the client's next order that is
 *  not created at once counts as that of the next test. Passed tests are left out. */
function endsOfTests(lines: readonly SweepLine[], requestId: string, spans: readonly TestSpan[]): number[] {
  const before = (index: number) => (index < 0 ? lines.length : index)
  const orders = lines.flatMap((line, n) =>
    'order' in line && line.order === requestId ? [{ ...line, n }] : [],
  )
  if (orders.length === 0) return [lines.length]
  return orders.flatMap(({ clientId, at, createdAt, n }) => {
    const context = spans.filter(({ from, to }) => from <= at && at <= to)
    const failed = context.filter(({ passed }) => !passed)
    if (failed.length > 0) {
      const last = Math.max(...failed.map(({ to }) => to))
      return [before(lines.findIndex((line) => line.at > last))]
    }
    if (context.length > 0) return []
    const isNext = (line: SweepLine) =>
      'order' in line &&
      line.clientId === clientId &&
      line.order !== requestId &&
      line.createdAt - createdAt >= atOnceMs
    return [before(lines.findIndex((line, m) => m > n && isNext(line)))]
  })
}
