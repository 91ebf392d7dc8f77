import type { SettingName } from '../../domain/choices/settings.ts'
import type { Claims, Finding, Unexplained } from '../elimination/finding.ts'
import type { Evidence } from '../evidence/evidence.ts'

/** What is known so far, and what the caller claims. */
export interface Context {
  readonly claims: Claims
  /** The value that earlier rules found known or likely; undefined if they did not, or could not tell. */
  readonly found: (setting: SettingName) => unknown
}

/** Finds the values of some settings in the traffic. It returns one finding for each of its settings. */
export interface Rule {
  readonly settings: readonly SettingName[]
  readonly learn: (evidence: Evidence, context: Context) => readonly Finding[]
  /** What no setting can express, in the part of the traffic that the rule reads. */
  readonly unexplained?: (evidence: Evidence, context: Context) => readonly Unexplained[]
}
