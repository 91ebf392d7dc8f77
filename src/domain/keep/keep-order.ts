import {
  effectiveSettings,
  infoOf,
  isSettingName,
  layered,
  type Settings,
  type SettingsOverlay,
} from '../choices/settings.ts'
import { type Rehearsal, rehearse } from '../explain/rehearse.ts'
import type { Order } from '../order/order.ts'
import { trialMs } from '../order/subscription.ts'
import { compileScenario } from '../scenario/compile-scenario.ts'
import { type AnswerRule, pickedParts, type Scenario, type WebhookRule } from '../scenario/scenario.ts'
import { scenarioText } from '../scenario/scenario-text.ts'
import { formatDuration } from '../text/duration.ts'
import { check, type Problem, problemWords } from '../text/problems.ts'
import type { NewDelivery } from '../webhook/delivery.ts'
import { sendings, tolerableMs } from './attempt-chains.ts'
import { keptSteps, withoutEarlyEnd } from './kept-steps.ts'
import { momentText } from './kept-time.ts'
import { keptWebhooks } from './kept-webhooks.ts'
import type { KeptStep, RecordedLife } from './recorded-life.ts'
import {
  unwritable,
  type Written,
  writtenAnswer,
  writtenBeginning,
  writtenTreatment,
} from './written-scenario.ts'
import { yamlComment, yamlField } from './yaml-text.ts'

/** A recorded order as a scenario. */
export interface KeptScenario {
  readonly id: string
  /** The scenario file. */
  readonly yaml: string
  /** What the file does not repeat, in sentences; they are comments of the file too. */
  readonly notes: readonly string[]
  readonly scenario: Scenario
}

/** What a file says about itself. */
export interface KeptHead {
  readonly id: string
  readonly description: string
  /** The first comment of the file. */
  readonly comment: string
}

/** Writes what happened to an order as a scenario file. An order that follows it goes through the same changes and
 *  sends the same webhooks, at times that differ by less than a second. Random choices and manual acts are written as
 *  what came of them. */
export function keepOrder(life: RecordedLife, head: KeptHead = headOf(life)): KeptScenario {
  const [{ order }] = life.orders
  const base = keptSteps(life)
  const written = writtenRules(life)
  const notes = [...base.notes, ...written.notes]
  const draft = (steps: readonly KeptStep[], more: readonly Written[]) =>
    compiled(life, {
      ...{ ...base, head, steps, answers: written.answers },
      webhooks: [...written.webhooks, ...more],
    })
  const bare = draft(base.steps.map(withoutExtras), [])
  const settings = effectiveSettings(bare.scenario.settings)
  const webhooks = keptWebhooks(life, base.steps, {
    scenario: bare.scenario,
    rehearsal: rehearsalOf(bare.scenario, life),
    settings,
  })
  const all = [...base.steps, ...webhooks.steps.map((step) => withTrial(step, order))]
  const steps = withoutEarlyEnd(
    all.toSorted((a, b) => a.at - b.at),
    notes,
  )
  const whole = draft(steps, webhooks.rules)
  notes.push(...webhooks.notes, ...whole.notes)
  notes.push(...differences(rehearsalOf(whole.scenario, life), life, settings))
  return { id: whole.scenario.id, yaml: fileOf(head, whole.text, notes), notes, scenario: whole.scenario }
}

/** The rules of the order's scenario and of its share of a random mix, as a file writes them. */
function writtenRules({ orders, scenario, seed }: RecordedLife) {
  const [{ order }] = orders
  const notes: string[] = []
  if (scenario === null) {
    notes.push('The rules of its scenario are missing: another version of the emulator stored them.')
    return { webhooks: [], answers: [], notes }
  }
  const drawn = pickedParts(scenario, [seed, order.clientId, order.requestId])
  for (const { name } of drawn) notes.push(`Its random mix chose: ${name}.`)
  const rules: WebhookRule[] = [...scenario.webhooks, ...drawn.flatMap((part) => part.webhooks)]
  const answers: AnswerRule[] = [...scenario.answers, ...drawn.flatMap((part) => part.answers)]
  for (const rule of rules)
    for (const name of unwritable(rule)) notes.push(`A sweep caused ${name}; no scenario file can.`)
  const webhooks = rules.map(({ of, drop, after, early, ...how }): Written => {
    return { of, drop, after: after === '(final)' ? undefined : after, early, ...writtenTreatment(how) }
  })
  const writable = answers.map(writtenAnswer).filter((rule) => rule !== null)
  if (writable.length < answers.length) notes.push('A sweep changed answers to calls; no scenario file can.')
  return { webhooks: webhooks.filter(saysMore), answers: writable, notes }
}

