import type { Cause } from './diagnosis/causes.ts'
import type { EpochMs } from './time.ts'

/** Operations as the journal, faults and scenario files name them. */
export const operations = [
  'create-checkout-order',
  'create-subscription-order',
  'crypto-orders',
  'orders',
  'fiat-refunds',
  'simulate-webhook',
  'webhook-url',
  'access-token',
] as const
export type Operation = (typeof operations)[number]

/** Why a request was refused, for the developer who sent it. */
export interface Diagnosis {
  /** A stable word, e.g. `signature.amount-spelling`, `token.missing`. */
  readonly cause: Cause
  /** One line in words: what was wrong and what to do. */
  readonly message: string
  /** For signatures: what had to be signed. */
  readonly stringToSign?: string | undefined
  /** For signatures: what was signed instead, where that could be found out. */
  readonly signedString?: string | undefined
  /** Index of the first character in which the two differ. */
  readonly firstDifference?: number | undefined
}

/** A request to the service and its answer. */
export interface JournalEntry {
  readonly id: string
  /** When it was answered: it arrived `ms` earlier. */
  readonly wallAt: EpochMs
  /** On the client's clock; the wall's time where no client is known. */
  readonly at: EpochMs
  readonly clientId: string | null
  readonly operation: Operation | null
  readonly requestId: string | null
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly status: number
  readonly response: string
  readonly ms: number
  readonly notes: readonly string[]
  readonly diagnosis: Diagnosis | null
}
