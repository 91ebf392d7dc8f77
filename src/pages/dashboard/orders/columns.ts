import { spanWords } from '../span-words.ts'

/** A moment of the drawing, or several that lie too close together to be told apart. */
export interface Column {
  readonly x: number
  /** The first moment that stands in it; null for what nobody can date. */
  readonly at: number | null
}

/** The way from a column to the next. */
export interface Gap {
  readonly x: number
  readonly width: number
  readonly ms: number
  /** How long it takes, in words; null where they do not fit. */
  readonly label: string | null
}

export interface Columns {
  readonly columns: readonly Column[]
  readonly gaps: readonly Gap[]
  /** Where the last column stands. */
  readonly end: number
  /** Where a moment stands: in its column, or between two. */
  xOf(at: number | null): number
}

/** What lies closer together stands in one column. */
const togetherMs = 80
const narrowestGap = 15
/** Of a column beyond the last, for what nobody can date. */
const openGap = 90
const characterWidth = 6.4

/** Lays moments out from left to right. The scale is none of time: a gap grows with the logarithm of its length, so
 *  that two seconds and a month are both legible, and their order is what one sees. All of them fill `width` unless
 *  they are too many for it.
 *  @param moments in any order, at least one
 *  @param open whether a column follows for what nobody can date */
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
      return { ...gap, label: words.length * characterWidth + 10 <= gap.width ? words : null }
    }),
    end,
    xOf: (at) => {
      if (at === null) return end
      return dated.findLast((column) => column.at <= at)?.x ?? left
    },
  }
}

/** Moments as groups that lie together, each by its first and its last. */
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

/** Widths that fill the room; so many that they would get too narrow take more than there is. */
function fitted(widths: readonly number[], room: number): number[] {
  const spare = Math.max(0, room - widths.length * narrowestGap)
  const all = sum(widths)
  return widths.map((width) => narrowestGap + (width * spare) / all)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
