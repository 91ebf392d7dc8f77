import { finalOrderStatuses, isTerminal, orderStatuses, refundStatuses } from '../../domain/order/statuses.ts'
import type { SeenEvent } from './events.ts'
import { type Leaves, pathOf } from './leaves.ts'

/** What webhooks say about statuses. */
export interface SeenStatuses {
  /** The status that each event reports, in the words of the API specification; left out if it cannot be told. */
  readonly statusOf: ReadonlyMap<SeenEvent, string>
  /** The events about refunds. */
  readonly refunds: ReadonlySet<SeenEvent>
  /** The text of each status in webhooks, without formats. */
  readonly words: ReadonlyMap<string, string>
  /** The place of the status in events about orders, and its texts that stand for no known status. */
  readonly place: string | null
  readonly unknown: ReadonlyMap<SeenEvent, string>
}

const known: readonly string[] = [...new Set([...orderStatuses, ...refundStatuses])]
/** The statuses of the events about refunds. */
export const statusesOfRefunds = ({ refunds, statusOf }: SeenStatuses): ReadonlySet<string> =>
  new Set([...refunds].flatMap((event) => statusOf.get(event) ?? []))

/** Whether a status is one that refunds have. */
export const isOfRefund = (status: string): boolean => refundStatuses.some((each) => each === status)

/** The known status that a text is, in any case; undefined for another text. */
const printed = (text: string): string | undefined =>
  known.find((status) => text === status || text === status.toLowerCase())

/** The records of an event's order in the lookups: those of its charge, and none if that is not known. */
export const recordsOf = ({ order, orderId }: SeenEvent): Readonly<Record<string, unknown>>[] =>
  order.lookups
    .filter(({ operation }) => operation !== 'fiat-refunds')
    .flatMap(({ records }) => records)
    .filter((record) => (orderId === null ? !order.isSubscription : record.orderId === orderId))

/** The final status of an event's order in the lookups; null while it is not final. */
export function finalOf(event: SeenEvent): string | null {
  const last = recordsOf(event).findLast(
    ({ orderStatus }) => typeof orderStatus === 'string' && isTerminal(orderStatus),
  )
  return typeof last?.orderStatus === 'string' ? last.orderStatus : null
}

/** The refunds of an order in the lookups, by id, as they were seen last. */
export function refundsOf({
  order,
}: Pick<SeenEvent, 'order'>): ReadonlyMap<string, { amount: string; status: string }> {
  const records = order.lookups
    .filter(({ operation }) => operation === 'fiat-refunds')
    .flatMap((lookup) => lookup.records)
  return new Map(
    records.flatMap(({ refundId, fiatAmount, status }) =>
      typeof refundId === 'string' && typeof fiatAmount === 'string' && typeof status === 'string'
        ? [[refundId, { amount: fiatAmount, status }] as const]
        : [],
    ),
  )
}

/** Finds the place of the status in webhooks, and the status of each event. */
export function readStatuses(leavesOf: ReadonlyMap<SeenEvent, Leaves>): SeenStatuses {
  const events = [...leavesOf.keys()]
  const named = eventsOfRefunds(leavesOf)
  const ofOrders = events.filter((event) => !named.has(event))
  const places = [...new Set(ofOrders.flatMap((event) => [...(leavesOf.get(event)?.keys() ?? [])]))]
  const textAt = (event: SeenEvent, place: string) => {
    const leaf = leavesOf.get(event)?.get(place)
    return typeof leaf === 'string' ? leaf : undefined
  }
  const readings = places.flatMap((place) => {
    const reading = readPlace(ofOrders, (event) => textAt(event, place))
    return reading === null ? [] : [{ place, reading, rank: rankOf(place, reading) }]
  })
  const [best] = readings.toSorted((a, b) => b.rank - a.rank)
  if (best === undefined)
    return { ...{ statusOf: new Map(), refunds: named, words: new Map(), place: null, unknown: new Map() } }
  const statusOf = new Map<SeenEvent, string>()
  const unknown = new Map<SeenEvent, string>()
  for (const event of ofOrders) {
    const text = textAt(event, best.place)
    const status = text === undefined ? undefined : best.reading.get(text)
    if (status !== undefined) statusOf.set(event, status)
    else if (text !== undefined) unknown.set(event, text)
  }
  const words = new Map([...best.reading].map(([text, status]) => [status, text]))
  const refunds = new Set([...named, ...ofOrders.filter((event) => isOfRefund(statusOf.get(event) ?? ''))])
  const ofRefunds = refundWords([...named], { textAt, leavesOf, words })
  for (const [event, status] of ofRefunds.statusOf) statusOf.set(event, status)
  for (const [status, text] of ofRefunds.words) words.set(status, text)
  return { statusOf, refunds, words, place: best.place, unknown }
}

