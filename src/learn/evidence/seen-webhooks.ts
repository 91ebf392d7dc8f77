import type { Exchange } from '../traffic/exchange.ts'
import type { Call, SeenJwt, SeenOrder, SeenWebhook } from './evidence.ts'
import { parsedJson, textsIn } from './parsed-json.ts'
import { fieldsOf, recordsIn } from './read-call.ts'
import type { OrderDraft } from './seen-orders.ts'

/** The ids of all orders in some calls. */
export function namesIn(calls: readonly Call[]): { readonly areIn: (exchange: Exchange) => boolean } {
  const ids = new Set(calls.flatMap(({ requestId }) => requestId ?? []))
  for (const call of calls)
    for (const { orderId } of recordsIn(call) ?? []) if (typeof orderId === 'string') ids.add(orderId)
  return { areIn: (exchange) => textsOf(exchange).some((text) => ids.has(text)) }
}

/** All texts of a webhook: of its body and of the tokens in it. */
function textsOf({ body, headers }: Exchange): string[] {
  const json = parsedJson(body)
  return [json, jwtIn(json, headers)?.claims].flatMap(textsIn)
}

/** Reads webhooks: attempts of one webhook together, each with its orders. */
export function readWebhooks(posts: readonly Exchange[], orders: readonly OrderDraft[]): SeenWebhook[] {
  const byId = new Map<string, OrderDraft[]>()
  const add = (id: string, order: OrderDraft) => byId.set(id, [...(byId.get(id) ?? []), order])
  for (const order of orders) for (const id of [order.requestId, ...order.orderIds]) add(id, order)
  const idHeaders = idHeadersOf(posts)
  const chains = Map.groupBy(posts, (post) => keyOf(post, idHeaders))
  const webhooks = [...chains.values()].flatMap((attempts): SeenWebhook[] => {
    const [first, ...rest] = attempts
    if (first === undefined) return []
    const json = parsedJson(first.body)
    const texts = textsOf(first)
    const found = new Set(texts.flatMap((text) => ownerOf(byId.get(text) ?? [], texts, first.at)))
    const [order = null] = found
    const webhook: SeenWebhook = {
      order,
      attempts: [first, ...rest],
      json,
      jwt: jwtIn(json, first.headers),
    }
    for (const each of found) each.webhooks.push(webhook)
    return [webhook]
  })
  return webhooks.toSorted((a, b) => a.attempts[0].at - b.attempts[0].at)
}

/** The order that an id in a webhook means: the latest of those that it can mean. */
const ownerOf = (orders: readonly OrderDraft[], texts: readonly string[], at: number): OrderDraft[] =>
  ownersAmong(orders, texts, at)
    .toSorted((a, b) => begun(b) - begun(a))
    .slice(0, 1)

/** The orders that an id in a webhook can mean. Several accounts may have the same requestId: then the account in the
 *  webhook decides, or which order existed. A refused create call makes no order.
 *  @param orders those with the id
 *  @param texts all texts of the webhook */
export function ownersAmong<Order extends SeenOrder>(
  orders: readonly Order[],
  texts: readonly string[],
  at: number,
): Order[] {
  if (orders.length < 2) return [...orders]
  const accepted = orders.filter(({ created, orderIds }) => created !== null || orderIds.size > 0)
  const some = accepted.length > 0 ? accepted : [...orders]
  const named = some.filter(({ clientId }) => clientId !== null && texts.includes(clientId))
  const among = named.length > 0 ? named : some.filter((order) => begun(order) <= at + 1000)
  return among.length > 0 ? among : some
}

const begun = ({ created, creates }: SeenOrder): number => (created ?? creates[0])?.at ?? 0

/** Attempts of one webhook share its id, if a header has one; otherwise its body. */
function keyOf({ headers, body, source }: Exchange, idHeaders: readonly string[]): string {
  const id = idHeaders.map((name) => headers[name]).find((value) => value !== undefined)
  return id ?? body ?? `${source.file} ${source.place}`
}

/** Headers that have an id of the webhook: they are equal in equal bodies and differ in others. */
function idHeadersOf(posts: readonly Exchange[]): string[] {
  if (posts.some(({ headers }) => headers['webhook-id'] !== undefined)) return ['webhook-id']
  const names = [...new Set(posts.flatMap(({ headers }) => Object.keys(headers)))].filter((name) =>
    /(^|-)id$/.test(name),
  )
  return names.filter((name) => {
    const bodies = Map.groupBy(
      posts.filter(({ headers }) => headers[name] !== undefined),
      ({ headers }) => headers[name] ?? '',
    )
    const equalBodies = Map.groupBy(posts, ({ body }) => body)
    const repeated = [...equalBodies.values()].filter((group) => group.length > 1)
    // An id of an attempt, or a constant, would tear webhooks apart or melt them into one.
    return (
      bodies.size > 1 &&
      bodies.size > posts.length / 20 &&
      repeated.length > 0 &&
      repeated.every((group) => new Set(group.map(({ headers }) => headers[name])).size === 1)
    )
  })
}

const compact = /^[\w-]{2,}\.[\w-]{2,}\.[\w-]*$/

/** The JWT of a webhook; null without one. */
export function jwtIn(json: unknown, headers: Exchange['headers']): SeenJwt | null {
  const inBody = fieldsWithTokens(json, '')
  const inHeaders = Object.entries(headers).flatMap(([header, value]) => {
    const text = value.replace(/^Bearer /i, '')
    return compact.test(text) ? [{ place: { header }, text }] : []
  })
  for (const { place, text } of [...inBody, ...inHeaders]) {
    const [head, body] = text.split('.').map((part) => fieldsOf(parsedJson(decoded(part))))
    if (head !== undefined && body !== undefined && typeof head.alg === 'string')
      return { place, header: head, claims: body, text }
  }
  return null
}

function fieldsWithTokens(value: unknown, path: string): { place: { field: string }; text: string }[] {
  if (typeof value === 'string') return compact.test(value) ? [{ place: { field: path }, text: value }] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    fieldsWithTokens(each, path === '' ? name : `${path}.${name}`),
  )
}

const decoded = (part: string): string => Buffer.from(part, 'base64url').toString('utf8')
