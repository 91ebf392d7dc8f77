import { mergeOverlay, type Settings } from '../choices/settings.ts'
import type { Client } from '../client/client.ts'
import { type EndpointState, newEndpoint } from '../client/endpoint.ts'
import type { ClientEffect, CryptoLeg, Effect, ExtraWebhook, ScriptedAmount } from '../scenario/scenario.ts'
import type { EpochMs } from '../text/time.ts'
import type { Cause, OrderPatch } from './change.ts'
import type { ClientChange, DecisionContext } from './decision.ts'
import { txnHash } from './ids.ts'
import type { ErrorReason, Order } from './order.ts'
import { scripted, scriptedRefund, withRefundFailed, withRefundStatus } from './refund.ts'
import { defaultErrorCode, errorReason } from './statuses.ts'
import { authorised, calendarOf, trialMs } from './subscription.ts'

/** The changed fields of a paid order. No documented status shows a payment, so only the crypto leg changes. A
 *  payment also authorises a subscription; with a trial, the money comes with the first charge (N64j). */
export function paid(order: Order, { nowMs, scenario, settings }: DecisionContext): OrderPatch {
  const trial = trialMs(order)
  const subscription =
    order.subscription === null || order.subscription.cancelled
      ? order.subscription
      : authorised(nowMs + trial, scenario.charges, calendarOf(order, settings))
  if (trial > 0) return { paidAt: nowMs, subscription }
  const receivedAmount = order.receivedAmount ?? order.cryptoAmount
  return { paidAt: nowMs, paymentStatus: 'COMPLETED', receivedAmount, subscription }
}

/** Returns the name of a payment in the order's history. */
export const payNote = (order: Order): string => (trialMs(order) > 0 ? 'authorised' : 'paid')

/** The changed fields of a cancelled subscription (N64j). Before the first charge, cancelling also ends the
 *  scenario, whose steps would make the charge. */
export function cancelled({ subscription }: Order, { nowMs, scenario }: DecisionContext): OrderPatch {
  if (subscription === null) return {}
  const ended = { subscription: { ...subscription, nextAt: null, cancelled: true } }
  const isCharged = subscription.anchor !== null && subscription.anchor <= nowMs
  return isCharged ? ended : { ...ended, nextStep: scenario.timeline.length, waitsForPayer: false }
}

/** Returns the fields that change when an order is completed (O3). */
function completed(order: Order, nowMs: EpochMs): OrderPatch {
  return {
    orderStatus: 'COMPLETED',
    paymentStatus: 'COMPLETED',
    settlementStatus: 'NOT_REQUIRED',
    receivedAmount: order.receivedAmount ?? order.cryptoAmount,
    txnHash: txnHash(order.orderId),
    errorReason: null,
    paidAt: order.paidAt ?? nowMs,
  }
}

/** The changed fields of a failed order (O4). A received payment stays on record. */
export function failed(order: Order, errorCode: string | null, settings: Settings): OrderPatch {
  return {
    orderStatus: 'FAILED',
    paymentStatus: order.paymentStatus === 'COMPLETED' ? 'COMPLETED' : 'FAILED',
    errorReason: errorReason(errorCode ?? defaultErrorCode, settings),
  }
}

/** Describes a step in a few words: `order FAILED 9004`. */
export function effectWords(effects: readonly Effect[]): string {
  return effects.map(words).join(', ')
}

function words(effect: Effect): string {
  switch (effect.do) {
    case 'pay':
      return withCode(`pay ${effect.outcome}`, effect.errorCode)
    case 'order':
      return withCode(`order ${effect.status}`, effect.errorCode)
    case 'payment':
    case 'settlement':
      return `${effect.do} ${effect.status}`
    case 'received':
      return `received ${amountWords(effect.amount)}`
    case 'crypto':
      return legWords(effect)
    case 'refund':
      return `refund of ${amountWords(effect.amount)}, ${effect.status}`
    case 'refund-status':
      return `refund ${effect.status}`
    case 'refund-error':
      return `refund error ${typeof effect.error === 'string' ? effect.error : JSON.stringify(effect.error)}`
    case 'cancel':
      return 'subscription cancelled'
    case 'metadata':
      return 'other metadata'
    case 'client':
      return effectOnClient(effect)
    case 'webhook':
      return `extra webhook${effect.webhook.status === null ? '' : ` ${effect.webhook.status}`}`
  }
}

const withCode = (text: string, code: string | null): string => (code === null ? text : `${text} ${code}`)

const amountWords = (amount: ScriptedAmount): string =>
  'exact' in amount ? amount.exact : amount.percent === '100' ? 'all' : `${amount.percent} %`

function legWords({ shown, status }: CryptoLeg): string {
  const seen = shown === null ? [] : [shown ? 'crypto leg appears' : 'crypto leg disappears']
  return [...seen, ...(status === null ? [] : [`crypto leg ${status}`])].join(', ')
}

function effectOnClient(effect: Extract<Effect, { do: 'client' }>): string {
  const { tokensExpire, refuseTokensMs, tokenLifetimeMs, webhookUrl } = effect
  const happens = [
    tokensExpire && 'all tokens expire',
    refuseTokensMs !== null && `all tokens are refused for ${refuseTokensMs / 1000} s`,
    tokenLifetimeMs !== null &&
      `new tokens live ${tokenLifetimeMs === 'usual' ? 'as long as usual' : `${tokenLifetimeMs / 1000} s`}`,
    webhookUrl !== null && 'another webhook URL',
  ]
  return happens.filter((one) => one !== false).join(', ')
}

