import type { z } from 'zod'
import { effectWords } from '../../domain/order/effects.ts'
import { nextThing } from '../../domain/order/next-steps.ts'
import type { Order } from '../../domain/order/order.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import { json } from '../answer.ts'
import { nullIfGone } from '../clock-walk.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery, paging, searchIn } from '../input.ts'
import { pageAfter } from '../paging.ts'
import type { ControlParts } from '../parts.ts'
import { dueClock } from '../shapes/clocks.ts'
import { pageOf } from '../shapes/common.ts'
import { fits } from './clients.ts'

type NextDue = z.output<typeof dueClock>['next']
type Sources = Pick<ControlParts, 'store' | 'scheduler' | 'lifecycle' | 'clients'>

/** Number of pending deliveries of an order that are searched for the earliest. */
const fewDeliveries = 100

/** The next due event on a client's clock, or null.
 *  @throws client_unknown */
async function nextDueOf(clientId: string, parts: Sources): Promise<NextDue> {
  const dueAt = await parts.scheduler.nextDue(clientId)
  if (dueAt === null) return null
  const [order] = await parts.store.dueOrders(clientId, dueAt, 1)
  if (order !== undefined) return stepOf(order, dueAt, parts)
  return (
    (await deliveryOf(clientId, dueAt, parts)) ?? {
      ...{ dueAt, what: 'answer', words: 'an answer that is held back' },
      ...{ orderId: null, requestId: null, deliveryId: null },
    }
  )
}

async function stepOf(order: Order, dueAt: EpochMs, { lifecycle }: Sources): Promise<NextDue> {
  const { orderId, requestId } = order
  const scenario = await lifecycle.versions.readable(order)
  const next = scenario === null ? null : nextThing(order, scenario)
  const words = next?.what === 'step' ? effectWords(next.effects) : (next?.what ?? 'its next step')
  return { dueAt, what: 'step', words, orderId, requestId, deliveryId: null }
}

async function deliveryOf(clientId: string, dueAt: EpochMs, { store, clients }: Sources): Promise<NextDue> {
  const strict = clients.settingsOf(clientId)['webhook.order'] === 'strict'
  const [orderId] = await store.ordersWithDeliveriesDue(clientId, dueAt, undefined, { strict })
  if (orderId === undefined) return null
  const query = { clientId, orderId, status: 'pending', limit: fewDeliveries }
  const { items } = await store.listDeliveries(query)
  const first = items
    .filter((each) => each.dueAt !== null && each.dueAt <= dueAt)
    .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))[0]
  if (first === undefined) return null
  const { id, requestId, orderStatus, attempts } = first
  const words = `webhook ${orderStatus}${attempts.length > 0 ? `, attempt ${attempts.length + 1}` : ''}`
  return { dueAt, what: 'delivery', words, orderId, requestId, deliveryId: id }
}

export const clocksCalls = [
  controlCall({
    method: 'GET',
    path: '/clocks',
    name: 'listClocks',
    summary: 'List the clocks, each with its next due events',
    query: clientQuery.extend({ ...searchIn('clientId', 'webhookUrl'), ...paging }),
    body: noBody,
    answers: { 200: pageOf(dueClock) },
    errors: ['bad_cursor'],
    handle: async ({ query: { clientId, search, ...page } }, parts) => {
      const { clients, scheduler } = parts
      const listed = clientId === undefined ? clients.all() : [clients.get(clientId)]
      const found = listed.filter((client) => fits(client, search))
      const { items, next } = pageAfter(found, (client) => client.clientId, page)
      const clocks = await Promise.all(
        items.map(async ({ clientId: id }) => {
          const { mode, speed } = scheduler.clockState(id)
          const now = scheduler.now(id)
          return { clientId: id, mode, now, speed, next: await nextDueOf(id, parts).catch(nullIfGone) }
        }),
      )
      return json({ items: clocks, next })
    },
  }),
]
