import type { Call } from '../evidence/evidence.ts'
import { fieldsOf } from '../evidence/read-call.ts'

/** Whether a call was carried out: its answer is 200 with a JSON object that reports no error. */
export function isAccepted({ status, output }: Call): boolean {
  return status === 200 && isObject(output) && fieldsOf(output).error === undefined
}

/** Whether an answer is the printed 401 of a failed verification. */
export function isVerificationFailure({ status, output }: Pick<Call, 'status' | 'output'>): boolean {
  return status === 401 && fieldsOf(output).error === 'Client verification failed'
}

/** Whether an answer is the printed 401 for a requestId that has an order. */
export function isOrderExists({ status, output }: Pick<Call, 'status' | 'output'>): boolean {
  return status === 401 && fieldsOf(fieldsOf(output).error).code === '7001'
}

export const isCheckout = ({ operation }: Call): boolean => operation === 'create-checkout-order'

export const isSubscription = ({ operation }: Call): boolean => operation === 'create-subscription-order'

export const isCreate = (call: Call): boolean => isCheckout(call) || isSubscription(call)

/** A field of the request that is a text; undefined for an empty text and for anything else. */
export function textIn({ input }: Pick<Call, 'input'>, name: string): string | undefined {
  const value = fieldsOf(input)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Where a call is in the captures, as the unit of observations that are about nothing else. */
export const placeIn = ({ source }: Pick<Call, 'source'>): string => `${source.file} ${source.place}`

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Finds calls whose token and account are right beyond doubt: the same ones were accepted before and after, so that
 *  a refusal in between has another cause than an expired token. */
export function trustedCalls(calls: readonly Call[]): (call: Call) => boolean {
  const spans = new Map<string, { from: number; to: number }>()
  for (const call of calls) {
    if (!isAccepted(call)) continue
    const key = accountOf(call)
    const span = spans.get(key)
    spans.set(key, {
      from: Math.min(span?.from ?? call.at, call.at),
      to: Math.max(span?.to ?? call.at, call.at),
    })
  }
  return (call) => {
    const span = spans.get(accountOf(call))
    return span !== undefined && span.from <= call.at && call.at <= span.to
  }
}

const accountOf = ({ headers, clientId }: Call): string =>
  JSON.stringify([headers['access-token'] ?? null, clientId])
