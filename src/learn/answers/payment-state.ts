import type { SeenOrder } from '../evidence/evidence.ts'
import { type Fields, recordsOf } from './records.ts'

/** Whether a crypto record shows an order that waits for its payment: it is new, and nothing was received. */
export const isUnpaid = (crypto: Fields): boolean =>
  crypto.orderStatus === 'CREATED' &&
  crypto.receivedAmount === undefined &&
  crypto.txnHash === undefined &&
  crypto.paymentStatus !== 'COMPLETED' &&
  crypto.paymentStatus !== 'FAILED'

/** Whether a lookup before some time, or at it, already showed another status than CREATED: a later CREATED is stale. */
export const hasMovedOn = (order: SeenOrder, by: number): boolean =>
  recordsOf(order, 'orders', 'crypto-orders').some(
    ({ lookup, fields }) => lookup.call.at <= by && fields.orderStatus !== 'CREATED',
  )
