import type { Operation } from '../../domain/journal/entry.ts'
import type { Exchange } from '../traffic/exchange.ts'
import type { Call } from './evidence.ts'
import { parsedJson } from './parsed-json.ts'

const operationOf: Readonly<Record<string, Operation>> = {
  'POST checkout/create-order': 'create-checkout-order',
  'POST subscription/create-order': 'create-subscription-order',
  'GET crypto-orders': 'crypto-orders',
  'GET orders': 'orders',
  'GET fiat-refunds': 'fiat-refunds',
  'POST simulate-webhook': 'simulate-webhook',
  'POST webhook-url': 'webhook-url',
  'POST fiat/webhook-url': 'webhook-url',
}

/** The path after `/v1/client/`; a gateway may have put something in front. */
const servicePath = /\/v1\/client\/([a-z/-]+?)\/?$/

const operationIn = ({ method, path }: Exchange): Operation | undefined =>
  operationOf[`${method} ${servicePath.exec(path)?.[1] ?? ''}`]

/** Whether an exchange is a call of the service, by its path. */
export const isCall = (exchange: Exchange): boolean => operationIn(exchange) !== undefined

/** Whether a path is one of the service, also one that is not known. */
export const isUnderService = ({ path }: Exchange): boolean => path.includes('/v1/client/')

/** Whether an exchange is a call to a path or with a method that the service does not serve. */
export const isStray = (exchange: Exchange): boolean =>
  (exchange.status === 404 || exchange.status === 405) && isUnderService(exchange) && !isCall(exchange)

/** Reads a call of the service. */
export function readCall(exchange: Exchange): Call[] {
  const operation = operationIn(exchange)
  if (operation === undefined) return []
  const input = parsedJson(exchange.body)
  const fields = fieldsOf(input)
  const named = (name: string): string | null => {
    const value = exchange.query.get(name) ?? fields[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return [
    {
      ...exchange,
      operation,
      clientId: named('clientId') ?? exchange.headers['client-id'] ?? null,
      requestId: named('requestId'),
      input,
      output: parsedJson(exchange.response),
    },
  ]
}

/** The fields of a JSON object; none for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** The elements of `data` in the answer of a lookup; null if it has none. */
export function recordsIn({ status, output }: Call): Readonly<Record<string, unknown>>[] | null {
  const { data } = fieldsOf(output)
  return status === 200 && Array.isArray(data) ? data.map(fieldsOf) : null
}