/** Whether a rule about webhooks changes anything. */
const saysMore = ({ of: _, ...rule }: Written): boolean =>
  Object.values(rule).some((value) => value !== undefined)

function withoutExtras(step: KeptStep): KeptStep {
  const { webhook: _, ...fields } = step.fields
  return { ...step, fields }
}

/** Steps after the start of a trial count from its end. */
function withTrial(step: KeptStep, order: Order): KeptStep {
  const anchor = order.subscription?.anchor ?? null
  const trial = trialMs(order)
  if (anchor === null || trial === 0 || step.at <= anchor - trial) return step
  return { ...step, since: { date: 'trialEnd', at: anchor } }
}

interface Parts {
  readonly head: KeptHead
  readonly steps: readonly KeptStep[]
  readonly charges: readonly Written[]
  readonly webhooks: readonly Written[]
  readonly answers: readonly Written[]
}

interface Draft {
  readonly text: Written
  readonly scenario: Scenario
  readonly notes: readonly string[]
}

/** Compiles a draft. A step that looks like a mistake is forced; a line that a file cannot have is left out, with a
 *  note. */
function compiled(life: RecordedLife, parts: Parts): Draft {
  const notes: string[] = []
  let text = textOf(life, parts)
  for (;;) {
    const result = read(text)
    if ('scenario' in result) return { text, scenario: result.scenario, notes }
    const [problem] = result.problems
    const repaired = problem && repair(text, problem, notes)
    if (repaired === undefined)
      throw new Error(`a kept scenario is invalid: ${problemWords(result.problems)}`)
    text = repaired
  }
}

function read(text: Written): { scenario: Scenario } | { problems: readonly Problem[] } {
  const checked = check(scenarioText, JSON.parse(JSON.stringify(text)))
  return checked.ok ? compileScenario(checked.value) : { problems: checked.problems }
}

function repair(
  text: Written,
  { path: [member, index], message }: Problem,
  notes: string[],
): Written | undefined {
  const lines = member === undefined ? undefined : text[member]
  if (member === 'settings' && typeof index === 'string' && typeof lines === 'object') {
    notes.push(`The setting ${index} is left out: ${message}.`)
    return { ...text, settings: { ...lines, [index]: undefined } }
  }
  if (member === undefined || typeof index !== 'number' || !Array.isArray(lines)) return undefined
  const line: unknown = lines[index]
  const canForce = member === 'timeline' && typeof line === 'object' && line !== null && !('force' in line)
  if (canForce) return { ...text, timeline: lines.with(index, { ...line, force: true }) }
  notes.push(`A line of ${member} is left out, because ${message}: ${JSON.stringify(line)}`)
  return { ...text, [member]: lines.toSpliced(index, 1) }
}

function textOf(life: RecordedLife, { head, steps, charges, webhooks, answers }: Parts): Written {
  const [{ order }] = life.orders
  const { kind, createdAt } = order
  const lines = steps.flatMap((step) =>
    Object.keys(step.fields).length === 0 ? [] : [{ at: momentText(step, createdAt), ...step.fields }],
  )
  const trial = trialMs(order)
  const begin = life.scenario?.begin ?? null
  return {
    id: head.id,
    description: head.description,
    tests: life.scenario?.tests || undefined,
    for: kind,
    trial: trial === 0 ? undefined : formatDuration(trial),
    // The lengths of months decide when charges are due.
    clock: kind === 'subscription' ? new Date(createdAt).toISOString() : undefined,
    settings: settingsOf(life, lines),
    begin: begin === null ? undefined : writtenBeginning(begin),
    timeline: [...lines, ...charges],
    webhooks: webhooks.length === 0 ? undefined : webhooks,
    answers: answers.length === 0 ? undefined : answers,
  }
}

