import type { LookedUpOrder } from '../../domain/order.ts'
import { type CommonOrderRow, parsed, termsOf } from './order-rows.ts'
import { orders } from './schema.ts'

/** What is read of an order for a lookup, without what it does not tell and what it is found by. */
export const lookedUpColumns = {
  charge: orders.charge,
  orderId: orders.orderId,
  kind: orders.kind,
  fiatAmount: orders.fiatAmount,
  currencyId: orders.currencyId,
  email: orders.email,
  paymentMethodId: orders.paymentMethodId,
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
export interface LookedUpRow extends Omit<CommonOrderRow, 'client_id' | 'request_id'> {
  readonly charge: number
  readonly payment_method_id: string | null
}

export function lookedUpOrderOf(row: LookedUpRow, clientId: string, requestId: string): LookedUpOrder {
  return {
    orderId: row.order_id,
    requestId,
    clientId,
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
    terms: termsOf(row.terms),
    scenario: { id: row.scenario_id, version: row.scenario_version },
    lookups: parsed(row.lookups),
  }
}
