import { expect, onTestFinished, test } from 'vitest'
import { type SettingChanges, startEmulator } from '../../src/index.ts'

const checkout = {
  fiatAmount: '10.50',
  currencyId: 'usd_us',
  email: 'ann@example.com',
  metadata: { cart: 7 },
} as const

/** An emulator with settings, a client and its inbox. */
async function start(settings: SettingChanges, scenario = 'happy') {
  const emulator = await startEmulator({ listen: false, clock: 'manual', settings })
  onTestFinished(() => emulator.close())
  const client = await emulator.createClient({ defaultScenario: scenario })
  const inbox = await emulator.webhookInbox(client)
  return { emulator, client, inbox }
}

/** The bodies and headers of the webhooks that an order of a scenario sends within an hour. */
async function sent(settings: SettingChanges, scenario = 'happy') {
  const { client, inbox } = await start(settings, scenario)
  const { requestId } = await client.createCheckoutOrder(checkout)
  await client.clock.advance('1h')
  await client.clock.settle()
  const [order] = await client.orders.list({ requestId })
  if (order === undefined) throw new Error('there is no order')
  return { client, inbox, order, webhooks: inbox.webhooks, requestId }
}

const templated = (template: unknown, more: object = {}) => ({
  webhook: { format: 'template', template, ...more },
})

test('a template can name the values of its order, and what has no value is left out', async () => {
  const { webhooks, order, requestId } = await sent(
    templated({
      data: {
        amount: '${fiatAmount:minor}',
        currency: '${currencyId:upper}',
        payer: { email: '${email}', user: '${userId}' },
        method: '${selectedPaymentMethod}',
        chain: { hash: '${txnHash}' },
        refund: { id: '${refundId}', amount: '${refundAmount}' },
        metadata: '${metadata}',
        created: '${createdTime:seconds}',
      },
      id: '${deliveryId}',
      n: '${sequence}',
      ref: 'shop-${requestId}',
    }),
  )
  const data = {
    amount: 1050,
    currency: 'USD_US',
    payer: { email: 'ann@example.com' },
    method: 'ALL',
    metadata: { cart: 7 },
    created: Math.floor(order.createdAt / 1000),
  }
  const [created, completed] = webhooks
  expect(created?.body).toEqual({ data, id: order.deliveries[0], n: 1, ref: `shop-${requestId}` })
  expect(completed?.body).toMatchObject({ data: { ...data, chain: { hash: order.txnHash } }, n: 2 })
})

test('each attempt has its number in body and headers, and no text shows anything else', async () => {
  const { client, inbox } = await start({
    ...templated(
      { attempt: '${attempt}', text: 'no. ${attempt:2}', id: '${requestId}' },
      { headers: { 'X-Attempt': '${attempt}' } },
    ),
  })
  inbox.answerOnce(500, 500)
  const { requestId } = await client.createCheckoutOrder(checkout)
  await client.clock.advance('3s')
  await client.clock.settle()
  const all = await inbox.waitFor({ requestId, orderStatus: '' }, { count: 3 })
  expect(all.map(({ body, headers }) => [body, headers['x-attempt']])).toEqual(
    [1, 2, 3].map((n) => [{ attempt: n, text: `no. 0${n}`, id: requestId }, String(n)]),
  )
  expect(all.map(({ signature }) => signature)).toEqual(['ok', 'ok', 'ok'])
  const [delivery] = await client.deliveries.list({ requestId })
  expect(delivery?.body).toMatchObject({ attempt: 3 })
  expect(delivery?.attempts.map(({ bodyText }) => bodyText && JSON.parse(bodyText).attempt)).toEqual([
    1,
    2,
    undefined,
  ])
  expect(JSON.stringify(delivery)).not.toMatch(/[\u{E000}\u{E001}]|\\ue00/u)
})

test('headers have the values of their webhook; one without a value is left out', async () => {
  const { webhooks } = await sent(
    { webhook: { headers: { 'X-Event': '${eventType}:${orderStatus:lower}', 'x-error': '${errorCode}' } } },
    'fail-9004',
  )
  expect(webhooks.map(({ headers }) => [headers['x-event'], headers['x-error']])).toEqual([
    ['service-sdk-transaction-status:created', undefined],
    ['service-sdk-transaction-status:failed', '9004'],
  ])
})

test('a header can carry any text of a user', async () => {
  const { client, inbox } = await start({ webhook: { headers: { 'x-note': '${userMessage}' } } })
  const userMessage = 'Tasse ☕\r\nX-Evil: 1'
  const { requestId } = await client.createCheckoutOrder({ ...checkout, userMessage })
  const { headers } = await inbox.next({ requestId })
  expect(decodeURIComponent(headers['x-note'] ?? '')).toBe(userMessage)
  expect(headers['x-evil']).toBeUndefined()
})

const words = {
  webhook: { CREATED: 'pending', COMPLETED: 'order.paid', FAILED: 'declined', REFUND_INITIATED: 'refunding' },
  events: {
    COMPLETED: 'payment.succeeded',
    FAILED: 'payment.failed',
    refund: 'refund.created',
    other: 'payment.updated',
  },
}

