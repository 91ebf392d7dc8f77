// A whole order's life, driven by two clients that were generated from the emulator's OpenAPI documents: `service` for
// what an application calls, `control` for what a test may do. Ends with 1 if anything is not as it should be.

import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { client as controlClient } from './generated/control/client.gen.ts'
import * as control from './generated/control/index.ts'
import { client as serviceClient } from './generated/service/client.gen.ts'
import * as service from './generated/service/index.ts'

const baseUrl = process.env.PAYMENT_ORDER_BASE_URL ?? 'http://127.0.0.1:4600'
controlClient.setConfig({ baseUrl })

/** Makes a call throw what it is refused with, and its answer sure to be there. */
const sure = { throwOnError: true } as const

// Takes every webhook.
const receiver = createServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const address = receiver.address()
assert(address !== null && typeof address === 'object')
const webhookUrl = `http://127.0.0.1:${address.port}/webhooks`

// A client of one's own is a world of one's own. Its clock stands until it is moved.
const { data: shop } = await control.makeClient({
  body: { webhookUrl, clock: { mode: 'manual' }, defaultScenario: 'payer-decides' },
  ...sure,
})
const { clientId, apiSecret, accessToken } = shop
serviceClient.setConfig({ baseUrl, auth: accessToken })
const query = { clientId }

const requestId = randomUUID()
const order = { clientId, requestId, currencyId: 'usd_us', fiatAmount: '10.00', email: 'buyer@example.com' }
const sign = (text: string) => createHmac('sha256', apiSecret).update(text, 'utf8').digest('base64')

// A wrong signature is refused, and the journal says why.
const wrong = { signature: sign(`fiatAmount=10&requestId=${requestId}`) }
const refused = await service.createCheckoutOrder({ headers: wrong, body: order })
assert.equal(refused.response?.status, 401)
assert.deepEqual(refused.error, { error: 'Client verification failed' })
const { data: newest } = await control.listRequests({
  query: { ...query, limit: 1, order: 'newest' },
  ...sure,
})
assert.equal(newest.items[0]?.diagnosis?.cause, 'signature.amount-spelling')

// The right one makes an order, which waits for its payer.
const headers = { signature: sign(`fiatAmount=${order.fiatAmount}&requestId=${requestId}`) }
const { data: created } = await service.createCheckoutOrder({ headers, body: order, ...sure })
assert.equal(created.status, 'CREATED')
const { data: orders } = await control.listOrders({ query: { ...query, requestId }, ...sure })
const [made] = orders.items
assert(made?.waitsForPayer)
const { orderId } = made

// The payer pays, and ten minutes pass: the answer comes when all that was due has been done, webhooks included.
await control.payOrder({ path: { orderId }, query, body: { outcome: 'completed' }, ...sure })
const { data: ledger } = await control.advanceClock({ query, body: { by: '10m' }, ...sure })
const ofTheOrder = ledger.transitions.filter(({ what }) => what === 'order')
assert.deepEqual(
  ofTheOrder.map(({ from, to }) => [from, to]),
  [['CREATED', 'COMPLETED']],
)

// The application looks the order up, and its refund after a part was given back.
const { data: found } = await service.lookUpOrders({ query: { requestId, clientId }, ...sure })
assert.deepEqual(
  found.data.map((record) => [record.orderId, record.orderStatus]),
  [[orderId, 'COMPLETED']],
)
await control.refundOrder({ path: { orderId }, query, body: { fiatAmount: '4.00' }, ...sure })
const { data: refunds } = await service.lookUpRefunds({ query: { requestId, clientId }, ...sure })
assert.deepEqual(
  refunds.data.map((refund) => [refund.fiatAmount, refund.status]),
  [['4.00', 'REFUND_INITIATED']],
)

// Every webhook was delivered at once.
const { data: deliveries } = await control.listDeliveries({ query, ...sure })
assert.deepEqual(
  deliveries.items.map((delivery) => [delivery.orderStatus, delivery.status, delivery.attempts.length]),
  [
    ['CREATED', 'delivered', 1],
    ['COMPLETED', 'delivered', 1],
  ],
)

// The application has created one order, not two.
const where = { operation: 'create-order', status: 200 }
await control.verifyRequests({ query, body: { where, count: 1 }, ...sure })
const twice = await control.verifyRequests({ query, body: { where, count: 2 } })
assert.equal(twice.response?.status, 409)

await control.removeClient({ path: { clientId }, ...sure })
receiver.close()
console.log(`${requestId}: created, paid, completed, partly refunded`)
