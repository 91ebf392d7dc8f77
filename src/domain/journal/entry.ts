import type { Cause } from '../diagnosis/causes.ts'
import type { EpochMs } from '../text/time.ts'

/** The operations of the API, by their names in the request log, in faults and in scenario files. */
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

/** Explains to the developer of the calling application why a request was rejected. */
export interface Diagnosis {
  /** A stable name of the mistake, e.g. `signature.amount-spelling`, `token.missing`. */
  readonly cause: Cause
  /** The problem and its remedy in one line. */
  readonly message: string
  /** The right text to sign, if the signature was wrong. */
  readonly stringToSign?: string | undefined
  /** The text that was actually signed, if the diagnosis found it. */
  readonly signedString?: string | undefined
  /** The index of the first difference between the expected and the signed text. */
  readonly firstDifference?: number | undefined
}

/** A request to the service and its answer. */
export interface JournalEntry {
  readonly id: string
  /** The wall-clock time of the answer; the request arrived `ms` earlier. */
  readonly wallAt: EpochMs
  /** The time of the answer on the client's clock, or on the wall clock if the client is unknown. */
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

/** Answer headers that name the request-log entry and, for a rejected request, the dashboard page that explains the
 *  rejection.
 *  @param base the caller's base URL, e.g. `http://127.0.0.1:4600` */
export function journalHeaders(id: string, status: number, base: string): Readonly<Record<string, string>> {
  const named = { 'emulator-request-id': id }
  if (status < 400) return named
  // A host with non-ASCII letters is not allowed in a header.
  const page = new URL(`${base}/_emulator/ui/requests/${id}`).href
  return { ...named, 'emulator-diagnosis': page }
}
