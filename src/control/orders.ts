import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { EmulatorError } from '../domain/errors.ts'
import type { Order } from '../domain/order.ts'
import { noQuery, readJson, readListQuery, readQuery } from './input.ts'
import type { ControlParts } from './parts.ts'
import { presentOrder } from './present-order.ts'

const payRequest = z
  .strictObject({
    outcome: z.enum(['completed', 'failed', 'abandoned']),
    errorCode: z.string().min(1).max(32).optional(),
  })
  .refine(({ outcome, errorCode }) => errorCode === undefined || outcome === 'failed', {
    path: ['errorCode'],
    message: 'goes with outcome "failed" only',
  })

/** `/orders`: list, read, and the payer's act. */
export function orderRoutes(parts: ControlParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const { items, next } = await parts.store.listOrders(readListQuery(c))
    const texts = await presentOrders(items, parts)
    return json(c, `{"items":[${texts.join(',')}],"next":${JSON.stringify(next)}}`)
  })
  app.get('/:orderId', async (c) => {
    readQuery(c, noQuery)
    const orderId = c.req.param('orderId')
    const order = await parts.store.findOrder(orderId)
    if (order === null) throw new EmulatorError('order_unknown', { orderId })
    return json(c, await presentOne(order, parts))
  })
  app.post('/:orderId/pay', async (c) => {
    const order = await parts.lifecycle.pay(c.req.param('orderId'), await readJson(c, payRequest))
    return json(c, await presentOne(order, parts))
  })
  return app
}

async function presentOne(order: Order, parts: ControlParts): Promise<string> {
  const [text = ''] = await presentOrders([order], parts)
  return text
}

async function presentOrders(
  orders: readonly Order[],
  { store, lifecycle }: ControlParts,
): Promise<string[]> {
  const ids = orders.map(({ orderId }) => orderId)
  const [histories, deliveries, scenarios] = await Promise.all([
    store.historiesOf(ids),
    store.deliveryIdsOf(ids),
    Promise.all(orders.map((order) => lifecycle.versions.of(order))),
  ])
  return orders.flatMap((order, index) => {
    const scenario = scenarios[index]
    if (scenario === undefined) return []
    const history = histories.get(order.orderId) ?? []
    return [presentOrder(order, { scenario, history, deliveryIds: deliveries.get(order.orderId) ?? [] })]
  })
}

const json = (c: Context, text: string) => c.body(text, 200, { 'content-type': 'application/json' })
