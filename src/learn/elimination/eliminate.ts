import type { SettingName } from '../../domain/choices/settings.ts'
import { formatDuration, parseDuration } from '../../domain/text/duration.ts'
import type { Source } from '../traffic/exchange.ts'
import type { Claims, Excluded, Finding } from './finding.ts'

/** An observation, as far as one setting is concerned. */
export interface Sight {
  readonly source: Source
  /** What it is about, such as an orderId: observations of one unit count once. */
  readonly unit: string
  /** What was seen, in words: `expiryTs has 3 digits after the second`. */
  readonly words: string
  /** Whether the service would have done this under a value of the setting, as a settings file writes it. */
  readonly allows: (value: unknown) => boolean
}

/** The question about one setting. */
export interface Question {
  readonly setting: SettingName
  /** The possible values, as a settings file writes them. For an open set: those that the observations suggest. */
  readonly candidates: readonly unknown[]
  readonly sights: readonly Sight[]
  /** True if other values are possible too: then each observation rules some out. */
  readonly isOpen?: boolean
  /** What was seen in one line, for the value that is left and the number of observations, at least two; the words of
   *  the first observation if left out. */
  readonly evidence?: (value: unknown, observations: number) => string
  /** The cheapest observation that would decide: `an order that nobody pays, looked up after its expiry`. */
  readonly decide: string
  /** Why nothing can be said if no observation tells values apart; `nothing in the capture shows it` if left out. */
  readonly nothing?: string
}

/** Answers a question by elimination: values that contradict an observation fall away. */
export function eliminate(question: Question, claims: Claims): Finding {
  const { setting, sights, decide, isOpen = false } = question
  const claimed = claims.has(setting) ? [claims.get(setting)] : []
  const candidates = distinct(question.candidates)
  const decisive = isOpen
    ? sights
    : sights.filter(({ allows }) => [...candidates, ...claimed].some((value) => !allows(value)))
  const left = candidates.filter((value) => decisive.every(({ allows }) => allows(value)))
  const observations = new Set(decisive.map(({ unit }) => unit)).size
  const about = {
    setting,
    observations,
    excluded: candidates.flatMap((value) => firstAgainst(value, decisive)),
    ...(claimed.length > 0 && { claim: judged(claimed[0], sights) }),
  }
  if (decisive.length === 0)
    return { ...about, state: 'unknown', evidence: question.nothing ?? nothingSeen, left, decide }
  if (left.length === 0)
    return {
      ...about,
      state: 'contradictory',
      evidence: disagreement(candidates, decisive),
      left,
      decide: 'a capture of one account, from a time without faults and changes',
    }
  const [value] = left
  if (left.length > 1) {
    const words = left.map((one) => JSON.stringify(one)).join(', ')
    return { ...about, state: 'unknown', evidence: `several values explain it: ${words}`, left, decide }
  }
  const [first] = decisive
  if (observations < 2)
    return { ...about, state: 'likely', value, evidence: first?.words ?? '', left, decide }
  const evidence = question.evidence?.(value, observations) ?? first?.words ?? ''
  return { ...about, state: 'known', value, evidence, left, decide: null }
}

const nothingSeen = 'nothing in the capture shows it'

function firstAgainst(value: unknown, sights: readonly Sight[]): Excluded[] {
  const sight = sights.find(({ allows }) => !allows(value))
  return sight === undefined ? [] : [{ value, by: sight.source, words: sight.words }]
}

function judged(value: unknown, sights: readonly Sight[]): NonNullable<Finding['claim']> {
  const against = sights.filter(({ allows }) => !allows(value))
  const [first] = against
  if (first === undefined) return { holds: true }
  return { holds: false, times: against.length, value, by: first.source, words: first.words }
}

