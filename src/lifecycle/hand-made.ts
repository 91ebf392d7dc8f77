import type { Client } from '../domain/client.ts'
import type { NewDelivery } from '../domain/delivery.ts'
import { EmulatorError } from '../domain/errors.ts'
import { simulationIds } from '../domain/ids.ts'
import { orderEventType } from '../domain/order-event-type.ts'
import { orderType } from '../domain/order-type.ts'
import { orderEvent, payload, type WebhookEvent } from '../domain/payload.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Clients } from './clients.ts'
import { sealed } from './sealing.ts'

/** An event as a person states it: what is missing is taken from the client's order of that requestId. */
export type StatedEvent = { readonly [Name in keyof WebhookEvent]?: string | undefined } & {
  readonly requestId: string
}

interface Around {
  readonly store: Store
  readonly clients: Clients
  readonly scheduler: Scheduler
  readonly seed: string
  /** What keys the token of a `jwt` body. */
  readonly apiSecret: string
}

/** A delivery that tells an event in the client's payload format, and belongs to no order's sequence.
 *  @throws invalid_input if a member is neither stated nor known from an order */
export async function eventDelivery(
  client: Client,
  stated: StatedEvent,
  around: Around,
): Promise<NewDelivery> {
  const event = await completed(client, stated, around)
  const settings = around.clients.settingsOf(client.clientId)
  const bare = await outline(client, event, around)
  const body = payload(event, { settings, webhookId: bare.webhookId, at: bare.createdAt })
  return { ...bare, body: await sealed(body, settings, around.apiSecret) }
}

/** A delivery of any text. What it says of an event, if it is an object that does, is on record with it. */
export async function textDelivery(client: Client, body: string, around: Around): Promise<NewDelivery> {
  const told = membersIn(body)
  const text = (name: string) => {
    const value = told[name]
    return typeof value === 'string' ? value : ''
  }
  const event = {
    requestId: text('requestId'),
    orderId: text('orderId'),
    orderStatus: text('orderStatus'),
    orderType: text('orderType'),
    eventType: text('eventType'),
  }
  return { ...(await outline(client, event, around)), body }
}

async function outline(
  { clientId }: Client,
  { requestId, orderId, orderStatus, orderType: type, eventType }: Omit<WebhookEvent, 'clientId'>,
  { store, scheduler, seed }: Around,
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
  { store, clients }: Around,
): Promise<WebhookEvent> {
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
  return {
    requestId: stated.requestId,
    clientId: stated.clientId ?? clientId,
    orderId: member('orderId'),
    orderStatus: member('orderStatus'),
    orderType: member('orderType'),
    eventType: stated.eventType ?? orderEventType,
    errorCode: stated.errorCode ?? (stated.orderStatus === undefined ? known?.errorCode : undefined),
  }
}

function membersIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
  } catch {
    return {}
  }
}
