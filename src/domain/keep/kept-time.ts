import { formatDuration } from '../text/duration.ts'
import type { EpochMs } from '../text/time.ts'
import type { KeptStep } from './recorded-life.ts'

/** Rounds a time to the second where it is near one, else to 10 ms: real clocks are a little late. */
export function roundedMs(ms: number): number {
  const second = Math.round(ms / 1_000) * 1_000
  return Math.abs(ms - second) <= 100 ? second : Math.round(ms / 10) * 10
}

/** The time of a step as a file writes it. */
export function momentText({ at, since }: KeptStep, createdAt: EpochMs): string {
  if (since === undefined) return formatDuration(Math.max(0, roundedMs(at - createdAt)))
  const offsetMs = roundedMs(at - since.at)
  if (offsetMs === 0) return since.date
  return `${since.date} ${offsetMs < 0 ? '-' : '+'} ${formatDuration(Math.abs(offsetMs))}`
}