/** Both sides of a contradiction: the value that explains most, and what speaks against it. */
function disagreement(candidates: readonly unknown[], sights: readonly Sight[]): string {
  const counted = candidates.map((value) => ({
    value,
    times: sights.filter(({ allows }) => allows(value)).length,
  }))
  const [best, next] = counted.toSorted((a, b) => b.times - a.times)
  const against = best === undefined ? sights[0] : sights.find(({ allows }) => !allows(best.value))
  const first = `${best?.times ?? 0} of ${sights.length} observations say ${JSON.stringify(best?.value)}`
  const second =
    next === undefined || next.times === 0 ? '' : `, ${next.times} say ${JSON.stringify(next.value)}`
  return `the capture contradicts itself: ${first}${second}; ${against?.words} (${against?.source.file}, ${against?.source.place})`
}

/** Candidates without repetitions; values are compared as JSON. */
function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [canonical(value), value])).values()]
}

/** JSON with sorted names, so that equal values have one text. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    ) ?? 'undefined'
  )
}

export const sameValue = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)

/** An observation that shows the value of a setting itself. */
export type Reading = Omit<Sight, 'allows'> & { readonly value: unknown }

/** Answers a question whose observations show the value itself. */
export function readValue(
  question: Omit<Question, 'candidates' | 'sights'> & { readonly readings: readonly Reading[] },
  claims: Claims,
): Finding {
  const { readings, ...rest } = question
  const sights = readings.map(({ value, ...sight }) => ({
    ...sight,
    allows: (other: unknown) => sameValue(value, other),
  }))
  const candidates = readings.slice(0, mostCandidates).map(({ value }) => value)
  return eliminate({ ...rest, sights, candidates, isOpen: true }, claims)
}

/** Values that differ in every observation would take long to compare with each other. */
const mostCandidates = 200

/** An observation of a duration, between two bounds in milliseconds, both inclusive. */
export type Span = Omit<Sight, 'allows'> & { readonly from: number; readonly to: number }

/** Answers a question about a duration: the roundest one that lies in all intervals. */
export function measure(
  question: Omit<Question, 'candidates' | 'sights'> & { readonly spans: readonly Span[] },
  claims: Claims,
): Finding {
  const { spans, ...rest } = question
  const from = Math.max(...spans.map((span) => span.from))
  const to = Math.min(...spans.map((span) => span.to))
  const sights = spans.map(({ from, to, ...sight }) => ({
    ...sight,
    allows: (value: unknown) => millisecondsOf(value) >= from && millisecondsOf(value) <= to,
  }))
  const round = spans.length === 0 || from > to ? null : roundest(from, to)
  // A time before its cause shows that two clocks disagree.
  const endOf = (span: Span) => roundest(span.from, span.to) ?? Math.max(0, Math.round(span.to))
  const ends = spans.map((span) => formatDuration(endOf(span)))
  const candidates = from > to ? ends : round === null ? [] : [formatDuration(round)]
  const finding = eliminate({ ...rest, sights, candidates, isOpen: true }, claims)
  if (round !== null || spans.length === 0 || from > to) return finding
  const [least, most] = [Math.floor(from), Math.ceil(to)].map((ms) => formatDuration(Math.max(0, ms)))
  const range = `${least} and ${most}`
  return { ...finding, state: 'unknown', evidence: `between ${range}`, decide: question.decide }
}

/** A duration as a settings file writes it; NaN for anything else. */
export const millisecondsOf = (value: unknown): number =>
  typeof value === 'string' ? (parseDuration(value) ?? Number.NaN) : Number.NaN

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const steps = [24 * hour, hour, 15 * minute, 5 * minute, minute, 30 * second, 10 * second, 5 * second]
const finer = [second, 500, 250, 100, 50, 10, 5, 1]

/** The only roundest duration between two bounds: a whole day before a whole hour, and so on. Null if the interval is
 *  too wide to tell: it has several of its roundest durations. */
export function roundest(from: number, to: number): number | null {
  for (const step of [...steps, ...finer]) {
    const first = Math.ceil(from / step) * step
    if (first > to || first === 0) continue
    return first + step > to ? first : null
  }
  return null
}
