import { createApp } from './app.js'
import { Checkout } from './checkout.js'
import { Orders } from './orders.js'
import { PaymentService } from './payment-service.js'
import { readSettings } from './settings.js'

const settings = readSettings(process.env)
const orders = new Orders()
const checkout = new Checkout(orders, new PaymentService(settings))

async function poll(round = 0) {
  await checkout.reconcile(round % 4 === 0)
  setTimeout(poll, settings.pollMs, round + 1)
}

createApp(orders, checkout, settings).listen(settings.port, '127.0.0.1', (error) => {
  if (error) throw error
  console.log(`The shop is open: http://127.0.0.1:${settings.port}`)
})
void poll()
