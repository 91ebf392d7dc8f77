import { orderEventType } from '../../domain/order/statuses.ts'
import type { SeenEvent } from './events.ts'
import { keyOf, type Leaves } from './leaves.ts'
import { counted, nameOf, type SeenStatuses, statusesOfRefunds } from './statuses.ts'

/** What webhooks say about event types. */
export interface SeenTypes {
  /** The place of the event type; null if bodies have none. */
  readonly place: string | null
  /** The event type of each status. */
  readonly words: ReadonlyMap<string, string>
  /** Events with a type that no other event of their status has. */
  readonly unknown: ReadonlyMap<SeenEvent, string>
  /** Whether the place that was read as the status is that of the event type, and there is no other status. */
  readonly isStatus: boolean
}

const noTypes: SeenTypes = { place: null, words: new Map(), unknown: new Map(), isStatus: false }

/** The places of the event type in the formats that the emulator has without a template. */
const usualPlaces = [keyOf(['eventType']), keyOf(['type'])]

const looksLikeType = /type|event|topic|notice|action|kind/

/** Finds the place of the event type: a text that follows from the status. */
export function readTypes(leavesOf: ReadonlyMap<SeenEvent, Leaves>, statuses: SeenStatuses): SeenTypes {
  const events = [...leavesOf.keys()].filter((event) => statuses.statusOf.has(event))
  const places = [...new Set(events.flatMap((event) => [...(leavesOf.get(event)?.keys() ?? [])]))]
  const readings = places.flatMap((place) => {
    if (place === statuses.place) return []
    const reading = readPlace(place, events, leavesOf, statuses)
    return reading === null ? [] : [reading]
  })
  const [best] = readings.toSorted((a, b) => rankOf(b) - rankOf(a))
  if (best !== undefined && rankOf(best) > 0) return best
  const { place, words } = statuses
  const isType =
    place !== null &&
    looksLikeType.test(nameOf(place)) &&
    !/status|state/.test(nameOf(place)) &&
    [...words].every(([status, text]) => text.toUpperCase() !== status)
  return isType ? { place, words, unknown: statuses.unknown, isStatus: true } : noTypes
}

function rankOf({ place, words }: SeenTypes): number {
  if (place === null) return 0
  const texts = [...words.values()]
  const isUsual = texts.includes(orderEventType)
  const isVaried = new Set(texts).size > 1
  return (
    (isUsual ? 8 : 0) +
    (isVaried ? 2 : -2) +
    (usualPlaces.includes(place) ? 3 : 0) +
    (looksLikeType.test(nameOf(place)) ? 2 : 0) +
    (texts.some((text) => text.includes('.')) ? 1 : 0)
  )
}

/** Reads the texts of one place as event types; null if they do not follow from the status. */
function readPlace(
  place: string,
  events: readonly SeenEvent[],
  leavesOf: ReadonlyMap<SeenEvent, Leaves>,
  statuses: SeenStatuses,
): SeenTypes | null {
  const having = events.flatMap((event) => {
    const text = leavesOf.get(event)?.get(place)
    const status = statuses.statusOf.get(event)
    return typeof text === 'string' && status !== undefined ? [{ event, text, status }] : []
  })
  if (having.length * 10 < events.length * 9 || having.length < 2) return null
  const words = new Map(
    [...Map.groupBy(having, ({ status }) => status)].map(([status, all]): [string, string] => [
      status,
      counted(all.map(({ text }) => text))[0]?.text ?? '',
    ]),
  )
  const strange = having.filter(({ text, status }) => text !== words.get(status))
  if (strange.length * 10 > having.length) return null
  // Another place with the status is no event type.
  const isStatus = [...words].every(
    ([status, text]) =>
      text === status || text === status.toLowerCase() || text === statuses.words.get(status),
  )
  if (isStatus) return null
  // One text for all orders is as well a fixed part of the body, unless its place or the text itself says more.
  const ofRefunds = statusesOfRefunds(statuses)
  const ofOrders = new Set([...words].flatMap(([status, text]) => (ofRefunds.has(status) ? [] : [text])))
  const isUsual = ofOrders.has(orderEventType) || usualPlaces.includes(place)
  if (ofOrders.size < 2 && !isUsual) return null
  return {
    place,
    words,
    unknown: new Map(strange.map(({ event, text }) => [event, text])),
    isStatus: false,
  }
}
