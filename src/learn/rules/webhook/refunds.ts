import { compareAmounts, sum } from '../../../domain/text/money.ts'
import { eliminate, readValue, type Sight } from '../../elimination/eliminate.ts'
import type { Claims, Finding } from '../../elimination/finding.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import type { SeenEvent } from '../../webhook/events.ts'
import { type Bodies, bodiesIn } from '../../webhook/reading.ts'
import { refundsOf } from '../../webhook/statuses.ts'
import type { Context, Rule } from '../rule.ts'

/** The status of refunds that have failed, and of orders that are refunded as a whole. */
export const refundStatuses: Rule = {
  settings: ['refunds.failedStatus', 'refunds.orderStatus'],
  learn: (evidence, context) => [
    failedStatus(evidence, context),
    orderStatus(bodiesIn(evidence), context.claims),
  ],
}

/** A failed refund: one lookup with an error beside the list, and the status of the latest refund in it. */
function failedStatus(evidence: Evidence, { claims }: Context): Finding {
  const setting = 'refunds.failedStatus'
  const decide = 'a lookup of a refund that has failed'
  const lookups = evidence.orders.flatMap((order) =>
    order.lookups
      .filter(({ operation, records }) => operation === 'fiat-refunds' && records.length > 0)
      .map((lookup) => ({
        order,
        lookup,
        hasFailed: typeof fieldsOf(fieldsOf(lookup.call.output).errorReason).errorCode === 'string',
        statuses: lookup.records.flatMap(({ status }) => (typeof status === 'string' ? status : [])),
      })),
  )
  const usual = new Set(lookups.filter(({ hasFailed }) => !hasFailed).flatMap(({ statuses }) => statuses))
  const failed = lookups.filter(({ hasFailed }) => hasFailed)
  return readValue(
    {
      setting,
      readings: failed.map(({ order, lookup, statuses }) => {
        const last = statuses.at(-1)
        const own = statuses.find((status) => status !== 'REFUND_INITIATED' && !usual.has(status))
        return {
          source: lookup.call.source,
          unit: order.requestId,
          words: `the refund of ${order.requestId} has failed and is ${last}`,
          value: own ?? null,
        }
      }),
      evidence: (value, count) =>
        value === null
          ? `${count} failed refunds keep their status`
          : `${count} failed refunds are \`${String(value)}\` in the lookup`,
      decide,
      nothing: 'no lookup shows a refund that has failed',
    },
    claims,
  )
}

/** The status of the order in webhooks about refunds that make up the whole amount. */
function orderStatus(bodies: Bodies, claims: Claims): Finding {
  const { plain, statuses, leaves, ofRefunds } = bodies
  // A template for refunds may have it at another place than events about orders.
  const own = ofRefunds?.places.find(({ text }) => text === '${statusOfOrder}')
  const place = own?.key ?? statuses.place ?? ''
  const completed = statuses.words.get('COMPLETED') ?? 'COMPLETED'
  const words = new Set(statuses.words.values())
  const sights = plain.flatMap((event): Sight[] => {
    if (!statuses.refunds.has(event) || !isWhole(event, bodies)) return []
    const text = statusBeside(event, { place, completed, leaves, words })
    if (text === undefined) return []
    return [
      {
        ...{ source: event.source, unit: event.unit },
        words: `the order is \`${text}\` beside a refund of its whole amount`,
        allows: (value) =>
          value === null || value === undefined
            ? text === completed
            : String(value).toLowerCase() === text.toLowerCase(),
      },
    ]
  })
  const texts = plain.flatMap((event) =>
    statuses.refunds.has(event) && isWhole(event, bodies)
      ? (statusBeside(event, { place, completed, leaves, words }) ?? [])
      : [],
  )
  return eliminate(
    {
      setting: 'refunds.orderStatus',
      candidates: [...new Set(texts)].map((text) => (text === completed ? null : text)),
      sights,
      isOpen: true,
      evidence: (value, count) =>
        value === null
          ? `${count} orders keep their status beside a refund of the whole amount`
          : `${count} orders are \`${String(value)}\` beside a refund of the whole amount`,
      decide: 'a webhook about a refund of the whole amount, with the status of its order',
      nothing: 'no webhook has the status of an order beside a refund of its whole amount',
    },
    claims,
  )
}

/** Whether the refunds of an order make up its amount, and the event is about the last of them. */
function isWhole(event: SeenEvent, { leaves, plain, statuses }: Bodies): boolean {
  const { fiatAmount } = event.order.request
  const refunds = refundsOf(event)
  // A failed refund leaves its amount.
  const hasFailed = event.order.lookups.some(
    ({ operation, call }) =>
      operation === 'fiat-refunds' && fieldsOf(fieldsOf(call.output).errorReason).errorCode !== undefined,
  )
  if (hasFailed) return false
  if (typeof fiatAmount !== 'string' || !/^\d+(\.\d+)?$/.test(fiatAmount) || refunds.size === 0) return false
  const total = [...refunds.values()].reduce((all, { amount }) => sum(all, amount), '0')
  if (compareAmounts(total, fiatAmount) < 0) return false
  const own = new Set([...(leaves.get(event)?.values() ?? [])])
  const last = [...refunds.keys()].at(-1)
  const isNamed = [...refunds.keys()].some((id) => own.has(id))
  const later = plain.some(
    (other) => other.unit === event.unit && statuses.refunds.has(other) && other.at > event.at,
  )
  return isNamed ? own.has(last) : !later
}

/** The status of the order in an event about a refund: at the place that has it in other events. */
function statusBeside(
  event: SeenEvent,
  {
    place,
    completed,
    leaves,
    words,
  }: {
    readonly place: string
    readonly completed: string
    readonly leaves: Bodies['leaves']
    readonly words: ReadonlySet<string>
  },
): string | undefined {
  const text = leaves.get(event)?.get(place)
  if (typeof text !== 'string') return undefined
  // At this place the status of the refund may be instead.
  return text === completed || !words.has(text) ? text : undefined
}