test.each([
  ['flat', {}],
  ['envelope', { webhook: { format: 'envelope' } }],
  ['jwt', { webhook: { format: 'jwt' } }],
  ['a template', templated({ e: '${eventType}', o: { id: '${requestId}', s: '${orderStatus:upper}' } })],
  ['a list', templated([{ e: '${eventType}', id: '${requestId}', s: '${orderStatus}' }])],
  ['the event type alone', templated({ e: '${eventType}', id: '${requestId}' })],
])('words of the settings are sent and read back: %s', async (name, settings) => {
  const { webhooks, inbox, client, requestId } = await sent({ ...settings, words }, 'fail-9004')
  const text = webhooks.map(({ text }) => text).join()
  if (name !== 'jwt') expect(text).toContain('payment.failed')
  expect(text).not.toContain('FAILED')
  expect(await inbox.next({ requestId, orderStatus: 'FAILED' })).toMatchObject({
    signature: 'ok',
    event: { requestId, orderStatus: 'FAILED', eventType: 'service-sdk-transaction-status' },
  })
  expect((await client.deliveries.list({ requestId })).map(({ orderStatus }) => orderStatus)).toEqual([
    'CREATED',
    'FAILED',
  ])
})

test('a filter can use the words of the body, too', async () => {
  const { inbox, requestId } = await sent({ words })
  const { event } = await inbox.next({ requestId, orderStatus: 'order.paid' })
  expect(event.orderStatus).toBe('COMPLETED')
})

test('a refund is an event with its own id, amount and status beside that of the order', async () => {
  const refundTemplate = {
    type: '${eventType}',
    object: 'refund',
    refund: { id: '${refundId}', cents: '${refundAmount:minor}', status: '${refundStatus}' },
    order: { id: '${requestId}', status: '${statusOfOrder}' },
  }
  const template = {
    type: '${eventType}',
    object: 'order',
    order: { id: '${requestId}', status: '${orderStatus}' },
  }
  const { client, inbox } = await start({
    ...templated(template, { refunds: 'event', refundTemplate }),
    words,
  })
  const { requestId } = await client.createCheckoutOrder(checkout)
  await client.clock.advance('1m')
  await client.orders.refund(requestId, { fiatAmount: '4.00' })
  const { body, event } = await inbox.next({ requestId, orderStatus: 'REFUND_INITIATED' })
  expect(body).toEqual({
    type: 'refund.created',
    object: 'refund',
    refund: { id: expect.any(String), cents: 400, status: 'refunding' },
    order: { id: requestId, status: 'order.paid' },
  })
  expect(event.orderStatus).toBe('REFUND_INITIATED')
  expect((await inbox.next({ requestId, orderStatus: 'COMPLETED' })).body).toMatchObject({ object: 'order' })
})

test('a simulated webhook has the words of its caller', async () => {
  const { client, inbox } = await start({ words })
  await client.simulateWebhook({ requestId: 'sim', orderStatus: 'COMPLETED', eventType: 'my.type' })
  expect((await inbox.next({ requestId: 'sim' })).body).toMatchObject({
    orderStatus: 'COMPLETED',
    eventType: 'my.type',
  })
})

const scenario = (webhooks: readonly object[]) => ({
  id: 'own',
  description: 'Own webhooks.',
  tests: 'Own webhooks.',
  timeline: [{ at: '2s', order: 'COMPLETED' }],
  webhooks,
})

async function sentBy(rule: object, settings: SettingChanges = {}) {
  const { client, inbox, emulator } = await start(settings)
  await emulator.scenarios.put('own', scenario([rule]))
  await client.scenarios.next('own')
  const { requestId } = await client.createCheckoutOrder(checkout)
  await client.clock.advance('1m')
  await client.clock.settle()
  return { requestId, webhooks: inbox.webhooks }
}

test.each<[string, object, (requestId: string) => unknown]>([
  [
    'a body',
    { of: 'COMPLETED', body: { ref: '${requestId}', none: '${errorCode}', n: '${attempt}' } },
    (ref) => ({ ref, n: 1 }),
  ],
  ['a text as the body', { of: 'COMPLETED', body: 'about ${requestId}' }, (id) => `about ${id}`],
])('%s of a scenario’s rule can name values', async (_, rule, expected) => {
  const { webhooks, requestId } = await sentBy(rule)
  expect(webhooks[1]?.body).toEqual(expected(requestId))
  expect(webhooks[1]?.signature).toBe('ok')
})

test('a patch and a header of a scenario’s rule can name values', async () => {
  const { webhooks, requestId } = await sentBy({
    of: 'COMPLETED',
    patch: { orderType: null, extra: { amount: '${fiatAmount:number}' } },
    headers: { 'x-ref': '${requestId}/${attempt}' },
  })
  expect(webhooks[1]).toMatchObject({
    body: { extra: { amount: 10.5 } },
    headers: { 'x-ref': `${requestId}/1` },
  })
  expect(webhooks[1]?.body).not.toHaveProperty('orderType')
})

test('a patch changes the elements of a list', async () => {
  const { webhooks, requestId } = await sentBy(
    { of: 'COMPLETED', patch: { s: 'odd' } },
    templated([{ id: '${requestId}', s: '${orderStatus}' }]),
  )
  expect(webhooks[1]?.body).toEqual([{ id: requestId, s: 'odd' }])
})
