import {
  limitVerdict,
  rateLimits as rateLimitsSchema,
  type Windows,
} from '../../../domain/answers/rate-limit.ts'
import type { CallWord } from '../../../domain/journal/call-words.ts'
import { type Operation, operations } from '../../../domain/journal/entry.ts'
import { formatDuration } from '../../../domain/text/duration.ts'
import { type CountedCall, countedCalls } from '../../calls/counted-calls.ts'
import { hasLimitHeader, headersOf } from '../../calls/limit-headers.ts'
import { type FittedWindow, fitAll, maxFor, periodsFor, type TestedLimit } from '../../calls/limit-windows.ts'
import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { Unexplained } from '../../elimination/finding.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { Rule } from '../rule.ts'

/** Rate limits, from windows in which calls were answered 429 (N81). */
export const rateLimits: Rule = {
  settings: ['limits'],
  learn: (evidence, { claims }) => {
    const accounts = [...countedCalls(evidence).values()]
    const learned = learn(accounts)
    const nothing = accounts.some((calls) => calls.some(({ isRefused }) => isRefused))
      ? 'the answers 429 do not show two windows of one limit; a failure may answer 429 too'
      : 'no call was answered 429'
    const finding = eliminate(
      {
        setting: 'limits',
        candidates: learned === null ? [] : [learned.value],
        sights: learned === null ? overLimits(accounts) : sightsOf(learned),
        isOpen: learned !== null,
        evidence: () => learned?.words ?? '',
        nothing,
        decide: 'two windows in which so many calls are sent that the service answers 429',
      },
      claims,
    )
    if (learned === null) return [{ ...finding, state: 'unknown', evidence: nothing, left: [] }]
    const [doubt] = learned.doubts
    if (finding.state !== 'known' || doubt === undefined) return [finding]
    const decide = `two windows that show ${doubt}`
    return [{ ...finding, state: 'likely', evidence: `${finding.evidence}; not certain: ${doubt}`, decide }]
  },
  unexplained: (evidence) => {
    const accounts = [...countedCalls(evidence).values()]
    return refusedCalls(evidence, accounts, learn(accounts)?.windows ?? [])
  },
}

interface Learned {
  /** As a settings file writes it. */
  readonly value: readonly object[]
  readonly windows: readonly FittedWindow[]
  readonly doubts: readonly string[]
  readonly words: string
}

type Accounts = readonly (readonly CountedCall[])[]

const creates: readonly Operation[] = ['create-checkout-order', 'create-subscription-order']
const lookups: readonly Operation[] = ['orders', 'crypto-orders', 'fiat-refunds']

/** Finds one limit for all operations that were refused, or one for each group of them. */
function learn(accounts: Accounts): Learned | null {
  const calls = accounts.flat()
  const refused = operations.filter((name) => calls.some((call) => call.operation === name && call.isRefused))
  if (refused.length === 0) return null
  const seen = operations.filter((name) => calls.some((call) => call.operation === name))
  const told = withHeaders(calls, seen)
  const together = fitSet(accounts, told.length > 0 ? [told] : [refused, seen])
  if (together !== null) return together
  const groups = [creates, lookups, ...operations.map((name) => [name])].map((group) =>
    group.filter((name) => seen.includes(name)),
  )
  const found: Learned[] = []
  const left = new Set(refused)
  for (const group of groups) {
    if (!group.some((name) => left.has(name))) continue
    const one = fitSet(accounts, [group])
    if (one === null) continue
    found.push(one)
    for (const name of group) left.delete(name)
  }
  if (found.length === 0) return null
  return {
    value: found.flatMap(({ value }) => value),
    windows: found.flatMap(({ windows }) => windows),
    doubts: [
      ...found.flatMap(({ doubts }) => doubts),
      ...[...left].map((name) => `why ${name} answers 429`),
      ...told.flatMap((name) => (isIn(name, found) ? [] : `the limit of ${name}`)),
    ],
    words: found.map(({ words }) => words).join('; '),
  }
}

const isIn = (name: Operation, found: readonly Learned[]): boolean =>
  found.some(({ windows }) => windows.some(({ counted }) => counted.some((call) => call.operation === name)))

const withHeaders = (calls: readonly CountedCall[], seen: readonly Operation[]): Operation[] =>
  seen.filter((name) =>
    calls.some((call) => call.operation === name && hasLimitHeader(call.exchange.responseHeaders)),
  )

