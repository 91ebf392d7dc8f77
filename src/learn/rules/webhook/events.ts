import { printedOrderStatuses } from '../../../domain/order/statuses.ts'
import { undecided } from '../../elimination/caution.ts'
import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { Claims, Finding } from '../../elimination/finding.ts'
import type { Evidence, SeenOrder } from '../../evidence/evidence.ts'
import { textsIn } from '../../evidence/parsed-json.ts'
import type { SeenEvent } from '../../webhook/events.ts'
import { sameJson } from '../../webhook/leaves.ts'
import { type Bodies, bodiesIn } from '../../webhook/reading.ts'
import { isOfRefund, refundsOf } from '../../webhook/statuses.ts'
import type { Rule } from '../rule.ts'

/** Which changes of orders have webhooks: by status, of refunds, and of both legs. */
export const webhookEvents: Rule = {
  settings: ['webhook.on', 'webhook.refunds', 'webhook.legs'],
  learn: (evidence, { claims }) => {
    const bodies = bodiesIn(evidence)
    return [
      onFinding(bodies, evidence, claims),
      refundsFinding(bodies, evidence, claims),
      legsFinding(bodies, claims),
    ]
  },
}

/** A webhook that has not come so long after a change will not come. */
const longEnough = 60_000

function onFinding(bodies: Bodies, evidence: Evidence, claims: Claims): Finding {
  const { plain, statuses } = bodies
  const seen = plain.flatMap((event): (Sight & { status: string })[] => {
    const status = statuses.statusOf.get(event)
    if (status === undefined || statuses.refunds.has(event) || isOfRefund(status)) return []
    return [
      {
        ...{ status, source: event.source, unit: `${event.unit} ${status}` },
        words: `a webhook reports ${status}`,
        allows: (value) => value === 'all' || (Array.isArray(value) && value.includes(status)),
      },
    ]
  })
  const reported = new Set(seen.map(({ status }) => status))
  const missing = passedThrough(evidence)
    .filter(
      ({ status, order, at }) => !reported.has(status) && isComplete(order, bodies) && isFlowing(at, bodies),
    )
    .map(({ status, order, source }) => ({
      ...{ status, source, unit: `${order.requestId} ${status}` },
      words: `no webhook reports ${status} of ${order.requestId}`,
      allows: (value: unknown) => Array.isArray(value) && !value.includes(status),
    }))
  // One webhook may be lost; that of a status may not be missing every time.
  const silent = hasNameless(missing.length, bodies)
    ? []
    : [...Map.groupBy(missing, ({ status }) => status).values()].filter((group) => group.length >= 2).flat()
  const list = [...reported].toSorted((a, b) => rankOf(a) - rankOf(b))
  const absent = new Set(silent.map(({ status }) => status))
  const open = printedOrderStatuses.filter((status) => !reported.has(status) && !absent.has(status))
  const finding = eliminate(
    {
      setting: 'webhook.on',
      candidates: reported.size === 0 ? [] : absent.size > 0 ? ['all', list] : ['all'],
      sights: [...silent, ...seen],
      isOpen: true,
      evidence: (_, count) =>
        absent.size > 0
          ? `webhooks report ${list.join(', ')}; none reports ${[...absent].join(', ')} (${silent.length} orders)`
          : `${count} webhooks report ${list.join(', ')}`,
      decide: `an order that is ${open.join(' or ')}, with its webhooks`,
      nothing: 'no webhook in the capture reports a status of an order that it shows',
    },
    claims,
  )
  if (reported.size === 0)
    return {
      ...finding,
      state: 'unknown',
      evidence: 'no webhook in the capture reports a status of an order that it shows',
    }
  if (open.length === 0 || finding.state === 'contradictory') return finding
  return undecided(finding, {
    left: absent.size > 0 ? [list, [...list, ...open]] : ['all', list],
    evidence: `webhooks report ${list.join(', ')}; no order shows whether ${open.join(' and ')} ${open.length > 1 ? 'have' : 'has'} one`,
    decide: `an order that is ${open.join(' or ')}, with its webhooks`,
  })
}

