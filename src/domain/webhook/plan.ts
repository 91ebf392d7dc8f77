import type { Settings, SettingsOverlay } from '../choices/settings.ts'
import type { DecisionContext } from '../order/decision.ts'
import { eventIds } from '../order/ids.ts'
import type { Order } from '../order/order.ts'
import type { WebhookRule } from '../scenario/scenario.ts'
import type { EpochMs } from '../text/time.ts'
import { companionOf } from './companion.ts'
import type { DeliveryPlan, NewDelivery } from './delivery.ts'
import type { PlannedFaults } from './faults/faults.ts'
import { type Notice, ownHeaders, payloadValues } from './payload-values.ts'
import { carriesSeveral, recipeOf } from './recipe.ts'
import { bodyOf, filledFaults, writtenBody } from './rule-content.ts'

/** The combined effect of all rules that match one webhook. */
export interface Treatment extends Omit<WebhookRule, 'of' | 'faults' | 'by'> {
  readonly faults: readonly PlannedFaults[]
  /** The behaviours of a sweep that affect the webhook. */
  readonly by?: readonly string[] | undefined
}

/** Removes lists of signatures where webhooks do not carry several, because they would have no effect (N38, N73). The
 *  behaviour of a sweep that consists of one does not show there. */
export function effectiveRules<Rule extends WebhookRule>(
  rules: readonly Rule[],
  settings: Settings,
): readonly Rule[] {
  if (carriesSeveral(recipeOf(settings))) return rules
  return rules.flatMap((rule) => {
    if (rule.faults?.signatures === undefined) return [rule]
    const { signatures: _, signatureVersions: __, ...faults } = rule.faults
    const isEmpty = Object.keys(faults).length === 0
    return rule.by === undefined ? [{ ...rule, faults: isEmpty ? undefined : faults }] : []
  })
}

/** Combines the rules about a webhook: later ones take precedence, field by field. All faults are retained, because
 *  they may be about different attempts. */
export function treated(rules: readonly WebhookRule[]): Treatment {
  if (rules.length === 0) return asItIs
  const faults = rules.flatMap((rule) => rule.faults ?? [])
  const bodied = rules.findLast(({ body, template, patch }) => (body ?? template ?? patch) !== undefined)
  let last: WebhookRule = {}
  for (const rule of rules) last = { ...last, ...rule }
  const by = rules.flatMap((rule) => rule.by ?? [])
  return {
    ...last,
    body: bodied?.body,
    template: bodied?.template,
    patch: bodied?.patch,
    faults,
    by: by.length === 0 ? undefined : by,
  }
}

const asItIs: Treatment = { faults: [] }

/** The position of a webhook among those of its order, and its earliest time. */
interface Place {
  readonly order: Order
  readonly sequence: number
  /** The number of other webhooks with the same sequence number, which may be sent at the same time. */
  readonly beside: number
  readonly dueFrom: EpochMs
  readonly awaitsAnswer: boolean
}

/** The outbox rows of a webhook and its copies. Simultaneous copies share a sequence number; other copies get their
 *  own, so that each waits for the one before. */
export function webhookRows(
  news: Notice,
  how: Treatment,
  { order, sequence, beside, dueFrom, awaitsAnswer }: Place,
  context: DecisionContext,
): NewDelivery[] {
  const { settings } = context
  const { delayMs = 0, duplicate = 0, simultaneous = 0, freshIds = false } = how
  const apartMs = how.hurried ? withinASecond(how.apartMs, context) : (how.apartMs ?? 0)
  const { errorCode: _, ...names } = news.event
  const { orderId } = names
  const first = eventIds(orderId, sequence, beside)
  const row = (n: number, copy: number): NewDelivery => {
    const own = n === 0 ? eventIds(orderId, sequence, beside + copy) : eventIds(orderId, sequence + n)
    const { webhookId } = freshIds ? own : first
    const laterMs = delayMs + n * apartMs
    const dueAt = dueFrom + laterMs
    const isSkipped = leavesToNobody(dueAt, context)
    const about = { settings, webhookId, deliveryId: own.id, sequence: sequence + n, order }
    const values = () => payloadValues(news, about)
    const written = writtenBody(how, values)
    const filled = { ...how, headers: ownHeaders(news, about), faults: filledFaults(how.faults, values) }
    return {
      id: own.id,
      webhookId,
      ...names,
      sequence: sequence + n,
      body: written ?? bodyOf(news, how, values, about),
      verbatim: written === undefined ? undefined : true,
      createdAt: context.nowMs,
      dueAt: awaitsAnswer && !isSkipped ? null : dueAt,
      status: isSkipped ? 'skipped' : 'pending',
      plan: planOf(filled, { laterMs, awaitsAnswer, delayed: dueAt > context.nowMs }, context),
    }
  }
  const rows: NewDelivery[] = []
  for (let copy = 0; copy <= simultaneous; copy++) rows.push(row(0, copy))
  for (let n = 1; n <= duplicate; n++) rows.push(row(n, 0))
  if (how.companion !== undefined)
    rows.push(companionOf(news, how.companion, { before: rows, order, by: how.by }, context))
  return rows
}

/** Limits a time to one second on the wall clock; zero on a manual clock. */
const withinASecond = (ms = 0, { clockSpeed }: DecisionContext): number => Math.min(ms, clockSpeed * 1_000)

/** Whether no URL is registered: an immediate webhook is then skipped, while a delayed one looks for a URL later
 *  (N47, N48). */
const leavesToNobody = (dueAt: EpochMs, { client, nowMs }: DecisionContext): boolean =>
  client.webhookUrl === null && dueAt <= nowMs

function planOf(
  { faults, attempts, by, headers }: Treatment & Pick<DeliveryPlan, 'headers'>,
  { laterMs, awaitsAnswer, delayed }: { laterMs: number; awaitsAnswer: boolean; delayed: boolean },
  { scenario }: DecisionContext,
): DeliveryPlan | null {
  const settings = sendersOf(scenario.settings)
  const delayMs = laterMs > 0 && awaitsAnswer ? laterMs : undefined
  const isAsUsual =
    faults.length === 0 && !delayed && (settings ?? headers ?? attempts ?? delayMs ?? by) === undefined
  if (isAsUsual) return null
  return {
    by,
    settings,
    headers,
    faults: faults.length > 0 ? faults : undefined,
    attempts,
    delayed: delayed ? true : undefined,
    delayMs,
  }
}

/** The scenario's settings that affect sending; undefined for none. */
function sendersOf(settings: SettingsOverlay): SettingsOverlay | undefined {
  const read = Object.entries(settings).filter(([name]) => readWhenSending.test(name))
  return read.length === 0 ? undefined : Object.fromEntries(read)
}

const readWhenSending =
  /^(webhook\.(auth|signature|signTime|format|jwt|jwtAlgorithm|template|refundTemplate|timeout|accept|gone|retry\.\w+)|words\.(webhook|events))$/
