import type { Operation } from '../../domain/journal/entry.ts'
import type { CountedCall } from './counted-calls.ts'

/** A limit under test. */
export interface TestedLimit {
  readonly operations: ReadonlySet<Operation>
  readonly max: number
  readonly perMs: number
  readonly each: 'client' | 'token'
}

/** A window of a limit, as far as the calls of one account fit it. */
export interface FittedWindow {
  readonly since: number
  readonly counted: readonly CountedCall[]
  readonly refused: readonly CountedCall[]
}

/** Plays calls of one account to a limit with fixed windows.
 *  @returns the windows; null if some call was answered in another way than the limit would do */
function fitWindows(calls: readonly CountedCall[], limit: TestedLimit): FittedWindow[] | null {
  const windows: { since: number; late: number; counted: CountedCall[]; refused: CountedCall[] }[] = []
  const open = new Map<string, (typeof windows)[number]>()
  for (const call of calls) {
    if (!limit.operations.has(call.operation)) {
      // Another limit may have refused it.
      continue
    }
    const key = limit.each === 'token' ? call.token : ''
    let window = open.get(key)
    if (window === undefined || call.at >= window.since + limit.perMs) {
      window = { since: call.at, late: call.ms, counted: [], refused: [] }
      open.set(key, window)
      windows.push(window)
    }
    const isFull = window.counted.length >= limit.max
    // Around the end of the window the service's clock decides, which may differ by the time of the calls.
    const isEnding = call.at + call.ms >= window.since + limit.perMs
    if (isFull !== call.isRefused) {
      if (!(isFull && isEnding)) return null
      window = { since: call.at, late: call.ms, counted: [], refused: [] }
      open.set(key, window)
      windows.push(window)
    }
    if (!call.isRefused) window.counted.push(call)
    else if (saysEnd(call, window, limit)) window.refused.push(call)
    else return null
  }
  return windows
}

/** Whether `Retry-After` leads to the end of the window. */
function saysEnd(
  { at, ms, retryAfter }: CountedCall,
  { since, late }: { since: number; late: number },
  { perMs }: TestedLimit,
): boolean {
  if (retryAfter === null) return true
  const end = since + perMs
  const least = Math.ceil((end - at - ms) / 1000)
  const most = Math.ceil((end + late - at) / 1000)
  return least <= retryAfter && retryAfter <= most
}

/** The windows of all accounts; null if some account does not fit. */
export function fitAll(
  accounts: readonly (readonly CountedCall[])[],
  limit: TestedLimit,
): FittedWindow[] | null {
  const all: FittedWindow[] = []
  for (const calls of accounts) {
    const windows = fitWindows(calls, limit)
    if (windows === null) return null
    all.push(...windows)
  }
  return all
}

const second = 1000
const roundPeriods = [
  ...[1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800].map((seconds) => seconds * second),
  ...[1, 2, 6, 12, 24].map((hours) => hours * 3600 * second),
]

/** The lengths of a window that are worth a test: round ones, and those that `Retry-After` of a refusal leads to. */
export function periodsFor(calls: readonly CountedCall[]): number[] {
  const refusal = calls.find(({ isRefused, retryAfter }) => isRefused && retryAfter !== null)
  if (refusal === undefined) return roundPeriods
  const earlier = calls.filter(({ at }) => at <= refusal.at).slice(-mostStarts)
  const told = earlier.flatMap(({ at }) => {
    const ms = refusal.at - at + (refusal.retryAfter ?? 0) * second
    return [Math.floor(ms / second) * second, Math.ceil(ms / second) * second]
  })
  return [...new Set([...roundPeriods, ...told])].filter((ms) => ms > 0)
}

const mostStarts = 300

/** The number of calls that a limit takes, if its windows have a length: the calls before the first refusal. */
export function maxFor(calls: readonly CountedCall[], limit: Omit<TestedLimit, 'max'>): number | null {
  const { operations, perMs, each } = limit
  const counts = new Map<string, { since: number; calls: number }>()
  for (const { operation, at, token, isRefused } of calls) {
    if (!operations.has(operation)) continue
    const key = each === 'token' ? token : ''
    const before = counts.get(key)
    const window = before !== undefined && at < before.since + perMs ? before : { since: at, calls: 0 }
    if (isRefused) return window.calls === 0 ? null : window.calls
    counts.set(key, { since: window.since, calls: window.calls + 1 })
  }
  return null
}
