import type { ModelSettings } from './model-settings.ts'
import { orderName } from './names.ts'
import { type ScriptCharges, type ScriptId, scripts } from './scripts.ts'

interface ModelStep {
  readonly index: number
  readonly does: string
  readonly errorCode: string | null
  dueAt: number
  doneAt: number | null
}

interface ModelAttempt {
  readonly at: number
  readonly url: string | null
  readonly outcome: 'accepted' | 'refused' | 'connection' | 'unknown'
  readonly status: number | null
}

export interface ModelDelivery {
  /** Name of its order. */
  readonly order: string
  /** `C1 r3@+0 COMPLETED`: an order tells each status once. */
  readonly event: string
  readonly requestId: string
  readonly orderStatus: string
  readonly errorCode: string | null
  status: 'pending' | 'delivered' | 'dead' | 'skipped' | 'held'
  dueAt: number
  /** The first attempt has ended, or there will be none: later events need not wait. */
  hadItsTurn: boolean
  /** Where it is on its way to at this moment. */
  inFlight: string | null
  /** No hold keeps back its next attempt. */
  released: boolean
  /** Place of its first attempt among all that the client was sent; null before that. */
  firstSent: number | null
  readonly attempts: ModelAttempt[]
}

/** A change of a status, as history and ledger tell it. */
export interface ModelTransition {
  readonly at: number
  readonly requestId: string
  readonly words: string
}

/** What is asked for when an order is created. */
export interface ModelRequest {
  readonly requestId: string
  readonly script: ScriptId
  /** The order has a payment page, so the payer pays. */
  readonly page: boolean
  /** Of a subscription; null for a checkout. */
  readonly trialDays: number | null
}

/** How a subscription goes on. */
interface ModelSubscription {
  readonly rule: ScriptCharges
  /** The date of the first charge; null before somebody has agreed to pay. */
  anchor: number | null
  next: number
  nextAt: number | null
}

/** An order as somebody who has read the documents imagines it. */
export interface ModelOrder {
  readonly name: string
  readonly requestId: string
  /** 1, and up for the later charges of a subscription. */
  readonly charge: number
  readonly createdAt: number
  readonly script: ScriptId
  readonly trialDays: number
  readonly expiresAt: number
  readonly onExpiry: ModelSettings['onExpiry']
  orderStatus: string
  paymentStatus: string
  errorCode: string | null
  updatedAt: number
  paid: boolean
  waitsForPayer: boolean
  /** null for what has no charges to come: those of a subscription are kept by its first order. */
  subscription: ModelSubscription | null
  /** Those done, and those to come. */
  steps: ModelStep[]
  readonly history: string[]
  readonly deliveries: ModelDelivery[]
}

const dayMs = 86_400_000

export function modelOrder(
  { requestId, script, page, trialDays }: ModelRequest,
  { clientId, now, settings }: { clientId: string; now: number; settings: ModelSettings },
): ModelOrder {
  const { autopay, expiryMs, onExpiry } = settings
  const { steps: planned, charges } = scripts.get(script) ?? { steps: [], charges: null }
  const rule = trialDays === null ? null : charges
  const payment = planned.findIndex(({ does }) => does === 'pay')
  const trial = (index: number) => (payment !== -1 && index > payment ? (trialDays ?? 0) * dayMs : 0)
  const steps = planned.map(({ offsetMs, does, errorCode }, index) => ({
    index,
    does,
    errorCode,
    dueAt: now + offsetMs + trial(index),
    doneAt: null,
  }))
  return {
    ...newRecord({ clientId, requestId, now }),
    requestId,
    script,
    charge: 1,
    trialDays: trialDays ?? 0,
    expiresAt: now + expiryMs,
    onExpiry,
    waitsForPayer: autopay === 'unless-page' ? page : autopay === 'never',
    subscription: rule === null ? null : { rule, anchor: null, next: rule.from, nextAt: null },
    steps,
  }
}

/** A later charge of a subscription: a record of its own, which ends at once. */
export function modelCharge(
  { requestId, script }: ModelOrder,
  charge: number,
  { clientId, now, settings }: { clientId: string; now: number; settings: ModelSettings },
  { status }: ScriptCharges,
): ModelOrder {
  return {
    ...newRecord({ clientId, requestId, now }),
    requestId,
    script,
    charge,
    trialDays: 0,
    expiresAt: now + settings.expiryMs,
    onExpiry: 'keep',
    waitsForPayer: false,
    subscription: null,
    steps: [{ index: 0, does: status, errorCode: null, dueAt: now, doneAt: null }],
  }
}

function newRecord({ clientId, requestId, now }: { clientId: string; requestId: string; now: number }) {
  return {
    name: orderName(clientId, requestId, now),
    createdAt: now,
    orderStatus: 'CREATED',
    paymentStatus: 'CREATED',
    errorCode: null,
    updatedAt: now,
    paid: false,
    history: [`${now} created >CREATED`],
    deliveries: [],
  }
}

interface NextThing {
  readonly dueAt: number
  readonly what: ModelStep | 'charge' | 'expiry'
}

/** What happens to an order next by itself: a step, a charge, or its expiry. */
export function nextThing(order: ModelOrder): NextThing | null {
  const step = order.steps.find(({ doneAt }) => doneAt === null)
  const waits = step?.does === 'pay' && order.waitsForPayer
  const chargeAt = order.subscription?.nextAt ?? null
  const things: NextThing[] = []
  if (step !== undefined && !waits) things.push({ dueAt: step.dueAt, what: step })
  if (chargeAt !== null) things.push({ dueAt: chargeAt, what: 'charge' })
  if (order.onExpiry !== 'keep' && !order.paid && order.orderStatus === 'CREATED')
    things.push({ dueAt: order.expiresAt, what: 'expiry' })
  return things.sort((a, b) => a.dueAt - b.dueAt)[0] ?? null
}

/** What a happening does to an order. */
export interface Happening {
  readonly note?: string
  readonly payment?: string
  readonly order?: string
  readonly errorCode?: string | null
  readonly step?: ModelStep | undefined
}

/** Lets something happen to an order.
 *  @returns the changes of statuses, as the ledger tells them */
export function happen(order: ModelOrder, now: number, what: Happening): ModelTransition[] {
  const changes: string[] = []
  if (what.payment !== undefined && what.payment !== order.paymentStatus) {
    changes.push(`payment ${order.paymentStatus}>${what.payment}`)
    order.paymentStatus = what.payment
  }
  if (what.order !== undefined) {
    changes.push(`order ${order.orderStatus}>${what.order}`)
    order.orderStatus = what.order
  }
  const isSeen = changes.length > 0
  if (what.errorCode !== undefined) order.errorCode = what.errorCode
  const mark = what.step === undefined ? '' : ` step ${what.step.index}`
  const words = what.note === undefined ? changes : [what.note, ...changes]
  for (const each of words) order.history.push(`${now} ${each}${mark}`)
  if (what.step !== undefined) what.step.doneAt = now
  if (isSeen) order.updatedAt = Math.max(now, order.updatedAt + 1)
  return changes.map((change) => ({ at: now, requestId: order.requestId, words: change }))
}

/** Drops what the order's scenario had still to do. */
export function dropRest(order: ModelOrder): void {
  order.steps = order.steps.filter(({ doneAt }) => doneAt !== null)
  order.waitsForPayer = false
}
