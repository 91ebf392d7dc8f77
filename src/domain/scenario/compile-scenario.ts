import { readSettings } from '../choices/read-settings.ts'
import { effectiveSettings, type SettingsOverlay } from '../choices/settings.ts'
import { unwrittenStatuses } from '../order/statuses.ts'
import { nearest, orList, ticked } from '../text/issue-words.ts'
import type { TextLimit } from '../text/limits.ts'
import { isMapping } from '../text/objects.ts'
import { check, type Problem } from '../text/problems.ts'
import { problemsOf, readYaml, type SourceProblem } from '../text/yaml-source.ts'
import { authWords, carriesSeveral, recipeOf, severalOnly } from '../webhook/recipe.ts'
import { compileSteps } from './compile-steps.ts'
import type {
  Beginning,
  ChargeRule,
  CryptoLeg,
  RandomMix,
  Scenario,
  ScenarioStep,
  WebhookRule,
  WebhookTreatment,
} from './scenario.ts'
import { type ScenarioText, scenarioText } from './scenario-text.ts'
import { stepText } from './step-text.ts'

/** Compiles a written scenario, or finds all its problems. */
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
  if (settings.ok)
    problems.push(...unusedSignatures(text, settings.overlay), ...unusablePatches(text, settings.overlay))
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

/** Lists of signatures that the scenario's own settings leave without effect, because webhooks carry one at most. */
function unusedSignatures(text: ScenarioText, settings: SettingsOverlay): Problem[] {
  const effective = effectiveSettings(settings)
  if (carriesSeveral(recipeOf(effective))) return []
  const message = `${severalOnly} sends a list of signatures, and this scenario sets \`${authWords(effective)}\``
  return treatmentsOf(text).flatMap(({ treatment, path }) =>
    treatment.faults?.signatures === undefined ? [] : [{ path: [...path, 'signatures'], message }],
  )
}

/** Patches that cannot change the scenario's own template: only objects have fields. */
function unusablePatches(text: ScenarioText, overlay: SettingsOverlay): Problem[] {
  const { 'webhook.format': format, 'webhook.template': template } = effectiveSettings(overlay)
  if (format !== 'template' || template === null) return []
  const parts: readonly unknown[] = Array.isArray(template) ? template : [template]
  if (parts.every(isMapping)) return []
  const message = 'cannot change the `webhook.template` of this scenario: only an object has fields'
  return treatmentsOf(text).flatMap(({ treatment, path }) =>
    treatment.patch === undefined ? [] : [{ path: [...path, 'patch'], message }],
  )
}

/** All treatments of webhooks in a scenario, with their paths. */
function treatmentsOf(text: ScenarioText): { treatment: WebhookTreatment; path: Problem['path'] }[] {
  const listed = (webhooks: readonly WebhookTreatment[], path: Problem['path']) =>
    webhooks.map((treatment, index) => ({ treatment, path: [...path, index] }))
  return [
    ...text.timeline.flatMap(({ webhook }, index) =>
      webhook === undefined ? [] : [{ treatment: webhook, path: ['timeline', index, 'webhook'] }],
    ),
    ...listed(text.webhooks ?? [], ['webhooks']),
    ...(text.random?.from ?? []).flatMap(({ webhooks = [] }, index) =>
      listed(webhooks, ['random', 'from', index, 'webhooks']),
    ),
  ]
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

/** The JSON text of metadata, padded to a size in bytes. */
function padded(metadata: Readonly<Record<string, unknown>>, bytes: number): string {
  const bare = Buffer.byteLength(JSON.stringify({ ...metadata, padding: '' }))
  const missing = bytes - bare
  return JSON.stringify(missing <= 0 ? metadata : { ...metadata, padding: 'x'.repeat(missing) })
}

/** All statuses that a webhook of the scenario may carry: written ones, and those that an order can get without a
 *  line. */
function statusesTold(
  timeline: readonly ScenarioStep[],
  charges: readonly ChargeRule[],
): ReadonlySet<string> {
  const written = timeline.flatMap(({ effects }) =>
    effects.flatMap((effect) => {
      const tells = effect.do === 'order' || effect.do === 'refund' || effect.do === 'refund-status'
      return tells ? [effect.status] : []
    }),
  )
  return new Set([...unwrittenStatuses, ...written, ...charges.map(({ status }) => status)])
}

/** Problems of statuses in rules: a rule about a status that never comes has no effect, and a webhook that waits for
 *  one never leaves. */
function strangeStatuses(
  rules: readonly WebhookRule[],
  known: ReadonlySet<string>,
  path: readonly (string | number)[],
): Problem[] {
  return rules.flatMap((rule, index) =>
    (['of', 'after'] as const).flatMap((member) => {
      const status = rule[member]
      if (status === undefined || known.has(status)) return []
      const near = nearest(status, known)
      const meant =
        near === undefined ? `known statuses are ${orList([...known])}` : `did you mean \`${near}\`?`
      return [
        { path: [...path, index, member], message: `the order never gets the status ${status}; ${meant}` },
      ]
    }),
  )
}

/** Rules whose webhooks wait for each other, and would never leave. */
function circles(rules: readonly WebhookRule[], path: readonly (string | number)[]): Problem[] {
  const awaited = (status: string) => {
    const rule = rules.findLast(({ of, after }) => after !== undefined && (of ?? status) === status)
    return rule?.after === status ? undefined : rule?.after
  }
  return rules.flatMap(({ of, after }, index) => {
    if (of === undefined || after === undefined) return []
    const way = [of]
    for (let next = awaited(of); next !== undefined; next = awaited(next)) {
      if (way.includes(next))
        return [
          {
            path: [...path, index, 'after'],
            message: `would wait forever: ${[...way, next].join(' after ')}`,
          },
        ]
      way.push(next)
    }
    return []
  })
}

/** Reads a scenario file and checks it completely.
 *  @param file the name for problems
 *  @param expectedId the required id, because files are found by it: the file's name without its ending
 *  @param limit default: that of files */
export function readScenarioFile(
  text: string,
  file: string,
  expectedId: string,
  limit?: TextLimit,
): { scenario: Scenario } | { problems: readonly SourceProblem[] } {
  const source = readYaml(text, file, limit)
  if (source.problems.length > 0) return { problems: source.problems }
  const checked = check(scenarioText, source.value)
  if (!checked.ok) {
    return { problems: problemsOf([...checked.problems, ...orderProblems(source.value)], source) }
  }
  const compiled = compileScenario(checked.value)
  const problems = 'problems' in compiled ? [...compiled.problems] : []
  if (checked.value.id !== expectedId) {
    problems.push({
      path: ['id'],
      message: `the id is ${checked.value.id}, but the file name is ${expectedId}; make them the same`,
    })
  }
  if ('problems' in compiled || problems.length > 0) return { problems: problemsOf(problems, source) }
  return compiled
}

/** Problems in the order of the readable steps, even if others are unreadable, so that a file gets all its problems
 *  at once. Charges are left out, because an unreadable line may be the one that causes them. */
function orderProblems(value: unknown): Problem[] {
  const timeline = isMapping(value) && 'timeline' in value ? value.timeline : null
  if (!Array.isArray(timeline)) return []
  const readable = timeline.flatMap((step: unknown, index) => {
    const { data } = stepText.safeParse(step)
    return data === undefined || data.every !== undefined || data.charge !== undefined
      ? []
      : [{ data, index }]
  })
  const problems: Problem[] = []
  compileSteps(
    readable.map(({ data }) => data),
    (place, message, ...member) =>
      problems.push({ path: ['timeline', readable[place]?.index ?? 0, ...member], message }),
  )
  return problems
}
