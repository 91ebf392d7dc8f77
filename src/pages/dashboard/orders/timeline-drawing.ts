import { textWidth } from '../../../domain/text/text-width.ts'
import { type Tone, toneOf } from '../../framework/parts.tsx'
import { columnsOf, type Gap, withLabels } from './timeline-columns.ts'
import type { Lane, ShownOrder, TimelineEvent } from './timeline-events.ts'

/** A part of a bar in the timeline drawing, with one status. */
interface Segment {
  readonly x: number
  readonly width: number
  readonly tone: Tone
  /** The status as the label of the part, if there is room. */
  readonly label: string | null
  readonly labelX: number
  readonly title: string
}

/** One or more events of a lane at one position of the drawing. */
export interface Mark {
  readonly x: number
  readonly lane: Lane
  readonly tone: Tone
  readonly done: boolean
  /** The events of the mark, in order of time. */
  readonly events: readonly TimelineEvent[]
  /** The number of events in the mark, folded ones included. */
  readonly count: number
  /** The left end of the count; null if there is no room. */
  readonly countX: number | null
  /** The label above the mark, if there is room. */
  readonly label: string | null
  /** The middle of the label, which need not be that of the mark. */
  readonly labelX: number
}

/** A row of the timeline drawing. */
export interface Row {
  readonly name: string
  /** The vertical position of the row's middle. */
  readonly y: number
  readonly height: number
  readonly segments: readonly Segment[]
  readonly marks: readonly Mark[]
  /** The lines that connect the attempts of a delivery. */
  readonly threads: readonly { readonly x: number; readonly to: number; readonly done: boolean }[]
}

/** The positions of everything in a timeline drawing. */
export interface Drawing {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly end: number
  readonly now: number
  readonly axisY: number
  readonly columns: ReturnType<typeof withLabels>
  readonly gaps: readonly Gap[]
  readonly rows: readonly Row[]
}

/** The width for the names of the rows. */
const left = 124
const right = 56
/** The width of the page; longer time lines are wider. */
const usualWidth = 1120
const top = 56
const axisY = 34
const legHeight = 34
const laneHeight = 40
/** The least distance of a label from the borders, and from the line of the present. */
const clear = 4
/** The end of the names of the rows. */
const namesEnd = 88
/** The maximum number of characters of a label; the card of its mark has all. */
const mostCharacters = 22

const shortened = (text: string): string =>
  text.length > mostCharacters ? `${text.toWellFormed().slice(0, mostCharacters - 1)}…` : text

/** Draws a time line: a bar for each leg of the order, and below it past and coming events in lanes. */
export function drawingOf(story: readonly TimelineEvent[], legs: readonly Leg[], now: number): Drawing {
  const drawing = laidOut(story, legs, now, right)
  const ends = drawing.rows.flatMap(({ segments }) =>
    segments.map(({ label, labelX }) => (label === null ? 0 : labelX + textWidth(label, 0.8) + clear)),
  )
  const missing = Math.max(0, ...ends) - drawing.width
  return missing > 0 ? laidOut(story, legs, now, right + missing) : drawing
}

function laidOut(story: readonly TimelineEvent[], legs: readonly Leg[], now: number, right: number): Drawing {
  const open = story.some(({ at }) => at === null)
  const room = { left, width: usualWidth - left - right, open }
  const { columns, gaps, end, xOf } = columnsOf(momentsOf(story, legs, now), room)
  const place = { xOf, now: xOf(now), end: end + right }
  const lines: Omit<Row, 'y'>[] = [...legs.map((leg) => legRow(leg, place)), ...laneRows(story, place)]
  let y = top
  const rows = lines.map((line) => {
    y += line.height
    return { ...line, y: y - line.height / 2 }
  })
  return {
    ...{ width: end + right, height: y + 8, left, end, axisY, gaps, rows, now: place.now },
    columns: withLabels(columns, place.now),
  }
}

const momentsOf = (story: readonly TimelineEvent[], legs: readonly Leg[], now: number): number[] => [
  now,
  ...story.flatMap(({ at, until }) => (at === null ? [] : [at, ...(until === undefined ? [] : [until])])),
  ...legs.flatMap(({ statuses }) => statuses.map(({ at }) => at)),
]

const smallWidth = 132
const smallHeight = 24
/** The maximum number of events in a small time line: the latest past ones, and the next. */
const mostSmall = { done: 10, toCome: 6 }

