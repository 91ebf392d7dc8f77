import { type SettingName, settingNames } from '../domain/choices/settings.ts'
import type { Claims, Finding, Unexplained } from './elimination/finding.ts'
import type { Evidence } from './evidence/evidence.ts'
import type { Context } from './rules/rule.ts'
import { rules } from './rules/rules.ts'

/** What the traffic says about all settings, and what no setting can say. */
export interface Learned {
  readonly findings: readonly Finding[]
  readonly unexplained: readonly Unexplained[]
}

/** Works out the settings that explain the traffic.
 *  @param claims values to test beside those that the traffic suggests, as `drift` does */
export function learnFrom(evidence: Evidence, claims: Claims = new Map()): Learned {
  const findings = new Map<SettingName, Finding>()
  const context: Context = { claims, found: (setting) => findings.get(setting)?.value }
  const unexplained: Unexplained[] = []
  for (const rule of rules) {
    for (const finding of rule.learn(evidence, context)) findings.set(finding.setting, finding)
    unexplained.push(...(rule.unexplained?.(evidence, context) ?? []))
  }
  const sorted = [...findings.values()].toSorted((a, b) => place(a.setting) - place(b.setting))
  return { findings: sorted, unexplained }
}

/** The place of a setting in documents. */
const place = (setting: SettingName): number => settingNames.indexOf(setting)
