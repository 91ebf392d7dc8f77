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

/** The kinds of things that can be waited for. */
export const watchedKinds = ['order', 'delivery', 'request'] as const
export type WatchedKind = (typeof watchedKinds)[number]

/** The schemas of the results of a wait. */
export const shownAs = { order, delivery, request: journalEntry } satisfies Record<WatchedKind, z.ZodType>

/** Replaces `create-order`, which stands for both create calls, by a pattern: no other operation begins so. */
export function spelledOut<T extends object>(asked: T): T {
  return 'operation' in asked && asked.operation === 'create-order'
    ? { ...asked, operation: 'create-*' }
    : asked
}

/** The sources for reading things. */
export type LookParts = OrderSources & { readonly journal: Journal }

/** A thing at one time. */
export interface Observation {
  readonly kind: WatchedKind
  /** The fields that are known without reading more. */
  readonly known: Members
  /** Reads the thing as its GET shows it; null if it is gone. Called at once, it reads the thing in that turn, once,
   *  and caches it. */
  readonly whole: () => Promise<Resource | null>
}

/** A thing as its GET shows it. */
export interface Resource {
  readonly json: string
  readonly members: () => Members
}

/** The JSON of the thing if it matches, or null. */
export async function seen(where: Where, { known, whole }: Observation): Promise<string | null> {
  if (!mayFit(where, known)) return null
  const thing = await whole()
  return thing !== null && fits(where, thing.members()) ? thing.json : null
}

/** The things that an event of the feed is about. */
export function sightingsIn(event: FeedEvent, parts: LookParts): Observation[] {
  switch (event.type) {
    case 'order': {
      const { order, events } = event.decision
      // Skipped deliveries have an event of their own.
      const made = events.filter(({ status }) => status === 'pending')
      return [sightedOrder(order, parts), ...made.map((delivery) => storedDelivery(delivery, parts))]
    }
    case 'claimed':
      return event.deliveries.map((delivery) => storedDelivery(delivery, parts))
    case 'attempt': {
      // Copies of one delivery end on their own: only the store knows their combined status.
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

export function sightedOrder(order: Order, parts: LookParts): Observation {
  const { orderId, requestId, clientId, kind, charge, email, fiatAmount } = order
  const { orderStatus, paymentStatus, settlementStatus } = order
  const named = { orderId, requestId, clientId, kind, charge, email, fiatAmount }
  const known = { ...named, orderStatus, paymentStatus, settlementStatus }
  return sighting('order', known, () => presentOne(order, parts))
}

export function sightedDelivery(delivery: Delivery): Observation {
  return sighting('delivery', knownOf(delivery), async () => JSON.stringify(presentDelivery(delivery)))
}

export function sightedRequest(entry: JournalEntry): Observation {
  return sighting('request', { ...entry }, async () => JSON.stringify(entry))
}

/** A delivery of which only some fields are known. */
function storedDelivery(delivery: Partial<Delivery> & { id: string }, { store }: LookParts): Observation {
  return sighting('delivery', knownOf(delivery), async () => {
    const found = await store.findDelivery(delivery.id)
    return found === null ? null : JSON.stringify(presentDelivery(found))
  })
}

function knownOf(delivery: Partial<Delivery>): Members {
  const { id, webhookId, clientId, requestId, orderId, eventType, orderStatus, orderType, status } = delivery
  const known = { id, webhookId, clientId, requestId, orderId, eventType, orderStatus, orderType, status }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
}

function sighting(kind: WatchedKind, known: Members, read: () => Promise<string | null>): Observation {
  let whole: Promise<Resource | null> | undefined
  return {
    kind,
    known,
    whole: () => {
      whole ??= read().then((json) => (json === null ? null : wholeOf(json)))
      return whole
    },
  }
}

/** Parsed at most once, when fields are needed. */
function wholeOf(json: string): Resource {
  let members: Members | undefined
  return {
    json,
    members: () => {
      members ??= JSON.parse(json)
      return members ?? {}
    },
  }
}
