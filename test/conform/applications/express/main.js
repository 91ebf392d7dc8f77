import { createApp } from './app.js'
import { Checkout } from './checkout.js'
import { Journal } from './journal.js'
import { Orders } from './orders.js'
import { PaymentService } from './payment-service.js'
import { readSettings } from './settings.js'

const settings = readSettings(process.env)
const orders = new Orders(new Journal(settings.database))
const checkout = new Checkout(orders, new PaymentService(settings), settings)

async function poll() {
  await checkout.poll()
  setTimeout(poll, settings.pollMs)
}

createApp(orders, checkout, settings).listen(settings.port, '127.0.0.1', (error) => {
  if (error) throw error
  console.log(`The shop is open: http://127.0.0.1:${settings.port}`)
})
void poll()
