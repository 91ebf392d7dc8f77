import type { Client } from '../domain/client.ts'
import type { NewDelivery } from '../domain/delivery.ts'
import { EmulatorError } from '../domain/errors.ts'
import { simulationIds } from '../domain/ids.ts'
import type { LifeSpan } from '../domain/life-span.ts'
import { payload, type WebhookEvent } from '../domain/payload.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Clients } from './clients.ts'
import { sealed } from './sealing.ts'

/** Puts a simulated event into the outbox. It belongs to no order, so nothing of an order changes (R6, R7).
 *  @returns the delivery's id */
export async function simulate(
  client: Client,
  event: WebhookEvent,
  around: { store: Store; scheduler: Scheduler; clients: Clients; seed: string },
): Promise<string> {
  const { store, scheduler, seed } = around
  const { clientId } = client
  for (;;) {
    const life = around.clients.lifeOf(clientId)
    const now = scheduler.now(clientId)
    const n = await store.countSimulations(clientId, event.requestId)
    const ids = simulationIds(seed, clientId, event.requestId, n + 1, now)
    const settings = around.clients.settingsOf(clientId)
    const plain = payload(event, { settings, webhookId: ids.webhookId, at: now })
    const body = await sealed(plain, settings, client.apiSecret)
    if (await added(store, simulated(event, ids, body, now), life)) {
      scheduler.wake(clientId)
      return ids.id
    }
    // Another simulation under this requestId took the number in the meantime, or this is another world.
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

async function added(store: Store, delivery: NewDelivery, life: LifeSpan): Promise<boolean> {
  try {
    await store.addDelivery(delivery, life)
    return true
  } catch (error) {
    if (cameTooLate(error)) return false
    throw error
  }
}

const codes: readonly string[] = ['delivery_exists', 'world_ended']

/** Whether a delivery was refused only for what has happened since it was made: another one took its id, or its world
 *  has ended. Then it is made again. */
export const cameTooLate = (error: unknown): boolean =>
  error instanceof EmulatorError && codes.includes(error.code)