/** The events that name a refund, and those that have a field which only such events have. */
function eventsOfRefunds(leavesOf: ReadonlyMap<SeenEvent, Leaves>): ReadonlySet<SeenEvent> {
  const places = new Set<string>()
  const named = new Set<SeenEvent>()
  for (const [event, leaves] of leavesOf) {
    const ids = refundsOf(event)
    for (const [place, leaf] of leaves) {
      if (typeof leaf !== 'string' || !ids.has(leaf)) continue
      places.add(place)
      named.add(event)
    }
  }
  const own = [...places].filter((place) =>
    [...leavesOf].every(
      ([event, leaves]) => named.has(event) || !leaves.has(place) || refundsOf(event).size === 0,
    ),
  )
  const others = [...leavesOf].filter(([, leaves]) => own.some((place) => leaves.has(place)))
  if (others.length < leavesOf.size) for (const [event] of others) named.add(event)
  return named
}

/** How much a place looks like that of the status. */
function rankOf(place: string, reading: ReadonlyMap<string, string>): number {
  const name = nameOf(place)
  const texts = [...reading]
  const isPrinted = texts.every(([text]) => printed(text) !== undefined)
  const isDotted = texts.some(([text]) => text.includes('.') || text.includes('-'))
  return (
    (isPrinted ? 4 : 0) +
    (/status|state/.test(name) ? 2 : 0) +
    (/payment|settlement/.test(name) ? -3 : 0) +
    (isDotted || /type|event|topic|notice|action|kind/.test(name) ? -2 : 0) +
    texts.length / 100
  )
}

/** The name of a place in lower case, with that of the object around it. */
export const nameOf = (key: string): string =>
  pathOf(key)
    .filter((each) => typeof each === 'string')
    .slice(-2)
    .join('.')
    .toLowerCase()
    .replaceAll(/[^a-z.]/g, '')

/** Reads the texts of one place as words for statuses; null if they are not. */
function readPlace(
  events: readonly SeenEvent[],
  textOf: (event: SeenEvent) => string | undefined,
): ReadonlyMap<string, string> | null {
  const having = events.filter((event) => textOf(event) !== undefined)
  const texts = [...new Set(having.map((event) => textOf(event) ?? ''))]
  if (having.length * 2 < events.length || texts.length > 12 || texts.length === 0) return null
  const reading = new Map(
    texts.flatMap((text) => {
      const status = printed(text)
      return status === undefined ? [] : [[text, status] as const]
    }),
  )
  const orders = [...Map.groupBy(having, ({ unit }) => unit).values()].map((group) => {
    const [first] = group
    return {
      texts: group.map((event) => textOf(event) ?? ''),
      final: first === undefined ? null : finalOf(first),
    }
  })
  const foreign = texts.filter((text) => !reading.has(text))
  if (foreign.length > 0)
    for (const [text, status] of foreignWords(orders, reading)) reading.set(text, status)
  const isKnown = having.filter((event) => reading.has(textOf(event) ?? '')).length
  if (isKnown * 10 < having.length * 8 || !fitsFinals(orders, reading)) return null
  const isInjective = new Set(reading.values()).size === reading.size
  return isInjective ? reading : null
}

interface OrderTexts {
  /** The texts of its events, oldest first. */
  readonly texts: readonly string[]
  readonly final: string | null
}

/** Whether statuses agree with the lookups: an order has no webhook of another end. */
function fitsFinals(orders: readonly OrderTexts[], reading: ReadonlyMap<string, string>): boolean {
  const wrong = orders.filter(
    ({ texts, final }) =>
      final !== null &&
      texts.some((text) => {
        const status = reading.get(text)
        return status !== undefined && isTerminal(status) && status !== final
      }),
  )
  return wrong.length * 10 <= orders.length
}

/** Reads words by the ends of orders: those of a final status are in no order that ended otherwise, and come after
 *  the word for a new order. */
function foreignWords(
  orders: readonly OrderTexts[],
  reading: ReadonlyMap<string, string>,
): (readonly [string, string])[] {
  const taken = new Set(reading.values())
  const isForeign = (text: string) => !reading.has(text)
  const long = orders.filter(({ texts }) => new Set(texts).size >= 2)
  const firsts = counted(long.map(({ texts: [first = ''] }) => first))
  const [first] = firsts
  const created =
    taken.has('CREATED') ||
    first === undefined ||
    !isForeign(first.text) ||
    first.count * 10 < long.length * 7 ||
    !isOfAll(first.text, orders)
      ? null
      : first.text
  const found: (readonly [string, string])[] = created === null ? [] : [[created, 'CREATED']]
  for (const final of finalOrderStatuses) {
    if (taken.has(final)) continue
    const own = orders.filter((order) => order.final === final)
    const others = new Set(
      orders.filter((order) => order.final !== null && order.final !== final).flatMap(({ texts }) => texts),
    )
    const possible = own.flatMap(({ texts }) =>
      texts.filter(
        (text) =>
          isForeign(text) && text !== created && !others.has(text) && !found.some(([word]) => word === text),
      ),
    )
    // Without the word of a new order or of another end, a single word may be either.
    const isOnly = created === null && !taken.has('CREATED') && others.size === 0
    const early = own.flatMap(({ texts }) => texts.find((text) => possible.includes(text)) ?? [])
    const [word] = counted(early)
    if (word !== undefined && !isOnly && word.count * 2 > own.length) found.push([word.text, final])
  }
  const completed = found.find(([, status]) => status === 'COMPLETED')?.[0] ?? wordFor('COMPLETED', reading)
  if (completed === undefined || taken.has('REFUND_INITIATED')) return found
  const later = orders.flatMap(({ texts }) => {
    const index = texts.indexOf(completed)
    const next = index < 0 ? undefined : texts.slice(index + 1).find((text) => text !== completed)
    return next !== undefined && isForeign(next) && !found.some(([text]) => text === next) ? [next] : []
  })
  const [refund] = counted(later)
  return refund === undefined ? found : [...found, [refund.text, 'REFUND_INITIATED']]
}

