import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { readSettingsFile } from '../../src/domain/choices/read-settings.ts'
import type { TestClient, WebhookInbox } from '../../src/index.ts'
import { emulatorUnder, hmac, Shop } from '../match/support.ts'
import { checkout } from '../testing/support/inbox.ts'

const files = globSync('docs/settings/*.yaml')

test.each(files)('%s has no problem', (file) => {
  expect(readSettingsFile(readFileSync(file, 'utf8'), basename(file))).toHaveProperty('overlay')
})

const emulators = {
  'norvelle-pay': emulatorUnder('docs/settings/norvelle-pay.yaml'),
  tillbrook: emulatorUnder('docs/settings/tillbrook.yaml'),
}

/** A client of an emulator that follows a provider's file, and its inbox. */
async function under(provider: keyof typeof emulators) {
  const emulator = emulators[provider]()
  const { client, inbox } = await Shop.at(emulator)
  return { emulator, client, inbox, secret: client.webhookSecret }
}

/** The webhook of an order about a status, found in the emulator's own words. */
async function told(inbox: WebhookInbox, client: TestClient, orderStatus: string, requestId: string) {
  const webhook = await inbox.next({ requestId, orderStatus })
  expect(webhook.signature).toBe('ok')
  expect(webhook.event.clientId).toBe(client.clientId)
  return webhook
}

test('Norvelle Pay: an order is paid and refunded in its words', async () => {
  const { client, inbox, secret } = await under('norvelle-pay')
  const metadata = { cart: 'A-77' }
  const { requestId } = await client.createCheckoutOrder({ ...checkout, fiatAmount: '10', metadata })
  const order = await client.orders.get(requestId)
  await client.clock.advance('10s')
  const { text, headers, webhookId } = await told(inbox, client, 'COMPLETED', requestId)
  const [, t, v1] = /^t=(\d+),v1=([\da-f]{64})$/.exec(headers['norvelle-signature'] ?? '') ?? []
  expect(v1).toBe(hmac(`${t}.${text}`, secret))
  expect(headers).toMatchObject({ 'norvelle-event-id': webhookId, 'norvelle-attempt': '1' })
  const inData = {
    id: order.orderId,
    requestId,
    clientId: client.clientId,
    status: 'paid',
    amount: '10.00',
    currency: order.currencyId,
    metadata,
  }
  expect(JSON.parse(text)).toEqual({
    id: webhookId,
    type: 'order.paid',
    created: expect.any(Number),
    data: { order: inData },
  })
  expect(order.orderId).toMatch(/^PO-\d{8}-\d{6}$/)

  await client.orders.refund(requestId, { fiatAmount: '4.00', outcome: 'initiated' })
  const refund = await told(inbox, client, 'REFUND_INITIATED', requestId)
  expect(JSON.parse(refund.text)).toMatchObject({
    type: 'refund.created',
    data: { refund: { status: 'pending', amount: '4.00' }, order: { status: 'paid' } },
  })
})

test('Norvelle Pay: a failure says why, and is retried by its table', async () => {
  const { client, inbox } = await under('norvelle-pay')
  await client.scenarios.next('fail-9004')
  inbox.answer({ status: 503, headers: { 'retry-after': '9999' } })
  const { requestId } = await client.createCheckoutOrder(checkout)
  await client.clock.advance('10s')
  await client.clock.advance('10m')
  const deliveries = await client.deliveries.list({ requestId })
  const failed = deliveries.find(({ orderStatus }) => orderStatus === 'FAILED')
  expect(failed?.bodyText).toContain('"type":"order.failed"')
  expect(failed?.bodyText).toContain('"failure":{"code":"9004"')
  const created = deliveries.find(({ orderStatus }) => orderStatus === 'CREATED')
  const gaps = (created?.attempts ?? []).map(({ at }, n, all) => at - (all[n - 1]?.at ?? at))
  expect(gaps.slice(0, 2)).toEqual([0, 60_000])
})

test('Norvelle Pay: tokens come by a form, and only the latest is valid', async () => {
  const { emulator, client } = await under('norvelle-pay')
  const ask = (secret: string) =>
    emulator.fetch(`${emulator.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.clientId,
        client_secret: secret,
      }).toString(),
    })
  const answer = z.object({ access_token: z.string() }).loose()
  const first = answer.parse(await (await ask(client.apiSecret)).json())
  expect(first).toEqual({
    access_token: expect.any(String),
    token_type: 'bearer',
    expires_in: 1800,
    scope: 'orders webhooks',
  })
  const second = answer.parse(await (await ask(client.apiSecret)).json())
  const lookUp = (token: string) =>
    emulator.fetch(`${emulator.url}/v1/client/orders?requestId=r1&clientId=${client.clientId}`, {
      headers: { 'access-token': token },
    })
  expect((await lookUp(second.access_token)).status).toBe(200)
  const ended = await lookUp(first.access_token)
  expect([ended.status, await ended.json()]).toEqual([401, { error: 'Client verification failed' }])
  expect(ended.headers.get('x-ratelimit-limit')).toBe(null)
  const refused = await ask('wrong')
  expect([refused.status, await refused.json()]).toEqual([
    401,
    { error: 'invalid_client', error_description: expect.any(String) },
  ])
})

test('Tillbrook: webhooks, answers and errors in its words', async () => {
  const { emulator, client, inbox, secret } = await under('tillbrook')
  const created = await client.createCheckoutOrder({
    ...checkout,
    mode: 'returnUrl',
    callbackUrl: 'https://shop.test/',
  })
  const { requestId } = created
  await client.orders.pay(requestId)
  await client.clock.advance('1m')
  const { text, headers } = await told(inbox, client, 'COMPLETED', requestId)
  expect(headers['x-tillbrook-signature']).toBe(`sha256=${hmac(text, secret)}`)
  expect(JSON.parse(text)).toEqual({
    topic: 'ORDER_SETTLED',
    at: expect.stringMatching(/\+01:00$/),
    order: {
      reference: requestId,
      number: expect.stringMatching(/^900\d{9}$/),
      state: 'SETTLED',
      money: { value: '10.00', currency: expect.any(String) },
    },
  })
  const bad = await emulator.fetch(`${emulator.url}/v1/client/checkout/create-order`, {
    method: 'POST',
    headers: { 'access-token': client.accessToken, 'content-type': 'application/json' },
    body: JSON.stringify({ clientId: client.clientId, fiatAmount: 'ten' }),
  })
  expect(bad.status).toBe(422)
  expect(await bad.json()).toMatchObject({
    problems: expect.arrayContaining([{ path: '/fiatAmount', text: expect.any(String) }]),
  })
  expect(bad.headers.get('ratelimit-limit')).toBe('30')
})
