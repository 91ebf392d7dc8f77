/** The units of time that people read, from the largest. */
const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** A span of time in its two largest units: `1 min 30 s`, `30 d`. Below a second in milliseconds, below ten seconds
 *  with a decimal.
 *  @param ms from 0 */
export function spanWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 10_000) return `${Math.floor(ms / 100) / 10} s`
  const first = units.findIndex(([, unitMs]) => ms >= unitMs)
  const [large, small] = units.slice(first, first + 2)
  if (large === undefined) return `${ms} ms`
  // Beside ten days nobody asks for hours.
  if (ms >= 10 * units[0][1]) return `${Math.round(ms / large[1])} ${large[0]}`
  const count = Math.floor(ms / large[1])
  const rest = small === undefined ? 0 : Math.floor((ms % large[1]) / small[1])
  if (small === undefined || rest === 0) return `${count} ${large[0]}`
  return `${count} ${large[0]} ${rest} ${small[0]}`
}

/** Where a moment lies as seen from now: `in 3 s`, `2 h ago`, `now`. */
export function fromNow(at: number, now: number): string {
  if (at === now) return 'now'
  return at > now ? `in ${spanWords(at - now)}` : `${spanWords(now - at)} ago`
}
