import type { z } from 'zod'
import type { Settings } from '../../domain/choices.ts'
import { diagnoseQuery } from '../../domain/diagnosis/query.ts'
import type { LookedUpOrder } from '../../domain/order.ts'
import type { LookupName } from '../../domain/scenario/scenario.ts'
import { undecodable } from '../../http/request.ts'
import { requireOwnClientId } from '../authentication.ts'
import type { Call, Reply, ServiceParts } from '../call.ts'
import { lookupQuery } from '../contract/other-requests.ts'
import { readFields, readQuery } from '../input.ts'
import { nothingFound } from '../nothing-found.ts'
import { presentCryptoOrder, presentFiatOrder, presentList, presentRefunds } from '../presenters.ts'
import { invalid } from '../refusal.ts'

/** `GET /v1/client/orders` (R95): everything but pure crypto payins has a fiat record. */
export const lookUpFiatOrders = lookUp('orders', (found) => {
  const records = found.filter(({ order }) => order.kind !== 'crypto-payin')
  return presentList(records.map(({ order, settings }) => presentFiatOrder(order, settings)))
})

/** `GET /v1/client/crypto-orders` (R94). When a fiat order shows here is a setting (N57). */
export const lookUpCryptoOrders = lookUp('crypto-orders', (found) => {
  const records = found.filter(({ order, settings }) => hasCryptoLeg(order, settings['orders.cryptoLeg']))
  return presentList(records.map(({ order, settings }) => presentCryptoOrder(order, settings)))
})

/** `GET /v1/client/fiat-refunds` (R96). */
export const lookUpRefunds = lookUp('fiat-refunds', (found, ofClient) =>
  presentRefunds(
    found.map(({ order }) => order),
    found.at(-1)?.settings ?? ofClient,
  ),
)

/** An order, and the settings that hold for it. */
interface Found {
  readonly order: LookedUpOrder
  readonly settings: Settings
}

/** A lookup: finds the client's orders under the queried requestId, oldest first (N64c), and presents them.
 *  @param present its body; `ofClient`: the settings where there is no order */
function lookUp(name: LookupName, present: (found: readonly Found[], ofClient: Settings) => string) {
  return async (call: Call, parts: ServiceParts): Promise<Reply> => {
    const { clientId, requestId } = asked(call, parts)
    const orders = await parts.store.lookUpOrders(clientId, requestId)
    if (orders.length === 0) call.notes.push(...(await nothingFound(requestId, call.client, parts)))
    const faulty = call.faults.checked(orders, call.client, requestId)
    if (faulty !== null) await faulty
    const seen = parts.lifecycle.lookUp(orders, name)
    const about = seen instanceof Promise ? await seen : seen
    const found: Found[] = []
    for (const order of about) {
      const settings = parts.lifecycle.settingsOf(order)
      found.push({ order, settings: settings instanceof Promise ? await settings : settings })
    }
    return { body: present(found, call.settings), about }
  }
}

/** What the query asks for. Whose clientId it is comes before the rest of it, as in every call (N18).
 *  @throws Refusal */
function asked(call: Call, { clients }: ServiceParts): z.output<typeof lookupQuery> {
  const [first, ...more] = undecodable(call.queryText)
  if (first !== undefined)
    throw invalid([first, ...more], call.settings, 'text', { cause: first.cause, words: '' })
  const { input, problems: twice } = readQuery(call.queryText)
  const { fields, problems } = readFields(lookupQuery, input, call)
  const wrong = [...twice, ...problems]
  const refusal = () => invalid(wrong, call.settings, 'text', whyRefused(call))
  if (typeof input.requestId === 'string') call.findings.requestId = input.requestId
  if (wrong.some(({ path }) => path[0] === 'clientId')) throw refusal()
  requireOwnClientId(String(input.clientId), call.client, 'query', clients)
  if (fields === null || wrong.length > 0) throw refusal()
  return fields
}

/** What is wrong with the query as a whole; null if only a value is. */
function whyRefused({ query, header }: Call): ReturnType<typeof diagnoseQuery> {
  const hasBody = Number(header('content-length') ?? 0) > 0 || header('transfer-encoding') !== undefined
  return diagnoseQuery({ query: query(), wanted: ['requestId', 'clientId'], hasBody })
}

function hasCryptoLeg(order: LookedUpOrder, when: 'always' | 'after-payment' | 'never'): boolean {
  if (order.crypto?.shown != null) return order.crypto.shown
  if (order.kind === 'crypto-payin') return true
  if (when === 'after-payment') return order.paidAt !== null
  return when === 'always'
}