/** Applies the effects of a scenario step one after the other. */
export function applied(
  order: Order,
  effects: readonly Effect[],
  context: DecisionContext,
): { patch: OrderPatch } & Pick<Cause, 'notes' | 'webhooks' | 'client'> {
  let patch: OrderPatch = {}
  let client: ClientChange | undefined
  const notes: string[] = []
  const webhooks: ExtraWebhook[] = []
  for (const effect of effects) {
    const now = { ...order, ...patch }
    patch = { ...patch, ...patchOf(now, effect, context) }
    const note = noteOf(now, effect, context)
    if (note !== null) notes.push(note)
    if (effect.do === 'webhook') webhooks.push(effect.webhook)
    if (effect.do === 'client') {
      client = changedClient(client ?? unchanged(context.client), effect, context.nowMs)
    }
  }
  return { patch, notes, webhooks, client }
}

function patchOf(order: Order, effect: Effect, context: DecisionContext): OrderPatch {
  const { settings, nowMs } = context
  switch (effect.do) {
    case 'pay':
      return payPatch(order, effect, context)
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
      return scriptedRefund(order, effect, context).patch
    case 'refund-status':
      return withRefundStatus(order, effect.status)
    case 'refund-error':
      return {
        ...withRefundFailed(order, settings),
        refundError: { ...reasonOf(effect.error, settings), at: nowMs },
      }
    case 'metadata':
      return { metadata: effect.text }
    case 'cancel':
      return cancelled(order, context)
    case 'client':
    case 'webhook':
      return {}
  }
}

const reasonOf = (error: string | ErrorReason, settings: Settings): ErrorReason =>
  typeof error === 'string' ? errorReason(error, settings) : error

/** Returns the fields that change when the payer has paid or declined. */
function payPatch(
  order: Order,
  { outcome, errorCode }: Extract<Effect, { do: 'pay' }>,
  context: DecisionContext,
): OrderPatch {
  if (outcome === 'completed') return paid(order, context)
  const rest = { nextStep: context.scenario.timeline.length, waitsForPayer: false }
  return outcome === 'failed' ? { ...failed(order, errorCode, context.settings), ...rest } : rest
}

function legOver(before: CryptoLeg | null, { shown, status }: CryptoLeg): CryptoLeg {
  return { shown: shown ?? before?.shown ?? null, status: status ?? before?.status ?? null }
}

function noteOf(order: Order, effect: Effect, context: DecisionContext): string | null {
  if (effect.do === 'pay') return effect.outcome === 'completed' ? payNote(order) : effect.outcome
  if (effect.do === 'cancel') return 'cancelled'
  if (effect.do === 'refund') return scriptedRefund(order, effect, context).note
  const quiet = ['order', 'payment', 'settlement', 'refund-status', 'refund-error']
  return quiet.includes(effect.do) ? null : effectWords([effect])
}

/** Returns a client change that changes nothing. */
function unchanged(client: Client): ClientChange {
  const { webhookUrl, webhookPaused, pausedAfter, failedInARow } = client
  const { settings, ownTokenExpired, tokensRefusedUntil } = client
  return {
    ...{ webhookUrl, webhookPaused, pausedAfter, failedInARow },
    ...{ settings, ownTokenExpired, tokensRefusedUntil, tokensExpireAt: null },
  }
}

const endpointOf = ({ webhookPaused, pausedAfter, failedInARow }: ClientChange): EndpointState => ({
  ...{ webhookPaused, pausedAfter, failedInARow },
})

/** Applies the effect of a scenario step to the client. A new webhook URL ends the pause of the client's webhooks, as
 *  in the API (N44). */
function changedClient(client: ClientChange, effect: ClientEffect, nowMs: EpochMs): ClientChange {
  const { tokensExpire, refuseTokensMs, tokenLifetimeMs, webhookUrl } = effect
  const lifetime = tokenLifetimeMs === 'usual' ? null : `${tokenLifetimeMs}ms`
  return {
    webhookUrl: webhookUrl === null ? client.webhookUrl : urlFrom(client.webhookUrl, webhookUrl),
    ...(webhookUrl === null ? endpointOf(client) : newEndpoint),
    settings:
      tokenLifetimeMs === null
        ? client.settings
        : mergeOverlay(client.settings, { 'auth.tokenLifetime': lifetime }),
    ownTokenExpired: tokensExpire || client.ownTokenExpired,
    tokensExpireAt: tokensExpire ? nowMs : client.tokensExpireAt,
    tokensRefusedUntil: refuseTokensMs === null ? client.tokensRefusedUntil : nowMs + refuseTokensMs,
  }
}

/** Sets a webhook URL, or extends the query of the old one; without an old URL there is nothing to extend. */
function urlFrom(before: string | null, to: NonNullable<ClientEffect['webhookUrl']>): string | null {
  if ('set' in to) return to.set
  if (before === null || before.endsWith(to.addQuery)) return before
  return `${before}${before.includes('?') ? '&' : '?'}${to.addQuery}`
}
