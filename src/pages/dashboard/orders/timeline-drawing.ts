import { spanWords } from '../../../domain/text/duration.ts'
import { type Tone, toneOf } from '../../framework/parts.tsx'
import type { Lane, ShownOrder, TimelineEvent } from './timeline-events.ts'

/** A column of the drawing: a time, or several that are too close to distinguish. */
interface Column {
  readonly x: number
  /** The first time in the column; null for undated events. */
  readonly at: number | null
}

/** The gap between two columns of the timeline drawing. */
interface Gap {
  readonly x: number
  readonly width: number
  readonly ms: number
  /** The duration of the gap in words; null if they do not fit. */
  readonly label: string | null
}

interface Columns {
  readonly columns: readonly Column[]
  readonly gaps: readonly Gap[]
  /** The position of the last column. */
  readonly end: number
  /** The position of a time: in its column, or between two. */
  xOf(at: number | null): number
}

/** Events less than this time apart share one column. */
const togetherMs = 80
const narrowestGap = 15
/** The width of the gap before the column of undated events. */
const openGap = 90
const columnCharacterWidth = 6.4

/** Lays times out from left to right. The scale is not linear: a gap grows with the logarithm of its length, so that
 *  two seconds and a month are both legible. The columns fill `width` unless they are too many.
 *  @param moments in any order, at least one
 *  @param open whether a column for undated events follows */
export function columnsOf(
  moments: readonly number[],
  { left, width, open }: { left: number; width: number; open: boolean },
): Columns {
  const starts = clusters(moments)
  const gapsMs = starts.slice(1).map(({ first }, index) => first - (starts[index]?.last ?? first))
  const widths = fitted(gapsMs.map(naturalWidth), width - (open ? openGap : 0))
  const xs = [left, ...widths.map((_, index) => left + sum(widths.slice(0, index + 1)))]
  const last = xs.at(-1) ?? left
  const dated = starts.map(({ first }, index) => ({ x: xs[index] ?? left, at: first }))
  const end = open ? last + openGap : last
  return {
    columns: open ? [...dated, { x: end, at: null }] : dated,
    gaps: gapsMs.map((ms, index) => {
      const gap = { x: xs[index] ?? left, width: widths[index] ?? 0, ms }
      const words = spanWords(ms)
      return { ...gap, label: words.length * columnCharacterWidth + 10 <= gap.width ? words : null }
    }),
    end,
    xOf: (at) => {
      if (at === null) return end
      return dated.findLast((column) => column.at <= at)?.x ?? left
    },
  }
}

/** Groups times that are close together, each with its first and last. */
function clusters(moments: readonly number[]): { first: number; last: number }[] {
  const groups: { first: number; last: number }[] = []
  for (const at of moments.toSorted((a, b) => a - b)) {
    const group = groups.at(-1)
    if (group !== undefined && at - group.first < togetherMs) group.last = at
    else groups.push({ first: at, last: at })
  }
  return groups
}

const naturalWidth = (ms: number): number => 28 + 14 * Math.log10(1 + ms / 50)

