import type { z } from 'zod'
import type { Settings } from '../../domain/choices/settings.ts'
import type { Client } from '../../domain/client/client.ts'
import { isPlaceholder } from '../../domain/diagnosis/mistake.ts'
import { diagnoseQuery, requestIdSpellings } from '../../domain/diagnosis/query.ts'
import { beforeLastChange } from '../../domain/order/change.ts'
import type { LookupName, Order } from '../../domain/order/order.ts'
import { undecodable } from '../../http/request.ts'
import { requireOwnClientId } from '../authentication.ts'
import type { Call, Reply, ServiceParts } from '../call.ts'
import { lookupQuery } from '../contract/requests.ts'
import { readFields, readQuery } from '../input.ts'
import { presentCryptoOrder, presentFiatOrder, presentList, presentRefunds } from '../presenters.ts'
import { invalid } from '../refusal.ts'

/** Handles `GET /v1/client/orders`: all orders except pure crypto payins have a fiat record (R95). */
export const lookUpFiatOrders = lookUp('orders', (found) => {
  const records = found.filter(({ order }) => order.kind !== 'crypto-payin')
  return presentList(records.map(({ order, settings }) => presentFiatOrder(order, settings)))
})

/** Handles `GET /v1/client/crypto-orders` (R94). A setting decides when it lists a fiat order (N57). */
export const lookUpCryptoOrders = lookUp('crypto-orders', (found) => {
  const records = found.filter(({ order, settings }) => hasCryptoLeg(order, settings['orders.cryptoLeg']))
  return presentList(records.map(({ order, settings }) => presentCryptoOrder(order, settings)))
})

/** Handles `GET /v1/client/fiat-refunds` (R96). */
export const lookUpRefunds = lookUp('fiat-refunds', (found, ofClient) =>
  presentRefunds(
    found.map(({ order }) => order),
    found.at(-1)?.settings ?? ofClient,
  ),
)

interface Found {
  readonly order: Order
  readonly settings: Settings
}

/** Builds a lookup: finds the client's orders under the queried requestId, oldest first (N64c), and presents them.
 *  @param present builds the body; `ofClient` are the settings without an order */
function lookUp(name: LookupName, present: (found: readonly Found[], ofClient: Settings) => string) {
  return async (call: Call, parts: ServiceParts): Promise<Reply> => {
    const { clientId, requestId } = asked(call, parts)
    const orders = await parts.store.ordersOf(clientId, requestId)
    if (orders.length === 0) call.notes.push(...(await nothingFound(requestId, call.client, parts)))
    await call.faults.passed(orders, call.client, requestId)
    const about = await parts.lifecycle.lookUp(orders, name)
    const found = await Promise.all(
      about.map(async (order) => ({ order, settings: await parts.lifecycle.settingsOf(order) })),
    )
    const stale = () => found.map(({ order, settings }) => ({ order: beforeLastChange(order), settings }))
    return {
      body: present(found, call.settings),
      staleBody: () => present(stale(), call.settings),
      about,
    }
  }
}

/** Reads the query of a lookup. Its clientId is checked first, as in every call (N18).
 *  @throws Refusal */
function asked(call: Call, { clients }: ServiceParts): z.output<typeof lookupQuery> {
  const [first, ...more] = undecodable(call.queryText)
  if (first !== undefined)
    throw invalid([first, ...more], call.settings, 'text', { cause: first.cause, words: '' })
  const { input, problems: twice } = readQuery(call.queryText)
  const { fields, problems } = readFields(lookupQuery, input, call)
  const wrong = [...twice, ...problems]
  const refusal = () => invalid(wrong, call.settings, 'text', whyRefused(call))
  if (typeof input.requestId === 'string') call.info.requestId = input.requestId
  if (wrong.some(({ path }) => path[0] === 'clientId')) throw refusal()
  requireOwnClientId(String(input.clientId), call.client, 'query', clients)
  if (fields === null || wrong.length > 0) throw refusal()
  return fields
}

/** Diagnoses a query that is wrong as a whole; null if only a value is wrong. */
function whyRefused({ query, header }: Call): ReturnType<typeof diagnoseQuery> {
  const hasBody = Number(header('content-length') ?? 0) > 0 || header('transfer-encoding') !== undefined
  return diagnoseQuery({ query: query(), wanted: ['requestId', 'clientId'], hasBody })
}

function hasCryptoLeg(order: Order, when: 'always' | 'after-payment' | 'never'): boolean {
  if (order.crypto?.shown != null) return order.crypto.shown
  if (order.kind === 'crypto-payin') return true
  if (when === 'after-payment') return order.paidAt !== null
  return when === 'always'
}

/** Finds the likely reason for a lookup without results, for the request log. The answer stays an empty list. */
async function nothingFound(
  requestId: string,
  { clientId }: Client,
  { store, clients }: Pick<ServiceParts, 'store' | 'clients'>,
): Promise<string[]> {
  const nothing = `no order of "${clientId}" has the requestId ${shown(requestId)}`
  for (const spelling of requestIdSpellings(requestId)) {
    const found = await store.ordersOf(clientId, spelling.requestId)
    if (found.length > 0) return [`${nothing}, but one has ${shown(spelling.requestId)}: ${spelling.words}`]
  }
  const byOrderId = await store.findOrder(requestId)
  if (byOrderId?.clientId === clientId)
    return [`${nothing}; it is the orderId of the order with ${shown(byOrderId.requestId)}`]
  if (clients.count > 1 && (await store.usedByAnotherClient(clientId, requestId)))
    return [`${nothing}, but an order of another client has it`]
  return isPlaceholder(requestId) ? [`${nothing}: it looks like a placeholder`] : []
}

const shown = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
