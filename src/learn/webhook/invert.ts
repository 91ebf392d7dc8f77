import { webhookPlaceholders } from '../../domain/webhook/payload-template.ts'
import type { SeenEvent } from './events.ts'
import type { Fact, Facts } from './facts.ts'
import { sameJson } from './leaves.ts'
import { fitOf, textFits, timesOf } from './match.ts'
import { chosen, type Possible, resembles } from './prefer.ts'

/** One event with a leaf of its body; undefined if the body has none there. */
export interface Occurrence {
  readonly event: SeenEvent
  readonly leaf: unknown
  /** What later attempts of the webhook have there. */
  readonly later: readonly unknown[]
  readonly facts: Facts
}

/** What explains a leaf.
 *
 *  - `decided`: only this does;
 *  - `likely`: this does, and others would in rare cases;
 *  - `open`: several do, and differ;
 *  - `unexplained`: nothing does. */
export interface Explained {
  readonly state: 'decided' | 'likely' | 'open' | 'unexplained'
  /** As a template writes it; undefined if nothing explains it. */
  readonly text: unknown
  /** All that explains it, in the words of a template. */
  readonly possible: readonly unknown[]
}

const formatsOf = {
  text: ['', 'lower', 'upper'],
  number: ['', 'text'],
  amount: ['', 'number', 'minor', 'minor:text'],
  time: [
    ...['', 'offset', 'isoSeconds', 'offsetSeconds', 'seconds', 'milliseconds', 'seconds:text'],
    ...['milliseconds:text', 'yyyymmdd', 'yymmdd'],
  ],
  json: [''],
} as const

const placeholders = Object.entries(webhookPlaceholders.values).flatMap(([name, kind]) =>
  formatsOf[kind].map((format) => ({ name, inner: format === '' ? name : `${name}:${format}` })),
)

/** Finds what explains a leaf in all events.
 *  @param place its name in lower case, with that of the object around it
 *  @param offset the UTC offset of all answers; null if it is not known */
export function explain(occurrences: readonly Occurrence[], place: string, offset: string | null): Explained {
  const present = occurrences.filter(({ leaf }) => leaf !== undefined)
  const [first] = present
  if (first === undefined) return { state: 'unexplained', text: undefined, possible: [] }
  const isSame = present.every(({ leaf }) => sameJson(leaf, first.leaf))
  const isFresh = present.some(({ leaf, later }) => later.some((each) => !sameJson(each, leaf)))
  const isConstant = isSame && present.length === occurrences.length && !isFresh
  const possible = candidatesFor(first.leaf).flatMap((each): Possible[] => {
    if (isFresh && each.name !== 'attempt' && each.name !== 'jwt') return []
    const fits = fitsAll(each, occurrences, offset)
    return fits === null || !behaves(each, present, offset) ? [] : [{ ...each, ...fits }]
  })
  const proven = possible.filter(({ proofs }) => proofs > 0)
  const texts = (some: readonly Possible[]) => some.map(({ inner }) => `\${${inner}}`)
  const constant = isConstant ? [first.leaf] : []
  if (proven.length > 0) {
    const best = chosen(proven, { place, leaf: first.leaf, isConstant })
    const all = [...texts(best.left), ...(best.mayBeConstant ? constant : [])]
    return { state: best.state, text: all[0], possible: all }
  }
  const open = possible.filter(({ name }) => resembles(name, place))
  if (isConstant) {
    // A value that no lookup shows may stay the same by chance.
    const isOpen = open.length > 0
    const isType = typeof first.leaf === 'string' && resembles('eventType', place)
    return {
      state: isOpen ? 'open' : isType ? 'likely' : 'decided',
      text: first.leaf,
      possible: [first.leaf, ...texts(open)],
    }
  }
  const inText = textAround(occurrences, present, offset)
  if (inText !== null) return { state: 'decided', text: inText, possible: [inText] }
  const id = idOf(present, place)
  if (id !== null) return { state: 'likely', text: `\${${id}}`, possible: [`\${${id}}`] }
  return { state: open.length > 0 ? 'open' : 'unexplained', text: texts(open)[0], possible: texts(open) }
}

