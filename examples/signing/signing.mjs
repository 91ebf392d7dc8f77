// Signs and creates a checkout order and a subscription, looks an order up, and receives a webhook whose signature it
// verifies. Node 20 or newer, no dependencies. Ends with 1 if anything is not as it should be.
// usage: node signing.mjs [requestId]

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const baseUrl = setting('PAYMENT_ORDER_BASE_URL')
const clientId = setting('PAYMENT_ORDER_CLIENT_ID')
const apiSecret = setting('PAYMENT_ORDER_API_SECRET')
const accessToken = setting('PAYMENT_ORDER_ACCESS_TOKEN')
const webhookSecret = setting('PAYMENT_ORDER_WEBHOOK_SECRET')

/** HMAC-SHA256 of the UTF-8 text in base64: not hex, not base64url, and with its padding. */
const sign = (text) => createHmac('sha256', apiSecret).update(text, 'utf8').digest('base64')

// The values as they stand in the body, not percent-encoded, not trimmed. The service's document prints a second form,
// which begins with `currencyId=...&`; ask which one your account takes.
const checkoutText = ({ fiatAmount, requestId }) => `fiatAmount=${fiatAmount}&requestId=${requestId}`

/** The order of the members is fixed, and an empty `trialPeriodDays` is left out. */
function subscriptionText({ currencyId, fiatAmount, requestId, interval, trialPeriodDays }) {
  const text = `currencyId=${currencyId}&fiatAmount=${fiatAmount}&requestId=${requestId}&interval=${interval}`
  return trialPeriodDays ? `${text}&trialPeriodDays=${trialPeriodDays}` : text
}

/** Why a webhook is not to be believed; null if it is genuine. These headers are those of Standard Webhooks, and an
 *  addition of the emulator: the service's document shows no way to verify a webhook (choice N38).
 *  @param body the very bytes that came: parsed and written anew, the same JSON would have other bytes */
function refusal(headers, body) {
  const id = headers['webhook-id'] // Node gives header names in small letters
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature']
  if (!id || !timestamp || !signatures) return 'a header is missing'
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300))
    return 'the timestamp differs by more than five minutes'
  const key = Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64') // the key is what follows whsec_, decoded
  const expected = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  // While a secret is being replaced there are several signatures, with a space between them.
  const genuine = signatures.split(' ').some((signature) => sameText(signature, expected))
  return genuine ? null : 'the signature is wrong'
}

/** Takes as long wherever the two differ: `===` would tell a forger how many characters are right. */
function sameText(given, expected) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A receiver on a free port. `webhook` settles with the first webhook about the requestId. */
async function receiver(requestId) {
  const server = createServer()
  const webhook = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no webhook came within 10 seconds')), 10_000).unref()
    server.on('request', async (request, response) => {
      const body = Buffer.concat(await request.toArray())
      const reason = refusal(request.headers, body)
      response.writeHead(reason === null ? 204 : 401).end()
      if (reason !== null) return reject(new Error(`webhook refused: ${reason}`))
      // The same webhook may come again: remember the `webhook-id` of what you have worked through.
      const event = JSON.parse(body.toString('utf8'))
      if (event.requestId === requestId) resolve(event)
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}/webhooks`, webhook, close: () => server.close() }
}

async function call(path, headers = {}, body = undefined) {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'access-token': accessToken, ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${text}`)
  return JSON.parse(text)
}

async function ordersAndLookup(requestId, webhookUrl) {
  await call('/v1/client/webhook-url', { 'client-id': clientId }, { webhookUrl })

  // Amounts are texts: the number 10.00 would become 10 in the body, which is another text than the one signed.
  const checkout = {
    clientId,
    requestId,
    currencyId: 'usd_us',
    fiatAmount: '10.00',
    email: 'buyer@example.com',
  }
  const signature = sign(checkoutText(checkout))
  const { status } = await call('/v1/client/checkout/create-order', { signature }, checkout)
  console.log(`checkout ${requestId}: ${status}`)

  const monthly = {
    ...checkout,
    requestId: `${requestId}-monthly`,
    interval: 'MONTHLY',
    trialPeriodDays: '7',
  }
  const signed = { signature: sign(subscriptionText(monthly)) }
  const created = await call('/v1/client/subscription/create-order', signed, monthly)
  console.log(`subscription ${monthly.requestId}: ${created.status}`)

  // In a query the values are encoded (`+` would arrive as a space), in the signed text they never are.
  const { data } = await call(`/v1/client/orders?${new URLSearchParams({ requestId, clientId })}`)
  if (data.length !== 1 || data[0].requestId !== requestId) throw new Error(`found ${JSON.stringify(data)}`)
  console.log(`lookup ${requestId}: ${data[0].orderStatus}`)
}

function setting(name) {
  const value = process.env[name]
  if (value) return value
  console.error(`${name} is not set`)
  process.exit(1)
}

const requestId = process.argv[2] ?? randomUUID() // globally unique, and kept with your order
const { url, webhook, close } = await receiver(requestId)
try {
  const [event] = await Promise.all([webhook, ordersAndLookup(requestId, url)])
  console.log(`webhook ${event.requestId}: ${event.orderStatus}`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
close()
