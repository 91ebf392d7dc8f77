import { checkoutString, subscriptionString } from '../../../src/domain/webhook/signature.ts'
import { checkoutPath } from './application.ts'
import { hookUrl, type Stage } from './ordinary-traffic.ts'
import { newOrder } from './stories.ts'

/** What somebody gets wrong who writes the application: each mistake twice. */
export async function beginnersMistakes(stage: Stage): Promise<void> {
  for (let time = 0; time < 2; time++) {
    await fields(stage)
    await signatures(stage)
    await paths(stage)
    await lookups(stage)
    await stage.advance('5m')
    await bursts(stage)
    await stage.advance('5m')
  }
}

/** Fields that are missing, wrong, null, or unknown to the account. */
async function fields(stage: Stage): Promise<void> {
  const { app, advance } = stage
  const wrong = [
    { email: undefined },
    { currencyId: undefined },
    { fiatAmount: '10,00' },
    { fiatAmount: '1.234' },
    { fiatAmount: 12 },
    { phoneNumber: '0171 5551234' },
    { firstName: 'x'.repeat(51) },
    { callbackUrl: 'shop' },
    { email: undefined, phoneNumber: 'none' },
    { userMessage: null },
    { lastName: null },
    { mode: 'returnAppUrl', targetApp: 'INVALID_APP' },
    { mode: 'returnAppUrl', targetApp: 'com.unknown.wallet' },
    { currencyId: 'xau_ch' },
    { currencyId: 'gbp_uk' },
  ]
  for (const field of wrong) {
    await app.create(newOrder(stage, field))
    await advance('1s')
  }
  const order = newOrder(stage)
  await app.create(order)
  await advance('3s')
  await app.create(order)
}

/** Texts to sign: both documented ones, one of another kind of order, and a wrong one. */
async function signatures(stage: Stage): Promise<void> {
  const { app, advance } = stage
  for (const form of ['short', 'with-currency'] as const) {
    await app.create(newOrder(stage), { form })
    await advance('1s')
  }
  await app.create(newOrder(stage), { text: 'fiatAmount=1.00' })
  const asSubscription = { ...newOrder(stage), interval: 'MONTHLY', trialPeriodDays: '300' }
  await app.create(asSubscription, { text: subscriptionString(asSubscription) })
  const asCheckout = { ...newOrder(stage), interval: 'MONTHLY', trialPeriodDays: '300' }
  await app.create(asCheckout, { text: checkoutString(asCheckout, app.form()) })
  await advance('10s')
}

/** Paths, methods and types that are not served, and both paths of the webhook URL. */
async function paths(stage: Stage): Promise<void> {
  const { app, advance } = stage
  await app.setUrl(hookUrl)
  await app.setUrl(hookUrl, '/v1/client/fiat/webhook-url')
  await app.setUrl('not a url')
  await app.raw('GET', '/v1/client/order?requestId=1')
  await app.raw('POST', '/v1/client/checkouts', { body: '{}' })
  await app.raw('GET', checkoutPath)
  await app.raw('POST', checkoutPath, { body: 'fiatAmount=1', headers: { 'content-type': 'text/plain' } })
  await app.raw('POST', checkoutPath, { body: '{"fiatAmount": ' })
  await advance('1s')
}

async function lookups(stage: Stage): Promise<void> {
  const { app, requestId, advance } = stage
  await app.raw('GET', '/v1/client/orders?requestId=')
  await app.raw('GET', `/v1/client/fiat-refunds?requestId=${requestId()}`)
  await app.lookUp('orders', requestId())
  await app.lookUp('orders', requestId(), 'no-token')
  const { clientId } = app.client
  const order = { requestId: requestId(), clientId, orderId: 'order-1', orderType: 'CHECKOUT' }
  const event = { orderStatus: 'COMPLETED', eventType: 'service-sdk-transaction-status' }
  await app.raw('POST', '/v1/client/simulate-webhook', { body: JSON.stringify({ ...order, ...event }) })
  await app.raw('POST', '/v1/client/simulate-webhook', { body: JSON.stringify(order) })
  await advance('1s')
}

/** A loop without a pause: lookups, then create calls. */
async function bursts(stage: Stage): Promise<void> {
  const { app, advance } = stage
  const order = newOrder(stage)
  await app.create(order)
  await advance('2m')
  await app.lookUp('orders', order.requestId)
  const query = new URLSearchParams({ requestId: order.requestId, clientId: app.client.clientId })
  for (let call = 0; call < 22; call++)
    await app.raw('GET', `/v1/client/orders?${query}`, { isPatient: false })
  const again = JSON.stringify({ ...order, clientId: app.client.clientId })
  const headers = { signature: app.client.sign(checkoutString(order, app.form())) }
  for (let call = 0; call < 14; call++)
    await app.raw('POST', checkoutPath, { body: again, headers, isPatient: false })
}
