import type { SettingName } from '../../src/domain/choices/settings.ts'
import type { Finding, Unexplained } from '../../src/learn/elimination/finding.ts'
import type { Evidence } from '../../src/learn/evidence/evidence.ts'
import { errorCatalog } from '../../src/learn/rules/calls/error-catalog.ts'
import type { Rule } from '../../src/learn/rules/rule.ts'
import { webhookBatch } from '../../src/learn/rules/webhook/batch.ts'
import { webhookEvents } from '../../src/learn/rules/webhook/events.ts'
import { webhookFormat } from '../../src/learn/rules/webhook/format.ts'
import { webhookHeaders } from '../../src/learn/rules/webhook/headers.ts'
import { webhookJwt } from '../../src/learn/rules/webhook/jwt.ts'
import { refundStatuses } from '../../src/learn/rules/webhook/refunds.ts'
import { webhookSignature } from '../../src/learn/rules/webhook/signature.ts'
import { webhookTemplate } from '../../src/learn/rules/webhook/template.ts'
import { webhookWords } from '../../src/learn/rules/webhook/words.ts'

const rules: readonly Rule[] = [
  ...[webhookFormat, webhookEvents, webhookWords, webhookTemplate, webhookBatch],
  ...[webhookSignature, webhookJwt, webhookHeaders, refundStatuses, errorCatalog],
]

/** What all rules about the content of webhooks find. */
export interface Learned {
  readonly unexplained: readonly Unexplained[]
  of(setting: SettingName): Finding
  /** The settings with a value of which nothing is in doubt. */
  known(): Record<string, unknown>
  /** The claims that the evidence contradicts. */
  contradicted(): string[]
}

export function learnFrom(evidence: Evidence, claimed: Readonly<Record<string, unknown>> = {}): Learned {
  const findings = new Map<SettingName, Finding>()
  const claims = new Map<SettingName, unknown>()
  for (const { settings } of rules)
    for (const name of settings) if (Object.hasOwn(claimed, name)) claims.set(name, claimed[name])
  const context = { claims, found: (setting: SettingName) => findings.get(setting)?.value }
  for (const { learn } of rules)
    for (const finding of learn(evidence, context)) findings.set(finding.setting, finding)
  return {
    unexplained: rules.flatMap(({ unexplained }) => unexplained?.(evidence, context) ?? []),
    of(setting) {
      const finding = findings.get(setting)
      if (finding === undefined) throw new Error(`no rule is about ${setting}`)
      return finding
    },
    known: () =>
      Object.fromEntries(
        [...findings].flatMap(([name, { state, value }]) => (state === 'known' ? [[name, value]] : [])),
      ),
    contradicted: () => [...findings].flatMap(([name, { claim }]) => (claim?.holds === false ? [name] : [])),
  }
}
