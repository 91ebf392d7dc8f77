import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { EmulatorError } from '../domain/errors.ts'
import type { Order } from '../domain/order.ts'
import { clientQuery, noQuery, readJson, readListQuery, readQuery } from './input.ts'
import { makeOrder, makeOrderRequest } from './make-order.ts'
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

const refundRequest = z
  .strictObject({
    fiatAmount: z
      .string({ error: 'must be an amount in quotes, like "3.50"' })
      .regex(/^\d{1,30}(\.\d{1,2})?$/, 'must be an amount with at most two decimals, like "3.50"')
      .refine((amount) => /[1-9]/.test(amount), 'must be greater than zero'),
    outcome: z.enum(['initiated', 'failed']).default('initiated'),
    errorCode: z.string().min(1).max(32).optional(),
  })
  .refine(({ outcome, errorCode }) => errorCode === undefined || outcome === 'failed', {
    path: ['errorCode'],
    message: 'goes with outcome "failed" only',
  })

/** `/orders`: list, make, read; the payer's act and refunds. */
export function orderRoutes(parts: ControlParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const { items, next } = await parts.store.listOrders(readListQuery(c))
    const texts = await presentOrders(items, parts)
    return json(c, `{"items":[${texts.join(',')}],"next":${JSON.stringify(next)}}`)
  })
  app.post('/', async (c) => {
    const { clientId } = readQuery(c, clientQuery)
    const wanted = await readJson(c, makeOrderRequest, clientId === undefined ? {} : { clientId })
    return json(c, await presentOne(await makeOrder(wanted, parts), parts), 201)
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
  app.post('/:orderId/refunds', async (c) => {
    const order = await parts.lifecycle.refund(c.req.param('orderId'), await readJson(c, refundRequest))
    return json(c, await presentOne(order, parts), 201)
  })
  return app
}

/** An order as its one presentation. */
export async function presentOne(order: Order, parts: ControlParts): Promise<string> {
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

/** Answers JSON text. */
export const json = (c: Context, text: string, status: 200 | 201 = 200) =>
  c.body(text, status, { 'content-type': 'application/json' })
