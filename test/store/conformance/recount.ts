import { expect } from 'vitest'
import type { ListQuery, Page, Store } from '../../../src/store/store.ts'
import { pages } from './given.ts'

/** Requires that an open store counts what its lists hold. */
export async function countsAreThoseOfTheLists(store: Store): Promise<void> {
  const isOpen = await store.clients().then(
    () => true,
    () => false,
  )
  if (!isOpen) return
  expect(await store.counts()).toEqual({
    orders: await counted(store.listOrders, ({ orderStatus }) => orderStatus),
    deliveries: await counted(store.listDeliveries, ({ status }) => status),
  })
}

async function counted<T extends { readonly clientId: string }>(
  list: (query: ListQuery) => Promise<Page<T>>,
  statusOf: (thing: T) => string,
): Promise<Map<string, Record<string, number>>> {
  const counts = new Map<string, Record<string, number>>()
  const all = await pages((cursor) => list({ limit: 200, ...(cursor !== undefined && { cursor }) }))
  for (const thing of all.flat()) {
    const ofClient = counts.get(thing.clientId) ?? {}
    ofClient[statusOf(thing)] = (ofClient[statusOf(thing)] ?? 0) + 1
    counts.set(thing.clientId, ofClient)
  }
  return counts
}
