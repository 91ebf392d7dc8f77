import type { Interval } from './calendar.ts'
import type { ModelDelivery } from './model-delivery.ts'
import type { ModelSettings } from './model-settings.ts'
import { type ModelSubscription, newSubscription } from './model-subscription.ts'
import { orderName } from './names.ts'
import { scheduled } from './plan.ts'
import type { ChargeLine, Deed, OrderKind, Script, ScriptTime } from './script.ts'
import { type ScriptId, scriptOf } from './scripts.ts'

/** The fields of a create call. */
export interface ModelRequest {
  readonly requestId: string
  readonly kind: OrderKind
  readonly script: ScriptId
  readonly fiatAmount: string
  /** The order has a payment page, so the payer pays. */
  readonly page: boolean
  /** Of a subscription; null if the request names no trial. */
  readonly trialDays: number | null
  readonly interval: Interval
}

export interface ModelStep {
  readonly index: number
  readonly when: ScriptTime
  readonly does: Deed
  /** null as long as it is not known. */
  dueAt: number | null
  doneAt: number | null
}

interface ModelRefund {
  readonly at: number
  readonly fiatAmount: string
}

/** An order, modelled from the documents alone. */
export interface ModelOrder {
  readonly name: string
  readonly requestId: string
  readonly kind: OrderKind
  /** 1, and up for the later charges of a subscription. */
  readonly charge: number
  readonly fiatAmount: string
  readonly createdAt: number
  readonly script: Script
  readonly trialMs: number
  readonly expiresAt: number
  readonly onExpiry: ModelSettings['onExpiry']
  orderStatus: string
  paymentStatus: string
  errorCode: string | null
  updatedAt: number
  paid: boolean
  waitsForPayer: boolean
  /** How much later than planned the payer came. */
  lateMs: number
  /** The past and future steps. */
  steps: ModelStep[]
  /** null for all but the first order of a subscription. */
  readonly subscription: ModelSubscription | null
  readonly refunds: ModelRefund[]
  /** The latest one of its refunds. */
  refundFailure: { readonly at: number; readonly errorCode: string } | null
  readonly history: string[]
  readonly deliveries: ModelDelivery[]
}

/** The client and the time. */
interface Around {
  readonly clientId: string
  readonly now: number
  readonly settings: ModelSettings
}

const dayMs = 86_400_000

/** An order that begins now. */
export function modelOrder(request: ModelRequest, { clientId, now, settings }: Around): ModelOrder {
  const { requestId, kind, fiatAmount, page, interval } = request
  const { autopay, expiryMs, onExpiry } = settings
  const wanted = scriptOf(request.script)
  // One that is for another kind of order is passed over.
  const script = wanted.serves(kind) ? wanted : scriptOf('happy')
  const days = kind === 'subscription' ? (request.trialDays ?? script.trialDays) : 0
  return scheduled({
    ...newRecord(clientId, requestId, now),
    kind,
    charge: 1,
    fiatAmount,
    script,
    trialMs: days * dayMs,
    expiresAt: now + (script.expiryMs ?? expiryMs),
    onExpiry,
    waitsForPayer: autopay === 'unless-page' ? page : autopay === 'never',
    steps: script.steps.map((step, index) => ({ ...step, index, dueAt: null, doneAt: null })),
    subscription: kind === 'subscription' ? newSubscription(interval) : null,
  })
}

/** A later charge of a subscription: a record of its own, which ends at once. */
export function modelCharge(
  { requestId, kind, fiatAmount, script }: ModelOrder,
  charge: number,
  { status, errorCode }: ChargeLine,
  { clientId, now, settings }: Around,
): ModelOrder {
  const does = { do: 'order', status, errorCode } as const
  return scheduled({
    ...newRecord(clientId, requestId, now),
    kind,
    charge,
    fiatAmount,
    script,
    trialMs: 0,
    expiresAt: now + (script.expiryMs ?? settings.expiryMs),
    onExpiry: 'keep',
    waitsForPayer: false,
    steps: [{ index: 0, when: { since: 'creation', ms: 0 }, does, dueAt: null, doneAt: null }],
    subscription: null,
  })
}

function newRecord(clientId: string, requestId: string, now: number) {
  return {
    name: orderName(clientId, requestId, now),
    requestId,
    createdAt: now,
    orderStatus: 'CREATED',
    paymentStatus: 'CREATED',
    errorCode: null,
    updatedAt: now,
    paid: false,
    lateMs: 0,
    refunds: [],
    refundFailure: null,
    history: [`${now} created >CREATED`],
    deliveries: [],
  }
}
