import type { DecisionContext } from '../order/decision.ts'
import type { Order, OrderTerms, Turns } from '../order/order.ts'
import { isTerminal } from '../order/statuses.ts'
import { anyFinal, type ExtraWebhook, pickedParts, type WebhookRule } from '../scenario/scenario.ts'
import { picked } from '../text/objects.ts'
import type { EpochMs } from '../text/time.ts'
import type { NewDelivery } from './delivery.ts'
import { orderEvent, orderType } from './payload.ts'
import { type Notice, refundAbout } from './payload-values.ts'
import { effectiveRules, treated, webhookRows } from './plan.ts'

/** The outbox rows of an order's change: for a new status, unless `webhook.on` excludes it, and for a refund, if
 *  `webhook.refunds` includes it (N43). Webhooks that have to wait for others are stored in the order's terms.
 *  @param before the order before the change; null for a new order */
export function webhooksOf(
  before: Order | null,
  order: Order,
  context: DecisionContext,
  how: { awaitsAnswer: boolean } = { awaitsAnswer: false },
): { events: NewDelivery[]; terms: OrderTerms } {
  const rules = rulesOf(order, context)
  const news = [...statusNews(before, order, context), ...refundNews(before, order, context)]
  const events: NewDelivery[] = []
  const leave = (one: Notice, dueFrom: EpochMs): EpochMs => {
    const about = treated(rulesAbout(one, rules))
    if (about.drop) return dueFrom
    const last = events.at(-1)?.sequence
    const sequence = about.beside && last !== undefined ? last : (last ?? order.events) + 1
    const beside = events.filter((row) => row.sequence === sequence).length
    const awaitsAnswer = how.awaitsAnswer && about.early !== true
    const rows = webhookRows(one, about, { order, sequence, beside, dueFrom, awaitsAnswer }, context)
    events.push(...rows)
    return Math.max(dueFrom, ...rows.map(({ dueAt }) => dueAt ?? dueFrom))
  }
  const isReordered = rules.some(({ after }) => after !== undefined)
  if (isReordered) {
    const awaited = (one: Notice) => treated(rulesAbout(one, rules)).after
    const turns = inTurn(order, news, { awaited, leave, nowMs: context.nowMs })
    return { events, terms: { ...order.terms, turns } }
  }
  for (const one of news) leave(one, context.nowMs)
  return { events, terms: order.terms }
}

/** Creates the deliveries of a webhook that a scenario sends without a change of the order. */
export function extraWebhooksOf(
  order: Order,
  webhook: ExtraWebhook,
  context: DecisionContext,
): NewDelivery[] {
  const event = orderEvent(order, orderType(order.kind, context.settings))
  const { status } = webhook
  const claimed = status === null ? event : { ...event, orderStatus: status, errorCode: undefined }
  const place = { order, sequence: order.events + 1, beside: 0, dueFrom: context.nowMs, awaitsAnswer: false }
  const how = treated(effectiveRules([webhook], context.settings))
  const refund = refundAbout(order, claimed.orderStatus)
  return webhookRows({ event: claimed, at: context.nowMs, refund }, how, place, context)
}

/** The events of a new status. An order with two legs has two if `webhook.legs` says so, the second for the crypto
 *  leg (N41). */
function statusNews(before: Order | null, order: Order, { settings, nowMs }: DecisionContext): Notice[] {
  const wanted = settings['webhook.on']
  if (before?.orderStatus === order.orderStatus) return []
  if (wanted !== null && !wanted.includes(order.orderStatus)) return []
  const type = orderType(order.kind, settings)
  const both = settings['webhook.legs'] === 'both' && order.kind !== 'crypto-payin'
  const types = both ? [type, settings['orders.cryptoPayinType']] : [type]
  return types.map((each) => ({ event: orderEvent(order, each), at: nowMs }))
}

function refundNews(before: Order | null, order: Order, { settings, nowMs }: DecisionContext): Notice[] {
  if (settings['webhook.refunds'] === 'none') return []
  const latest = order.refunds?.at(-1)
  const known = before?.refunds?.[(order.refunds?.length ?? 0) - 1]
  if (latest === undefined || latest.status === known?.status) return []
  const event = orderEvent(order, orderType(order.kind, settings))
  const refund = picked(latest, ['refundId', 'fiatAmount', 'status'])
  const hasFailed = latest.status === settings['refunds.failedStatus']
  const errorCode = hasFailed ? order.refundError?.errorCode : undefined
  return [{ event: { ...event, orderStatus: latest.status, errorCode }, at: nowMs, refund }]
}

/** The rules about an order's webhooks, including its share of a scenario's random mix. */
function rulesOf(order: Order, { scenario, seed, settings }: DecisionContext): readonly WebhookRule[] {
  if (scenario.random === null) return effectiveRules(scenario.webhooks, settings)
  const drawn = pickedParts(scenario, [seed, order.clientId, order.requestId])
  return effectiveRules([...scenario.webhooks, ...drawn.flatMap(({ webhooks }) => webhooks)], settings)
}

const rulesAbout = ({ event }: Notice, rules: readonly WebhookRule[]): WebhookRule[] =>
  rules.filter(({ of }) => of === undefined || of === event.orderStatus)

/** Decides which new and waiting webhooks to send now, where rules reorder the webhooks of an order.
 *  @param how `awaited`: the status whose webhook comes first; `leave`: creates the rows, due at the given time or
 *    later, and returns the last due time
 *  @returns the state to store in the order */
function inTurn(
  order: Order,
  news: readonly Notice[],
  {
    awaited,
    leave,
    nowMs,
  }: {
    awaited: (one: Notice) => string | undefined
    leave: (one: Notice, dueFrom: EpochMs) => EpochMs
    nowMs: EpochMs
  },
): Turns {
  const told = new Map(Object.entries(order.terms.turns?.told ?? {}))
  const reportedAt = (status: string) =>
    status === anyFinal ? [...told].find(([name]) => isTerminal(name))?.[1] : told.get(status)
  const turnOf = (one: Notice): EpochMs | undefined => {
    const before = awaited(one)
    return before === undefined || before === one.event.orderStatus ? nowMs : reportedAt(before)
  }
  const emit = (one: Notice) => {
    const { orderStatus } = one.event
    const lastDue = leave(one, Math.max(nowMs, turnOf(one) ?? nowMs))
    told.set(orderStatus, Math.max(lastDue, told.get(orderStatus) ?? 0))
  }
  const late = news.filter((one) => turnOf(one) === undefined)
  for (const one of news) if (!late.includes(one)) emit(one)
  let waiting = [...(order.terms.turns?.waiting ?? []), ...late]
  // A status that has no webhook counts as reported.
  const isWaiting = waiting.some(({ event }) => event.orderStatus === order.orderStatus)
  if (!isWaiting && !told.has(order.orderStatus)) told.set(order.orderStatus, nowMs)
  for (;;) {
    const one = waiting.find((each) => turnOf(each) !== undefined)
    if (one === undefined) return { told: Object.fromEntries(told), waiting }
    waiting = waiting.filter((each) => each !== one)
    emit(one)
  }
}