/** Draws a time line for a row of a list: the bar of one leg with the steps on it, without words. */
export function smallDrawingOf(story: readonly TimelineEvent[], leg: Leg, now: number): Drawing {
  const done = story.filter((event) => event.done).slice(-mostSmall.done)
  const shown = [...done, ...story.filter((event) => !event.done).slice(0, mostSmall.toCome)]
  const open = shown.some(({ at }) => at === null)
  const earliest = Math.min(...shown.flatMap(({ at }) => at ?? []), now)
  const statuses = leg.statuses.filter(
    ({ at }, index) => at >= earliest || (leg.statuses[index + 1]?.at ?? Infinity) > earliest,
  )
  const bar = { name: '', statuses: statuses.map((one) => ({ ...one, at: Math.max(one.at, earliest) })) }
  const small = { left: 8, width: smallWidth - 28, open, narrowest: 5, openGap: 18 }
  const { end, xOf } = columnsOf(momentsOf(shown, [bar], now), small)
  const place = { xOf, now: xOf(now), end: smallWidth }
  const { marks } = rowOf('', shown, place)
  return {
    ...{ width: smallWidth, height: smallHeight, left: 8, end, axisY: smallHeight / 2, now: place.now },
    ...{ columns: [], gaps: [] },
    rows: [{ ...legRow(bar, place), marks, y: smallHeight / 2, height: smallHeight }],
  }
}

interface Place {
  readonly xOf: (at: number | null) => number
  readonly now: number
  /** The right border of the drawing. */
  readonly end: number
}

/** Draws the bar of a leg up to the present. */
function legRow({ name, statuses }: Leg, { xOf, now }: Place): Omit<Row, 'y'> {
  const segments = statuses.flatMap(({ at, status, tone }, index): Segment[] => {
    const x = xOf(at)
    const next = statuses[index + 1]
    // A status that has just begun gets a minimum width.
    const width = Math.max((next === undefined ? Math.max(now, x + 14) : xOf(next.at)) - x, 0)
    if (width === 0) return []
    const word = shortened(status)
    const fits = textWidth(word, 0.8) + 14 <= width
    // The last part may have its label beside it.
    const label = fits || next === undefined ? word : null
    return [{ x, width, tone, label, labelX: x + (fits ? 7 : width + 6), title: `${name} ${status}` }]
  })
  return { name, height: legHeight, segments, marks: [], threads: [] }
}

function laneRows(story: readonly TimelineEvent[], place: Place): Omit<Row, 'y'>[] {
  const of = (lane: Lane) => story.filter((event) => event.lane === lane)
  const single = (name: string, lane: Lane) => (of(lane).length === 0 ? [] : [rowOf(name, of(lane), place)])
  const webhooks = packed(of('webhook'), place.xOf)
  return [
    ...single('Steps', 'step'),
    ...webhooks.map((timelineEvents, index) => rowOf(index === 0 ? 'Webhooks' : '', timelineEvents, place)),
    ...single('Charges', 'charge'),
    ...single('Requests', 'request'),
  ]
}

/** Distributes deliveries over as few rows as possible without overlaps. */
function packed(timelineEvents: readonly TimelineEvent[], xOf: Place['xOf']): TimelineEvent[][] {
  const lines: { timelineEvents: TimelineEvent[]; end: number }[] = []
  for (const own of Map.groupBy(timelineEvents, ({ deliveryId }) => deliveryId).values()) {
    const xs = own.map(({ at }) => xOf(at))
    const line = lines.find(({ end }) => end < Math.min(...xs))
    const end = Math.max(...xs)
    if (line === undefined) lines.push({ timelineEvents: own, end })
    else {
      line.timelineEvents.push(...own)
      line.end = end
    }
  }
  return lines.map((line) => line.timelineEvents)
}

function rowOf(name: string, timelineEvents: readonly TimelineEvent[], place: Place): Omit<Row, 'y'> {
  const { xOf } = place
  const cells = [...Map.groupBy(timelineEvents, ({ at }) => xOf(at))].toSorted(([a], [b]) => a - b)
  const marks = cells.flatMap(([x, cell]) => {
    const mark = markOf(x, cell)
    return mark === null ? [] : [mark]
  })
  const firsts = new Set([...Map.groupBy(timelineEvents, threadOf).values()].map(([first]) => first))
  const wanted = cells.map(([, cell]) => cell.some((event) => firsts.has(event)))
  return {
    ...{ name, height: laneHeight, segments: [], threads: threadsOf(timelineEvents, xOf) },
    marks: readable(
      counted(
        marks.map((mark, index) => (wanted[index] ? mark : { ...mark, label: null })),
        place,
      ),
      place,
    ),
  }
}

