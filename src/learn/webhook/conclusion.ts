import type { SettingName } from '../../domain/choices/settings.ts'
import { eliminate, type Sight } from '../elimination/eliminate.ts'
import type { Claims, Excluded, Finding } from '../elimination/finding.ts'

/** What was found out about a setting whose value was put together from many observations. */
export interface Conclusion {
  readonly setting: SettingName
  /** `decided` if no other value explains the observations, `likely` if others do in rare cases. */
  readonly state: 'decided' | 'likely' | 'unknown'
  readonly value?: unknown
  /** The number of independent observations. */
  readonly units: number
  readonly evidence: string
  readonly decide: string
  readonly left?: readonly unknown[]
  readonly excluded?: readonly Excluded[]
  /** The observations that a claimed value is tested with. */
  readonly sights: readonly Sight[]
}

/** Turns a conclusion into a finding: known only with two independent observations. */
export function concluded(conclusion: Conclusion, claims: Claims): Finding {
  const { setting, state, value, units, evidence, decide, left = [], excluded = [], sights } = conclusion
  const claim = claims.has(setting)
    ? eliminate({ setting, candidates: [claims.get(setting)], sights, isOpen: true, decide }, claims).claim
    : undefined
  const about = { setting, observations: units, evidence, excluded, ...(claim !== undefined && { claim }) }
  if (state === 'unknown' || units === 0) return { ...about, state: 'unknown', left, decide }
  if (state === 'decided' && units >= 2)
    return { ...about, state: 'known', value, left: [value], decide: null }
  return { ...about, state: 'likely', value, left: [value, ...left], decide }
}