/** Finds the limit of one of some sets of operations, tried in turn; null if none or several lengths of its window
 *  explain all calls. */
function fitSet(accounts: Accounts, sets: readonly (readonly Operation[])[]): Learned | null {
  for (const set of sets) {
    const fits = limitsFor(accounts, new Set(set))
    const byEach = Map.groupBy(fits, ({ limit }) => limit.each)
    const fit = roundest(byEach.get('client') ?? byEach.get('token') ?? [])
    if (fit === null) continue
    const doubts = [
      ...(byEach.size > 1 ? ['whether each token has a window of its own'] : []),
      ...fit.doubts,
      ...doubtfulOperations(accounts, fit.limit, Object.keys(fit.headers).length > 0),
    ]
    return described(fit, doubts)
  }
  return null
}

/** The fit with the roundest window, if the windows of all fits have about the same length; null otherwise. */
function roundest(fits: readonly Fit[]): Fit | null {
  const lengths = fits.map(({ limit }) => limit.perMs)
  if (Math.max(...lengths) - Math.min(...lengths) > about) return null
  const steps = [86_400_000, 3_600_000, 60_000, 30_000, 10_000, 5_000, 1_000]
  for (const step of steps) {
    const round = fits.filter(({ limit }) => limit.perMs % step === 0)
    if (round.length > 0) return round.length === 1 ? (round[0] ?? null) : null
  }
  return null
}

/** Headers have whole seconds, so that neighbouring lengths fit too. */
const about = 2000

interface Fit {
  readonly limit: TestedLimit
  readonly windows: readonly FittedWindow[]
  readonly headers: Readonly<Record<string, string>>
  readonly doubts: readonly string[]
}

/** All limits that explain every call of some operations, by at least two windows with a refusal. */
function limitsFor(accounts: Accounts, ofSet: ReadonlySet<Operation>): Fit[] {
  const own = accounts.map((calls) => calls.filter(({ operation }) => ofSet.has(operation)))
  const limited = own.find((calls) => calls.some(({ isRefused }) => isRefused))
  if (limited === undefined) return []
  return (['client', 'token'] as const).flatMap((each) =>
    periodsFor(limited).flatMap((perMs): Fit[] => {
      const max = maxFor(limited, { operations: ofSet, perMs, each })
      if (max === null) return []
      const limit = { operations: ofSet, max, perMs, each }
      const windows = fitAll(own, limit)
      const full = windows?.filter(({ refused }) => refused.length > 0) ?? []
      if (windows === null || full.length < 2) return []
      const doubts: string[] = []
      const headers = headersOf(windows, limit, doubts)
      return headers === null ? [] : [{ limit, windows, headers, doubts }]
    }),
  )
}

/** What the calls leave open about the operations of a limit. */
function doubtfulOperations(accounts: Accounts, limit: TestedLimit, showsHeaders: boolean): string[] {
  const calls = accounts.flat()
  return operations
    .filter((name) => {
      const own = calls.filter(({ operation }) => operation === name)
      if (own.length === 0) return true
      // Without a refused call the limit would not be this one.
      if (showsHeaders || own.some(({ isRefused }) => isRefused)) return false
      const toggled = new Set(limit.operations)
      if (!toggled.delete(name)) toggled.add(name)
      return (
        fitAll(
          accounts.map((each) => each.filter(({ operation }) => toggled.has(operation))),
          { ...limit, operations: toggled },
        ) !== null
      )
    })
    .map((name) => `whether ${name} counts`)
}

function described({ limit, windows, headers }: Fit, doubts: readonly string[]): Learned {
  const { operations: of, max, perMs, each } = limit
  const full = windows.filter(({ refused }) => refused.length > 0)
  const refused = full.flatMap(({ refused }) => refused)
  const hasRetry = refused.some(({ retryAfter }) => retryAfter !== null)
  const on = wordsFor(of)
  const per = formatDuration(perMs)
  return {
    value: [
      {
        on,
        max,
        per,
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(each === 'token' && { each }),
        ...(!hasRetry && { retryAfter: false }),
      },
    ],
    windows,
    doubts: [
      ...doubts,
      ...(hasRetry && refused.some(({ retryAfter }) => retryAfter === null)
        ? ['whether 429 has Retry-After']
        : []),
    ],
    words: `${refused.length} calls were answered 429 in ${full.length} windows: ${max} calls in ${per} on ${on.join(', ')}`,
  }
}

