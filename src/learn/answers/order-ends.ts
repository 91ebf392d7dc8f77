import { parseDuration } from '../../domain/text/duration.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import type { Evidence, SeenOrder } from '../evidence/evidence.ts'
import type { Context } from '../rules/rule.ts'
import type { Source } from '../traffic/exchange.ts'
import { hasMovedOn, isUnpaid } from './payment-state.ts'
import { type Fields, recordsOf, type SeenRecord } from './records.ts'

/** What became of an order that nobody had paid when it expired. */
export interface SeenEnd {
  readonly source: Source
  readonly requestId: string
  readonly end: 'keep' | 'fail' | 'abandon'
  /** As the lookup writes it. */
  readonly orderStatus: string
}

/** A service may look for expired orders every few minutes. Nobody can pay in the meantime. */
const lateMs = 10 * 60_000
const slackMs = 1_000

/** The ends of all checkouts that expired unpaid. All but the time of a lookup is read from the clock of the service,
 *  and that time counts only if `orders.expiry` was found, because then the clocks agree. */
export function orderEnds(evidence: Evidence, { found }: Context): SeenEnd[] {
  const expiry = found('orders.expiry')
  const expiryMs = typeof expiry === 'string' ? parseDuration(expiry) : null
  if (expiryMs === null) return []
  return evidence.orders.flatMap((order) => {
    const expires = order.isSubscription || order.created === null ? null : expiryOf(order.answer)
    if (expires === null) return []
    const records = recordsOf(order, 'orders', 'crypto-orders')
    return records.flatMap((record) => endIn(order, record, { ...expires, expiryMs, evidence }))
  })
}

interface Expiry {
  readonly from: EpochMs
  /** Digits that are left out were cut off. */
  readonly to: EpochMs
}

function expiryOf({ offerInfoData }: Fields): Expiry | null {
  const text =
    typeof offerInfoData === 'object' && offerInfoData !== null && 'expiryTs' in offerInfoData
      ? offerInfoData.expiryTs
      : null
  const match = typeof text === 'string' ? /:\d\d(?:\.(\d+))?(?:[+-]\d\d:\d\d|Z)$/.exec(text) : null
  if (typeof text !== 'string' || match === null) return null
  const from = Date.parse(text)
  return Number.isNaN(from) ? null : { from, to: from + 10 ** Math.max(0, 3 - (match[1] ?? '').length) }
}

function endIn(
  order: SeenOrder,
  { lookup, fields }: SeenRecord,
  { from, to, expiryMs, evidence }: Expiry & { readonly expiryMs: number; readonly evidence: Evidence },
): SeenEnd[] {
  const { orderStatus, updatedTs } = fields
  const { call, operation } = lookup
  const lookedUpAt = call.at + evidence.serviceAhead(call.source)
  if (typeof orderStatus !== 'string' || typeof updatedTs !== 'number' || lookedUpAt <= to + slackMs)
    return []
  const seen = { source: call.source, requestId: order.requestId, orderStatus }
  if (orderStatus === 'CREATED') {
    // A payment would have moved `updatedTs`, even without another status; so would an end that a stale record hides.
    const isUntouched = updatedTs <= to - expiryMs
    const isOpen = operation === 'crypto-orders' ? isUnpaid(fields) : true
    return isUntouched && isOpen && !hasMovedOn(order, call.at) ? [{ ...seen, end: 'keep' }] : []
  }
  if (updatedTs < from || updatedTs > to + lateMs || isOtherEnd(orderStatus)) return []
  return [{ ...seen, end: orderStatus === 'FAILED' ? 'fail' : 'abandon' }]
}

/** Whether a status is one that no expiry sets. */
const isOtherEnd = (status: string): boolean => status === 'COMPLETED' || status === reviewStatus

const reviewStatus = 'ON_REVIEW'
