import { eventIds } from '../../domain/order/ids.ts'
import { isTerminal, orderEventType } from '../../domain/order/statuses.ts'
import { multiply } from '../../domain/text/money.ts'
import { isMapping } from '../../domain/text/objects.ts'
import type { WebhookValue } from '../../domain/webhook/payload-template.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { fieldsOf } from '../evidence/read-call.ts'
import type { SeenEvent } from './events.ts'
import { finalOf, recordsOf, refundsOf, type SeenStatuses } from './statuses.ts'

/** What is known about a value of one event.
 *
 *  - `is`: it is one of these;
 *  - `time`: a time between two bounds;
 *  - `none`: it has no value, and what names it is left out;
 *  - `open`: nothing is known, not even whether it has a value. */
export type Fact =
  | { readonly kind: 'is'; readonly values: readonly unknown[]; readonly orNone?: boolean }
  | { readonly kind: 'time'; readonly from: number; readonly to: number; readonly orNone?: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'open' }

/** The facts about all values that a webhook can name. */
export type Facts = { readonly [Name in WebhookValue]: Fact }

const none: Fact = { kind: 'none' }
const open: Fact = { kind: 'open' }
const is = (...values: readonly unknown[]): Fact => ({ kind: 'is', values })
const oneOf = (values: readonly unknown[]): Fact => (values.length === 0 ? open : is(...values))
const text = (value: unknown): Fact => (typeof value === 'string' && value !== '' ? is(value) : none)
const json = (value: unknown): Fact => (isMapping(value) && Object.keys(value).length > 0 ? is(value) : none)

/** How far clocks of captures differ from that of the service without anybody noticing. */
const clockMs = 2_000

/** The greatest number of events of an order, and of attempts of a webhook. */
const most = Array.from({ length: 60 }, (_, index) => index + 1)

/** What is known about the values of an event.
 *  @param event with what its webhook says about its status
 *  @param words.types the event type of each status, where webhooks have another than the usual one
 *  @param words.cryptoTypes the `orderType` of crypto legs, as webhooks have it */
export function factsOf(
  event: SeenEvent,
  statuses: SeenStatuses,
  { types, cryptoTypes }: { types: ReadonlyMap<string, string>; cryptoTypes: ReadonlySet<string> },
  evidence: Evidence,
): Facts {
  const { order, orderId, webhook } = event
  const { request, answer, created } = order
  const status = statuses.statusOf.get(event)
  const isRefund = statuses.refunds.has(event)
  const word = (name: string | undefined) =>
    name === undefined ? undefined : (statuses.words.get(name) ?? name)
  const offer = fieldsOf(answer.offerInfoData)
  const records = recordsOf(event)
  const seen = (...names: readonly string[]) => [
    ...new Set(records.flatMap((record) => names.flatMap((name) => record[name] ?? []))),
  ]
  const fromLookups = (...names: readonly string[]): Fact => {
    const values = seen(...names)
    return oneOf(values)
  }
  const orNone = (fact: Fact): Fact => (fact.kind === 'is' ? { ...fact, orNone: true } : fact)
  const asked = (name: string): Fact => (created === null ? open : text(request[name]))
  const refunds = [...refundsOf(event)]
  const isFinal = status !== undefined && status !== null && isTerminal(status)
  const sent = created === null ? null : created.at + evidence.serviceAhead(created.source)
  const end = typeof offer.expiryTs === 'string' ? Date.parse(offer.expiryTs) : Number.NaN
  const expiry: Fact = Number.isNaN(end)
    ? open
    : { kind: 'time', from: end, to: end + precision(String(offer.expiryTs)) }
  const between = (from: number | null, to: number): Fact =>
    from === null ? open : { kind: 'time', from: from - clockMs, to: to + clockMs }
  const ids = most.slice(0, 20).flatMap((n) => (orderId === null ? [] : eventIds(orderId, n)))
  const standardId = webhook.attempts[0].headers['webhook-id']
  const charges = [...order.orderIds]
  return {
    requestId: is(order.requestId),
    clientId: order.clientId === null ? open : is(order.clientId),
    orderId: orderId !== null ? is(orderId) : oneOf(order.isSubscription ? [] : [...order.orderIds]),
    orderStatus: status === undefined ? open : is(word(status)),
    orderType: is('CHECKOUT', 'CRYPTOPAYIN', ...cryptoTypes, ...seen('orderType')),
    eventType: status === undefined ? open : is(types.get(status) ?? orderEventType),
    ...errorFacts(event, { status, isRefund, seen }),
    webhookId: oneOf([
      ...ids.map(({ webhookId }) => webhookId),
      ...(standardId === undefined ? [] : [standardId]),
    ]),
    deliveryId: oneOf(ids.map(({ id }) => id)),
    sequence: is(...most),
    eventTime: between(sent, event.at),
    eventTimestamp: between(sent, event.at),
    refundId: isRefund ? (refunds.length === 0 ? open : is(...refunds.map(([id]) => id))) : none,
    refundAmount: isRefund
      ? refunds.length === 0
        ? open
        : is(...refunds.flatMap(([, { amount }]) => amounts(amount)))
      : none,
    refundStatus: isRefund ? (status === undefined ? open : is(word(status))) : none,
    statusOfOrder: isRefund ? orderStatusBeside(event, word) : status === undefined ? open : is(word(status)),
    fiatAmount: typeof request.fiatAmount === 'string' ? is(...amounts(request.fiatAmount)) : open,
    currencyId: asked('currencyId'),
    cryptoAmount: fromLookups('cryptoAmount'),
    cryptoCurId: fromLookups('cryptoCurId'),
    receivedAmount: status === 'CREATED' ? none : orNone(fromLookups('receivedAmount')),
    txnHash: status === 'CREATED' ? none : orNone(fromLookups('txnHash')),
    paymentStatus: isFinal || isRefund ? fromLookups('paymentStatus') : open,
    settlementStatus: fromLookups('settlementStatus'),
    email: asked('email'),
    userId: asked('userId'),
    firstName: asked('firstName'),
    lastName: asked('lastName'),
    phoneNumber: asked('phoneNumber'),
    userMessage: asked('userMessage'),
    requestDescription: asked('requestDescription'),
    paymentMethodId: asked('paymentMethodId'),
    selectedPaymentMethod: text(request.paymentMethodId ?? offer.selectedPaymentMethod),
    interval: asked('interval'),
    charge: order.isSubscription
      ? orderId !== null && charges.length > 0
        ? is(charges.indexOf(orderId) + 1)
        : is(...most)
      : is(1),
    metadata: created === null ? open : json(request.metadata),
    billingData: created === null ? open : json(request.billingData),
    createdTime: order.isSubscription
      ? between(sent, event.at)
      : created === null
        ? open
        : between(sent, (sent ?? 0) + (created.ms ?? 1000)),
    updatedTime: between(sent, event.at),
    expiryTime: order.isSubscription ? open : expiry,
    payableUntil: isFinal || isRefund ? none : order.isSubscription ? open : expiry,
    paidTime: status === 'CREATED' ? none : paidBetween(between(sent, event.at), status),
    attempt: is(...most),
    jwt: event.jwt === null ? none : is(event.jwt.text),
  }
}

