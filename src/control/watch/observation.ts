import type { z } from 'zod'
import type { JournalEntry } from '../../domain/journal/entry.ts'
import type { Order } from '../../domain/order/order.ts'
import { fits, type Members, mayFit, type Where } from '../../domain/text/where.ts'
import type { Delivery } from '../../domain/webhook/delivery.ts'
import type { FeedEvent } from '../../journal/feed.ts'
import type { Journal } from '../../journal/journal.ts'
import { type OrderSources, presentDelivery, presentOne } from '../presenters.ts'
import { delivery } from '../shapes/delivery.ts'
import { order } from '../shapes/order.ts'
import { journalEntry } from '../shapes/request.ts'

/** The kinds of items that a `wait` call can wait for. */
export const watchedKinds = ['order', 'delivery', 'request'] as const
export type WatchedKind = (typeof watchedKinds)[number]

/** The schemas of the items that a `wait` call returns, by kind. */
export const shownAs = { order, delivery, request: journalEntry } satisfies Record<WatchedKind, z.ZodType>

/** Replaces the operation `create-order`, which stands for both create calls, with the pattern `create-*`. */
export function spelledOut<T extends object>(asked: T): T {
  return 'operation' in asked && asked.operation === 'create-order'
    ? { ...asked, operation: 'create-*' }
    : asked
}

export type LookParts = OrderSources & { readonly journal: Journal }

/** An item at the time of an event, read in full only on demand. */
export interface Observation {
  readonly kind: WatchedKind
  /** The fields of the item that are known without reading the store. */
  readonly known: Members
  /** Reads the complete item as its GET shows it, at the first call only; null if the item no longer exists. Call
   *  this function at once to get the current state. */
  readonly read: () => Promise<Resource | null>
}

/** A complete item, in the form that its GET call shows. */
export interface Resource {
  readonly json: string
  readonly members: () => Members
}

/** Returns the JSON of the item if it matches the query, else null. */
export async function seen(where: Where, { known, read }: Observation): Promise<string | null> {
  if (!mayFit(where, known)) return null
  const thing = await read()
  return thing !== null && fits(where, thing.members()) ? thing.json : null
}

/** Lists the orders, deliveries and requests that an event of the feed reports. */
export function observationsIn(event: FeedEvent, parts: LookParts): Observation[] {
  switch (event.type) {
    case 'order': {
      const { order, events } = event.decision
      // Deliveries that are skipped at once have an event of their own.
      const made = events.filter(({ status }) => status === 'pending')
      return [observedOrder(order, parts), ...made.map((delivery) => storedDelivery(delivery, parts))]
    }
    case 'claimed':
      return event.deliveries.map((delivery) => storedDelivery(delivery, parts))
    case 'attempt': {
      // Copies of a delivery end their attempts separately, so only the store knows the overall status.
      const { status: _, ...delivery } = event.delivery
      return [storedDelivery(delivery, parts)]
    }
    case 'skipped':
      return [storedDelivery({ ...event.delivery, status: 'skipped' }, parts)]
    case 'deliveries':
      return event.ids.map((id) => storedDelivery({ id, clientId: event.clientId }, parts))
    case 'request':
      return [sightedRequest(event.entry)]
    default:
      return []
  }
}

export function observedOrder(order: Order, parts: LookParts): Observation {
  const { orderId, requestId, clientId, kind, charge, email, fiatAmount } = order
  const { orderStatus, paymentStatus, settlementStatus } = order
  const named = { orderId, requestId, clientId, kind, charge, email, fiatAmount }
  const known = { ...named, orderStatus, paymentStatus, settlementStatus }
  return observation('order', known, () => presentOne(order, parts))
}

export function sightedDelivery(delivery: Delivery): Observation {
  return observation('delivery', knownOf(delivery), async () => JSON.stringify(presentDelivery(delivery)))
}

export function sightedRequest(entry: JournalEntry): Observation {
  return observation('request', { ...entry }, async () => JSON.stringify(entry))
}

/** Observes a delivery of which only some fields are known. */
function storedDelivery(delivery: Partial<Delivery> & { id: string }, { store }: LookParts): Observation {
  return observation('delivery', knownOf(delivery), async () => {
    const found = await store.findDelivery(delivery.id)
    return found === null ? null : JSON.stringify(presentDelivery(found))
  })
}

function knownOf(delivery: Partial<Delivery>): Members {
  const { id, webhookId, clientId, requestId, orderId, eventType, orderStatus, orderType, status } = delivery
  const known = { id, webhookId, clientId, requestId, orderId, eventType, orderStatus, orderType, status }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
}

function observation(kind: WatchedKind, known: Members, readJson: () => Promise<string | null>): Observation {
  let reading: Promise<Resource | null> | undefined
  return {
    kind,
    known,
    read: () => {
      reading ??= readJson().then((json) => (json === null ? null : resourceOf(json)))
      return reading
    },
  }
}

/** Parses the JSON once, when its fields are first needed. */
function resourceOf(json: string): Resource {
  let members: Members | undefined
  return {
    json,
    members: () => {
      members ??= JSON.parse(json)
      return members ?? {}
    },
  }
}
