import type { Cause, Circumstances, OrderPatch } from './change.ts'
import type { Settings } from './choices.ts'
import { changedClient, unchanged } from './client-effect.ts'
import type { ClientChange } from './decision.ts'
import { effectWords } from './effect-words.ts'
import { errorReason } from './error-catalog.ts'
import type { ErrorReason, Order } from './order.ts'
import { cancelled, completed, failed, paid, payNote } from './outcomes.ts'
import { scripted, scriptedRefund, withRefundStatus } from './refund.ts'
import type { CryptoLeg, Effect } from './scenario/scenario.ts'
import type { ExtraWebhook } from './scenario/webhook-rules.ts'

/** What the effects of one step come to, each applied to what those before it have made of the order. */
export function applied(
  order: Order,
  effects: readonly Effect[],
  around: Circumstances,
): { patch: OrderPatch } & Pick<Cause, 'notes' | 'webhooks' | 'client'> {
  let patch: OrderPatch = {}
  let client: ClientChange | undefined
  const notes: string[] = []
  const webhooks: ExtraWebhook[] = []
  for (const effect of effects) {
    const now = { ...order, ...patch }
    patch = { ...patch, ...patchOf(now, effect, around) }
    const note = noteOf(now, effect, around)
    if (note !== null) notes.push(note)
    if (effect.do === 'webhook') webhooks.push(effect.webhook)
    if (effect.do === 'client') {
      client = changedClient(client ?? unchanged(around.client), effect, around.nowMs)
    }
  }
  return { patch, notes, webhooks, client }
}

function patchOf(order: Order, effect: Effect, around: Circumstances): OrderPatch {
  const { settings, nowMs } = around
  switch (effect.do) {
    case 'pay':
      return payPatch(order, effect, around)
    case 'order':
      if (effect.status === 'COMPLETED') return completed(order, nowMs)
      if (effect.status === 'FAILED') return failed(order, effect.errorCode, settings)
      return { orderStatus: effect.status, errorReason: null }
    case 'payment':
      return { paymentStatus: effect.status }
    case 'settlement':
      return { settlementStatus: effect.status }
    case 'received':
      return { receivedAmount: scripted(effect.amount, order.cryptoAmount) }
    case 'crypto':
      return { crypto: legOver(order.crypto, effect) }
    case 'refund':
      return scriptedRefund(order, effect, nowMs).patch
    case 'refund-status':
      return withRefundStatus(order, effect.status)
    case 'refund-error':
      return { refundError: { ...reasonOf(effect.error, settings), at: nowMs } }
    case 'metadata':
      return { metadata: effect.text }
    case 'cancel':
      return cancelled(order, around)
    case 'client':
    case 'webhook':
      return {}
  }
}

const reasonOf = (error: string | ErrorReason, settings: Settings): ErrorReason =>
  typeof error === 'string' ? errorReason(error, settings) : error

/** What the payer did, as far as it changes the order. */
function payPatch(
  order: Order,
  { outcome, errorCode }: Extract<Effect, { do: 'pay' }>,
  around: Circumstances,
): OrderPatch {
  if (outcome === 'completed') return paid(order, around)
  const rest = { nextStep: around.scenario.timeline.length, waitsForPayer: false }
  return outcome === 'failed' ? { ...failed(order, errorCode, around.settings), ...rest } : rest
}

function legOver(before: CryptoLeg | null, { shown, status }: CryptoLeg): CryptoLeg {
  return { shown: shown ?? before?.shown ?? null, status: status ?? before?.status ?? null }
}

function noteOf(order: Order, effect: Effect, { nowMs }: Circumstances): string | null {
  if (effect.do === 'pay') return effect.outcome === 'completed' ? payNote(order) : effect.outcome
  if (effect.do === 'cancel') return 'cancelled'
  if (effect.do === 'refund') return scriptedRefund(order, effect, nowMs).note
  const quiet = ['order', 'payment', 'settlement', 'refund-status', 'refund-error']
  return quiet.includes(effect.do) ? null : effectWords([effect])
}
