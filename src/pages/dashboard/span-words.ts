const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** A span of time for the eye: its two largest units, `1 d 2 h`; milliseconds only below a second. */
export function spanWords(spanMs: number): string {
  if (spanMs < 1_000) return `${Math.max(0, Math.round(spanMs))} ms`
  const first = units.findIndex(([, size]) => spanMs >= size)
  let left = spanMs
  const parts = units.slice(first, first + 2).map(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? '' : `${count} ${unit}`
  })
  return parts.filter((part) => part !== '').join(' ')
}
