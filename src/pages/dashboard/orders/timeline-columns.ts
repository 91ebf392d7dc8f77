import { spanWords } from '../../../domain/text/duration.ts'
import { textWidth } from '../../../domain/text/text-width.ts'

/** A column of the drawing: a time, or several that are too close to distinguish. */
export interface Column {
  readonly x: number
  /** The first time in the column; null for undated events. */
  readonly at: number | null
}

/** The gap between two columns of the timeline drawing. */
export interface Gap {
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
const columnCharacterWidth = 6.4

/** The room for columns. */
interface Room {
  readonly left: number
  readonly width: number
  /** Whether a column for undated events follows. */
  readonly open: boolean
  /** The minimum width of a gap; 15 if left out. */
  readonly narrowest?: number
  /** The width of the gap before the column of undated events; 90 if left out. */
  readonly openGap?: number
}

/** Lays times out from left to right. The scale is not linear: a gap grows with the logarithm of its length, so that
 *  two seconds and a month are both legible. The columns fill `width` unless they are too many.
 *  @param moments in any order, at least one */
export function columnsOf(
  moments: readonly number[],
  { left, width, open, narrowest = 15, openGap = 90 }: Room,
): Columns {
  const starts = clusters(moments)
  const gapsMs = starts.slice(1).map(({ first }, index) => first - (starts[index]?.last ?? first))
  const widths = fitted(gapsMs.map(naturalWidth), width - (open ? openGap : 0), narrowest)
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
function fitted(widths: readonly number[], room: number, narrowest: number): number[] {
  const spare = Math.max(0, room - widths.length * narrowest)
  const all = sum(widths)
  return widths.map((width) => narrowest + (width * spare) / all)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** Adds as many time labels above the axis as fit: the first, the present and the last have precedence. No two labels
 *  are the same. */
export function withLabels(
  columns: readonly Column[],
  now: number,
): (Column & { readonly label: string | null })[] {
  const taken: [from: number, to: number][] = [[now - 22, now + 22]]
  const labels = new Map<Column, string>()
  const words = momentLabels(columns.map(({ at }) => at))
  const byWeight = [columns[0], columns.at(-1), ...columns]
  for (const column of byWeight) {
    if (column === undefined || labels.has(column)) continue
    const label = words[columns.indexOf(column)] ?? ''
    const half = textWidth(label) / 2 + 5
    const [from, to] = [column.x - half, column.x + half]
    if (taken.some((other) => from < other[1] && other[0] < to)) continue
    if ([...labels.values()].includes(label)) continue
    taken.push([from, to])
    labels.set(column, label)
  }
  return columns.map((column) => ({ ...column, label: labels.get(column) ?? null }))
}

/** Formats times: a date where a day begins, else the time of day; with milliseconds, or with the day, where that is
 *  needed to tell two apart. */
function momentLabels(moments: readonly (number | null)[]): string[] {
  const isos = moments.map((at) => (at === null ? null : new Date(at).toISOString()))
  const isFirstOfDay = isos.map((iso, index) => isos[index - 1]?.slice(0, 10) !== iso?.slice(0, 10))
  return isos.map((iso, index) => {
    if (iso === null) return 'open'
    if (isFirstOfDay[index]) return iso.slice(0, 10)
    const others = isos.filter((other, n) => other !== null && other !== iso && !isFirstOfDay[n])
    if (others.some((other) => other?.slice(0, 19) === iso.slice(0, 19))) return iso.slice(11, 23)
    const isOfSeveralDays = others.some((other) => other?.slice(11, 19) === iso.slice(11, 19))
    return isOfSeveralDays ? `${iso.slice(5, 10)} ${iso.slice(11, 19)}` : iso.slice(11, 19)
  })
}