/** The placeholders in the formats that a leaf can have. */
function candidatesFor(leaf: unknown): readonly { readonly name: string; readonly inner: string }[] {
  if (typeof leaf !== 'string' || !/^0\d*$/.test(leaf)) return placeholders
  const padded = ['sequence', 'attempt', 'charge'].map((name) => ({ name, inner: `${name}:${leaf.length}` }))
  return [...placeholders, ...padded]
}

/** Whether a placeholder fits in all events, and the number of different values that prove it; null if not. */
function fitsAll(
  { inner }: { readonly inner: string },
  occurrences: readonly Occurrence[],
  offset: string | null,
): { proofs: number } | null {
  const proofs = new Set<unknown>()
  for (const { leaf, facts } of occurrences) {
    const fit = fitOf(inner, leaf, facts, offset)
    if (fit === 'no') return null
    if (fit === 'yes' && leaf !== undefined)
      proofs.add(typeof leaf === 'object' ? JSON.stringify(leaf) : leaf)
  }
  return { proofs: proofs.size }
}

/** Whether values that the capture does not show behave as the emulator's do. */
function behaves(
  { name, inner }: { readonly name: string; readonly inner: string },
  present: readonly Occurrence[],
  offset: string | null,
): boolean {
  if (name === 'webhookId' || name === 'deliveryId') return areApart(present)
  if (name === 'sequence') return isCounting(present)
  if (name === 'attempt') return isOfAttempts(present)
  if (name === 'eventTime' || name === 'updatedTime' || name === 'eventTimestamp')
    return isOfEvents(inner, present, offset)
  if (name === 'paidTime') return isOfPayments(inner, present, offset)
  return true
}

/** Whether webhooks about different things have different values. */
function areApart(present: readonly Occurrence[]): boolean {
  const units = new Set(present.map(({ event }) => event.unit))
  const values = new Set(present.map(({ leaf }) => leaf))
  return (
    units.size > 1 && values.size >= units.size && !present.every(({ leaf }) => isTime.test(String(leaf)))
  )
}

/** Ids are not times, even if each event has another one. */
const isTime = /^(\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)|\d{10}|\d{13})$/

/** Whether the events of each order have numbers of their own, from 1. */
function isCounting(present: readonly Occurrence[]): boolean {
  const groups = [...Map.groupBy(present, ({ event }) => event.unit).values()]
  const wrong = groups.filter((group) => {
    const numbers = group.map(({ leaf }) => Number(leaf))
    return new Set(numbers).size < numbers.length || Math.max(...numbers) > group.length + 1
  })
  return wrong.length * 10 <= groups.length
}

/** Whether attempts have their numbers, also where the capture shows them as webhooks of their own. */
function isOfAttempts(present: readonly Occurrence[]): boolean {
  const groups = Map.groupBy(present, ({ event, facts }) => JSON.stringify([event.unit, facts.orderStatus]))
  return [...groups.values()].every((group) => {
    const numbers = group.flatMap(({ leaf, later }) => [leaf, ...later]).map(Number)
    return numbers.every((n, index) => n === index + 1 || n === 1)
  })
}

/** Whether times are those of the events, and not those of the orders: most are near the webhook. */
function isOfEvents(inner: string, present: readonly Occurrence[], offset: string | null): boolean {
  const [name, ...named] = inner.split(':')
  const formats = name === 'eventTimestamp' ? ['milliseconds', ...named] : named
  const later = present.filter(({ event: { at, order } }) => at - (order.created?.at ?? at) > 3_000)
  const near = later.filter(({ event, leaf }) =>
    timesOf(leaf, formats, offset).some(({ from, to }) => to >= event.at - 2_000 && from <= event.at + 2_000),
  )
  return near.length * 2 >= later.length
}

/** Whether times can be those of payments: all events of an order have the same one. Where no order has two events,
 *  they are at least near their webhooks; else they may be times of events that were sent late. */
