import type { ModelSettings } from './model-settings.ts'
import { type ScriptId, scripts } from './scripts.ts'

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
  /** `C1 r3 COMPLETED`: an order tells each status once. */
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

/** An order as somebody who has read the documents imagines it. */
export interface ModelOrder {
  readonly requestId: string
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
  /** Those done, and those to come. */
  steps: ModelStep[]
  readonly history: string[]
  readonly deliveries: ModelDelivery[]
}

const dayMs = 86_400_000

export function modelOrder(
  { requestId, script, page, trialDays }: ModelRequest,
  { now, settings }: { now: number; settings: ModelSettings },
): ModelOrder {
  const { autopay, expiryMs, onExpiry } = settings
  const planned = scripts.get(script) ?? []
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
    requestId,
    script,
    trialDays: trialDays ?? 0,
    expiresAt: now + expiryMs,
    onExpiry,
    orderStatus: 'CREATED',
    paymentStatus: 'CREATED',
    errorCode: null,
    updatedAt: now,
    paid: false,
    waitsForPayer: autopay === 'unless-page' ? page : autopay === 'never',
    steps,
    history: [`${now} created >CREATED`],
    deliveries: [],
  }
}

/** What happens to an order next by itself: a step, or its expiry. */
export function nextThing(order: ModelOrder): { dueAt: number; step: ModelStep | null } | null {
  const step = order.steps.find(({ doneAt }) => doneAt === null)
  const waits = step?.does === 'pay' && order.waitsForPayer
  const things: { dueAt: number; step: ModelStep | null }[] = []
  if (step !== undefined && !waits) things.push({ dueAt: step.dueAt, step })
  if (order.onExpiry !== 'keep' && !order.paid && order.orderStatus === 'CREATED')
    things.push({ dueAt: order.expiresAt, step: null })
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
  if (what.errorCode !== undefined) order.errorCode = what.errorCode
  const mark = what.step === undefined ? '' : ` step ${what.step.index}`
  const words = what.note === undefined ? changes : [what.note, ...changes]
  for (const each of words) order.history.push(`${now} ${each}${mark}`)
  if (what.step !== undefined) what.step.doneAt = now
  order.updatedAt = Math.max(now, order.updatedAt + 1)
  return changes.map((change) => ({ at: now, requestId: order.requestId, words: change }))
}

/** Drops what the order's scenario had still to do. */
export function dropRest(order: ModelOrder): void {
  order.steps = order.steps.filter(({ doneAt }) => doneAt !== null)
  order.waitsForPayer = false
}
