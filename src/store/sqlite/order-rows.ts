import { getTableColumns } from 'drizzle-orm'
import type { Order, OrderKind, OrderTerms } from '../../domain/order.ts'
import { keepingLast } from '../../domain/remembered.ts'
import { orders } from './schema.ts'

const { history: _, paymentMethodId: __, ...columns } = getTableColumns(orders)

/** What is read of an order. */
export const orderColumns = columns

/** Its row, as better-sqlite3 answers it. */
export interface OrderRow extends CommonOrderRow {
  readonly seq: number
  readonly charge: number
  readonly version: number
  readonly created_at: number
  readonly next_due_at: number | null
  readonly token: string
  readonly expires_at: number
  readonly scenario_why: string
  readonly next_step: number
  readonly step_at: number
  readonly shift_ms: number
  readonly waits_for_payer: 0 | 1
  readonly events: number
  readonly request: string
  readonly subscription: string | null
}

/** The columns that an order is always read with, for a lookup too. */
export interface CommonOrderRow {
  readonly client_id: string
  readonly order_id: string
  readonly request_id: string
  readonly order_status: string
  readonly kind: OrderKind
  readonly fiat_amount: string
  readonly currency_id: string
  readonly email: string
  readonly crypto_cur_id: string
  readonly crypto_amount: string
  readonly payment_status: string
  readonly settlement_status: string
  readonly error_reason: string | null
  readonly received_amount: string | null
  readonly txn_hash: string | null
  readonly updated_at: number
  readonly paid_at: number | null
  readonly scenario_id: string
  readonly scenario_version: string
  readonly terms: string
  readonly refunds: string | null
  readonly refund_error: string | null
  readonly crypto: string | null
  readonly lookups: string | null
  readonly metadata: string | null
}

export function orderOf(row: OrderRow): Order {
  return {
    orderId: row.order_id,
    requestId: row.request_id,
    clientId: row.client_id,
    kind: row.kind,
    token: row.token,
    charge: row.charge,
    fiatAmount: row.fiat_amount,
    currencyId: row.currency_id,
    email: row.email,
    request: JSON.parse(row.request),
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
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    paidAt: row.paid_at,
    terms: termsOf(row.terms),
    scenario: { id: row.scenario_id, why: row.scenario_why, version: row.scenario_version },
    nextStep: row.next_step,
    stepAt: row.step_at,
    shiftMs: row.shift_ms,
    waitsForPayer: row.waits_for_payer === 1,
    lookups: parsed(row.lookups),
    subscription: parsed(row.subscription),
    nextDueAt: row.next_due_at,
    events: row.events,
    version: row.version,
  }
}

/** A column of JSON, or nothing. */
export const parsed = (json: string | null) => (json === null ? null : JSON.parse(json))

/** The terms of an order. They follow from its scenario, so that most orders have those of the one before. */
export const termsOf = keepingLast((json: string): OrderTerms => JSON.parse(json))
