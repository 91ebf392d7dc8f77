import type { Operation } from '../journal/entry.ts'
import { documentedErrorCodes, statuses } from '../order/statuses.ts'
import { type Hazard, hazards } from './hazards.ts'
import type { Met, Section } from './seen-order.ts'

const creates = [
  ...['200', '400 input.*', '401 requestId.taken', '401 signature.*', '401 token.*'],
  ...['429', '500', '503', 'none'],
]
const lookups = ['200', '401 token.*', '429', '503', 'none']
const others = ['200', '401 token.*']

/** The expected answers of each operation; `*` stands for any cause of its group. */
const answersOf: Readonly<Record<Operation, readonly string[]>> = {
  'create-checkout-order': creates,
  'create-subscription-order': creates,
  'crypto-orders': lookups,
  orders: lookups,
  'fiat-refunds': lookups,
  'simulate-webhook': others,
  'webhook-url': others,
  'access-token': ['200', '401 credentials.wrong'],
}

/** The documented items of each section. A suite may meet more. */
const expected: Readonly<Record<Section, readonly string[]>> = {
  hazards: hazards.map(({ name }) => name),
  answers: Object.entries(answersOf).flatMap(([operation, answers]) =>
    answers.map((answer) => `${operation} ${answer}`),
  ),
  statuses: statuses
    .filter(({ of, from }) => of !== 'settlement' && from === 'service')
    .map(({ of, name }) => `${of} ${name}`),
  transitions: [
    ...['order CREATED -> COMPLETED', 'order CREATED -> FAILED'],
    ...['payment CREATED -> COMPLETED', 'payment CREATED -> FAILED'],
    'refund none -> REFUND_INITIATED',
  ],
  errorCodes: documentedErrorCodes,
  attempts: ['accepted', 'refused', 'timeout', 'connection', 'dead'],
}

/** A hazard, with how often the tests met it. */
export interface HazardMet extends Hazard {
  readonly met: number
}

/** An answer or a status, with how often the tests met it. */
interface ItemMet {
  readonly name: string
  readonly met: number
  /** Whether the item counts: invented statuses do not, nor do answers of operations that were never called. */
  readonly counts: boolean
}

/** The coverage of a suite: hazards and other items that it has met. */
export interface CoverageReport {
  /** All hazards; those that lose money come first. */
  readonly hazards: readonly HazardMet[]
  readonly answers: readonly ItemMet[]
  readonly statuses: readonly ItemMet[]
  readonly transitions: readonly ItemMet[]
  readonly errorCodes: readonly ItemMet[]
  readonly attempts: readonly ItemMet[]
  /** The number of items that were met, of those that count. */
  readonly met: number
  /** The number of all items that count. */
  readonly of: number
  /** Rounded down to a tenth, so that only full coverage is 100. */
  readonly percent: number
}

/** Sums up counts; the same item may occur several times, from several emulators. */
export function coverageReport(lines: readonly Met[]): CoverageReport {
  const counts = countsOf(lines)
  const metHazards = hazards
    .map((hazard) => ({ ...hazard, met: counts.hazards.get(hazard.name) ?? 0 }))
    .toSorted((a, b) => Number(b.losesMoney) - Number(a.losesMoney))
  const itemsOf = (section: Section): ItemMet[] => itemsIn(section, counts[section])
  const others = {
    answers: itemsOf('answers'),
    statuses: itemsOf('statuses'),
    transitions: itemsOf('transitions'),
    errorCodes: itemsOf('errorCodes'),
    attempts: itemsOf('attempts'),
  }
  const counting = [
    ...metHazards,
    ...Object.values(others).flatMap((items) => items.filter(({ counts: c }) => c)),
  ]
  const met = counting.filter((item) => item.met > 0).length
  return {
    hazards: metHazards,
    ...others,
    met,
    of: counting.length,
    percent: Math.floor((met / counting.length) * 1_000) / 10,
  }
}

type CountsBySection = Readonly<Record<Section, Map<string, number>>>

function countsOf(lines: readonly Met[]): CountsBySection {
  const counts: CountsBySection = {
    hazards: new Map(),
    answers: new Map(),
    statuses: new Map(),
    transitions: new Map(),
    errorCodes: new Map(),
    attempts: new Map(),
  }
  for (const { section, name, count } of lines)
    counts[section].set(name, (counts[section].get(name) ?? 0) + count)
  return counts
}

/** The expected items of a section in order, then other items that were met. */
function itemsIn(section: Section, counts: ReadonlyMap<string, number>): ItemMet[] {
  const names = [...counts.keys()]
  const wanted = expected[section].map((name) => {
    const fitting = names.filter((each) => fits(each, name))
    return {
      name,
      met: fitting.reduce((sum, each) => sum + (counts.get(each) ?? 0), 0),
      counts: section !== 'answers' || names.some((each) => operationOf(each) === operationOf(name)),
    }
  })
  const more = names
    .filter((name) => !expected[section].some((each) => fits(name, each)))
    .map((name) => ({ name, met: counts.get(name) ?? 0, counts: false }))
  return [...wanted, ...more.toSorted((a, b) => (a.name < b.name ? -1 : 1))]
}

const fits = (name: string, wanted: string): boolean =>
  wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted

const operationOf = (answer: string): string => answer.split(' ')[0] ?? ''

const titles = {
  answers: 'Answers',
  statuses: 'Statuses',
  transitions: 'Transitions',
  errorCodes: 'Error codes',
  attempts: 'Webhook attempts',
} as const

/** The count of one section in the coverage report. */
export interface SectionSum {
  readonly title: string
  readonly met: number
  readonly of: number
  readonly items: readonly ItemMet[]
  /** The names of items that count and were not met. */
  readonly missing: readonly string[]
}

/** The sections beside the hazards, in the order of the report. */
export function sectionsOf(report: CoverageReport): SectionSum[] {
  return otherSections.map((section) => {
    const items = report[section]
    const counting = items.filter((item) => item.counts)
    const missing = counting.filter((item) => item.met === 0).map(({ name }) => name)
    const of = counting.length
    return { title: titles[section], met: of - missing.length, of, items, missing }
  })
}

const otherSections = ['answers', 'statuses', 'transitions', 'errorCodes', 'attempts'] as const

/** Lists the hazards that were not met: first those that lose money, then the others. */
export function missingHazards({ hazards: all }: CoverageReport): {
  readonly losingMoney: readonly HazardMet[]
  readonly others: readonly HazardMet[]
} {
  const missing = all.filter(({ met }) => met === 0)
  return {
    losingMoney: missing.filter(({ losesMoney }) => losesMoney),
    others: missing.filter(({ losesMoney }) => !losesMoney),
  }
}

/** Formats the last line of the report: "coverage 42.1 % (35 of 83)". */
export const percentLine = ({ percent, met, of }: CoverageReport): string =>
  `coverage ${percent} % (${met} of ${of})`
