import type { Settings } from '../../domain/choices.ts'
import { diagnoseQuery } from '../../domain/diagnosis/query.ts'
import type { Order } from '../../domain/order.ts'
import type { LookupName } from '../../domain/scenario/scenario.ts'
import { requireOwnClientId } from '../authentication.ts'
import type { Call, Reply, ServiceParts } from '../call.ts'
import { lookupQuery } from '../contract/other-requests.ts'
import { readFields, readQuery } from '../input.ts'
import { nothingFound } from '../nothing-found.ts'
import { presentCryptoOrder, presentFiatOrder, presentList, presentRefunds } from '../presenters.ts'
import { invalid } from '../refusal.ts'

/** `GET /v1/client/orders` (R95): everything but pure crypto payins has a fiat record. */
export async function lookUpFiatOrders(call: Call, parts: ServiceParts): Promise<Reply> {
  const orders = await matching(call, parts, 'orders')
  const records = orders.filter(({ order }) => order.kind !== 'crypto-payin')
  const body = presentList(records.map(({ order, settings }) => presentFiatOrder(order, settings)))
  return { body, about: orders.map(({ order }) => order) }
}

/** `GET /v1/client/crypto-orders` (R94). When a fiat order shows here is a setting (N57). */
export async function lookUpCryptoOrders(call: Call, parts: ServiceParts): Promise<Reply> {
  const orders = await matching(call, parts, 'crypto-orders')
  const records = orders.filter(({ order, settings }) => hasCryptoLeg(order, settings['orders.cryptoLeg']))
  const body = presentList(records.map(({ order, settings }) => presentCryptoOrder(order, settings)))
  return { body, about: orders.map(({ order }) => order) }
}

/** `GET /v1/client/fiat-refunds` (R96). */
export async function lookUpRefunds(call: Call, parts: ServiceParts): Promise<Reply> {
  const orders = await matching(call, parts, 'fiat-refunds')
  const settings = orders.at(-1)?.settings ?? call.settings
  return {
    body: presentRefunds(
      orders.map(({ order }) => order),
      settings,
    ),
    about: orders.map(({ order }) => order),
  }
}

/** An order, and the settings that hold for it. */
interface Found {
  readonly order: Order
  readonly settings: Settings
}

/** The client's orders under the queried requestId, oldest first (N64c). Whose clientId it is comes before the
 *  rest of the query, as in every call (N18). @throws Refusal */
async function matching(call: Call, parts: ServiceParts, name: LookupName): Promise<Found[]> {
  const { input, problems: twice } = readQuery(call.query)
  const { fields, problems } = readFields(lookupQuery, input, call)
  const wrong = [...twice, ...problems]
  const refusal = () => invalid(wrong, call.settings, 'text', whyRefused(call))
  if (typeof input.requestId === 'string') call.findings.requestId = input.requestId
  if (wrong.some(({ path }) => path[0] === 'clientId')) throw refusal()
  requireOwnClientId(String(input.clientId), call.client, 'query', parts.clients)
  if (fields === null || wrong.length > 0) throw refusal()
  const orders = await parts.store.ordersOf(fields.clientId, fields.requestId)
  if (orders.length === 0) call.notes.push(...(await nothingFound(fields.requestId, call.client, parts)))
  const faulty = call.faults.checked(orders, call.client, fields.requestId)
  if (faulty !== null) await faulty
  const seen = parts.lifecycle.lookUp(orders, name)
  const found: Found[] = []
  for (const order of seen instanceof Promise ? await seen : seen) {
    const settings = parts.lifecycle.settingsOf(order)
    found.push({ order, settings: settings instanceof Promise ? await settings : settings })
  }
  return found
}

/** What is wrong with the query as a whole; null if only a value is. */
function whyRefused({ query, header }: Call): ReturnType<typeof diagnoseQuery> {
  const hasBody = Number(header('content-length') ?? 0) > 0 || header('transfer-encoding') !== undefined
  return diagnoseQuery({ query, wanted: ['requestId', 'clientId'], hasBody })
}

function hasCryptoLeg(order: Order, when: 'always' | 'after-payment' | 'never'): boolean {
  if (order.crypto?.shown != null) return order.crypto.shown
  if (order.kind === 'crypto-payin') return true
  if (when === 'after-payment') return order.paidAt !== null
  return when === 'always'
}
