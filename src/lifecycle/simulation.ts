import type { Client } from '../domain/client.ts'
import type { NewDelivery } from '../domain/delivery.ts'
import { simulationIds } from '../domain/ids.ts'
import { flatPayload, type WebhookEvent } from '../domain/payload.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'

/** Puts a simulated event into the outbox. It belongs to no order, so nothing of an order changes (R6, R7). */
export async function simulate(
  client: Client,
  event: WebhookEvent,
  around: { store: Store; scheduler: Scheduler; seed: string },
): Promise<NewDelivery> {
  const { store, scheduler, seed } = around
  const now = scheduler.now(client.clientId)
  const n = await store.countSimulations(client.clientId, event.requestId)
  const delivery: NewDelivery = {
    ...simulationIds(seed, client.clientId, event.requestId, n + 1, now),
    clientId: client.clientId,
    requestId: event.requestId,
    orderId: event.orderId,
    sequence: 0,
    eventType: event.eventType,
    orderStatus: event.orderStatus,
    orderType: event.orderType,
    body: flatPayload(event),
    createdAt: now,
    dueAt: now,
    status: 'pending',
  }
  await store.addDelivery(delivery)
  scheduler.wake(client.clientId)
  return delivery
}