const rankOf = (status: string): number => {
  const printed: readonly string[] = printedOrderStatuses
  const index = printed.indexOf(status)
  return index < 0 ? printed.length : index
}

/** The statuses that orders have had, each long before the end of the capture. */
function passedThrough({ orders, until }: Evidence) {
  return orders.flatMap((order) => {
    const { created } = order
    const found = order.lookups
      .filter(({ operation }) => operation === 'orders')
      .flatMap(({ call, records }) =>
        records.map(({ orderStatus }) => ({ status: orderStatus, source: call.source, at: call.at })),
      )
    const all = [
      ...(created === null ? [] : [{ status: 'CREATED', source: created.source, at: created.at }]),
      ...found,
    ]
    return printedOrderStatuses.flatMap((status) => {
      const one = all.find((each) => each.status === status && each.at + longEnough <= until)
      return one === undefined ? [] : [{ status, order, source: one.source, at: one.at }]
    })
  })
}

/** Whether a webhook about a change would have arrived: later ones did, or none still waits. One that is sent again and
 *  again can hold up others. */
function isFlowing(at: number, { events }: Bodies): boolean {
  const isAccepted = ({ webhook }: SeenEvent) =>
    webhook.attempts.some(({ status }) => status !== null && status >= 200 && status < 300)
  return events.every(isAccepted) || events.some((event) => event.webhook.attempts[0].at > at + longEnough)
}

/** Whether the missing webhooks may be among those that name no order. */
const hasNameless = (missing: number, { leftOut }: Bodies): boolean =>
  leftOut.filter(({ order }) => order === null).length * 2 >= Math.max(1, missing)

/** Whether the capture has webhooks of an order's time: of the order itself, or of others before and after. */
function isComplete(order: SeenOrder, { plain }: Bodies): boolean {
  const at = order.created?.at ?? order.lookups[0]?.call.at ?? 0
  return (
    order.webhooks.length > 0 ||
    (plain.some((event) => event.at < at) && plain.some((event) => event.at > at))
  )
}

function refundsFinding(bodies: Bodies, evidence: Evidence, claims: Claims): Finding {
  const { plain, statuses, events } = bodies
  const present = plain
    .filter((event) => statuses.refunds.has(event))
    .map((event) => ({
      ...{ source: event.source, unit: event.unit, words: 'a webhook is about a refund' },
      allows: (value: unknown) => value !== 'none',
    }))
  const absent = evidence.orders.flatMap((order): Sight[] => {
    const ids = refundsOf({ order })
    const shown = order.lookups.find(
      ({ operation, records }) => operation === 'fiat-refunds' && records.length > 0,
    )
    const own = events.filter((event) => event.order === order)
    if (ids.size === 0 || shown === undefined || own.length === 0) return []
    if (shown.call.at + longEnough > evidence.until || !isFlowing(shown.call.at, bodies)) return []
    const isNamed = own.some(({ content }) => textsIn(content).some((text) => ids.has(text)))
    const isUnclear = own.some((event) => !plain.includes(event) || !statuses.statusOf.has(event))
    if (isNamed || isUnclear || own.some((event) => statuses.refunds.has(event))) return []
    return [
      {
        ...{ source: shown.call.source, unit: order.requestId },
        words: `no webhook is about the refund of ${order.requestId}`,
        allows: (value) => value !== 'event',
      },
    ]
  })
  return eliminate(
    {
      setting: 'webhook.refunds',
      candidates: ['none', 'event'],
      // With webhooks about refunds, a missing one is lost.
      sights: present.length > 0 ? present : hasNameless(absent.length, bodies) ? [] : absent,
      evidence: (value, count) =>
        value === 'event'
          ? `${count} orders have webhooks about refunds`
          : `${count} refunded orders have no webhook about it`,
      decide: 'a refund, looked up a minute later, with the webhooks of its order',
      nothing: 'the capture shows no refund',
    },
    claims,
  )
}

