import { inspect } from 'node:util'
import { startAtCaller } from './caller-stack.ts'

/** A requestId, or an object with one, such as the answer to a create call. */
export type RequestName = string | { readonly requestId: string }

/** A requestId, or an object with a `requestId` or `orderId`. The charges of a subscription share a requestId, which
 *  names the first charge; name later charges by `orderId`. */
export type OrderName = RequestName | { readonly orderId: string }

/** The `orderId` of a name that goes by it. */
export const orderIdIn = (name: OrderName): string | undefined =>
  typeof name === 'object' && name !== null && 'orderId' in name && isId(name.orderId)
    ? name.orderId
    : undefined

/** The requestId of a name. @throws TypeError for what names no order: a misspelt member must not find another one */
export function requestIdOf(name: OrderName): string {
  const requestId = typeof name === 'object' && name !== null && 'requestId' in name ? name.requestId : name
  if (isId(requestId)) return requestId
  const words = `Expected a requestId, or an object with a requestId or an orderId, not ${inspect(name)}`
  const error = new TypeError(words)
  startAtCaller(error)
  throw error
}

const isId = (value: unknown): value is string => typeof value === 'string' && value !== ''
