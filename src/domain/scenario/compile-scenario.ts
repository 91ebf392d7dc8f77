import { readSettings } from '../choices.ts'
import { ticked } from '../issue-words.ts'
import type { Problem } from '../problems.ts'
import { compileSteps } from './compile-steps.ts'
import { circles, statusesTold, strangeStatuses } from './rule-statuses.ts'
import type { Beginning, CryptoLeg, RandomMix, Scenario } from './scenario.ts'
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
  problems.push(...circles(text.webhooks ?? [], ['webhooks']))
  if (text.random !== undefined) problems.push(...problemsOfMix(text.random, statuses))
  const settings = readSettings(text.settings ?? {}, { scope: 'order', nulls: 'refuse' })
  if (!settings.ok) {
    problems.push(...settings.problems.map((one) => ({ ...one, path: ['settings', ...one.path] })))
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
      random: random === undefined ? null : mixOf(random),
      settings: settings.overlay,
      trialMs: trial ?? null,
      clock: clock ?? null,
    },
  }
}

type MixText = NonNullable<ScenarioText['random']>

function mixOf({ pick, from }: MixText): RandomMix {
  const parts = from.map(({ name, webhooks = [], answers = [] }) => ({ name, webhooks, answers }))
  return { pick, from: parts }
}

function problemsOfMix({ pick: [least, most], from }: MixText, statuses: ReadonlySet<string>): Problem[] {
  const problems = from.flatMap(({ name, webhooks = [] }, index) => {
    const path = ['random', 'from', index]
    const strange = strangeStatuses(webhooks, statuses, [...path, 'webhooks'])
    // The calls of a part's rules are counted under its name.
    if (from.findIndex((part) => part.name === name) === index) return strange
    return [
      { path: [...path, 'name'], message: `another part already has the name ${ticked(name)}` },
      ...strange,
    ]
  })
  if (least <= most && most <= from.length) return problems
  const message = `must be between 0 and the number of parts, ${from.length}`
  return [...problems, { path: ['random', 'pick'], message }]
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
