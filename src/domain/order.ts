import type { News } from './payload.ts'
import type { CryptoLeg, LookupName } from './scenario/scenario.ts'
import type { EpochMs } from './time.ts'

/** How often an order was looked up. */
export type Lookups = { readonly [Name in LookupName]?: number }

export const orderKinds = ['checkout', 'subscription', 'payout', 'crypto-payin'] as const
export type OrderKind = (typeof orderKinds)[number]

/** What a FAILED record tells (R74). */
export interface ErrorReason {
  readonly errorCode: string
  readonly errorDesc: string
}

/** The accepted members of a create request that only pages and presenters read again. */
export interface OrderRequest {
  readonly paymentMethodId?: string | undefined
  readonly userId?: string | undefined
  readonly userMessage?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly phoneNumber?: string | undefined
  readonly mode?: 'returnUrl' | 'returnAppUrl' | undefined
  readonly targetApp?: string | undefined
  readonly deviceContext?: { readonly deviceOS?: 'ANDROID' | 'IOS' | undefined } | undefined
  readonly pixKey?: string | undefined
  readonly intlBankAccount?: string | undefined
  readonly bankAccount?: string | undefined
  readonly docType?: string | undefined
  readonly docId?: string | undefined
  readonly callbackUrl?: string | undefined
  readonly lang?: string | undefined
  readonly requestDescription?: string | undefined
  readonly billingData?: Readonly<Record<string, string | undefined>> | undefined
  readonly interval?: string | undefined
  /** A number of days, carried as it was sent (N27). */
  readonly trialPeriodDays?: string | undefined
}

/** Which scenario an order follows, and what chose it. */
export interface ScenarioChoice {
  readonly id: string
  /** The selector that chose it, in words: `default`, `next`, `e-mail tag`, ... */
  readonly why: string
  /** Hash of the scenario as it was when the order began, so that editing a file disturbs no running order. */
  readonly version: string
}

/** What the settings and the scenario said when the order began, and what of the scenario it has to remember; kept
 *  as JSON. */
export interface OrderTerms {
  /** N12. */
  readonly onExpiry: 'keep' | 'fail' | 'abandon'
  /** The trial that the scenario grants because the request names none. */
  readonly trialMs?: number | undefined
  /** How far its `updatedTs` is ahead of the clock. */
  readonly updatedTsSkewMs?: number | undefined
  /** Where its scenario reorders webhooks: how far that has come. */
  readonly turns?: Turns | undefined
}

/** Which webhooks of an order have had their turn. */
export interface Turns {
  /** Every `orderStatus` that was told, and when the last webhook of it is due. */
  readonly told: Readonly<Record<string, EpochMs>>
  /** What waits for one to be told, oldest first. */
  readonly waiting: readonly News[]
}

/** A refund of an order, a part of it or all (N63). */
export interface Refund {
  readonly refundId: string
  readonly fiatAmount: string
  /** `REFUND_INITIATED`, and any other word that a scenario writes (R82). */
  readonly status: string
  readonly at: EpochMs
}

/** What a refund failed with, and when. */
export interface RefundFailure extends ErrorReason {
  readonly at: EpochMs
}

/** Where a subscription stands; kept by the order of its first charge (N64j). */
export interface Subscription {
  /** The date of its first charge; null until the payer has authorised it. */
  readonly anchor: EpochMs | null
  /** The date of its second charge, an interval later. */
  readonly second: EpochMs | null
  /** The number of the charge that comes next. */
  readonly next: number
  /** When that is due; null when none comes. */
  readonly nextAt: EpochMs | null
  readonly cancelled: boolean
}

/** One order: both its legs, and its own place in its scenario. */
export interface Order {
  readonly orderId: string
  readonly requestId: string
  readonly clientId: string
  readonly kind: OrderKind
  /** What the client-side SDK gets; a key to the payment page (N58). */
  readonly token: string
  /** Which order of its requestId this is: 1, and up for a subscription's charges (N64j). */
  readonly charge: number
  readonly fiatAmount: string
  readonly currencyId: string
  readonly email: string
  readonly request: OrderRequest
  /** The JSON text of `metadata` as it came in (N69). */
  readonly metadata: string | null
  readonly cryptoCurId: string
  readonly cryptoAmount: string

  readonly orderStatus: string
  readonly paymentStatus: string
  readonly settlementStatus: string
  readonly errorReason: ErrorReason | null
  readonly receivedAmount: string | null
  readonly txnHash: string | null
  /** Oldest first; null without any. */
  readonly refunds: readonly Refund[] | null
  /** The failure that the refund lookup tells beside its list (R81). */
  readonly refundError: RefundFailure | null
  /** Where its crypto leg does not follow it; null where it does. */
  readonly crypto: CryptoLeg | null

  readonly createdAt: EpochMs
  /** Moves at each change and never back (N64e). */
  readonly updatedAt: EpochMs
  readonly expiresAt: EpochMs
  /** When the payer's money came; the documented statuses have no word for it. */
  readonly paidAt: EpochMs | null

  readonly terms: OrderTerms
  readonly scenario: ScenarioChoice
  /** Index of the scenario's next step in the order's plan. */
  readonly nextStep: number
  /** When the step before was due; what comes `after` it counts from here. */
  readonly stepAt: EpochMs
  /** How far the steps still to come have moved against the plan, because the payer came early or late. */
  readonly shiftMs: number
  /** The next step is the payment, and the payer makes it (N65). */
  readonly waitsForPayer: boolean
  /** The lookups of it so far, by name; null where its scenario does not count them. */
  readonly lookups: Lookups | null
  /** null for everything but the order of a subscription's first charge. */
  readonly subscription: Subscription | null
  /** When the next step is due; null when nothing more happens by itself. */
  readonly nextDueAt: EpochMs | null

  /** Events told so far; numbers the order's deliveries. */
  readonly events: number
  /** Raised by every commit; a decision made on an older one is stale. */
  readonly version: number
}

/** One thing that happened to an order. `from` and `to` stand where a status changed. */
export interface HistoryEntry {
  readonly at: EpochMs
  /** `created`, `order`, `payment`, `settlement`, ... */
  readonly what: string
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Index of the scenario's step that did it. */
  readonly step?: number | undefined
}

/** What lookups tell of an order, and what decides how they do. */
export interface LookedUpOrder
  extends Pick<
    Order,
    | 'orderId'
    | 'requestId'
    | 'clientId'
    | 'kind'
    | 'fiatAmount'
    | 'currencyId'
    | 'email'
    | 'metadata'
    | 'cryptoCurId'
    | 'cryptoAmount'
    | 'orderStatus'
    | 'paymentStatus'
    | 'settlementStatus'
    | 'errorReason'
    | 'receivedAmount'
    | 'txnHash'
    | 'refunds'
    | 'refundError'
    | 'crypto'
    | 'updatedAt'
    | 'paidAt'
    | 'lookups'
  > {
  readonly request: Pick<OrderRequest, 'paymentMethodId'>
  readonly terms: Pick<OrderTerms, 'updatedTsSkewMs'>
  readonly scenario: Pick<ScenarioChoice, 'id' | 'version'>
}
