import type { LearnedSettings } from '../domain/choices/learned.ts'
import { isSettingName, type SettingName, type SettingsOverlay } from '../domain/choices/settings.ts'
import type { Claims, Finding, Unexplained } from './elimination/finding.ts'
import type { Evidence } from './evidence/evidence.ts'
import { learnFrom } from './learn.ts'

/** What new captures say about a settings file. */
export interface Drift {
  /** A setting each: those of the file, in its order. */
  readonly settings: readonly CheckedSetting[]
  /** What no setting can say and the file does not know yet. */
  readonly fresh: readonly Unexplained[]
}

/** What new captures say about one setting of a file. */
export interface CheckedSetting {
  readonly setting: string
  /** The value in the file. */
  readonly value: unknown
  /** - `contradicted`: at least one observation speaks against it;
   *  - `confirmed`: observations tell it from other values, and it explains them;
   *  - `not seen`: nothing in the captures tells. */
  readonly state: 'contradicted' | 'confirmed' | 'not seen'
  /** The value that explains the captures, if there is one. */
  readonly now: unknown
  /** The number of observations that speak against it. */
  readonly times: number
  /** The first of them in words, with its place; for a confirmed setting what was seen. */
  readonly evidence: string
}

/** Compares a settings file with new captures. */
export function driftOf(
  overlay: SettingsOverlay,
  learned: LearnedSettings | undefined,
  evidence: Evidence,
): Drift {
  // A setting that was learned to be "nothing" stands under `learned` alone.
  const absent = Object.entries(learned?.settings ?? {}).filter(([, setting]) => setting?.value === null)
  const claimed = { ...Object.fromEntries(absent.map(([name]) => [name, null])), ...overlay }
  const claims: Claims = new Map(
    Object.entries(claimed).flatMap(([name, value]) => (isSettingName(name) ? [[name, value] as const] : [])),
  )
  const { findings, unexplained } = learnFrom(evidence, claims)
  const byName = new Map(findings.map((finding) => [finding.setting, finding]))
  const known = new Set(learned?.unexplained)
  return {
    settings: [...claims].map(([setting, value]) => checked(setting, value, byName.get(setting))),
    fresh: unexplained.filter(({ what }) => !known.has(what)),
  }
}

function checked(setting: SettingName, value: unknown, finding: Finding | undefined): CheckedSetting {
  const about = { setting, value, now: finding?.value }
  const claim = finding?.claim
  if (finding === undefined || claim === undefined || claim.holds) {
    const isSeen = finding !== undefined && finding.observations > 0
    const evidence = finding?.evidence ?? 'nothing in the capture shows it'
    return { ...about, state: isSeen ? 'confirmed' : 'not seen', times: 0, evidence }
  }
  const { words, by, times } = claim
  return { ...about, state: 'contradicted', times, evidence: `${words} (${by.file}, ${by.place})` }
}
