import type { Cause } from '../diagnosis/causes.ts'
import type { EpochMs } from '../text/time.ts'

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

/** Headers of an answer that name its journal entry and, if it is a refusal, the dashboard's page that says why.
 *  @param base under which the caller reaches the emulator, e.g. `http://127.0.0.1:4600` */
export function journalHeaders(id: string, status: number, base: string): Readonly<Record<string, string>> {
  const named = { 'emulator-request-id': id }
  if (status < 400) return named
  // A host in other letters than ASCII would be no header.
  const page = new URL(`${base}/_emulator/ui/requests/${id}`).href
  return { ...named, 'emulator-diagnosis': page }
}
