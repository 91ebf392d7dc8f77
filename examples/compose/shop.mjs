// A shop with two orders: one is paid, the other declined. Ends with 0 once webhooks that are genuine have told of both.

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const setting = (name) => process.env[`PAYMENT_ORDER_${name}`]
const hmac = (key, text) => createHmac('sha256', key).update(text).digest('base64')

const expected = new Map([
  [randomUUID(), { email: 'a@example.com', outcome: 'COMPLETED' }],
  // The part after the plus chooses the scenario.
  [randomUUID(), { email: 'a+short-of-money@example.com', outcome: 'FAILED' }],
])

createServer(async (request, response) => {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  response.writeHead(204).end()
  const { requestId, orderStatus } = JSON.parse(body)
  console.log(`${requestId} is ${orderStatus}`)
  if (expected.get(requestId)?.outcome === orderStatus) expected.delete(requestId)
  if (expected.size === 0) process.exit(0)
}).listen(3000)

setTimeout(() => {
  console.error('no webhook has reported', [...expected.keys()])
  process.exit(1)
}, 30_000)

for (const [requestId, { email }] of expected) await createOrder(requestId, email)

async function createOrder(requestId, email) {
  const fiatAmount = '10.00'
  const answer = await fetch(`${setting('BASE_URL')}/v1/client/checkout/create-order`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'access-token': setting('ACCESS_TOKEN'),
      signature: hmac(setting('API_SECRET'), `fiatAmount=${fiatAmount}&requestId=${requestId}`),
    },
    body: JSON.stringify({
      currencyId: 'usd_us',
      fiatAmount,
      email,
      requestId,
      clientId: setting('CLIENT_ID'),
    }),
  })
  if (!answer.ok) throw new Error(`create-order: ${answer.status} ${await answer.text()}`)
}

function isGenuine({ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given = '' }, body) {
  const key = Buffer.from(setting('WEBHOOK_SECRET').replace('whsec_', ''), 'base64')
  const right = Buffer.from(`v1,${hmac(key, `${id}.${time}.${body}`)}`)
  const recent = Math.abs(Date.now() / 1000 - Number(time)) < 300
  // While a secret rotates, there are several signatures.
  const each = given.split(' ').map((signature) => Buffer.from(signature))
  return recent && each.some((sent) => right.length === sent.length && timingSafeEqual(right, sent))
}
