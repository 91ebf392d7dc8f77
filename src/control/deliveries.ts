import { Hono } from 'hono'
import { z } from 'zod'
import { bodyOnTheWire, faultsAt } from '../domain/attempt-faults.ts'
import type { Client } from '../domain/client.ts'
import type { Delivery } from '../domain/delivery.ts'
import { EmulatorError } from '../domain/errors.ts'
import type { Where } from '../domain/where.ts'
import { clientQuery, noQuery, readJson, readListQuery, readQuery } from './input.ts'
import type { ControlParts } from './parts.ts'
import { sendDelivery, sendRequest } from './send-delivery.ts'

const text = z.string().min(1).max(200).optional()
const where = z.strictObject({
  id: text,
  requestId: text,
  orderId: text,
  orderStatus: text,
  orderType: text,
  eventType: text,
})
const holdRequest = z.strictObject({ where: where.default({}) })
const releaseRequest = z.strictObject({ where: where.optional() })

/** `/deliveries`: list and read, each with its attempts; send one by hand; hold, release, send again. */
export function deliveryRoutes(parts: ControlParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const { items, next } = await parts.store.listDeliveries(readListQuery(c))
    return c.json({ items: items.map(presentDelivery), next })
  })
  app.post('/', async (c) => {
    const request = await readJson(c, sendRequest, readQuery(c, clientQuery))
    return c.json(presentDelivery(await sendDelivery(request, parts)), 201)
  })
  app.post('/hold', async (c) => {
    const targets = targetsOf(readQuery(c, clientQuery).clientId, parts)
    const wanted = stated((await readJson(c, holdRequest)).where)
    const held = await sumOf(targets, (client) => hold(client, wanted, parts))
    return c.json({ clientIds: targets.map(({ clientId }) => clientId), where: wanted, held })
  })
  app.post('/release', async (c) => {
    const targets = targetsOf(readQuery(c, clientQuery).clientId, parts)
    const asked = (await readJson(c, releaseRequest)).where
    const wanted = asked === undefined ? undefined : stated(asked)
    const released = await sumOf(targets, (client) => release(client, wanted, parts))
    return c.json({ clientIds: targets.map(({ clientId }) => clientId), where: wanted ?? {}, released })
  })
  app.get('/:id', async (c) => {
    readQuery(c, noQuery)
    return c.json(presentDelivery(await found(c.req.param('id'), parts)))
  })
  app.post('/:id/resend', async (c) => {
    readQuery(c, noQuery)
    await readJson(c, z.strictObject({}))
    return c.json(presentDelivery(await resend(c.req.param('id'), parts)))
  })
  return app
}

/** Keeps the client's fitting deliveries back until a release: those that are due, and coming ones when they are.
 *  @returns how many are held already */
async function hold(
  { clientId }: Client,
  wanted: Where,
  { clients, store, scheduler, feed }: ControlParts,
): Promise<number> {
  await clients.hold(clientId, wanted)
  let held = 0
  for (;;) {
    // As they are now: a release in the meantime has let go what it found, and nothing would let go the rest.
    const holds = clients.find(clientId)?.holds ?? []
    const more = await store.holdDeliveries(clientId, scheduler.now(clientId), holds)
    if (more.length === 0) return held
    feed.tell({ type: 'deliveries', change: 'held', clientId, ids: more })
    held += more.length
  }
}

/** Ends a hold, or all of them, and lets go what fits of what was held. */
async function release(
  { clientId }: Client,
  wanted: Where | undefined,
  { clients, store, scheduler, feed }: ControlParts,
): Promise<number> {
  await clients.endHold(clientId, wanted)
  let sum = 0
  for (let after: number | undefined; ; ) {
    const now = scheduler.now(clientId)
    const { released, next } = await store.releaseDeliveries(clientId, wanted ?? {}, now, after)
    feed.tell({ type: 'deliveries', change: 'released', clientId, ids: released })
    scheduler.wake(clientId)
    sum += released.length
    if (next === null) return sum
    after = next
  }
}

async function resend(id: string, parts: ControlParts): Promise<Delivery> {
  const { clientId } = await found(id, parts)
  const { webhookUrl, webhookPaused } = parts.clients.get(clientId)
  if (webhookUrl === null) throw new EmulatorError('no_webhook_url', { clientId })
  if (webhookPaused) throw new EmulatorError('webhook_paused', { clientId })
  const delivery = await parts.store.resendDelivery(id, parts.scheduler.now(clientId))
  parts.feed.tell({ type: 'deliveries', change: 'resent', clientId, ids: [id] })
  parts.scheduler.wake(clientId)
  return delivery
}

async function found(id: string, { store }: ControlParts): Promise<Delivery> {
  const delivery = await store.findDelivery(id)
  if (delivery === null) throw new EmulatorError('delivery_unknown', { id })
  return delivery
}

const targetsOf = (clientId: string | undefined, { clients }: ControlParts): Client[] =>
  clientId === undefined ? clients.all() : [clients.get(clientId)]

/** A client that has been removed meanwhile counts for nothing: tests come and go. */
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

/** The members that were given. */
function stated(members: z.output<typeof where>): Where {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** A delivery as the control API shows it. `bodyText` is what goes over the wire, byte for byte; `body` the same,
 *  easier to read if it is JSON. */
function presentDelivery(delivery: Delivery): object {
  const { sequence: _, body, attempts, ...rest } = delivery
  const sent = attempts.map((attempt) => ({ ...attempt, ...sentInstead(delivery, attempt.n) }))
  return { ...rest, body: parsed(body), bodyText: body, attempts: sent }
}

/** What an attempt really sent of the body, where a fault has made something else of it. */
function sentInstead({ body, plan }: Delivery, attempt: number): { bodyText?: string } {
  const text = bodyOnTheWire(body, faultsAt(plan, attempt)).sent.toString()
  return text === body ? {} : { bodyText: text }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
