import { serve } from '@hono/node-server'
import { createApp } from './app.ts'
import { Checkout } from './checkout.ts'
import { Orders } from './orders.ts'
import { PaymentService } from './payment-service.ts'
import { readSettings } from './settings.ts'

const settings = readSettings(process.env)
const orders = new Orders(settings.database)
const checkout = new Checkout(orders, new PaymentService(settings), settings)

async function poll(): Promise<void> {
  await checkout.poll().catch(console.error)
  setTimeout(poll, settings.pollMs)
}

const { fetch } = createApp(orders, checkout, settings)
serve({ fetch, hostname: '127.0.0.1', port: settings.port }, ({ port }) =>
  console.log(`The shop is open: http://127.0.0.1:${port}`),
)
void poll()