function isOfPayments(inner: string, present: readonly Occurrence[], offset: string | null): boolean {
  const groups = [...Map.groupBy(present, ({ event }) => event.unit).values()]
  const repeated = groups.filter(({ length }) => length > 1)
  const isOne = repeated.every((group) => new Set(group.map(({ leaf }) => leaf)).size === 1)
  return isOne && (repeated.length > 0 || isOfEvents(inner, present, offset))
}

/** The names whose values are numbers of all kinds: they would be found in any text. */
const tooCommon = ['sequence', 'attempt', 'charge']

/** Finds a text around known values, such as `Order ${requestId}`; null if none fits in all events. */
function textAround(
  occurrences: readonly Occurrence[],
  present: readonly Occurrence[],
  offset: string | null,
): string | null {
  if (present.length < occurrences.length) return null
  const longest = present.toSorted((a, b) => String(b.leaf).length - String(a.leaf).length).slice(0, 3)
  const templates = new Set([...longest, ...present.slice(0, 2)].flatMap(templatesOf))
  for (const template of templates)
    if (occurrences.every(({ leaf, facts }) => textFits(template, leaf, facts, offset) === 'yes'))
      return template
  return null
}

/** A longer text is not taken apart: a pattern of thousands of known values overflows the stack. */
const longestText = 2_000

function templatesOf({ leaf, facts }: Occurrence): string[] {
  if (typeof leaf !== 'string' || leaf.length > longestText) return []
  const known = placeholders.flatMap(({ name, inner }) => {
    if (tooCommon.includes(name)) return []
    const found = Object.entries(facts).find(([each]) => each === name)?.[1]
    if (found?.kind !== 'is') return []
    const [, ...formats] = inner.split(':')
    if (formats.some((format) => format !== 'lower' && format !== 'upper')) return []
    return found.values.flatMap((value) => {
      if (typeof value !== 'string' || value.length < 3) return []
      const text =
        formats[0] === 'lower' ? value.toLowerCase() : formats[0] === 'upper' ? value.toUpperCase() : value
      return [{ text, inner }]
    })
  })
  let template = leaf
  const used: string[] = []
  for (const { text, inner } of known.toSorted((a, b) => b.text.length - a.text.length)) {
    if (!template.includes(text)) continue
    template = template.replaceAll(text, `\u{E010}${used.length}\u{E011}`)
    used.push(inner)
  }
  if (used.length === 0) return []
  return [template.replaceAll(/\u{E010}(\d+)\u{E011}/gu, (_, n: string) => `\${${used[Number(n)] ?? ''}}`)]
}

const isOneOf = (leaf: unknown, fact: Fact): boolean => fact.kind === 'is' && fact.values.includes(leaf)

/** The placeholder for an id that nothing else in the capture shows; null if it is none. */
function idOf(present: readonly Occurrence[], place: string): string | null {
  const isText = present.every(
    ({ leaf }) => typeof leaf === 'string' && leaf.length >= 6 && !isTime.test(leaf),
  )
  // What names the order in some webhooks is no id of the webhook in the others.
  if (
    present.some(
      ({ leaf, facts: { orderId, requestId } }) => isOneOf(leaf, orderId) || isOneOf(leaf, requestId),
    )
  )
    return null
  if (!isText || present.length < 2) return null
  const units = Map.groupBy(present, ({ event }) => event.unit)
  const values = new Set(present.map(({ leaf }) => leaf))
  const isPerUnit =
    values.size === units.size &&
    [...units.values()].every((group) => new Set(group.map(({ leaf }) => leaf)).size === 1)
  if (isPerUnit && present.every(({ event }) => event.orderId === null) && units.size < present.length)
    return /order/.test(place) && /id$|number$|no$/.test(place) ? 'orderId' : null
  const isPerEvent = values.size === new Set(present.map(({ event }) => event.webhook)).size
  if (!isPerEvent || units.size === present.length) return null
  return /deliver/.test(place) ? 'deliveryId' : 'webhookId'
}
