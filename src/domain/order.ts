import type { EpochMs } from './time.ts'

export type OrderKind = 'checkout' | 'subscription' | 'payout' | 'crypto-payin'

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

/** What the settings said when the order began and what holds for its whole life; kept as JSON. */
export interface OrderTerms {
  /** N12. */
  readonly onExpiry: 'keep' | 'fail' | 'abandon'
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
  /** How far the steps still to come have moved against the plan, because the payer came early or late. */
  readonly shiftMs: number
  /** The next step is the payment, and the payer makes it (N65). */
  readonly waitsForPayer: boolean
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