/** Widths that fill the room; too many columns need more room. */
function fitted(widths: readonly number[], room: number): number[] {
  const spare = Math.max(0, room - widths.length * narrowestGap)
  const all = sum(widths)
  return widths.map((width) => narrowestGap + (width * spare) / all)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

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
  /** The number of events in the mark. */
  readonly count: number
  /** The label above the mark, if there is room. */
  readonly label: string | null
  readonly title: string
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
  readonly columns: readonly (Column & { readonly label: string | null })[]
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
const characterWidth = 7
const boldWidth = 7.8

/** Draws a time line: a bar for each leg of the order, and below it past and coming events in lanes. */
export function drawingOf(story: readonly TimelineEvent[], legs: readonly Leg[], now: number): Drawing {
  const moments = [
    now,
    ...story.flatMap(({ at, until }) => (at === null ? [] : [at, ...(until === undefined ? [] : [until])])),
    ...legs.flatMap(({ statuses }) => statuses.map(({ at }) => at)),
  ]
  const open = story.some(({ at }) => at === null)
  const { columns, gaps, end, xOf } = columnsOf(moments, { left, width: usualWidth - left - right, open })
  const place = { xOf, now: xOf(now) }
  const lines: Omit<Row, 'y'>[] = [...legs.map((leg) => legRow(leg, place)), ...laneRows(story, place.xOf)]
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

interface Place {
  readonly xOf: (at: number | null) => number
  readonly now: number
}

/** Draws the bar of a leg up to the present. */
function legRow({ name, statuses }: Leg, { xOf, now }: Place): Omit<Row, 'y'> {
  const segments = statuses.flatMap(({ at, status, tone }, index): Segment[] => {
    const x = xOf(at)
    const next = statuses[index + 1]
    // A status that has just begun gets a minimum width.
    const width = Math.max((next === undefined ? Math.max(now, x + 14) : xOf(next.at)) - x, 0)
    if (width === 0) return []
    const fits = status.length * boldWidth + 14 <= width
    // The last part may have its label beside it.
    const label = fits || next === undefined ? status : null
    return [{ x, width, tone, label, labelX: x + (fits ? 7 : width + 6), title: `${name} ${status}` }]
  })
  return { name, height: legHeight, segments, marks: [], threads: [] }
}

function laneRows(story: readonly TimelineEvent[], xOf: Place['xOf']): Omit<Row, 'y'>[] {
  const of = (lane: Lane) => story.filter((event) => event.lane === lane)
  const single = (name: string, lane: Lane) => (of(lane).length === 0 ? [] : [rowOf(name, of(lane), xOf)])
  const webhooks = packed(of('webhook'), xOf)
  return [
    ...single('Steps', 'step'),
    ...webhooks.map((timelineEvents, index) => rowOf(index === 0 ? 'Webhooks' : '', timelineEvents, xOf)),
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

function rowOf(name: string, timelineEvents: readonly TimelineEvent[], xOf: Place['xOf']): Omit<Row, 'y'> {
  const cells = [...Map.groupBy(timelineEvents, ({ at }) => xOf(at))].toSorted(([a], [b]) => a - b)
  const marks = cells.flatMap(([x, cell]) => {
    const mark = markOf(x, cell)
    return mark === null ? [] : [mark]
  })
  const firsts = new Set([...Map.groupBy(timelineEvents, threadOf).values()].map(([first]) => first))
  const wanted = cells.map(([, cell]) => cell.some((event) => firsts.has(event)))
  return {
    ...{ name, height: laneHeight, segments: [], threads: threadsOf(timelineEvents, xOf) },
    marks: readable(marks.map((mark, index) => (wanted[index] ? mark : { ...mark, label: null }))),
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
    label: cell[0]?.label ?? null,
    title: cell.map(({ words, more }) => (more === undefined ? words : `${words} (${more})`)).join('\n'),
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

/** Removes overlapping labels; the first stays. */
function readable(marks: readonly Mark[]): Mark[] {
  let free = 0
  return marks.map((mark) => {
    const half = ((mark.label?.length ?? 0) * characterWidth) / 2
    if (mark.label === null || mark.x - half < free) return { ...mark, label: null }
    free = mark.x + half + 6
    return mark
  })
}

/** Adds as many time labels above the axis as fit: the first, the present and the last have precedence. */
function withLabels(columns: readonly Column[], now: number): Drawing['columns'] {
  const taken: [from: number, to: number][] = [[now - 22, now + 22]]
  const labels = new Map<Column, string>()
  const byWeight = [columns[0], columns.at(-1), ...columns]
  for (const column of byWeight) {
    if (column === undefined || labels.has(column)) continue
    const label = momentWords(column.at, columns[columns.indexOf(column) - 1]?.at ?? null)
    const half = (label.length * characterWidth) / 2 + 5
    const [from, to] = [column.x - half, column.x + half]
    if (taken.some((other) => from < other[1] && other[0] < to)) continue
    taken.push([from, to])
    labels.set(column, label)
  }
  return columns.map((column) => ({ ...column, label: labels.get(column) ?? null }))
}

/** Formats a time, or its date if another day has begun. */
function momentWords(at: number | null, before: number | null): string {
  if (at === null) return 'open'
  const iso = new Date(at).toISOString()
  const date = iso.slice(0, 10)
  const sameDay = before !== null && new Date(before).toISOString().startsWith(date)
  return sameDay ? iso.slice(11, 19) : date
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
