import { sql } from 'drizzle-orm'
import type { LookedUpOrder } from '../../domain/order.ts'
import { type CommonOrderRow, parsed } from './order-rows.ts'
import { orders } from './schema.ts'

/** What is read of an order for a lookup: of its create call's members, which take longest to read, only the one that a
 *  lookup tells. */
export const lookedUpColumns = {
  charge: orders.charge,
  orderId: orders.orderId,
  requestId: orders.requestId,
  clientId: orders.clientId,
  kind: orders.kind,
  fiatAmount: orders.fiatAmount,
  currencyId: orders.currencyId,
  email: orders.email,
  paymentMethodId: sql`${orders.request} ->> '$.paymentMethodId'`.as('payment_method_id'),
  metadata: orders.metadata,
  cryptoCurId: orders.cryptoCurId,
  cryptoAmount: orders.cryptoAmount,
  orderStatus: orders.orderStatus,
  paymentStatus: orders.paymentStatus,
  settlementStatus: orders.settlementStatus,
  errorReason: orders.errorReason,
  receivedAmount: orders.receivedAmount,
  txnHash: orders.txnHash,
  refunds: orders.refunds,
  refundError: orders.refundError,
  crypto: orders.crypto,
  updatedAt: orders.updatedAt,
  paidAt: orders.paidAt,
  terms: orders.terms,
  scenarioId: orders.scenarioId,
  scenarioVersion: orders.scenarioVersion,
  lookups: orders.lookups,
}

/** Their row, as better-sqlite3 answers it. */
export interface LookedUpRow extends CommonOrderRow {
  readonly charge: number
  readonly payment_method_id: string | null
}

export function lookedUpOrderOf(row: LookedUpRow): LookedUpOrder {
  return {
    orderId: row.order_id,
    requestId: row.request_id,
    clientId: row.client_id,
    kind: row.kind,
    fiatAmount: row.fiat_amount,
    currencyId: row.currency_id,
    email: row.email,
    request: { paymentMethodId: row.payment_method_id ?? undefined },
    metadata: row.metadata,
    cryptoCurId: row.crypto_cur_id,
    cryptoAmount: row.crypto_amount,
    orderStatus: row.order_status,
    paymentStatus: row.payment_status,
    settlementStatus: row.settlement_status,
    errorReason: parsed(row.error_reason),
    receivedAmount: row.received_amount,
    txnHash: row.txn_hash,
    refunds: parsed(row.refunds),
    refundError: parsed(row.refund_error),
    crypto: parsed(row.crypto),
    updatedAt: row.updated_at,
    paidAt: row.paid_at,
    terms: JSON.parse(row.terms),
    scenario: { id: row.scenario_id, version: row.scenario_version },
    lookups: parsed(row.lookups),
  }
}
