import type { CoverageReport } from '../../domain/coverage/report.ts'
import { GiveUp } from '../give-up.ts'
import type { Terminal } from '../terminal.ts'

/** Reads `--coverage-min`; null where it is left out. @throws GiveUp */
export function minimumIn(value: unknown): number | null {
  if (value === undefined) return null
  const percent = typeof value === 'string' && /^\d{1,3}(\.\d+)?$/.test(value) ? Number(value) : NaN
  if (percent >= 0 && percent <= 100) return percent
  throw new GiveUp(2, `error: --coverage-min: expected a number from 0 to 100, not ${JSON.stringify(value)}`)
}

/** Whether a suite has met enough; if not, it says so on standard error. */
export function isEnough(report: CoverageReport, minimum: number | null, terminal: Terminal): boolean {
  if (minimum === null || report.percent >= minimum) return true
  terminal.err(`error: coverage is ${report.percent} %, below the minimum of ${minimum} %`)
  return false
}