function headOf({ orders }: RecordedLife): KeptHead {
  const [{ order }] = orders
  return {
    id: keptId(order.orderId),
    description: `What happened to an order of the scenario ${order.scenario.id}`,
    comment: `Kept from the order ${order.orderId}, which followed the scenario ${order.scenario.id}.`,
  }
}

/** The id of the scenario that keeps an order: `kept-` and the last part of its orderId. */
function keptId(orderId: string): string {
  const words = orderId.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const last = /([a-z0-9]{12,})-*$/.exec(words)?.[1] ?? words.replaceAll(/^-+|-+$/g, '')
  return `kept-${last.slice(-40).replace(/^-+/, '') || 'order'}`
}

/** The settings that applied to the order, as far as a scenario can have them. The kept payment needs no payer. */
function settingsOf(
  { orders, scenario, settings }: RecordedLife,
  lines: readonly Written[],
): Written | undefined {
  const [{ order }] = orders
  const overlay: SettingsOverlay = layered(settings, scenario?.settings ?? {})
  const applied = Object.fromEntries(
    Object.entries(overlay).filter(([name]) => isSettingName(name) && infoOf(name).scope === 'order'),
  )
  const waits = order.request.mode !== undefined || applied['orders.autopay'] === 'never'
  const paid = lines.some(({ pay }) => pay !== undefined)
  const all = { ...applied, ...(waits && paid && { 'orders.autopay': 'always' }) }
  return Object.keys(all).length === 0 ? undefined : all
}

/** Plays a scenario as the order of a record would follow it. */
function rehearsalOf(scenario: Scenario, { orders, seed, nowMs }: RecordedLife): Rehearsal {
  const [{ order }] = orders
  const { kind, fiatAmount, request, createdAt } = order
  return rehearse({ ...scenario, clock: createdAt }, { kind, fiatAmount, request, seed, until: nowMs })
}

/** Sentences about webhooks that a file would send otherwise than they were sent, whatever was written before. */
function differences(rehearsal: Rehearsal, { orders, nowMs }: RecordedLife, settings: Settings): string[] {
  const played = rehearsal.webhooks
    .filter(({ at }) => at <= nowMs)
    .map(({ at, delivery }) => ({ at, status: statusIn(delivery) }))
  const sent = orders.flatMap(({ deliveries }) =>
    deliveries.flatMap((delivery) => {
      const { status, createdAt } = delivery
      const orderStatus = statusIn(delivery)
      if (status === 'skipped') return [{ at: createdAt, status: orderStatus }]
      return sendings(delivery, settings).map(({ at }) => ({ at, status: orderStatus }))
    }),
  )
  const missing = [...sent]
  const added = played.filter(({ at, status }) => {
    const index = missing.findIndex((one) => one.status === status && Math.abs(one.at - at) <= tolerableMs)
    if (index >= 0) missing.splice(index, 1)
    return index < 0
  })
  const [{ order }] = orders
  const words = (list: readonly { at: number; status: string }[]) =>
    list
      .map(({ at, status }) => `${status} after ${formatDuration(Math.max(0, at - order.createdAt))}`)
      .join(', ')
  return [
    ...(missing.length === 0 ? [] : [`Webhooks that the file does not repeat: ${words(missing)}.`]),
    ...(added.length === 0 ? [] : [`Webhooks of the file that were not sent: ${words(added)}.`]),
  ]
}

/** The status that a webhook reports; the one on record unless its body has been changed. */
function statusIn({ body, orderStatus }: Pick<NewDelivery, 'body' | 'orderStatus'>): string {
  return /^\{.*"orderStatus":"(\w+)"/s.exec(body)?.[1] ?? orderStatus
}

/** The text of the file: a head of comments, then the fields. */
function fileOf({ comment }: KeptHead, text: Written, notes: readonly string[]): string {
  const fields = Object.entries(text).filter(([, value]) => value !== undefined)
  const comments = [comment, ...new Set(notes)].map((note) => yamlComment(note))
  return `${[...comments, ...fields.map(([name, value]) => yamlField(name, value))].join('\n')}\n`
}
