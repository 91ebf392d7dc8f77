import { readSettings } from '../choices.ts'
import type { Problem } from '../problems.ts'
import { compileSteps } from './compile-steps.ts'
import { statusesTold, strangeStatuses } from './rule-statuses.ts'
import type { Beginning, CryptoLeg, Scenario } from './scenario.ts'
import type { ScenarioText } from './scenario-text.ts'

/** Turns a written scenario into one that can be followed, or tells everything that is wrong with it. */
export function compileScenario(text: ScenarioText): { scenario: Scenario } | { problems: Problem[] } {
  const problems: Problem[] = []
  const { timeline, charges } = compileSteps(text.timeline, (index, message, ...member) =>
    problems.push({ path: ['timeline', index, ...member], message }),
  )
  const subscribes = text.for === undefined || text.for.includes('subscription')
  if (charges.length > 0 && !subscribes) {
    problems.push({ path: ['for'], message: 'only a subscription has charges' })
  }
  const statuses = statusesTold(timeline, charges)
  problems.push(...strangeStatuses(text.webhooks ?? [], statuses, ['webhooks']))
  for (const [index, part] of (text.random?.from ?? []).entries()) {
    const path = ['random', 'from', index, 'webhooks']
    problems.push(...strangeStatuses(part.webhooks ?? [], statuses, path))
  }
  const settings = readSettings(text.settings ?? {}, { scope: 'order', nulls: 'refuse' })
  if (!settings.ok) {
    problems.push(...settings.problems.map((one) => ({ ...one, path: ['settings', ...one.path] })))
  }
  const [least, most] = text.random?.pick ?? [0, 0]
  const parts = text.random?.from.length ?? 0
  if (least > most || most > parts) {
    problems.push({ path: ['random', 'pick'], message: `must lie between 0 and the ${parts} parts` })
  }
  if (problems.length > 0 || !settings.ok) return { problems }
  const { id, description, tests, trial, clock, webhooks, answers, random } = text
  return {
    scenario: {
      id,
      description,
      tests,
      for: text.for ?? null,
      timeline,
      charges,
      begin: text.begin === undefined ? null : beginning(text.begin),
      webhooks: webhooks ?? [],
      answers: answers ?? [],
      random:
        random === undefined
          ? null
          : {
              pick: random.pick,
              from: random.from.map((part) => ({
                name: part.name,
                webhooks: part.webhooks ?? [],
                answers: part.answers ?? [],
              })),
            },
      settings: settings.overlay,
      trialMs: trial ?? null,
      clock: clock ?? null,
    },
  }
}

function beginning({
  crypto,
  updatedTs,
  metadata,
  padMetadata,
}: NonNullable<ScenarioText['begin']>): Beginning {
  const leg: CryptoLeg | null =
    crypto === undefined ? null : { shown: crypto.shown ?? null, status: crypto.order ?? null }
  return {
    crypto: leg,
    updatedTsSkewMs: updatedTs ?? 0,
    metadata:
      metadata === undefined && padMetadata === undefined ? null : padded(metadata ?? {}, padMetadata ?? 0),
  }
}

/** The JSON text of metadata, filled up to a size in bytes. */
function padded(metadata: Readonly<Record<string, unknown>>, bytes: number): string {
  const bare = Buffer.byteLength(JSON.stringify({ ...metadata, padding: '' }))
  const missing = bytes - bare
  return JSON.stringify(missing <= 0 ? metadata : { ...metadata, padding: 'x'.repeat(missing) })
}
