import type { Order } from '../../domain/order.ts'
import { requireOwnClientId } from '../authentication.ts'
import type { Call, Reply, ServiceParts } from '../call.ts'
import { lookupQuery } from '../contract/other-requests.ts'
import { readFields, readQuery } from '../input.ts'
import { presentCryptoOrder, presentFiatOrder, presentList, presentRefunds } from '../presenters.ts'
import { invalid } from '../refusal.ts'

/** `GET /v1/client/orders` (R95): everything but pure crypto payins has a fiat record. */
export async function lookUpFiatOrders(call: Call, parts: ServiceParts): Promise<Reply> {
  const orders = await matching(call, parts)
  const records = orders.filter(({ kind }) => kind !== 'crypto-payin')
  return { body: presentList(records.map((order) => presentFiatOrder(order, call.settings))) }
}

/** `GET /v1/client/crypto-orders` (R94). When a fiat order shows here is a setting (N57). */
export async function lookUpCryptoOrders(call: Call, parts: ServiceParts): Promise<Reply> {
  const orders = await matching(call, parts)
  const when = call.settings['orders.cryptoLeg']
  const records = orders.filter((order) => order.kind === 'crypto-payin' || hasCryptoLeg(order, when))
  return { body: presentList(records.map((order) => presentCryptoOrder(order, call.settings))) }
}

/** `GET /v1/client/fiat-refunds` (R96). Nothing makes a refund yet, so the list is empty. */
export async function lookUpRefunds(call: Call, parts: ServiceParts): Promise<Reply> {
  await matching(call, parts)
  return { body: presentRefunds(call.settings) }
}

/** The client's orders under the queried requestId, oldest first (N64c). Whose clientId it is comes before the
 *  rest of the query, as in every call (N18). @throws Refusal */
async function matching(call: Call, parts: ServiceParts): Promise<Order[]> {
  const { input, problems: twice } = readQuery(call.query)
  const { fields, problems } = readFields(lookupQuery, input, call)
  const wrong = [...twice, ...problems]
  if (typeof input.requestId === 'string') call.requestId = input.requestId
  if (wrong.some(({ path }) => path[0] === 'clientId')) throw invalid(wrong, call.settings, 'text')
  requireOwnClientId(String(input.clientId), call.client, 'query', parts.clients)
  if (fields === null || wrong.length > 0) throw invalid(wrong, call.settings, 'text')
  return parts.store.ordersOf(fields.clientId, fields.requestId)
}

function hasCryptoLeg(order: Order, when: 'always' | 'after-payment' | 'never'): boolean {
  if (when === 'after-payment') return order.paidAt !== null
  return when === 'always'
}
