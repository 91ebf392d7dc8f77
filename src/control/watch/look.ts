import type { Where } from '../../domain/where.ts'
import { listMembers } from '../../store/list-members.ts'
import type { ListQuery, Page } from '../../store/store.ts'
import type { WatchedKind } from './kinds.ts'
import {
  type LookParts,
  type Sighting,
  seen,
  sightedDelivery,
  sightedOrder,
  sightedRequest,
} from './sighting.ts'

/** In the time that this many take, no request is served. */
const pageLength = 200
/** Of a great many that are like it the newest are looked at, and no more. */
const mostLookedAt = 10_000

/** What is looked for. */
export interface Looked {
  readonly kind: WatchedKind
  readonly where: Where
  readonly clientId: string | undefined
}

/** The newest thing that fits as things stand, as JSON; null if there is none.
 *  @param unwanted says that nobody wants to know any more */
export async function look(
  { kind, where, clientId }: Looked,
  parts: LookParts,
  unwanted: () => boolean,
): Promise<string | null> {
  const filters = { ...filtersOf(kind, where), ...(clientId === undefined ? {} : { clientId }) }
  for await (const sighting of newest({ kind, filters }, parts)) {
    const found = unwanted() ? null : await seen(where, sighting)
    if (found !== null || unwanted()) return found
  }
  return null
}

/** Things of a kind, newest first. */
export async function* newest(
  { kind, filters }: { kind: WatchedKind; filters: Filters },
  parts: LookParts,
  most = mostLookedAt,
): AsyncGenerator<Sighting> {
  let cursor: string | undefined
  for (let looked = 0; looked < most; looked += pageLength) {
    const limit = Math.min(pageLength, most - looked)
    const query = { ...filters, cursor, limit, newestFirst: true }
    const { items, next } = await pageOf[kind](query, parts)
    yield* items
    if (next === null) return
    cursor = next
    await new Promise((resolve) => setImmediate(resolve))
  }
}

type Filters = Pick<ListQuery, 'clientId' | 'requestId' | 'orderId' | 'status' | 'operation' | 'where'>

const pageOf: Readonly<Record<WatchedKind, (query: ListQuery, parts: LookParts) => Promise<Page<Sighting>>>> =
  {
    order: async (query, parts) =>
      sighted(await parts.store.listOrders(query), (order) => sightedOrder(order, parts)),
    delivery: async (query, { store }) => sighted(await store.listDeliveries(query), sightedDelivery),
    request: async (query, { journal }) => sighted(await journal.list(query), sightedRequest),
  }

const sighted = <T>({ items, next }: Page<T>, see: (thing: T) => Sighting): Page<Sighting> => ({
  items: items.map(see),
  next,
})

/** The members that the store has a quicker way to, and what its lists call them. */
const filterNames: Readonly<Record<WatchedKind, Readonly<Record<string, keyof Filters>>>> = {
  order: { clientId: 'clientId', requestId: 'requestId', orderId: 'orderId', orderStatus: 'status' },
  delivery: { clientId: 'clientId', requestId: 'requestId', orderId: 'orderId', status: 'status' },
  request: { clientId: 'clientId', requestId: 'requestId', status: 'status', operation: 'operation' },
}

const listed: Readonly<Record<WatchedKind, readonly string[]>> = {
  order: listMembers.orders,
  delivery: listMembers.deliveries,
  request: listMembers.requests,
}

/** The part of a `where` that the store's lists can ask for. What they answer may still not fit. */
export function filtersOf(kind: WatchedKind, where: Where): Filters {
  const filters: Record<string, string> = {}
  const rest: Record<string, string> = {}
  for (const [member, wanted] of Object.entries(where)) {
    if (typeof wanted !== 'string' && typeof wanted !== 'number') continue
    const text = String(wanted)
    const filter = Object.hasOwn(filterNames[kind], member) ? filterNames[kind][member] : undefined
    if (filter !== undefined && !text.endsWith('*')) filters[filter] = text
    else if (listed[kind].includes(member)) rest[member] = text
  }
  return { ...filters, where: rest }
}
