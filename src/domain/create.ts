import { type Circumstances, tell } from './change.ts'
import type { Client } from './client.ts'
import { catalogEntry } from './currencies.ts'
import type { Decision } from './decision.ts'
import { orderIds } from './ids.ts'
import { multiply } from './money.ts'
import type { Order, OrderKind, OrderRequest, ScenarioChoice } from './order.ts'
import { nextThing } from './plan.ts'

const cryptoDecimals = 8

/** What a create call asks for, checked. */
export interface NewOrder {
  readonly kind: OrderKind
  readonly requestId: string
  readonly fiatAmount: string
  readonly currencyId: string
  readonly email: string
  readonly request: OrderRequest
  /** The JSON text of `metadata` (N69). */
  readonly metadata: string | null
}

export interface CreateCircumstances extends Circumstances {
  readonly client: Client
  readonly seed: string
  readonly choice: ScenarioChoice
  /** The planned choice that this order takes, if one chose its scenario. */
  readonly takesBinding?: string | undefined
}

/** Begins an order: CREATED, whatever its scenario does at once (R52), and the event that tells so, which waits
 *  for the answer of the create call. */
export function create(wanted: NewOrder, around: CreateCircumstances): Decision {
  const { settings, nowMs, client } = around
  const ids = orderIds(around.seed, client.clientId, wanted.requestId, 1, nowMs)
  const currency = catalogEntry(settings, wanted.currencyId)
  const bare: Order = {
    orderId: settings['orders.orderIdEqualsToken'] ? ids.token : ids.orderId,
    token: ids.token,
    clientId: client.clientId,
    charge: 1,
    ...wanted,
    cryptoCurId: currency?.cryptoAsset ?? 'USDT',
    cryptoAmount: multiply(wanted.fiatAmount, currency?.rate ?? '1', cryptoDecimals),
    orderStatus: 'CREATED',
    paymentStatus: 'CREATED',
    settlementStatus: 'NOT_REQUIRED',
    errorReason: null,
    receivedAmount: null,
    txnHash: null,
    createdAt: nowMs,
    updatedAt: nowMs,
    expiresAt: nowMs + settings['orders.expiry'],
    paidAt: null,
    terms: { onExpiry: settings['orders.onExpiry'] },
    scenario: around.choice,
    nextStep: 0,
    shiftMs: 0,
    waitsForPayer: payerPays(settings['orders.autopay'], wanted),
    nextDueAt: null,
    events: 0,
    version: 1,
  }
  const events = tell(bare, around, { awaitsAnswer: true })
  return {
    order: { ...bare, nextDueAt: nextThing(bare, around.scenario)?.dueAt ?? null, events: events.length },
    history: [{ at: nowMs, what: 'created', to: 'CREATED' }],
    events,
    takesBinding: around.takesBinding,
    uniqueAcrossClients: settings['requestIds.scope'] === 'global',
  }
}

/** Whether the payment waits for the payer; an order with `mode` has a page on which somebody pays (N65). */
function payerPays(autopay: 'unless-page' | 'always' | 'never', wanted: NewOrder): boolean {
  if (autopay === 'unless-page') return wanted.request.mode !== undefined
  return autopay === 'never'
}
