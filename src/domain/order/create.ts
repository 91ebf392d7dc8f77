import type { Settings } from '../choices/settings.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { multiply } from '../text/money.ts'
import { webhooksOf } from '../webhook/events.ts'
import { catalogEntry } from './currencies.ts'
import type { Decision, DecisionContext } from './decision.ts'
import { newIds } from './new-ids.ts'
import { nextThing } from './next-steps.ts'
import type { HistoryEntry, Order, OrderKind, OrderRequest, OrderTerms, ScenarioChoice } from './order.ts'
import { unauthorised } from './subscription.ts'

const cryptoDecimals = 8

/** A validated create call. */
export interface NewOrder {
  readonly kind: OrderKind
  readonly requestId: string
  /** The orderId, which only fixtures set. */
  readonly orderId?: string
  readonly fiatAmount: string
  readonly currencyId: string
  readonly email: string
  readonly request: OrderRequest
  /** The JSON text of `metadata`, as received (N69). */
  readonly metadata: string | null
}

/** How a new order starts. */
export interface Beginning {
  /** True if an API call creates the order; its first webhook then waits for the answer of the call. */
  readonly isCalled: boolean
  readonly choice: ScenarioChoice
  /** The id of the planned scenario that the order uses up. */
  readonly takesBinding?: string | undefined
}

/** Creates an order and its first webhook, which waits for the answer of the create call. The order is CREATED, even
 *  if its scenario acts at once (R52). */
export function create(wanted: NewOrder, how: Beginning, context: DecisionContext): Decision {
  const { settings, nowMs, client, scenario } = context
  const ids = newIds(wanted.requestId, 1, context)
  const currency = catalogEntry(settings, wanted.currencyId)
  const own: OwnMembers = {
    orderId: wanted.orderId ?? ids.orderId,
    token: ids.token,
    clientId: client.clientId,
    charge: 1,
    kind: wanted.kind,
    requestId: wanted.requestId,
    fiatAmount: wanted.fiatAmount,
    currencyId: wanted.currencyId,
    email: wanted.email,
    request: wanted.request,
    metadata: scenario.begin?.metadata ?? wanted.metadata,
    cryptoCurId: currency?.cryptoAsset ?? 'USDT',
    cryptoAmount: multiply(wanted.fiatAmount, currency?.rate ?? '1', cryptoDecimals),
    expiresAt: nowMs + settings['orders.expiry'],
    terms: termsOf(scenario, settings),
    scenario: how.choice,
    waitsForPayer: payerPays(settings['orders.autopay'], wanted),
    lookups: countsLookups(scenario) ? {} : null,
    subscription: wanted.kind === 'subscription' ? unauthorised : null,
  }
  const { order, history, events } = begun(own, context, { awaitsAnswer: how.isCalled })
  const uniqueAcrossClients = settings['requestIds.scope'] === 'global'
  return { order, history, events, takesBinding: how.takesBinding, uniqueAcrossClients }
}

/** Creates the record of a subscription's later charge: a copy of the first record with ids of its own. */
export function beginCharge(first: Order, charge: number, context: DecisionContext): Decision {
  const ids = newIds(first.requestId, charge, context)
  const own: OwnMembers = {
    ...first,
    ...ids,
    charge,
    expiresAt: context.nowMs + context.settings['orders.expiry'],
    terms: { ...first.terms, onExpiry: 'keep', turns: undefined },
    waitsForPayer: false,
    lookups: null,
    subscription: null,
  }
  return begun(own, context, { awaitsAnswer: false })
}

/** The fields of a new order that `begun` does not set. */
type OwnMembers = Omit<Order, keyof ReturnType<typeof beginning>>

/** Returns the fields that every new order starts with. */
const beginning = ({ nowMs, scenario }: DecisionContext) => ({
  orderStatus: 'CREATED',
  paymentStatus: 'CREATED',
  settlementStatus: 'NOT_REQUIRED',
  errorReason: null,
  receivedAmount: null,
  txnHash: null,
  refunds: null,
  refundError: null,
  crypto: scenario.begin?.crypto ?? null,
  replaced: null,
  createdAt: nowMs,
  updatedAt: nowMs,
  paidAt: null,
  nextStep: 0,
  stepAt: nowMs,
  shiftMs: 0,
  nextDueAt: null,
  events: 0,
  version: 1,
})

const countsLookups = ({ timeline }: Scenario): boolean =>
  timeline.some(({ when }) => 'on' in when && when.on === 'lookup')

function begun(own: OwnMembers, context: DecisionContext, how: { awaitsAnswer: boolean }): Decision {
  const first: Order = { ...own, ...beginning(context) }
  const { events, terms } = webhooksOf(null, first, context, how)
  const nextDueAt = nextThing(first, context.scenario)?.dueAt ?? null
  const order = { ...first, nextDueAt, terms, events: events.at(-1)?.sequence ?? 0 }
  const history: HistoryEntry[] = [{ at: context.nowMs, what: 'created', to: 'CREATED' }]
  return { order, history, events }
}

function termsOf({ trialMs, begin }: Scenario, settings: Settings): OrderTerms {
  const skewMs = begin?.updatedTsSkewMs ?? 0
  return {
    onExpiry: settings['orders.onExpiry'],
    trialMs: trialMs ?? undefined,
    updatedTsSkewMs: skewMs === 0 ? undefined : skewMs,
  }
}

/** Whether the payment waits for the payer; an order with `mode` has a payment page (N65). */
function payerPays(autopay: 'unless-page' | 'always' | 'never', wanted: NewOrder): boolean {
  if (autopay === 'unless-page') return wanted.request.mode !== undefined
  return autopay === 'never'
}
