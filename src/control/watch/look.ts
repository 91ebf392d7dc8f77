import type { Where } from '../../domain/where.ts'
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

type Filters = Partial<Pick<ListQuery, 'clientId' | 'requestId' | 'orderId' | 'status' | 'operation'>>

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

/** What the store's lists can ask for, by the members of each kind. */
const filterNames: Readonly<Record<WatchedKind, Readonly<Record<string, keyof Filters>>>> = {
  order: { clientId: 'clientId', requestId: 'requestId', orderId: 'orderId', orderStatus: 'status' },
  delivery: { clientId: 'clientId', requestId: 'requestId', orderId: 'orderId', status: 'status' },
  request: { clientId: 'clientId', requestId: 'requestId', status: 'status', operation: 'operation' },
}

/** The part of a `where` that the store's lists can ask for: they know whole texts only. */
export function filtersOf(kind: WatchedKind, where: Where): Filters {
  return Object.fromEntries(
    Object.entries(filterNames[kind]).flatMap(([member, filter]) => {
      const wanted = Object.hasOwn(where, member) ? where[member] : undefined
      if (typeof wanted === 'number') return [[filter, String(wanted)]]
      return typeof wanted === 'string' && !wanted.endsWith('*') ? [[filter, wanted]] : []
    }),
  )
}
