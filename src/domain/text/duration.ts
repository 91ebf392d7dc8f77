/** The units of durations for people, largest first. */
const spanUnits = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** Formats a duration for people in its two largest units: `1 min 30 s`, `30 d`. Milliseconds below a second, one
 *  decimal below ten seconds.
 *  @param ms from 0 */
export function spanWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 10_000) return `${Math.floor(ms / 100) / 10} s`
  const first = spanUnits.findIndex(([, unitMs]) => ms >= unitMs)
  const [large, small] = spanUnits.slice(first, first + 2)
  if (large === undefined) return `${ms} ms`
  // From ten days on, only whole days are shown.
  if (ms >= 10 * spanUnits[0][1]) return `${Math.round(ms / large[1])} ${large[0]}`
  const count = Math.floor(ms / large[1])
  const rest = small === undefined ? 0 : Math.floor((ms % large[1]) / small[1])
  if (small === undefined || rest === 0) return `${count} ${large[0]}`
  return `${count} ${large[0]} ${rest} ${small[0]}`
}

/** Formats a time relative to now: `in 3 s`, `2 h ago`, `now`. */
export function fromNow(at: number, now: number): string {
  if (at === now) return 'now'
  return at > now ? `in ${spanWords(at - now)}` : `${spanWords(now - at)} ago`
}

/** Parses a duration to whole milliseconds. Two notations: units from the largest to the smallest (`250ms`, `2s`,
 *  `15m`, `26h`, `30d`, `1h30m`), and ISO 8601 (`PT15M`, `P1DT2H`, `P2W`). Whole numbers only, except ISO 8601's
 *  seconds (`PT0.5S`). A duration with months or years has no fixed length; only `addDuration` accepts it.
 *  @returns milliseconds from 0 to a thousand years, or `null` for other text */
export function parseDuration(text: string): number | null {
  const span = parseSpan(text)
  return span === null || span.months > 0 ? null : span.ms
}

/** Adds a duration to a time, months and years included. In a month that is too short it takes the last day: 31
 *  January and `P1M` is 28 February (N64j).
 *  @param epochMs the time, epoch milliseconds
 *  @param text a text for `parseDuration`, or ISO 8601 with years and months (`P1M`, `P1Y2M10DT2H`)
 *  @param offsetMinutes UTC offset of the calendar, minutes east of UTC
 *  @returns epoch milliseconds, or `null` if the text is no duration or the result no date */
export function addDuration(epochMs: number, text: string, offsetMinutes = 0): number | null {
  return moved(epochMs, text, offsetMinutes, 1)
}

/** Subtracts a duration from a time, like `addDuration`. */
export function subtractDuration(epochMs: number, text: string, offsetMinutes = 0): number | null {
  return moved(epochMs, text, offsetMinutes, -1)
}

function moved(epochMs: number, text: string, offsetMinutes: number, sign: 1 | -1): number | null {
  const span = parseSpan(text)
  if (span === null) return null
  const offsetMs = offsetMinutes * units.m
  const at = addMonths(epochMs + offsetMs, sign * span.months) + sign * span.ms - offsetMs
  return Number.isNaN(new Date(at).getTime()) ? null : at
}

/** Formats milliseconds so that `parseDuration` reads them back: in the largest unit that divides them.
 *  @throws {RangeError} if `ms` is not a whole number from 0 up (a bug of the caller) */
export function formatDuration(ms: number): string {
  if (!Number.isSafeInteger(ms) || ms < 0) throw new RangeError(`not a duration in milliseconds: ${ms}`)
  if (ms === 0) return '0s'
  if (ms % units.d === 0) return `${ms / units.d}d`
  if (ms % units.h === 0) return `${ms / units.h}h`
  if (ms % units.m === 0) return `${ms / units.m}m`
  return ms % units.s === 0 ? `${ms / units.s}s` : `${ms}ms`
}

/** The pattern of the texts that `parseDuration` accepts, without anchors, for a JSON Schema. */
export const durationPattern =
  '(?:(?=\\d)(?:\\d+d)?(?:\\d+h)?(?:\\d+m)?(?:\\d+s)?(?:\\d+ms)?' +
  '|P(?=.)(?:\\d+W)?(?:\\d+D)?(?:T(?=.)(?:\\d+H)?(?:\\d+M)?(?:\\d+S)?)?)'

interface Span {
  months: number
  ms: number
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const maxMonths = 12_000
const maxMs = 1_000 * 365.25 * units.d

const plain = /^(?=\d)(?:(?<d>\d+)d)?(?:(?<h>\d+)h)?(?:(?<m>\d+)m)?(?:(?<s>\d+)s)?(?:(?<ms>\d+)ms)?$/
const iso =
  /^P(?=.)(?:(?<years>\d+)Y)?(?:(?<months>\d+)M)?(?:(?<weeks>\d+)W)?(?:(?<d>\d+)D)?(?:T(?=.)(?:(?<h>\d+)H)?(?:(?<m>\d+)M)?(?:(?<s>\d+(?:[.,]\d{1,3})?)S)?)?$/

/** Parses a duration, with months apart from the fixed part; null for other text. */
export function parseSpan(text: string): Span | null {
  const parts = (plain.exec(text) ?? iso.exec(text))?.groups
  if (parts === undefined) return null
  const count = (name: string): number => Number((parts[name] ?? '0').replace(',', '.'))
  const months = count('years') * 12 + count('months')
  const days = count('weeks') * 7 + count('d')
  const ms =
    days * units.d +
    count('h') * units.h +
    count('m') * units.m +
    Math.round(count('s') * units.s) +
    count('ms')
  return months > maxMonths || ms > maxMs ? null : { months, ms }
}

function addMonths(epochMs: number, months: number): number {
  if (months === 0) return epochMs
  const date = new Date(epochMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(day, daysInMonth(date)))
  return date.getTime()
}

function daysInMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}

/** Suggests a unit for a number in place of a duration, the most frequent mistake. Null for any other value. */
export function unitMissing(input: unknown): string | null {
  if (!/^\d{1,15}$/.test(textOf(input))) return null
  return `expected a duration, but ${input} has no unit; write ${input}s, ${input}m, ${input}h or ${input}d`
}

/** The text of a text or number; empty for anything else. `String` would fail for a parsed object with a field `toString`. */
export const textOf = (input: unknown): string =>
  typeof input === 'string' || typeof input === 'number' ? String(input) : ''