/** Whether an event is a further attempt, which needs no label. */
const threadOf = ({ id, deliveryId }: TimelineEvent): string => deliveryId ?? id

function markOf(x: number, cell: readonly TimelineEvent[]): Mark | null {
  const worst = tones.flatMap((tone) => cell.find((event) => event.tone === tone) ?? [])[0]
  if (worst === undefined) return null
  const count = cell.reduce((all, one) => all + (one.count ?? 1), 0)
  return {
    ...{ x, count, lane: worst.lane, tone: worst.tone, done: cell.every(({ done }) => done) },
    ...{ events: cell, label: cell[0]?.label ?? null, labelX: x, countX: null },
  }
}

/** The tones of events, the worst first: a mark shows the worst of its events. */
const tones = ['bad', 'waiting', 'other', 'good'] as const

function threadsOf(timelineEvents: readonly TimelineEvent[], xOf: Place['xOf']): Row['threads'] {
  return [...Map.groupBy(timelineEvents, ({ deliveryId }) => deliveryId)].flatMap(([deliveryId, own]) => {
    if (deliveryId === undefined) return []
    return own.slice(1).flatMap(({ at, done }, index) => {
      const [x, to] = [xOf(own[index]?.at ?? null), xOf(at)]
      return x < to ? [{ x, to, done }] : []
    })
  })
}

/** Places the counts of marks beside them, away from the line of the present and from other marks. */
function counted(marks: readonly Mark[], { now, end }: Place): Mark[] {
  return marks.map((mark, index) => {
    if (mark.count < 2) return mark
    const width = textWidth(`x${mark.count}`)
    const taken = [index - 1, index + 1].flatMap((other) => marks[other]?.x ?? [])
    const isFree = (from: number) =>
      from > namesEnd &&
      from + width < end &&
      [...taken.map((x) => [x, 9] as const), [now, clear] as const].every(
        ([x, room]) => x + room < from || x - room > from + width,
      )
    const countX = [mark.x + 9, mark.x - 9 - width].find(isFree) ?? null
    return { ...mark, countX }
  })
}

/** Places labels above their marks, or beside them if a border or the line of the present is in the way. Removes
 *  overlapping ones; the first stays. */
function readable(marks: readonly Mark[], { now, end }: Place): Mark[] {
  let free = namesEnd
  return marks.map((mark) => {
    if (mark.label === null) return mark
    const label = shortened(mark.label)
    const half = textWidth(label) / 2
    const within = Math.min(Math.max(mark.x, namesEnd + half), end - clear - half)
    const labelX = [within, now - clear - half, now + clear + half]
      .toSorted((a, b) => Math.abs(a - mark.x) - Math.abs(b - mark.x))
      .find(
        (x) =>
          Math.abs(x - mark.x) <= half + 8 &&
          Math.abs(x - now) >= half + clear &&
          x - half >= free &&
          x + half + clear <= end,
      )
    if (labelX === undefined) return { ...mark, label: null }
    free = labelX + half + 6
    return { ...mark, label, labelX }
  })
}

/** The statuses of a leg of an order over time. */
export interface Leg {
  readonly name: string
  /** The statuses, oldest first; each lasts until the next. */
  readonly statuses: readonly { readonly at: number; readonly status: string; readonly tone: Tone }[]
}

/** The legs of an order: the order, its payment, and its settlement if that has changed. */
export function legsOf(order: ShownOrder): readonly Leg[] {
  return [
    legOf(order, 'Order', 'order', order.orderStatus),
    legOf(order, 'Payment', 'payment', order.paymentStatus),
    legOf(order, 'Settlement', 'settlement', order.settlementStatus),
  ].filter(({ name, statuses }) => name !== 'Settlement' || statuses.length > 1)
}

/** @param now the present status, which is also the initial one if the history has no change */
function legOf({ history, createdAt }: ShownOrder, name: string, what: string, now: string): Leg {
  const changes = history.filter((entry) => entry.what === what && entry.to !== undefined)
  const statuses = [
    { at: createdAt, status: changes[0]?.from ?? now },
    ...changes.map(({ at, to = now }) => ({ at, status: to })),
  ]
  return { name, statuses: statuses.map((one) => ({ ...one, tone: toneOf(one.status) })) }
}
