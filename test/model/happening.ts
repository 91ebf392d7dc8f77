import type { ModelOrder, ModelStep } from './model-order.ts'

/** A change of a status, as in history and ledger. */
export interface ModelTransition {
  readonly at: number
  readonly requestId: string
  readonly words: string
}

/** The effect of an event on an order. */
export interface RehearsedEvent {
  readonly note?: string | undefined
  readonly payment?: string
  readonly order?: string
  readonly errorCode?: string | null
  /** The amount of a refund that begins. */
  readonly refund?: string | undefined
  /** The code with which a refund fails. */
  readonly refundFailure?: string | undefined
  readonly step?: ModelStep | undefined
}

/** Applies an event to an order. Changes that no record shows leave `updatedAt`.
 *  @returns the changes of statuses for the ledger */
export function happen(order: ModelOrder, now: number, what: RehearsedEvent): ModelTransition[] {
  const changes = changesOf(order, what)
  const { payment, refund, refundFailure, step } = what
  order.paymentStatus = payment ?? order.paymentStatus
  order.orderStatus = what.order ?? order.orderStatus
  if (what.errorCode !== undefined) order.errorCode = what.errorCode
  if (refund !== undefined) order.refunds.push({ at: now, fiatAmount: refund })
  if (refundFailure !== undefined) order.refundFailure = { at: now, errorCode: refundFailure }
  const words = what.note === undefined ? changes : [what.note, ...changes]
  const mark = step === undefined ? '' : ` step ${step.index}`
  for (const each of words.length > 0 ? words : ['step']) order.history.push(`${now} ${each}${mark}`)
  if (step !== undefined) step.doneAt = now
  const isSeen = changes.length > 0 || refundFailure !== undefined
  if (isSeen) order.updatedAt = Math.max(now, order.updatedAt + 1)
  return changes.map((change) => ({ at: now, requestId: order.requestId, words: change }))
}

function changesOf(order: ModelOrder, what: RehearsedEvent): string[] {
  const { payment, refund, refundFailure } = what
  const known = order.refundFailure?.errorCode ?? 'none'
  const changes = [
    payment !== undefined && payment !== order.paymentStatus && `payment ${order.paymentStatus}>${payment}`,
    what.order !== undefined && `order ${order.orderStatus}>${what.order}`,
    refund !== undefined && `refund ${order.refunds.length + 1} none>REFUND_INITIATED`,
    refundFailure !== undefined && refundFailure !== known && `refund error ${known}>${refundFailure}`,
  ]
  return changes.filter((change) => change !== false)
}
