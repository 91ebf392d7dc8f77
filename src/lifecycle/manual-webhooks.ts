import type { Client, Generation } from '../domain/client/client.ts'
import { simulationIds } from '../domain/order/ids.ts'
import type { Order } from '../domain/order/order.ts'
import { orderEventType } from '../domain/order/statuses.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { batchBody } from '../domain/webhook/batch.ts'
import type { DeliveryPlan, NewDelivery } from '../domain/webhook/delivery.ts'
import { orderEvent, orderType, payload } from '../domain/webhook/payload.ts'
import { ownHeaders, refundAbout, type WebhookEvent } from '../domain/webhook/payload-values.ts'
import { readEvents } from '../domain/webhook/read-events.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Clients } from './clients.ts'
import { sealedDelivery } from './sealed-body.ts'

/** Adds a simulated webhook to the outbox. It belongs to no order and changes none (R6, R7).
 *  @returns the delivery's id
 *  @throws world_ended */
export async function simulate(
  client: Client,
  event: WebhookEvent,
  context: { store: Store; scheduler: Scheduler; clients: Clients; seed: string },
): Promise<string> {
  const { store, scheduler, seed } = context
  const { clientId } = client
  for (;;) {
    const generation = context.clients.generationOf(clientId)
    const now = scheduler.now(clientId)
    const n = await store.countSimulations(clientId, event.requestId)
    const ids = simulationIds(seed, clientId, event.requestId, n + 1, now)
    const settings = context.clients.settingsOf(clientId)
    const about = { settings, webhookId: ids.webhookId, deliveryId: ids.id, keepsWords: true }
    const notice = { event, at: now }
    const plan = planWith(null, ownHeaders(notice, about))
    const bare = { ...simulated(event, ids, payload(notice, about), now), plan }
    const delivery = sealedDelivery(bare, settings, client)
    if (await added(store, delivery, generation)) {
      scheduler.wake(clientId)
      return ids.id
    }
    // Another simulation of this requestId took the number: take the next.
  }
}

function simulated(
  event: WebhookEvent,
  ids: { id: string; webhookId: string },
  body: string,
  now: EpochMs,
): NewDelivery {
  const { clientId, requestId, orderId, eventType, orderStatus, orderType } = event
  const fields = { clientId, requestId, orderId, eventType, orderStatus, orderType }
  return { ...ids, ...fields, sequence: 0, body, createdAt: now, dueAt: now, status: 'pending', plan: null }
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

/** Whether another delivery took the id of this one since it was made. The caller then retries. */
export const isTaken = (error: unknown): boolean =>
  error instanceof EmulatorError && error.code === 'delivery_exists'

/** A webhook event as a person writes it; missing fields come from the client's order of that requestId. */
export type StatedEvent = { readonly [Name in keyof WebhookEvent]?: string | undefined } & {
  readonly requestId: string
}

interface SigningContext {
  readonly store: Store
  readonly clients: Clients
  readonly scheduler: Scheduler
  readonly seed: string
  /** The faults of the delivery; null for none. */
  readonly plan: DeliveryPlan | null
}

/** Creates a delivery of an event in the client's payload format, outside the sequence of any order.
 *  @throws invalid_input if a field is neither given nor known from an order */
export async function eventDelivery(
  client: Client,
  stated: StatedEvent,
  context: SigningContext,
): Promise<NewDelivery> {
  const { event, order } = await completed(client, stated, context)
  const settings = context.clients.settingsOf(client.clientId)
  const bare = await outline(client, event, context)
  const notice = { event, at: bare.createdAt, refund: order && refundAbout(order, event.orderStatus) }
  const about = { settings, webhookId: bare.webhookId, deliveryId: bare.id, order }
  const plan = planWith(context.plan, ownHeaders(notice, about))
  const sealed = sealedDelivery({ ...bare, body: payload(notice, about), plan }, settings, client)
  if (settings['webhook.batch'] === null) return sealed
  const { webhookId, id: deliveryId, createdAt: at } = sealed
  return { ...sealed, body: batchBody([sealed.body], { webhookId, deliveryId, at }, settings) }
}

const planWith = (plan: DeliveryPlan | null, headers: DeliveryPlan['headers']): DeliveryPlan | null =>
  headers === undefined ? plan : { ...plan, headers }

/** Creates a delivery with any text as its body. If the settings of the client explain the text, the fields of its
 *  first event are on record too. */
export async function textDelivery(
  client: Client,
  body: string,
  context: SigningContext,
): Promise<NewDelivery> {
  const settings = context.clients.settingsOf(client.clientId)
  const [read = {}] = readEvents(body, settings)
  const { requestId = '', orderId = '', orderStatus = '', orderType = '', eventType = '' } = read
  const event = { requestId, orderId, orderStatus, orderType, eventType }
  const bare = await outline(client, event, context)
  const about = { settings, webhookId: bare.webhookId, deliveryId: bare.id }
  const notice = { event: { ...event, clientId: client.clientId }, at: bare.createdAt }
  return { ...bare, body, plan: planWith(context.plan, ownHeaders(notice, about)) }
}

async function outline(
  { clientId }: Client,
  { requestId, orderId, orderStatus, orderType: type, eventType }: Omit<WebhookEvent, 'clientId'>,
  { store, scheduler, seed }: SigningContext,
): Promise<NewDelivery> {
  const now = scheduler.now(clientId)
  const n = await store.countSimulations(clientId, requestId)
  return {
    ...simulationIds(seed, clientId, requestId, n + 1, now),
    clientId,
    requestId,
    orderId,
    orderStatus,
    orderType: type,
    eventType,
    sequence: 0,
    body: '',
    createdAt: now,
    dueAt: now,
    status: 'pending',
    plan: null,
  }
}

async function completed(
  client: Client,
  stated: StatedEvent,
  { store, clients }: SigningContext,
): Promise<{ event: WebhookEvent; order: Order | undefined }> {
  const { clientId } = client
  const order = (await store.ordersOf(clientId, stated.requestId)).at(-1)
  const known =
    order === undefined ? undefined : orderEvent(order, orderType(order.kind, clients.settingsOf(clientId)))
  const member = (name: 'orderId' | 'orderStatus' | 'orderType') => {
    const value = stated[name] ?? known?.[name]
    if (value !== undefined) return value
    const problems = `event.${name}: is missing, and no order of ${clientId} has the requestId "${stated.requestId}"`
    throw new EmulatorError('invalid_input', { problems })
  }
  const event = {
    requestId: stated.requestId,
    clientId: stated.clientId ?? clientId,
    orderId: member('orderId'),
    orderStatus: member('orderStatus'),
    orderType: member('orderType'),
    eventType: stated.eventType ?? orderEventType,
    errorCode: stated.errorCode ?? (stated.orderStatus === undefined ? known?.errorCode : undefined),
  }
  return { event, order }
}