/** Orders whose webhooks come once or twice for each status. */
function legsFinding(bodies: Bodies, claims: Claims): Finding {
  const { plain, statuses, list, cryptoTypes } = bodies
  const ofOrders = plain.filter((event) => !statuses.refunds.has(event) && statuses.statusOf.has(event))
  const groups = [
    ...Map.groupBy(ofOrders, (event) => `${event.unit} ${statuses.statusOf.get(event)}`).values(),
  ]
  const isBoth = (group: readonly SeenEvent[]) => {
    const types = group.map((event) => isCryptoIn(event, cryptoTypes))
    return types.includes(true) && types.includes(false)
  }
  const typed = groups.filter(isBoth)
  const both = typed.length > 0 ? typed : groups.filter((group) => isTwin(group, bodies))
  const counted =
    both.length > 0
      ? both
      : groups.filter((group) =>
          group.every((event) => group.length === 1 && isCryptoIn(event, cryptoTypes) !== true),
        )
  const isClear = both.length === 0 || both.length * 2 > groups.length
  const sights = (isClear ? counted : []).flatMap((group): Sight[] => {
    const [first] = group
    if (first === undefined) return []
    return [
      {
        ...{ source: first.source, unit: first.unit },
        words: `${group.length === 1 ? 'one webhook' : 'a webhook of each leg'} for one change`,
        allows: (value) => (both.length > 0 ? value !== 'fiat' : value !== 'both'),
      },
    ]
  })
  // Without two types, twice the webhooks may be repetitions.
  const isTwice = both.length === 0 && groups.filter((group) => group.length > 1).length * 2 > groups.length
  return eliminate(
    {
      setting: 'webhook.legs',
      candidates: ['fiat', 'both'],
      sights: isTwice ? [] : sights,
      evidence: (value, count) =>
        value === 'both'
          ? `webhooks of ${count} orders come for each leg`
          : `${count} orders have one webhook for each change${list === 'several' ? ', in batches too' : ''}`,
      decide: 'a webhook about an order, with its status',
      nothing: 'no status has webhooks that can be counted',
    },
    claims,
  )
}

/** Whether two webhooks report one change, and neither is a repetition: they differ in their own ids and numbers only,
 *  and the first was accepted before the second came. */
function isTwin(
  [first, second, ...others]: readonly SeenEvent[],
  { ofOrders, leaves, form }: Bodies,
): boolean {
  if (first === undefined || second === undefined || others.length > 0 || form !== 'template') return false
  const { status } = first.webhook.attempts[0]
  if (first.webhook === second.webhook || status === null || status < 200 || status >= 300) return false
  const differing = ofOrders.places.filter(
    ({ key }) => !sameJson(leaves.get(first)?.get(key) ?? null, leaves.get(second)?.get(key) ?? null),
  )
  const isOwn = ({ text }: { text: unknown }) =>
    typeof text === 'string' && /^\$\{(webhookId|deliveryId|sequence)\b/.test(text)
  return differing.some(isOwn) && differing.every((place) => isOwn(place) || isEventTime(place))
}

const isEventTime = ({ text }: { text: unknown }): boolean =>
  typeof text === 'string' && text.startsWith('${eventTime')

/** Whether a body has the type of the crypto leg; undefined if it names no type. */
function isCryptoIn({ content, order }: SeenEvent, cryptoTypes: ReadonlySet<string>): boolean | undefined {
  const texts = textsIn(content)
  if (texts.some((text) => text.toUpperCase() === 'CHECKOUT')) return false
  const own = order.lookups
    .filter(({ operation }) => operation === 'crypto-orders')
    .flatMap(({ records }) => records.map(({ orderType }) => orderType))
  const isType = (text: string) =>
    /crypto.?payin/i.test(text) || cryptoTypes.has(text) || (text !== 'CHECKOUT' && own.includes(text))
  return texts.some(isType) ? true : undefined
}