/** An amount as it was sent, and with the two decimals that a setting can give it. */
const amounts = (amount: string): string[] =>
  /^\d+(\.\d*)?$/.test(amount) ? [amount, multiply(amount, '1', 2)] : [amount]

/** The milliseconds that the digits of a time leave open. */
function precision(written: string): number {
  const digits = /\.(\d+)/.exec(written)?.[1]?.length ?? 0
  return digits >= 3 ? 0 : 10 ** (3 - digits) - 1
}

const paidBetween = (fact: Fact, status: string | undefined): Fact =>
  fact.kind === 'time' && status === 'FAILED' ? { ...fact, orNone: true } : fact

function errorFacts(
  event: SeenEvent,
  {
    status,
    isRefund,
    seen,
  }: {
    status: string | undefined
    isRefund: boolean
    seen: (name: string) => readonly unknown[]
  },
): { errorCode: Fact; errorMessage: Fact } {
  if (status === undefined) return { errorCode: open, errorMessage: open }
  const reasons = isRefund
    ? event.order.lookups
        .filter(({ operation }) => operation === 'fiat-refunds')
        .map(({ call }) => fieldsOf(fieldsOf(call.output).errorReason))
    : seen('errorReason').map(fieldsOf)
  const values = (name: string) =>
    reasons.flatMap((reason) => (typeof reason[name] === 'string' ? reason[name] : []))
  const fact = (name: string): Fact => {
    const found = values(name)
    if (found.length > 0) return { kind: 'is', values: found, orNone: isRefund }
    const isSeen = isRefund ? reasons.length > 0 : finalOf(event) !== null
    return isSeen ? none : open
  }
  if (!isRefund && status !== 'FAILED') return { errorCode: none, errorMessage: none }
  return { errorCode: fact('errorCode'), errorMessage: fact('errorDesc') }
}

/** The status of an order beside one of its refunds: completed, or another once it is refunded as a whole. */
function orderStatusBeside(event: SeenEvent, word: (status: string) => string | undefined): Fact {
  const whole = Number(event.order.request.fiatAmount)
  const sum = [...refundsOf(event).values()].reduce((total, { amount }) => total + Number(amount), 0)
  return sum > 0 && sum < whole - 0.001 ? is(word('COMPLETED')) : open
}
