import type { Client, IssuedToken } from '../../src/domain/client/client.ts'
import type { StoredFault } from '../../src/domain/faults/planned-fault.ts'
import type { JournalEntry } from '../../src/domain/journal/entry.ts'
import type { Binding, Decision } from '../../src/domain/order/decision.ts'
import type { Order } from '../../src/domain/order/order.ts'
import type { AnswerRule } from '../../src/domain/scenario/scenario.ts'
import type { AttemptResult, NewDelivery } from '../../src/domain/webhook/delivery.ts'
import type { RawEntry } from '../../src/journal/journal.ts'
import type { CountedCall } from '../../src/store/store.ts'

let made = 0

/** The client that every test starts with. */
export const shop = 'shop'

export function aClient(members: Partial<Client> = {}): Client {
  const n = ++made
  return {
    clientId: `client-${n}`,
    apiSecret: `secret-${n}`,
    accessToken: `access-${n}`,
    webhookSecret: 'whsec_AAAA',
    webhookUrl: null,
    webhookPaused: false,
    pausedAfter: null,
    failedInARow: 0,
    previousWebhookSecret: null,
    defaultScenario: 'happy',
    clock: { mode: 'manual', speed: 0, anchor: 1_000, anchorWall: 2_000 },
    began: { at: 1_000, wallAt: 2_000 },
    settings: {},
    holds: [],
    ownTokenExpired: false,
    tokensRefusedUntil: null,
    ...members,
  }
}

export function aToken(members: Partial<IssuedToken> = {}): IssuedToken {
  return { token: `token-${++made}`, clientId: shop, expiresAt: 10_000, ...members }
}

export function anOrder(members: Partial<Order> = {}): Order {
  const n = ++made
  return {
    orderId: `order-${n}`,
    requestId: `request-${n}`,
    clientId: shop,
    kind: 'checkout',
    token: `page-${n}`,
    charge: 1,
    fiatAmount: '10.50',
    currencyId: 'USD',
    email: 'payer@example.com',
    request: {},
    metadata: null,
    cryptoCurId: 'USDT',
    cryptoAmount: '10.48',
    orderStatus: 'CREATED',
    paymentStatus: 'PENDING',
    settlementStatus: 'PENDING',
    errorReason: null,
    receivedAmount: null,
    txnHash: null,
    refunds: null,
    refundError: null,
    crypto: null,
    replaced: null,
    stepAt: 1_000,
    lookups: null,
    subscription: null,
    createdAt: 1_000,
    updatedAt: 1_000,
    expiresAt: 9_000,
    paidAt: null,
    terms: { onExpiry: 'keep' },
    scenario: { id: 'happy', why: 'default', version: 'v1' },
    nextStep: 0,
    shiftMs: 0,
    waitsForPayer: false,
    nextDueAt: null,
    events: 0,
    version: 1,
    ...members,
  }
}

/** A decision on an order, without other changes by default. */
export function aDecision(order: Order = anOrder(), members: Partial<Decision> = {}): Decision {
  return { order, history: [], events: [], ...members }
}

/** The decision that leads from an order to its next version. */
export function aChange(order: Order, members: Partial<Order> = {}, more: Partial<Decision> = {}): Decision {
  return aDecision({ ...order, ...members, version: order.version + 1 }, more)
}

/** An event of an order, due at 1000. */
export function aDelivery(members: Partial<NewDelivery> = {}): NewDelivery {
  const n = ++made
  return {
    id: `delivery-${n}`,
    webhookId: `msg-${n}`,
    clientId: shop,
    requestId: `request-of-delivery-${n}`,
    orderId: `order-of-delivery-${n}`,
    sequence: 1,
    eventType: 'order.created',
    orderStatus: 'CREATED',
    orderType: 'CHECKOUT',
    body: '{"n":1}',
    createdAt: 900,
    dueAt: 1_000,
    status: 'pending',
    plan: null,
    ...members,
  }
}

/** Something that belongs to no order's sequence. */
export const aSimulation = (members: Partial<NewDelivery> = {}) => aDelivery({ sequence: 0, ...members })

export function aResult(members: Partial<AttemptResult> = {}): AttemptResult {
  return {
    outcome: 'accepted',
    status: 200,
    ms: 12.5,
    requestHeaders: { 'webhook-id': 'msg' },
    responseBody: 'thanks',
    error: null,
    next: { status: 'delivered' },
    ...members,
  }
}

export function aBinding(members: Partial<Binding> = {}): Binding {
  return {
    id: `binding-${++made}`,
    scenario: 'slow',
    clientId: null,
    requestId: null,
    remaining: 1,
    ...members,
  }
}

export function anEntry(members: Partial<JournalEntry> = {}): JournalEntry {
  const n = ++made
  return {
    id: `entry-${n}`,
    wallAt: 5_000,
    at: 1_000,
    clientId: shop,
    operation: 'orders',
    requestId: null,
    method: 'POST',
    path: '/v1/orders',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    status: 200,
    response: '{}',
    ms: 0.75,
    notes: [],
    diagnosis: null,
    ...members,
  }
}

/** An entry before it is in the request log. */
export function aRawEntry(members: Partial<RawEntry> = {}): RawEntry {
  const { headers: _, ...entry } = anEntry()
  return { ...entry, rawHeaders: ['Content-Type', 'application/json'], ...members }
}

/** A rule that answers every create call with a 500. */
export const aRule = (members: Partial<AnswerRule> = {}): AnswerRule => ({
  on: ['create-order'],
  when: 'before',
  effect: { status: 500, body: null, headers: {}, delayMs: 0, leaves: 'whole', closedAfterMs: null },
  skip: 0,
  times: null,
  forMs: null,
  ...members,
})

/** A call that some rules fit, called `0`, `1` and so on; in which world it came is left to say. */
export const aCountedCall = (
  rules: readonly AnswerRule[],
  members: Partial<CountedCall> = {},
): Omit<CountedCall, 'generation'> => ({
  clientId: shop,
  requestId: 'r',
  scenarioId: 'flaky',
  at: 1_000,
  rules: rules.map((rule, index) => ({ name: String(index), rule })),
  ...members,
})

/** A fault that is done to one call of the shop. */
export const aFault = (members: Partial<StoredFault> = {}): Omit<StoredFault, 'id'> => ({
  clientId: shop,
  asked: {
    on: 'orders',
    where: { requestId: 'r*' },
    when: 'before',
    effect: { status: 500, body: { a: [1, null] } },
    skip: 0,
    times: 1,
    for: null,
    probability: null,
  },
  ends: { at: 5, of: { [shop]: 6 }, wallAt: 7 },
  ...members,
})

/** `n` things made by `make`, which gets 0, 1, 2, ... */
export function several<T>(n: number, make: (index: number) => T): T[] {
  return Array.from({ length: n }, (_, index) => make(index))
}
