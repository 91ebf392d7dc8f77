import { isMapping } from '../../domain/text/objects.ts'
import type { Evidence, SeenJwt, SeenOrder, SeenWebhook } from '../evidence/evidence.ts'
import { textsIn } from '../evidence/parsed-json.ts'
import { fieldsOf } from '../evidence/read-call.ts'
import { jwtIn, ownersAmong } from '../evidence/seen-webhooks.ts'
import type { Source } from '../traffic/exchange.ts'
import { sameJson } from './leaves.ts'

/** An event that a webhook reports about a known order. */
export interface SeenEvent {
  readonly webhook: SeenWebhook
  readonly order: SeenOrder
  /** The record that it is about; null if no lookup shows it, or not which one. */
  readonly orderId: string | null
  /** The body, or the part of it that is this event; for a token, its claims without those of JWT itself. */
  readonly content: unknown
  /** The token of the webhook, or of the part of a list that is this event; null without one. */
  readonly jwt: SeenJwt | null
  readonly tokenPlace: TokenPlace | null
  /** The time of the first attempt by the clock of the service. */
  readonly at: number
  readonly source: Source
  /** The order and charge: events of one unit are not independent. */
  readonly unit: string
}

/** Where the token of webhooks is: the whole body, beside a body that has the same content, or inside of the body or
 *  of a header. */
export type TokenPlace = 'body' | 'beside' | 'inside'

/** The list in which bodies carry events.
 *
 *  - `none`: no body has a list of orders;
 *  - `single`: each has a list of one, which a template can have as well;
 *  - `several`: some have several events. */
export type ListKind = 'none' | 'single' | 'several'

/** A webhook whose body has a list of events. */
export interface SeenList {
  readonly webhook: SeenWebhook
  /** The name of the field with the list; null for a body that is the list. */
  readonly field: string | null
  readonly elements: readonly unknown[]
}

/** The events in all webhooks. */
export interface Events {
  readonly events: readonly SeenEvent[]
  readonly list: ListKind
  readonly lists: readonly SeenList[]
  /** Webhooks that were left out: simulated, refused by the application, not about a known order or without JSON. */
  readonly leftOut: readonly SeenWebhook[]
}

/** Reads the events of all webhooks. */
export function eventsIn(evidence: Evidence): Events {
  const simulated = simulations(evidence)
  const isRefusing = evidence.webhooks.filter(isRefused).length * 2 > evidence.webhooks.length
  const [used, leftOut] = parted(evidence.webhooks, (webhook) => {
    if (webhook.order === null || webhook.json === undefined || !isMapping(webhook.json)) {
      if (!Array.isArray(webhook.json)) return false
    }
    return !simulated(webhook) && (isRefusing || !isRefused(webhook))
  })
  const byId = ordersById(evidence)
  const lists = used.flatMap((webhook) => listIn(webhook, byId))
  const list = listKind(lists, used)
  const events = used.flatMap((webhook) => {
    const found = list === 'several' ? lists.find((each) => each.webhook === webhook) : undefined
    const parts =
      found === undefined
        ? [{ json: webhook.json, jwt: webhook.jwt }]
        : found.elements.map((json) => ({ json, jwt: jwtIn(json, {}) ?? headerToken(webhook) }))
    return parts.flatMap((part) => eventOf(part, webhook, byId, evidence))
  })
  return { events, list, lists, leftOut }
}

function parted<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

/** Whether the application refused a webhook as forged, in its first attempt. */
const isRefused = ({ attempts: [first] }: SeenWebhook): boolean =>
  first.status === 401 || first.status === 403 || first.status === 400

/** Finds the webhooks that simulations have sent: they have the words of their caller. */
function simulations({ calls }: Evidence): (webhook: SeenWebhook) => boolean {
  const asked = calls
    .filter(({ operation, status }) => operation === 'simulate-webhook' && status === 200)
    .map(({ at, input }) => ({ at, texts: textsIn(fieldsOf(input)).filter((text) => text !== '') }))
  return ({ attempts: [first], json, jwt }) => {
    const texts = new Set([...textsIn(json), ...textsIn(jwt?.claims)])
    return asked.some(
      ({ at, texts: wanted }) => first.at >= at - 1000 && wanted.every((text) => texts.has(text)),
    )
  }
}

