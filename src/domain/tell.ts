import type { Circumstances } from './change.ts'
import type { NewDelivery } from './delivery.ts'
import type { Order, OrderTerms } from './order.ts'
import { orderType } from './order-type.ts'
import { type News, orderEvent } from './payload.ts'
import { pickedParts } from './scenario/random-mix.ts'
import type { ExtraWebhook, WebhookRule } from './scenario/webhook-rules.ts'
import type { EpochMs } from './time.ts'
import { inTurn } from './turns.ts'
import { treated, webhookRows } from './webhook-plan.ts'

/** The outbox rows that tell what a change has brought: the new status, unless `webhook.on` leaves it out, and a
 *  refund, if `webhook.refunds` wants one (N43). What has to wait for its turn is kept in the order's terms.
 *  @param before the order before the change; null for a new order */
export function tell(
  before: Order | null,
  order: Order,
  around: Circumstances,
  how: { awaitsAnswer: boolean } = { awaitsAnswer: false },
): { events: NewDelivery[]; terms: OrderTerms } {
  const rules = rulesOf(order, around)
  const news = [...statusNews(before, order, around), ...refundNews(before, order, around)]
  const events: NewDelivery[] = []
  const leave = (one: News, dueFrom: EpochMs): EpochMs => {
    const about = treated(rulesAbout(one, rules))
    if (about.drop) return dueFrom
    const last = events.at(-1)?.sequence
    const sequence = about.beside && last !== undefined ? last : (last ?? order.events) + 1
    const beside = events.filter((row) => row.sequence === sequence).length
    const awaitsAnswer = how.awaitsAnswer && about.early !== true
    const rows = webhookRows(one, about, { sequence, beside, dueFrom, awaitsAnswer }, around)
    events.push(...rows)
    return Math.max(dueFrom, ...rows.map(({ dueAt }) => dueAt ?? dueFrom))
  }
  const isReordered = rules.some(({ after }) => after !== undefined)
  if (isReordered) {
    const awaited = (one: News) => treated(rulesAbout(one, rules)).after
    const turns = inTurn(order, news, { awaited, leave, nowMs: around.nowMs })
    return { events, terms: { ...order.terms, turns } }
  }
  for (const one of news) leave(one, around.nowMs)
  return { events, terms: order.terms }
}

/** A webhook that tells of no change. */
export function tellExtra(order: Order, webhook: ExtraWebhook, around: Circumstances): NewDelivery[] {
  const event = orderEvent(order, orderType(order.kind, around.settings))
  const { status } = webhook
  const claimed = status === null ? event : { ...event, orderStatus: status, errorCode: undefined }
  const place = { sequence: order.events + 1, beside: 0, dueFrom: around.nowMs, awaitsAnswer: false }
  return webhookRows({ event: claimed, at: around.nowMs }, treated([webhook]), place, around)
}

/** An order with two legs has two events where the settings say so; the second is told as the crypto leg's (N41). */
function statusNews(before: Order | null, order: Order, { settings, nowMs }: Circumstances): News[] {
  const wanted = settings['webhook.on']
  if (before?.orderStatus === order.orderStatus) return []
  if (wanted !== null && !wanted.includes(order.orderStatus)) return []
  const type = orderType(order.kind, settings)
  const both = settings['webhook.legs'] === 'both' && order.kind !== 'crypto-payin'
  const types = both ? [type, settings['orders.cryptoPayinType']] : [type]
  return types.map((each) => ({ event: orderEvent(order, each), at: nowMs }))
}

function refundNews(before: Order | null, order: Order, { settings, nowMs }: Circumstances): News[] {
  if (settings['webhook.refunds'] === 'none') return []
  const latest = order.refunds?.at(-1)
  const known = before?.refunds?.[(order.refunds?.length ?? 0) - 1]
  if (latest === undefined || latest.status === known?.status) return []
  const event = orderEvent(order, orderType(order.kind, settings))
  return [{ event: { ...event, orderStatus: latest.status, errorCode: undefined }, at: nowMs }]
}

/** The rules about an order's webhooks, those that the seed has drawn included. */
function rulesOf(order: Order, { scenario, seed }: Circumstances): readonly WebhookRule[] {
  if (scenario.random === null) return scenario.webhooks
  const drawn = pickedParts(scenario, [seed, order.clientId, order.requestId])
  return [...scenario.webhooks, ...drawn.flatMap(({ webhooks }) => webhooks)]
}

const rulesAbout = ({ event }: News, rules: readonly WebhookRule[]): WebhookRule[] =>
  rules.filter(({ of }) => of === undefined || of === event.orderStatus)
