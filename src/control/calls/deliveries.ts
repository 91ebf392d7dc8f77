import * as z from 'zod'
import type { Client } from '../../domain/client/client.ts'
import { requestId } from '../../domain/order/ids.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { memberText } from '../../domain/text/json-text.ts'
import type { Where } from '../../domain/text/where.ts'
import type { Delivery } from '../../domain/webhook/delivery.ts'
import { listFields } from '../../store/list-fields.ts'
import type { ListQuery } from '../../store/store.ts'
import { json, jsonText } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery, isOf, listOf, listQuery, oneClientId, searchIn } from '../input.ts'
import { listPage } from '../paging.ts'
import type { ControlParts } from '../parts.ts'
import { presentDelivery } from '../presenters.ts'
import { sendDelivery, sendRequest } from '../send-delivery.ts'
import { pageOf } from '../shapes/common.ts'
import { held, released, resendRequest, resent, delivery as shown } from '../shapes/delivery.ts'
import { possible } from '../watch/where-problems.ts'

const text = z.string().min(1).max(200).optional()
const where = z.strictObject({
  id: text,
  requestId: requestId.optional(),
  orderId: text,
  orderStatus: text,
  orderType: text,
  eventType: text,
})
export const holdRequest = z
  .strictObject({ where: where.default({}) })
  .meta({ id: 'HoldRequest', example: { where: { orderStatus: 'COMPLETED' } } })

const releaseRequest = z
  .strictObject({ where: where.optional() })
  .meta({ id: 'ReleaseRequest', example: { where: { orderStatus: 'COMPLETED' } } })

export const deliveryCalls = [
  controlCall({
    method: 'GET',
    path: '/deliveries',
    name: 'listDeliveries',
    summary: 'List deliveries, each with its attempts',
    query: listQuery(listFields.deliveries)
      .extend(searchIn('requestId', 'orderId', 'id', 'webhookId'))
      .superRefine(possible('delivery')),
    body: noBody,
    answers: { 200: pageOf(shown) },
    errors: ['bad_cursor'],
    handle: async ({ query }, parts) => {
      const list = (part: ListQuery) => parts.store.listDeliveries(part)
      const present = async (items: readonly Delivery[]) =>
        (await presentAll(items, parts)).map((shown) => JSON.stringify(shown))
      return jsonText(await listPage(listOf(query), list, present))
    },
  }),
  controlCall({
    method: 'POST',
    path: '/deliveries',
    name: 'sendDelivery',
    summary: 'Send a webhook by hand, now',
    description:
      'Use it for handmade misbehaviour. The webhook bypasses the queue. The call answers after all copies have ended, and the delivery is recorded like any other.',
    query: clientQuery,
    body: sendRequest,
    answers: { 201: shown },
    errors: ['no_previous_secret', 'no_webhook_url', 'stopping'],
    handle: async ({ query, body, text }, parts) => {
      const clientId = oneClientId(body, query)
      const bodyText = typeof body.body === 'string' ? body.body : memberText(text, 'body')
      return json(presentDelivery(await sendDelivery({ ...body, clientId }, bodyText, parts)), 201)
    },
  }),
  controlCall({
    method: 'POST',
    path: '/deliveries/hold',
    name: 'holdDeliveries',
    summary: 'Hold deliveries back until a release',
    description: 'This includes deliveries that are due now, and those that become due later.',
    query: clientQuery,
    body: holdRequest,
    answers: { 200: held },
    handle: async ({ query, body }, parts) => {
      const targets = targetsOf(query.clientId, parts)
      const wanted = stated(body.where)
      const held = await sumOf(targets, (client) => hold(client, wanted, parts))
      return json({ clientIds: targets.map(({ clientId }) => clientId), where: wanted, held })
    },
  }),
  controlCall({
    method: 'POST',
    path: '/deliveries/release',
    name: 'releaseDeliveries',
    summary: 'End a hold and release its deliveries',
    description: 'With `where`, the hold with exactly this `where`; without it, all holds.',
    query: clientQuery,
    body: releaseRequest,
    answers: { 200: released },
    handle: async ({ query, body }, parts) => {
      const targets = targetsOf(query.clientId, parts)
      const wanted = body.where === undefined ? undefined : stated(body.where)
      const released = await sumOf(targets, (client) => release(client, wanted, parts))
      return json({ clientIds: targets.map(({ clientId }) => clientId), where: wanted ?? {}, released })
    },
  }),
  controlCall({
    method: 'POST',
    path: '/deliveries/resend',
    name: 'resendDeliveries',
    summary: 'Send several deliveries again, whatever their status',
    description:
      'Nothing is sent if one of them is unknown. A delivery that cannot be sent now is listed with the reason.',
    query: clientQuery,
    body: resendRequest,
    answers: { 200: resent },
    errors: ['delivery_unknown'],
    handle: async ({ query, body: { ids } }, parts) => {
      for (const id of ids) await found(id, query, parts)
      const items = []
      for (const id of ids) items.push(await resendOrSay(id, query, parts))
      return json({ items })
    },
  }),
  controlCall({
    method: 'GET',
    path: '/deliveries/{id}',
    name: 'getDelivery',
    summary: 'Read a delivery with its attempts',
    query: clientQuery,
    body: noBody,
    answers: { 200: shown },
    errors: ['delivery_unknown'],
    handle: async ({ param, query }, parts) => {
      const [shown] = await presentAll([await found(param('id'), query, parts)], parts)
      return json(shown)
    },
  }),
  controlCall({
    method: 'POST',
    path: '/deliveries/{id}/resend',
    name: 'resendDelivery',
    summary: 'Send a delivery again, whatever its status',
    query: clientQuery,
    body: noBody,
    answers: { 200: shown },
    errors: ['delivery_unknown', 'delivery_in_flight', 'no_webhook_url', 'webhook_paused'],
    handle: async ({ param, query }, parts) => json(presentDelivery(await resend(param('id'), query, parts))),
  }),
]

