import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import type { Checkout } from './checkout.ts'
import { NoClearAnswer } from './http.ts'
import type { NewOrder, Orders } from './orders.ts'
import type { Settings } from './settings.ts'
import { webhooks } from './webhooks.ts'

const wish = z.object({
  amount: z.string().regex(/^\d+(\.\d{1,2})?$/),
  email: z.string().includes('@'),
  note: z.string().default(''),
  cart: z.string().default(''),
})
const returned = z.looseObject({ requestId: z.string() })
const clock = z.object({ now: z.coerce.number() })

/** The shop's web API: for its customers, for the payment service, and for whoever runs it. */
export function createApp(orders: Orders, checkout: Checkout, { clientId, webhookSecret }: Settings): Hono {
  const app = new Hono()
  const begin = async (c: Context, kind: NewOrder['kind']) => {
    const read = wish.safeParse(await c.req.json().catch(() => undefined))
    if (!read.success) return c.json({ error: z.prettifyError(read.error) }, 400)
    const order = orders.find(await checkout.begin({ ...read.data, kind }))
    return c.json({ requestId: order?.requestId, token: order?.token, status: order?.status }, 201)
  }
  app.post('/orders', (c) => begin(c, 'checkout'))
  app.post('/subscriptions', (c) => begin(c, 'subscription'))
  app.get('/orders/:requestId', (c) => {
    const requestId = c.req.param('requestId')
    const status = orders.find(requestId)?.status
    if (status === undefined) return c.json({ error: 'There is no such order' }, 404)
    return c.json({
      requestId,
      status,
      parcels: orders.parcels(requestId),
      refunds: orders.refunds(requestId),
    })
  })
  app.post('/orders/:requestId/cancel', async (c) => {
    const requestId = c.req.param('requestId')
    if (orders.find(requestId) === undefined) return c.json({ error: 'There is no such order' }, 404)
    try {
      await checkout.cancel(requestId)
      return c.json({ requestId, status: orders.find(requestId)?.status })
    } catch (error) {
      if (!(error instanceof NoClearAnswer)) throw error
      return c.json({ error: 'The order cannot be looked up now; try again' }, 503)
    }
  })
  app.route('/webhooks', webhooks(clientId, webhookSecret, checkout))
  app.get('/return', async (c) => {
    const requestId = requestIdIn(c.req.query('data') ?? '')
    // Anybody can write `data`: it says which order to look up, never what has become of it.
    await checkout.settle(requestId).catch((error) => console.error(`Order ${requestId}: ${error}`))
    const status = orders.find(requestId)?.status ?? 'unknown'
    return c.html(html`<!doctype html><title>Your order</title><p>Your order ${requestId} is ${status}.</p>`)
  })
  app.post('/reconcile', async (c) => {
    await checkout.reconcile()
    return c.body(null, 204)
  })
  app.post('/clock', async (c) => {
    checkout.setClock(clock.parse(await c.req.json()).now)
    return c.body(null, 204)
  })
  app.onError((error, c) => {
    console.error(error)
    return c.json({ error: 'Something went wrong' }, 500)
  })
  return app
}

function requestIdIn(data: string): string {
  try {
    return returned.parse(JSON.parse(Buffer.from(data, 'base64url').toString('utf8'))).requestId
  } catch {
    return ''
  }
}
