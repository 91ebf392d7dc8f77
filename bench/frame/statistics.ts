/** The value below which a share (0 to 1) of the values lies; between two of them, what lies between. NaN of none. */
export function quantile(values: readonly number[] | Float64Array, share: number): number {
  const sorted = Float64Array.from(values).sort()
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

export const median = (values: readonly number[] | Float64Array): number => quantile(values, 0.5)

/** Largest less smallest, as a share of the median. */
export const spread = (values: readonly number[]): number =>
  (Math.max(...values) - Math.min(...values)) / median(values)

/** By how much a median that has a goal may differ if everything is measured again. */
export const enoughCertainty = 0.1

/** Between which values the median of as many more values as one likes lies in 19 of 20 cases. By the places of the
 *  values alone, so it holds however they are spread. Null for fewer than six, of which nothing is certain. */
export function rangeOfMedian(values: readonly number[]): readonly [least: number, most: number] | null {
  const count = values.length
  if (count < 6) return null
  // Half of them lie below it, more or less by twice the deviation of as many tosses of a coin.
  const place = Math.floor((count - 1.96 * Math.sqrt(count)) / 2)
  const sorted = Float64Array.from(values).sort()
  return [sorted[place] ?? Number.NaN, sorted[count - 1 - place] ?? Number.NaN]
}

/** How far the median may lie from that of as many more values as one likes, as a share of it. Infinity for fewer than
 *  six. */
export function uncertainty(values: readonly number[]): number {
  const range = rangeOfMedian(values)
  if (range === null) return Number.POSITIVE_INFINITY
  const [least, most] = range
  return (most - least) / 2 / median(values)
}

/** Compares round by round, so that a machine that slows down slows both. */
export const ratios = (values: readonly number[], others: readonly number[]): number[] =>
  values.map((value, round) => value / (others[round] ?? Number.NaN))
