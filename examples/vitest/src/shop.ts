import { Hono } from 'hono'
import { z } from 'zod'
import { type Account, NoClearAnswer, Payments } from './payments.ts'
import { Purchases } from './purchases.ts'
import { reconcile, settle } from './settle.ts'
import { webhooks } from './webhooks.ts'

/** The configuration of a shop. */
export interface ShopOptions {
  readonly account: Account
  readonly webhookSecret: string
  /** Where purchases are kept: a file, or `:memory:`. */
  readonly database: string
  /** How long the payment service may take for an answer, milliseconds. */
  readonly timeLimitMs: number
}

const prices = new Map([
  ['mug', '12.50'],
  ['poster', '30.00'],
])
const wish = z.object({ item: z.string(), email: z.email() })

/** A shop: its web API, and what it does every few minutes. */
export function createShop({ account, webhookSecret, database, timeLimitMs }: ShopOptions) {
  const purchases = new Purchases(database)
  const payments = new Payments(account, timeLimitMs)
  const app = new Hono()

  // The browser makes the id up, so that a second click, or a retry, is the same purchase.
  app.put('/purchases/:id', async (c) => {
    const read = wish.safeParse(await c.req.json())
    if (!read.success) return c.json({ error: z.prettifyError(read.error) }, 400)
    const { item, email } = read.data
    const amount = prices.get(item)
    if (amount === undefined) return c.json({ error: `There is no ${item}` }, 404)
    const requestId = c.req.param('id')
    // Kept first: a webhook may be faster than the answer.
    purchases.add({ id: requestId, item, email })
    const paymentToken = await payments.open({ requestId, amount, email })
    return c.json({ id: requestId, paymentToken })
  })

  app.get('/purchases/:id', (c) => {
    const purchase = purchases.find(c.req.param('id'))
    return purchase ? c.json(purchase) : c.json({ error: 'There is no such purchase' }, 404)
  })

  app.route(
    '/webhooks',
    webhooks(webhookSecret, (id) => settle(id, purchases, payments)),
  )

  app.onError((error, c) => {
    if (error instanceof NoClearAnswer) return c.json({ error: 'The payment service does not answer' }, 503)
    console.error(error)
    return c.json({ error: 'Something went wrong' }, 500)
  })

  return {
    app,
    reconcile: () => reconcile(purchases, payments),
    close: () => purchases.close(),
  }
}
