import type { Where } from '../../domain/text/where.ts'
import { listFields } from '../../store/list-fields.ts'
import type { ListQuery, Page } from '../../store/store.ts'
import { turns } from '../../time/timers.ts'
import type { WatchedKind } from './observation.ts'
import {
  type LookParts,
  type Observation,
  observedOrder,
  sightedDelivery,
  sightedRequest,
} from './observation.ts'

/** Number of items in memory at once; an order may have a megabyte of metadata. */
const pageLength = 20

/** Condition to search for: the kind of item, its fields and its client. */
export interface QueryResult {
  readonly kind: WatchedKind
  readonly where: Where
  readonly clientId: string | undefined
}

/** Reads items of a kind, newest first. */
export async function* newest(
  { kind, filters }: { kind: WatchedKind; filters: Filters },
  parts: LookParts,
  most = Infinity,
): AsyncGenerator<Observation> {
  let cursor: string | undefined
  const turn = turns()
  for (let looked = 0; looked < most; ) {
    const limit = Math.min(pageLength, most - looked)
    const query = { ...filters, cursor, limit, newestFirst: true }
    const { items, next } = await pageOf[kind](query, parts)
    for (const item of items) {
      yield item
      await turn()
    }
    if (next === null) return
    looked += items.length
    cursor = next
    await turn()
  }
}

export type Filters = Pick<ListQuery, 'clientId' | 'requestId' | 'orderId' | 'status' | 'operation' | 'where'>

const pageOf: Readonly<
  Record<WatchedKind, (query: ListQuery, parts: LookParts) => Promise<Page<Observation>>>
> = {
  order: async (query, parts) =>
    sighted(await parts.store.listOrders(query), (order) => observedOrder(order, parts)),
  delivery: async (query, { store }) => sighted(await store.listDeliveries(query), sightedDelivery),
  request: async (query, { journal }) => sighted(await journal.list(query), sightedRequest),
}

const sighted = <T>({ items, next }: Page<T>, see: (thing: T) => Observation): Page<Observation> => ({
  items: items.map(see),
  next,
})

/** Fields that the store filters by directly, with their names in its lists. */
const filterNames: Readonly<Record<WatchedKind, Readonly<Record<string, keyof Filters>>>> = {
  order: { clientId: 'clientId', requestId: 'requestId', orderId: 'orderId', orderStatus: 'status' },
  delivery: { clientId: 'clientId', requestId: 'requestId', orderId: 'orderId', status: 'status' },
  request: { clientId: 'clientId', requestId: 'requestId', status: 'status', operation: 'operation' },
}

const listed: Readonly<Record<WatchedKind, readonly string[]>> = {
  order: listFields.orders,
  delivery: listFields.deliveries,
  request: listFields.requests,
}

/** Returns the fields of a query that the store can filter by. Items that it finds must still be compared with the
 *  whole query. */
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