/** Converts deliveries, each with the older one that it waits for in strict order (N71), and with the text of its batch
 *  (N82). */
async function presentAll(
  deliveries: readonly Delivery[],
  { store, clients, scheduler }: ControlParts,
): Promise<object[]> {
  const pending = deliveries.filter(({ status }) => status === 'pending')
  const waits = new Map<string, string>()
  for (const [clientId, its] of Map.groupBy(pending, (each) => each.clientId)) {
    if (clients.settingsOf(clientId)['webhook.order'] !== 'strict') continue
    const ids = its.map(({ id }) => id)
    for (const [id, blocker] of await store.blockersOf(ids, scheduler.now(clientId))) waits.set(id, blocker)
  }
  const batches = new Set(deliveries.flatMap(({ batch }) => batch?.id ?? []))
  const together = batches.size === 0 ? [] : await store.deliveriesOfBatches([...batches])
  const ofBatch = Map.groupBy(together, ({ batch }) => batch?.id)
  return deliveries.map((delivery) => {
    const { id, clientId, batch } = delivery
    const others = batch && ofBatch.get(batch.id)
    const settings = clients.settingsOf(clientId)
    const shown = presentDelivery(delivery, others && { deliveries: others, settings })
    const waitsFor = waits.get(id)
    return waitsFor === undefined ? shown : { ...shown, waitsFor }
  })
}

/** Holds a client's matching deliveries back until a release, both due and future ones.
 *  @returns the number of due deliveries that are now on hold */
async function hold(client: Client, wanted: Where, parts: ControlParts): Promise<number> {
  await takeTurn(client, parts)
  await parts.clients.hold(client.clientId, wanted)
  return holdWhatIsDue(client, parts)
}

/** Holds what the scheduler's next turn would hold, so that what a call counts does not depend on that turn. A paused URL
 *  has no turns. */
async function takeTurn(client: Client, parts: ControlParts): Promise<void> {
  if (!client.webhookPaused) await holdWhatIsDue(client, parts)
}

/** Holds the due deliveries that match a hold of the client.
 *  @returns their number */
async function holdWhatIsDue(
  { clientId }: Client,
  { clients, store, scheduler, feed }: ControlParts,
): Promise<number> {
  let held = 0
  for (;;) {
    // The holds are read again in each round: after a concurrent release, nothing would release the deliveries held
    // here.
    const holds = clients.find(clientId)?.holds ?? []
    const more = await clients.worlds.decide(() => {
      const generation = clients.generationOf(clientId)
      return store.holdDeliveries({ clientId, generation, until: scheduler.now(clientId), holds })
    })
    if (more.length === 0) return held
    feed.emit({ type: 'deliveries', change: 'held', clientId, ids: more })
    held += more.length
  }
}

/** Ends one hold or all holds of a client, and releases the matching deliveries. */
async function release(client: Client, wanted: Where | undefined, parts: ControlParts): Promise<number> {
  const { clientId } = client
  const { clients, store, scheduler, feed } = parts
  await takeTurn(client, parts)
  await clients.endHold(clientId, wanted)
  let sum = 0
  for (let after: number | undefined; ; ) {
    const now = scheduler.now(clientId)
    const { released, next } = await store.releaseDeliveries(clientId, wanted ?? {}, now, after)
    feed.emit({ type: 'deliveries', change: 'released', clientId, ids: released })
    scheduler.wake(clientId)
    sum += released.length
    if (next === null) return sum
    after = next
  }
}

interface OfClient {
  readonly clientId?: string | undefined
}

async function resend(id: string, query: OfClient, parts: ControlParts): Promise<Delivery> {
  const { clientId } = await found(id, query, parts)
  const { webhookUrl, webhookPaused } = parts.clients.get(clientId)
  if (webhookUrl === null) throw new EmulatorError('no_webhook_url', { clientId })
  if (webhookPaused) throw new EmulatorError('webhook_paused', { clientId })
  const delivery = await parts.store.resendDelivery(id, parts.scheduler.now(clientId))
  parts.feed.emit({ type: 'deliveries', change: 'resent', clientId, ids: [id] })
  parts.scheduler.wake(clientId)
  return delivery
}

/** Sends a delivery again, or returns why it cannot be sent now. */
async function resendOrSay(id: string, query: OfClient, parts: ControlParts) {
  try {
    await resend(id, query, parts)
    return { id, error: null }
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error
    return { id, error: { code: error.code, message: error.message } }
  }
}

/** @throws delivery_unknown, also for a delivery of another client */
async function found(id: string, query: OfClient, { store }: ControlParts): Promise<Delivery> {
  const delivery = await store.findDelivery(id)
  if (delivery === null || !isOf(delivery, query)) throw new EmulatorError('delivery_unknown', { id })
  return delivery
}

const targetsOf = (clientId: string | undefined, { clients }: ControlParts): Client[] =>
  clientId === undefined ? clients.all() : [clients.get(clientId)]

/** Sums counts over clients. A client deleted during the call counts as zero, because tests come and go. */
async function sumOf(
  targets: readonly Client[],
  count: (client: Client) => Promise<number>,
): Promise<number> {
  const noneIfGone = (error: unknown) => {
    if (error instanceof EmulatorError && error.code === 'client_unknown') return 0
    throw error
  }
  const counts = await Promise.all(targets.map((client) => count(client).catch(noneIfGone)))
  return counts.reduce((sum, each) => sum + each, 0)
}

function stated(members: z.output<typeof where>): Where {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
