import { expect } from 'vitest'
import type { Client } from '../../../src/domain/client.ts'
import type { Decision } from '../../../src/domain/decision.ts'
import type { ClaimedDelivery, Delivery, NewDelivery } from '../../../src/domain/delivery.ts'
import type { ErrorCode } from '../../../src/domain/errors.ts'
import type { HistoryEntry, Order } from '../../../src/domain/order.ts'
import type { GivenSnapshot } from '../../../src/store/snapshot.ts'
import type { Store } from '../../../src/store/store.ts'
import { aChange, aClient, aDecision, anOrder, shop } from '../factories.ts'

/** What a test starts with: a store in which the client `shop` exists. */
export interface Given {
  /** The store as it is at the moment; a new object after `reopen`. */
  readonly store: Store
  reopen(): Promise<Store>
}

/** Expects a refusal with a code of the errors table. */
export async function refused(doing: Promise<unknown>, code: ErrorCode): Promise<void> {
  await expect(doing).rejects.toMatchObject({ code })
}

/** Commits a new order and answers it. */
export async function committed(
  store: Store,
  members: Partial<Order> = {},
  more: Partial<Decision> = {},
): Promise<Order> {
  const order = anOrder(members)
  await store.commit(aDecision(order, more))
  return order
}

/** Brings deliveries into being, one after the other: events in commits of their orders, simulations alone. */
export async function deliver(store: Store, ...deliveries: readonly NewDelivery[]): Promise<void> {
  for (const delivery of deliveries) {
    if (delivery.sequence === 0) await store.addDelivery(delivery)
    else {
      const { orderId, requestId, clientId } = delivery
      const order = await store.findOrder(orderId)
      const more = { events: [delivery] }
      await store.commit(
        order ? aChange(order, {}, more) : aDecision(anOrder({ orderId, requestId, clientId }), more),
      )
    }
  }
}

/** Adds another client and answers it. */
export async function another(store: Store, members: Partial<Client> = {}): Promise<Client> {
  const client = aClient(members)
  await store.createClient(client)
  return client
}

/** Claims of the shop, by default everything up to 1000. */
export async function claim(
  store: Store,
  { now = 1_000, limit = 100, clientId = shop } = {},
): Promise<ClaimedDelivery[]> {
  const { claimed } = await store.claimDeliveries({
    clientId,
    until: now,
    now,
    wallNow: 5_000,
    url: 'http://receiver.test/hook',
    limit,
    holds: [],
  })
  return claimed
}

export const ids = (things: readonly { readonly id: string }[]): string[] => things.map(({ id }) => id)

/** A delivery that must be there. */
export async function stored(store: Store, id: string): Promise<Delivery> {
  const delivery = await store.findDelivery(id)
  if (!delivery) throw new Error(`${id} is not there`)
  return delivery
}

/** The history of one order; empty without any. */
export async function historyOf(store: Store, orderId: string): Promise<HistoryEntry[]> {
  return (await store.historiesOf([orderId])).get(orderId) ?? []
}

/** How many of the settled promises were kept. */
export function kept(results: readonly PromiseSettledResult<unknown>[]): number {
  return results.filter(({ status }) => status === 'fulfilled').length
}

/** A journal of so many entries, whosever they are. */
export const atMost = (all: number) => ({ all, each: 0 })

/** A snapshot as it comes back. */
export async function taken(store: Store, clientId?: string): Promise<GivenSnapshot> {
  const { schema, parts } = await store.snapshot(clientId)
  const tables: Record<string, { columns: readonly string[]; rows: unknown[] }> = {}
  for await (const { name, columns, rows } of parts) {
    tables[name] ??= { columns, rows: [] }
    tables[name].rows.push(...rows)
  }
  return { version: '1.2.3', schema, tables }
}