type OrdersById = ReadonlyMap<string, readonly SeenOrder[]>

/** All orders by their ids. Accounts may share a requestId. */
function ordersById({ orders }: Evidence): OrdersById {
  const named = orders.flatMap((order) =>
    [...new Set([order.requestId, ...order.orderIds])].map((id) => ({ id, order })),
  )
  return new Map(
    [...Map.groupBy(named, ({ id }) => id)].map(([id, all]) => [id, all.map(({ order }) => order)]),
  )
}

/** Names that JWT itself gives to claims. */
const ownClaims = ['iat', 'exp', 'nbf', 'jti']

/** The claims of a token without those of JWT itself. */
export const claimsOf = (claims: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !ownClaims.includes(name)))

/** Where the token of a body is; null without one. */
function tokenPlace({ json, jwt }: Pick<SeenWebhook, 'json' | 'jwt'>): TokenPlace | null {
  if (jwt === null) return null
  if ('field' in jwt.place) return Object.keys(fieldsOf(json)).length === 1 ? 'body' : 'inside'
  return sameJson(claimsOf(jwt.claims), json) ? 'beside' : 'inside'
}

/** The list of events in a body: all that names orders is in it. */
function listIn(webhook: SeenWebhook, byId: OrdersById): SeenList[] {
  const { json, order } = webhook
  const email = String(order?.request.email ?? '')
  const isOfOrder = (text: string) =>
    (order !== null && text.includes(order.requestId)) ||
    (email !== '' && text.toLowerCase() === email.toLowerCase())
  const namesOrders = (value: unknown) =>
    textsIn(value).some((text) => byId.has(text) || isToken(text) || isOfOrder(text))
  const isList = (value: unknown): value is unknown[] =>
    Array.isArray(value) && value.length > 0 && value.every((each) => isMapping(each) && namesOrders(each))
  if (isList(json)) return [{ webhook, field: null, elements: json }]
  const [only, ...others] = Object.entries(fieldsOf(json)).filter(([, value]) => namesOrders(value))
  if (only === undefined || others.length > 0 || !isList(only[1])) return []
  return [{ webhook, field: only[0], elements: only[1] }]
}

const isToken = (text: string): boolean => /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text)

function listKind(lists: readonly SeenList[], used: readonly SeenWebhook[]): ListKind {
  if (lists.length === 0 || lists.length < used.length / 2) return 'none'
  return lists.some(({ elements }) => elements.length > 1) ? 'several' : 'single'
}

/** A token in a header belongs to all events of a webhook. */
const headerToken = ({ jwt }: SeenWebhook): SeenJwt | null =>
  jwt !== null && 'header' in jwt.place ? jwt : null

function eventOf(
  part: Pick<SeenWebhook, 'json' | 'jwt'>,
  webhook: SeenWebhook,
  byId: OrdersById,
  { serviceAhead }: Evidence,
): SeenEvent[] {
  const place = tokenPlace(part)
  const content = place === 'body' && part.jwt !== null ? claimsOf(part.jwt.claims) : part.json
  const texts = textsIn(content)
  const [first] = webhook.attempts
  const owners = texts.flatMap((text) => {
    const all = byId.get(text)
    return all === undefined ? [] : [ownersAmong(all, texts, first.at)]
  })
  const [order, ...others] = owners.find((all) => all.length === 1) ?? owners[0] ?? []
  const known = order ?? webhook.order
  // Orders of two accounts with one requestId, and nothing says which: the facts of the wrong one would mislead.
  if (known === null || others.length > 0) return []
  const named = texts.find((text) => known.orderIds.has(text))
  const [only] = known.orderIds
  // A subscription may have charges that no lookup shows.
  const isOnly = known.orderIds.size === 1 && !known.isSubscription
  const orderId = named ?? (isOnly ? (only ?? null) : null)
  return [
    {
      ...{ webhook, order: known, orderId, content, source: first.source },
      ...{ jwt: part.jwt, tokenPlace: place },
      at: first.at + serviceAhead(first.source),
      unit: orderId ?? known.requestId,
    },
  ]
}
