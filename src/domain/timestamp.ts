import type { EpochMs } from './time.ts'
import { offsetMinutes } from './utc-offset.ts'

/** A moment as ISO 8601 with a UTC offset and `fractionDigits` digits of a second (R16, N13). */
export function isoTimestamp(at: EpochMs, fractionDigits: number, offset: string): string {
  const local = at + offsetMinutes(offset) * 60_000
  const second = Math.floor(local / 1000)
  const text = new Date(second * 1000).toISOString().slice(0, -5)
  if (fractionDigits === 0) return text + offset
  const milliseconds = String(local - second * 1000).padStart(3, '0')
  return `${text}.${milliseconds.padEnd(fractionDigits, '0').slice(0, fractionDigits)}${offset}`
}
