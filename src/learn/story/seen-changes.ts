import type { Settings } from '../../domain/choices/settings.ts'
import { errorReason } from '../../domain/order/statuses.ts'
import type { Beginning, Effect } from '../../domain/scenario/scenario.ts'
import { isMapping } from '../../domain/text/objects.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import { statusesFor } from '../../domain/webhook/words.ts'
import type { Lookup } from '../evidence/evidence.ts'
import { fieldsOf } from '../evidence/read-call.ts'

/** A change of an order, with the effects by which a scenario repeats it. */
export interface Change {
  readonly at: EpochMs
  readonly effects: readonly Effect[]
}

/** The record of an order, as one lookup showed it; null where the lookup did not list it. */
export interface View {
  readonly at: EpochMs
  readonly record: Readonly<Record<string, unknown>> | null
}

/** A status that webhooks report, with the time of the first of them. */
export interface Reported {
  readonly status: string
  readonly at: EpochMs
  readonly errorCode: string | null
}

/** A status of an order, and since when it has it. */
export interface StatusChange {
  readonly at: EpochMs
  readonly status: string
  readonly errorCode: string | null
}

/** How lookups showed an order over time. */
export function viewsOf(
  lookups: readonly Lookup[],
  operation: Lookup['operation'],
  orderId: string | null,
): View[] {
  return lookups
    .filter((lookup) => lookup.operation === operation)
    .map(({ call, records }) => ({
      at: Math.round(call.at),
      record: records.find((each) => orderId === null || each.orderId === orderId) ?? null,
    }))
}

/** Differences up to this are the delay of the network, or the rounding of clocks. */
const nearMs = 2_000

/** Finds the status changes of an order from lookups and webhooks. A webhook that lookups contradict is no change.
 *  @param toCapture maps a time of the service to the clock of the capture */
export function statusChanges(
  views: readonly View[],
  reported: readonly Reported[],
  {
    settings,
    createdAt,
    toCapture,
  }: { settings: Settings; createdAt: EpochMs; toCapture: (at: EpochMs) => EpochMs },
): StatusChange[] {
  const seen = views.flatMap(({ at, record }) => {
    const status = textOf(record?.orderStatus)
    return status === null ? [] : [{ at, status: statusIn(status, settings), record }]
  })
  const shown = seen.filter(({ status }, index) => status !== (seen[index - 1]?.status ?? 'CREATED'))
  const byLookup = shown.map(({ at, status, record }): StatusChange => {
    const before = seen.findLast(
      (each) => each.at <= at && each.status !== status && each.record !== record,
    )?.at
    const from = before ?? createdAt
    const updated = typeof record?.updatedTs === 'number' ? toCapture(record.updatedTs) : null
    const report = reported.find((each) => each.status === status)
    const isPossible = (time: EpochMs) => time >= from - nearMs && time <= at + nearMs
    const updatedAt = updated !== null && isPossible(updated) ? updated : null
    const reportedAt = report !== undefined && isPossible(report.at) ? report.at : null
    const isSame = updatedAt !== null && reportedAt !== null && Math.abs(updatedAt - reportedAt) <= nearMs
    const reason = fieldsOf(record?.errorReason).errorCode
    return {
      at: Math.max(createdAt, isSame ? reportedAt : (updatedAt ?? reportedAt ?? at)),
      status,
      errorCode: textOf(reason) ?? report?.errorCode ?? null,
    }
  })
  const known = new Set(['CREATED', ...byLookup.map(({ status }) => status)])
  const unseen = reported.filter(
    ({ status, at }) => !known.has(status) && !isContradicted({ status, at }, seen, reported),
  )
  return [...byLookup, ...unseen].toSorted((a, b) => a.at - b.at)
}

/** Whether a lookup after a webhook shows another status that is not a later one. */
function isContradicted(
  { at }: { status: string; at: EpochMs },
  seen: readonly { at: EpochMs; status: string }[],
  reported: readonly Reported[],
): boolean {
  const next = seen.find((each) => each.at > at + 500)
  if (next === undefined) return false
  const isLater = reported.some((each) => each.status === next.status && each.at > at && each.at <= next.at)
  const wasBefore =
    next.status === 'CREATED' || seen.some((each) => each.at <= at && each.status === next.status)
  return !isLater || wasBefore
}

/** The status that a word in a record stands for. */
const statusIn = (word: string, settings: Settings): string =>
  statusesFor(word, settings['words.orders'], (text) => text)[0] ?? word

export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** The effect of a status change. */
export const statusEffect = ({ status, errorCode }: StatusChange): Effect => ({
  do: 'order',
  status,
  errorCode: status === 'FAILED' ? errorCode : null,
})

/** What the crypto lookup shows beyond the status of the order. */
export interface CryptoChanges {
  readonly changes: readonly Change[]
  readonly crypto: Beginning['crypto']
  /** When the payment arrived; null if no lookup shows it. */
  readonly paidAt: EpochMs | null
}

/** Reads the payment, and where the crypto leg differs from the order.
 *  @param statuses of the order
 *  @param isOwn whether the crypto record is the only one of the order */
