import type { Client } from '../domain/client.ts'
import type { NewDelivery } from '../domain/delivery.ts'
import { EmulatorError } from '../domain/errors.ts'
import type { Generation } from '../domain/generation.ts'
import { simulationIds } from '../domain/ids.ts'
import { payload, type WebhookEvent } from '../domain/payload.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Clients } from './clients.ts'
import { sealed } from './sealing.ts'

/** Puts a simulated event into the outbox. It belongs to no order, so nothing of an order changes (R6, R7).
 *  @returns the delivery's id
 *  @throws world_ended */
export async function simulate(
  client: Client,
  event: WebhookEvent,
  around: { store: Store; scheduler: Scheduler; clients: Clients; seed: string },
): Promise<string> {
  const { store, scheduler, seed } = around
  const { clientId } = client
  for (;;) {
    const generation = around.clients.generationOf(clientId)
    const now = scheduler.now(clientId)
    const n = await store.countSimulations(clientId, event.requestId)
    const ids = simulationIds(seed, clientId, event.requestId, n + 1, now)
    const settings = around.clients.settingsOf(clientId)
    const plain = payload(event, { settings, webhookId: ids.webhookId, at: now })
    const body = await sealed(plain, settings, client.apiSecret)
    if (await added(store, simulated(event, ids, body, now), generation)) {
      scheduler.wake(clientId)
      return ids.id
    }
    // Another simulation under this requestId took the number in the meantime.
  }
}

function simulated(
  event: WebhookEvent,
  ids: { id: string; webhookId: string },
  body: string,
  now: EpochMs,
): NewDelivery {
  const { clientId, requestId, orderId, eventType, orderStatus, orderType } = event
  const told = { clientId, requestId, orderId, eventType, orderStatus, orderType }
  return { ...ids, ...told, sequence: 0, body, createdAt: now, dueAt: now, status: 'pending', plan: null }
}

async function added(store: Store, delivery: NewDelivery, generation: Generation): Promise<boolean> {
  try {
    await store.addDelivery(delivery, generation)
    return true
  } catch (error) {
    if (isTaken(error)) return false
    throw error
  }
}

/** Whether a delivery was refused only because another one has taken its id since it was made. Then it is made again. */
export const isTaken = (error: unknown): boolean =>
  error instanceof EmulatorError && error.code === 'delivery_exists'
