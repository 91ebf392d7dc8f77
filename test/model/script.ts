/** The kinds of order. */
export type OrderKind = 'checkout' | 'subscription' | 'payout' | 'crypto-payin'

/** The model of a scenario file. */
export interface Script {
  readonly id: string
  readonly serves: (kind: OrderKind) => boolean
  readonly trialDays: number
  /** Its `orders.expiry`; null without it. */
  readonly expiryMs: number | null
  /** Its `time.offset`; null without it. */
  readonly offsetMinutes: number | null
  readonly steps: readonly ScriptStep[]
  readonly charges: readonly ChargeLine[]
}

interface ScriptStep {
  readonly when: ScriptTime
  readonly does: Deed
}

/** When a step comes due: with the payer's act, or so long after something. */
export type ScriptTime =
  | 'payer'
  | { readonly since: 'creation' | 'step before' | 'expiry' | 'second charge'; readonly ms: number }

/** The act of a step. */
export type Deed =
  | { readonly do: 'pay' }
  | { readonly do: 'order'; readonly status: string; readonly errorCode: string | null }
  | { readonly do: 'refund'; readonly percent: number }
  | { readonly do: 'refund error'; readonly errorCode: string }
  | { readonly do: 'cancel' }

/** A line about charges. */
export interface ChargeLine {
  readonly from: number
  readonly to: number
  readonly status: string
  readonly errorCode: string | null
  /** It makes charges come; another line only says how one of them ends. */
  readonly every: boolean
}

/** How a charge ends; null if it does not come. The last line about it decides. */
export function endOfCharge({ charges }: Script, n: number): ChargeLine | null {
  const about = charges.filter(({ from, to }) => from <= n && n <= to)
  return about.some(({ every }) => every) ? (about.at(-1) ?? null) : null
}
