import { expect } from 'vitest'
import type { Client, Generation } from '../../../src/domain/client/client.ts'
import type { Decision } from '../../../src/domain/order/decision.ts'
import type { HistoryEntry, Order } from '../../../src/domain/order/order.ts'
import type { ErrorCode } from '../../../src/domain/text/errors.ts'
import type {
  AttemptResult,
  ClaimedDelivery,
  Delivery,
  NewDelivery,
} from '../../../src/domain/webhook/delivery.ts'
import type {
  AttemptEnd,
  Claimed,
  DeliveryClaim,
  DueDeliveries,
  Page,
  Store,
  StoredClient,
} from '../../../src/store/store.ts'
import { aChange, aClient, aDecision, anOrder, aResult, shop } from '../factories.ts'

/** The start of a test: a new store with the seed `seed` and the client `shop`. */
export interface Given {
  /** The store as it is at the moment; a new object after `reopen`. */
  readonly store: Store
  /** Another store, which has begun with the seed `other` and is empty. */
  another(): Promise<Store>
  /** Closes the store, opens it again, and begins with the seed `later`. */
  reopen(): Promise<Store>
}

/** Expects a refusal with a code of the errors table. */
export async function refused(doing: Promise<unknown>, code: ErrorCode): Promise<void> {
  await expect(doing).rejects.toMatchObject({ code })
}

/** A client that must be there. */
export async function clientIn(store: Store, clientId = shop): Promise<StoredClient> {
  const found = (await store.clients()).find(({ client }) => client.clientId === clientId)
  if (found === undefined) throw new Error(`${clientId} is not there`)
  return found
}

export const generationOf = async (store: Store, clientId = shop): Promise<Generation> =>
  (await clientIn(store, clientId)).generation

/** Commits a decision that was made in the world of now. */
export async function commit(store: Store, decision: Decision): Promise<void> {
  await store.commit(decision, await generationOf(store, decision.order.clientId))
}

/** Commits a new order and answers it. */
export async function committed(
  store: Store,
  members: Partial<Order> = {},
  more: Partial<Decision> = {},
): Promise<Order> {
  const order = anOrder(members)
  await commit(store, aDecision(order, more))
  return order
}

/** Brings deliveries into being, one after the other: events in commits of their orders, simulations alone. */
export async function deliver(store: Store, ...deliveries: readonly NewDelivery[]): Promise<void> {
  for (const delivery of deliveries) {
    const { orderId, requestId, clientId } = delivery
    if (delivery.sequence === 0) await store.addDelivery(delivery, await generationOf(store, clientId))
    else {
      const order = await store.findOrder(orderId)
      const more = { events: [delivery] }
      await commit(
        store,
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

/** Due objects of the shop at 1000, under its present generation. */
export async function due<T extends object>(store: Store, members: T): Promise<DueDeliveries & T> {
  const asked = { clientId: shop, until: 1_000, ...members }
  return { ...asked, generation: await generationOf(store, asked.clientId) }
}

/** Claims of the shop, by default everything up to 1000. */
export async function claimed(store: Store, members: Partial<DeliveryClaim> = {}): Promise<Claimed> {
  const { until = 1_000, now = until, wallNow = 5_000, url = 'http://receiver.test/hook' } = members
  const { limit = 100, holds = [] } = members
  return store.claimDeliveries(await due(store, { ...members, until, now, wallNow, url, limit, holds }))
}

/** Claims deliveries, and returns only the claimed ones. */
export async function claim(
  store: Store,
  { now = 1_000, ...members }: Partial<DeliveryClaim> = {},
): Promise<ClaimedDelivery[]> {
  return (await claimed(store, { until: now, now, ...members })).claimed
}

/** The end of an attempt that was claimed in the world of now. */
export async function endOf(
  store: Store,
  deliveryId: string,
  attempt = 1,
  result: AttemptResult = aResult(),
  clientId = shop,
): Promise<AttemptEnd> {
  return { deliveryId, clientId, attempt, result, generation: await generationOf(store, clientId) }
}

/** Finishes an attempt of the shop. */
export const finish = async (...end: Parameters<typeof endOf>): Promise<boolean> =>
  end[0].finishAttempt(await endOf(...end))

/** Answers the create call of an order of the shop. */
export const release = async (store: Store, orderId: string, now: number): Promise<void> =>
  store.releaseAnswer({ orderId, clientId: shop }, now, await generationOf(store))

export const ids = (things: readonly { readonly id: string }[]): string[] => things.map(({ id }) => id)

/** A delivery that must be there. */
export async function stored(store: Store, id: string): Promise<Delivery> {
  const delivery = await store.findDelivery(id)
  if (!delivery) throw new Error(`${id} is not there`)
  return delivery
}

/** The history of one order; empty without any. */
export async function historyOf(store: Store, orderId: string): Promise<readonly HistoryEntry[]> {
  return (await store.pastsOf([orderId])).get(orderId)?.history ?? []
}

/** All pages of a list, one after the other. */
export async function pages<T>(list: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[][]> {
  const seen: T[][] = []
  let cursor: string | undefined
  do {
    const { items, next } = await list(cursor)
    seen.push(items)
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return seen
}

/** How many of the settled promises were kept. */
export function kept(results: readonly PromiseSettledResult<unknown>[]): number {
  return results.filter(({ status }) => status === 'fulfilled').length
}

/** A request log of so many entries, whosever they are. */
export const atMost = (all: number) => ({ all, each: 0 })