/** The operations in the words of the setting. */
function wordsFor(of: ReadonlySet<Operation>): CallWord[] {
  const hasBoth = creates.every((name) => of.has(name))
  const rest = operations.filter((name) => of.has(name) && !(hasBoth && creates.includes(name)))
  return hasBoth ? ['create-order', ...rest] : rest
}

/** Each window with a refusal is an observation: a limit must refuse the same calls in it. */
function sightsOf({ windows }: Learned): Sight[] {
  return windows
    .filter(({ refused }) => refused.length > 0)
    .flatMap(({ since, counted, refused }): Sight[] => {
      const calls = [...counted, ...refused].toSorted((a, b) => a.at - b.at)
      const [first] = refused
      if (first === undefined) return []
      return [
        {
          source: first.exchange.source,
          unit: `${first.exchange.source.file} ${since}`,
          words: `answered 429 after ${counted.length} calls in ${formatDuration(Math.max(0, Math.round(first.at - since)))}`,
          allows: (value) => refusesSame(value, calls),
        },
      ]
    })
}

/** Whether limits refuse exactly the calls of a window that were refused. */
function refusesSame(value: unknown, calls: readonly CountedCall[]): boolean {
  const limits = rateLimitsSchema.safeParse(value)
  if (!limits.success) return false
  let windows: Windows = new Map()
  return calls.every(({ operation, token, at, isRefused }) => {
    const verdict = limitVerdict(limits.data, { operation, token, now: at, offset: '+00:00' }, windows)
    windows = verdict.windows
    return (verdict.refused !== null) === isRefused
  })
}

/** Without a limit that was found, only calls that a claimed one would have refused say something. */
function overLimits(accounts: Accounts): Sight[] {
  return accounts.flatMap((calls): Sight[] => {
    const [first] = calls
    const passed = calls.filter(({ isRefused }) => !isRefused)
    if (first === undefined || passed.length < 2) return []
    return [
      {
        source: first.exchange.source,
        unit: first.exchange.source.file,
        words: `${passed.length} calls of an account were not refused`,
        allows: (value) => !isExceeded(value, passed),
      },
    ]
  })
}

/** Whether calls exceed limits by so much that no place of the windows explains it: twice the limit. */
function isExceeded(value: unknown, passed: readonly CountedCall[]): boolean {
  const limits = rateLimitsSchema.safeParse(value)
  if (!limits.success) return true
  return limits.data.some((limit) => {
    const own = passed.filter(({ operation, token, at }) => {
      const verdict = limitVerdict(
        [{ ...limit, max: 1 }],
        { operation, token, now: at, offset: '+00:00' },
        new Map(),
      )
      return verdict.windows.size > 0
    })
    const groups = limit.each === 'token' ? Map.groupBy(own, ({ token }) => token) : new Map([['', own]])
    return [...groups.values()].some((each) =>
      each.some((call, index) => {
        const last = each[index + 2 * limit.max]
        return last !== undefined && last.at + last.ms - call.at < limit.perMs
      }),
    )
  })
}

/** Answers 429 that no limit explains, by path. */
function refusedCalls(
  { calls }: Evidence,
  accounts: Accounts,
  windows: readonly FittedWindow[],
): Unexplained[] {
  const explained = new Set<Exchange>(
    windows.flatMap(({ refused }) => refused.map(({ exchange }) => exchange)),
  )
  const counted = new Map(accounts.flat().map((call) => [call.exchange, call]))
  const groups = Map.groupBy(calls, ({ method, path }) => `\`${method} ${path}\``)
  return [...groups].flatMap(([name, all]): Unexplained[] => {
    const refused = all.filter((call) => call.status === 429 && !explained.has(call))
    const [first] = refused
    if (first === undefined) return []
    const retry = counted.get(first)?.retryAfter ?? null
    const before = all.filter(({ at, status }) => at <= first.at && status !== 429)
    const span = formatDuration(Math.round(first.at - (before[0]?.at ?? first.at)))
    return [
      {
        what: `${name} answers 429`,
        count: refused.length,
        of: all.length,
        example: `after ${before.length} calls in ${span}${retry === null ? '' : `, with Retry-After: ${retry}`}`,
        source: first.source,
        remedy: 'the setting `limits`, or a fault with `status: 429`',
      },
    ]
  })
}
