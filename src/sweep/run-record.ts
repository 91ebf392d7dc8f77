import type { Need } from '../domain/sweep/behaviour.ts'
import type { SweepLine } from '../journal/sweep-record.ts'
import type { TestSpan } from './test-report.ts'

/** What the emulators of one run of the suite have on record. */
export interface RunRecord {
  /** How often each behaviour has shown. */
  readonly strikes: ReadonlyMap<string, number>
  /** What the suite has done. */
  readonly met: ReadonlySet<Need>
  /** Orders that were made. */
  readonly orders: number
  /** Calls of the service, and attempts of webhooks: without any, the suite has not used an emulator. */
  readonly activity: number
  readonly lines: readonly SweepLine[]
}

const lookups: readonly (string | null)[] = ['orders', 'crypto-orders', 'fiat-refunds']

/** Reads a record. A line that was cut off by the end of a process is left out.
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

/** Whether a webhook that a behaviour kept back had still not arrived when the run ended.
 *  @param settled requestIds that do not count */
export function isOutstanding(
  { lines }: RunRecord,
  behaviour: string,
  settled: ReadonlySet<string>,
): boolean {
  const came = new Set(lines.flatMap((line) => ('came' in line ? [line.came] : [])))
  return lines.some(
    (line) =>
      'kept' in line &&
      !came.has(line.kept) &&
      !settled.has(line.requestId) &&
      (line.by.length === 0 || line.by.includes(behaviour)),
  )
}

/** Whether the application sent nothing more about an order after a behaviour had struck a call about it.
 *  @param settled requestIds that do not count */
export function askedNoMore({ lines }: RunRecord, behaviour: string, settled: ReadonlySet<string>): boolean {
  return lines.some((line, at) => {
    if (!('struck' in line) || line.struck !== behaviour) return false
    if (line.requestId === null || settled.has(line.requestId)) return false
    const calls = lines.slice(at).filter((later) => 'call' in later && later.requestId === line.requestId)
    // The first of them is the call itself, which is written down when it has been answered.
    return calls.length <= 1
  })
}

/** The requestIds of orders that were made while only tests ran that passed. */
export function ordersOfPassedTests({ lines }: RunRecord, spans: readonly TestSpan[]): Set<string> {
  const settled = new Set<string>()
  const others = new Set<string>()
  for (const line of lines) {
    if (!('order' in line)) continue
    const around = spans.filter(({ from, to }) => from <= line.at && line.at <= to)
    const isSettled = around.length > 0 && around.every(({ passed }) => passed)
    const orders = isSettled ? settled : others
    orders.add(line.order)
  }
  return new Set([...settled].filter((requestId) => !others.has(requestId)))
}
