import type { Behaviour } from '../domain/sweep/behaviour.ts'
import type { FailedTest } from './report.ts'
import type { RunRecord } from './run-record.ts'
import type { TestSpan } from './test-report.ts'

/** How one run of the suite ended. */
export interface SuiteRun {
  readonly green: boolean
  /** It was ended because it took too long. */
  readonly hung: boolean
  /** It ended with an error although no test failed, or before it wrote its report. */
  readonly crashed: boolean
  /** Exit code as a shell tells it. */
  readonly exitCode: number
  readonly ms: number
  /** How many tests there were; null if no report says so. */
  readonly tests: number | null
  readonly failed: readonly FailedTest[]
  /** When its tests ran; empty if no report says so. */
  readonly spans: readonly TestSpan[]
  /** The last lines of its output. */
  readonly tail: readonly string[]
  readonly record: RunRecord
}

/** Runs the suite once beside an emulator of its own that plays these behaviours.
 *  @param mostMs ends it after so long; null for no limit */
export type RunSuite = (behaviours: readonly Behaviour[], mostMs: number | null) => Promise<SuiteRun>

/** The sweep cannot be done: `message` says why and what to do. */
export class SweepRefused extends Error {}