/** Whether a word is in the webhooks of orders with different ends, as the word for a new order is. A word for paid
 *  orders may come first too, if nothing is sent before the payment. */
function isOfAll(text: string, orders: readonly OrderTexts[]): boolean {
  const ends = Map.groupBy(
    orders.filter(({ texts }) => texts.length > 0),
    ({ final }) => final,
  )
  const having = (some: readonly OrderTexts[]) => some.filter(({ texts }) => texts.includes(text)).length
  return ends.size >= 2 && [...ends.values()].every((some) => having(some) * 10 >= some.length * 7)
}

const wordFor = (status: string, reading: ReadonlyMap<string, string>): string | undefined =>
  [...reading].find(([, each]) => each === status)?.[0]

/** The texts of a list with how often each is there, the most frequent first. */
export function counted(texts: readonly string[]): { text: string; count: number }[] {
  return [...Map.groupBy(texts, (text) => text)]
    .map(([text, all]) => ({ text, count: all.length }))
    .toSorted((a, b) => b.count - a.count)
}

/** The words of events that name a refund: at the place of the status, or elsewhere beside it. */
function refundWords(
  events: readonly SeenEvent[],
  {
    textAt,
    leavesOf,
    words,
  }: {
    textAt: (event: SeenEvent, place: string) => string | undefined
    leavesOf: ReadonlyMap<SeenEvent, Leaves>
    words: ReadonlyMap<string, string>
  },
): { statusOf: Map<SeenEvent, string>; words: Map<string, string> } {
  const statusOf = new Map<SeenEvent, string>()
  const found = new Map<string, string>()
  const ofOrders = new Set(words.values())
  const places = [...new Set(events.flatMap((event) => [...(leavesOf.get(event)?.keys() ?? [])]))]
  const lastStatus = (event: SeenEvent) => {
    const ids = refundsOf(event)
    const id = [...(leavesOf.get(event)?.values() ?? [])].find(
      (leaf) => typeof leaf === 'string' && ids.has(leaf),
    )
    return typeof id === 'string' ? ids.get(id)?.status : undefined
  }
  const ranked = places
    .map((each) => ({ place: each, texts: events.flatMap((event) => textAt(event, each) ?? []) }))
    .filter(
      ({ texts }) =>
        texts.length === events.length &&
        new Set(texts).size <= 6 &&
        // That is the status of the order beside the refund.
        !texts.every((text) => ofOrders.has(text)),
    )
    .map((each) => ({ ...each, rank: refundRank(each, ofOrders) }))
    .toSorted((a, b) => b.rank - a.rank)
  const [best] = ranked
  if (best === undefined || best.rank <= 0) {
    for (const event of events) statusOf.set(event, 'REFUND_INITIATED')
    return { statusOf, words: found }
  }
  const texts = [...new Set(best.texts)]
  for (const text of texts) {
    const own = events.filter((event) => textAt(event, best.place) === text)
    const ends = counted(own.flatMap((event) => lastStatus(event) ?? []))
    const others = ends.filter(({ text: end }) => end !== 'REFUND_INITIATED')
    const isFirst = own.every((event) => isFirstOfRefund(event, events, textAt, best.place))
    const status = printed(text) ?? (isFirst ? 'REFUND_INITIATED' : (others[0]?.text ?? text))
    for (const event of own) statusOf.set(event, status)
    if (!found.has(status)) found.set(status, text)
  }
  return { statusOf, words: found }
}

function refundRank(
  { place, texts }: { place: string; texts: readonly string[] },
  ofOrders: ReadonlySet<string>,
): number {
  const name = nameOf(place)
  // Orders can have statuses of refunds too, beside their own.
  const isPrinted =
    texts.some((text) => isOfRefund(printed(text) ?? '')) && !texts.some((text) => ofOrders.has(text))
  return (
    (isPrinted ? 4 : 0) +
    (/status|state|code/.test(name) ? 2 : 0) +
    (/refund/.test(name) ? 1 : 0) +
    (/type|event|topic|notice|action|kind|id$|currency|amount|value/.test(name) ? -4 : 0)
  )
}

/** Whether no other event of the same order with another text comes before. */
function isFirstOfRefund(
  event: SeenEvent,
  events: readonly SeenEvent[],
  textAt: (event: SeenEvent, place: string) => string | undefined,
  place: string,
): boolean {
  const own = textAt(event, place)
  return !events.some(
    (other) => other.unit === event.unit && other.at < event.at && textAt(other, place) !== own,
  )
}
