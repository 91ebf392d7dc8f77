import type { EpochMs } from './time.ts'
import { offsetMinutes } from './utc-offset.ts'

/** A moment as ISO 8601 with a UTC offset and `fractionDigits` digits of a second (R16, N13). */
export function isoTimestamp(at: EpochMs, fractionDigits: number, offset: string): string {
  const local = new Date(at + offsetMinutes(offset) * 60_000).toISOString()
  const fraction = local.slice(20, 23).padEnd(fractionDigits, '0').slice(0, fractionDigits)
  return `${local.slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}${offset}`
}