export function cryptoChanges(
  views: readonly View[],
  statuses: readonly StatusChange[],
  {
    createdAt,
    isOwn,
    toCapture,
  }: { createdAt: EpochMs; isOwn: boolean; toCapture: (at: EpochMs) => EpochMs },
): CryptoChanges {
  const shown = views.filter(({ record }) => record !== null)
  const statusAt = (at: EpochMs) => statuses.findLast((each) => each.at <= at)?.status ?? 'CREATED'
  const isPaid = (record: View['record']) => record?.paymentStatus === 'COMPLETED'
  const paid = shown.find(({ record }) => isPaid(record))
  const unpaid = paid && shown.findLast(({ at, record }) => at <= paid.at && !isPaid(record))
  const updated = paid?.record?.updatedTs
  const paidAt = paid === undefined ? null : timeIn(updated, unpaid?.at ?? createdAt, paid.at, toCapture)
  const changes: Change[] = []
  const { receivedAmount, cryptoAmount } = paid?.record ?? {}
  const received = textOf(receivedAmount)
  if (paidAt !== null && received !== null && received !== cryptoAmount)
    changes.push({ at: paidAt, effects: [{ do: 'received', amount: { exact: received } }] })
  if (isOwn) return { changes, crypto: null, paidAt }
  const [first] = views
  const hidden = first?.record === null && shown.length > 0
  const appears = hidden ? shown[0] : undefined
  if (appears !== undefined)
    changes.push({ at: appears.at, effects: [{ do: 'crypto', shown: true, status: null }] })
  const differs = shown.some(({ at, record }) => {
    const status = textOf(record?.orderStatus)
    const usual = [statusAt(at), statusAt(at - nearMs)]
    return status !== null && !usual.includes(status)
  })
  if (!differs) return { changes, crypto: hidden ? { shown: false, status: null } : null, paidAt }
  let leg = textOf(shown[0]?.record?.orderStatus)
  const begin = { shown: hidden ? false : null, status: leg }
  for (const { at, record } of shown) {
    const status = textOf(record?.orderStatus)
    if (status === leg || status === null) continue
    leg = status
    changes.push({ at, effects: [{ do: 'crypto', shown: null, status }] })
  }
  return { changes, crypto: begin, paidAt }
}

/** When a change happened that a lookup showed: the update of the record if that lies after the lookup before. */
function timeIn(updated: unknown, from: EpochMs, to: EpochMs, toCapture: (at: EpochMs) => EpochMs): EpochMs {
  const at = typeof updated === 'number' ? toCapture(updated) : to
  return at >= from - nearMs && at <= to + nearMs ? Math.max(at, from) : to
}

/** Refunds and their failures, as the refund lookups show them.
 *  @param updates the times at which records of the order changed */
export function refundChanges(
  lookups: readonly Lookup[],
  { settings, updates }: { settings: Settings; updates: readonly EpochMs[] },
): Change[] {
  const seen = new Map<string, string>()
  const changes: Change[] = []
  let reason = ''
  let before = -Infinity
  for (const { call, records } of lookups.filter(({ operation }) => operation === 'fiat-refunds')) {
    const at = updates.findLast((time) => time > before && time <= call.at) ?? Math.round(call.at)
    for (const [index, record] of records.entries()) {
      const id = textOf(record.refundId) ?? String(index)
      const status = textOf(record.status) ?? 'REFUND_INITIATED'
      const amount = textOf(record.fiatAmount)
      const known = seen.get(id)
      if (known === undefined && amount !== null)
        changes.push({ at, effects: [{ do: 'refund', amount: { exact: amount }, status }] })
      else if (known !== undefined && known !== status)
        changes.push({ at, effects: [{ do: 'refund-status', status }] })
      seen.set(id, status)
    }
    const { errorReason: failure } = fieldsOf(call.output)
    const text = JSON.stringify(failure) ?? ''
    if (isMapping(failure) && text !== reason && records.length > 0) {
      const { errorCode = '', errorDesc = '' } = fieldsOf(failure)
      const stated = { errorCode: String(errorCode), errorDesc: String(errorDesc) }
      const isUsual = stated.errorDesc === errorReason(stated.errorCode, settings).errorDesc
      changes.push({ at, effects: [{ do: 'refund-error', error: isUsual ? stated.errorCode : stated }] })
    }
    reason = text
    before = call.at
  }
  return changes
}

/** Joins changes of the same time, and puts a payment before the status that it leads to. */
export function inOrder(changes: readonly Change[]): Change[] {
  const groups = Map.groupBy(
    changes.toSorted((a, b) => a.at - b.at),
    ({ at }) => at,
  )
  return [...groups].map(([at, group]) => ({
    at,
    effects: group.flatMap(({ effects }) => effects).toSorted((a, b) => rank(a) - rank(b)),
  }))
}

const rank = (effect: Effect): number => {
  const place = ['pay', 'received', 'order', 'refund', 'refund-status', 'refund-error'].indexOf(effect.do)
  return place === -1 ? 9 : place
}
