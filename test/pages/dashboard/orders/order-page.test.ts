import { expect, test } from 'vitest'
import type { JsonObject } from '../../../support/answer.ts'
import { startFixture, startTestEmulator, type TestEmulator } from '../../../support/emulator.ts'
import { openPage } from '../../../support/page.ts'
import { startReceiver } from '../../../support/receiver.ts'

const make = async (emulator: TestEmulator, order: object): Promise<JsonObject> =>
  (await emulator.control('/orders', 'POST', { clientId: 'C1', ...order })).json
const open = (emulator: TestEmulator, { orderId }: JsonObject) =>
  openPage(emulator, `/_emulator/ui/orders/${orderId}`)

test('an order without a receiver is told from its creation to what is to come', async () => {
  const { emulator } = await startFixture()
  const order = await make(emulator, { requestId: 'r1' })
  const page = await open(emulator, order)
  expect(page.words).toContain('Order r1')
  expect(page.words).toContain('Next: pay completed, in 2 s.')
  expect(page.html).toMatch(
    /<svg[^>]*aria-labelledby="time-line-title"[^>]*aria-describedby="time-line-summary"/,
  )
  expect(page.html).not.toMatch(/ style=/)
  for (const words of ['created', 'now', 'pay completed', 'order COMPLETED', 'The payment page expires'])
    expect(page.words).toContain(words)
})

test('attempts, retries to come and lookups stand in the time line', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await c1.settle()
  await c1.fiatOrders('r1')
  const page = await open(emulator, await c1.order('r1'))
  expect(page.words).toContain('create-checkout-order: 200')
  expect(page.words).toContain('Webhook CREATED, attempt 1: refused (500)')
  expect(page.words).toContain('Webhook CREATED, attempt 2 if it fails, up to 9 more')
  expect(page.words).toContain('Lookup orders: 200')
})

test('going to the next due moment goes to that of this order and no further', async () => {
  const { emulator, c1 } = await startFixture()
  const order = await make(emulator, { requestId: 'r1' })
  const before = await c1.now()
  const page = await (await open(emulator, order)).submit('advance')
  expect((await c1.now()) - before).toBe(2_000)
  expect(page.words).toContain('The payer has paid.')
})

test.each([
  ['pay', {}, 'CREATED', ['paid']],
  ['abandon', {}, 'CREATED', ['abandoned']],
  ['decline', { 'text:errorCode': '9005' }, 'FAILED', ['9005']],
])('the payer can %s', async (form, typed, status, words) => {
  const { emulator, c1 } = await startFixture()
  const order = await make(emulator, { requestId: 'r1', scenario: 'payer-decides' })
  const page = await (await open(emulator, order)).submit(form, typed)
  expect((await c1.order('r1')).orderStatus).toBe(status)
  for (const word of words) expect(page.words).toContain(word)
})

test('who has paid is not asked again, and a finished order says why nobody can pay', async () => {
  const { emulator, c1 } = await startFixture()
  const order = await make(emulator, { requestId: 'r1' })
  await c1.pay('r1', 'completed')
  const page = await open(emulator, order)
  expect(() => page.form('pay')).toThrow('nothing has the id pay')
  await c1.advance('1m')
  expect((await open(emulator, order)).words).toContain('Act as the payer The order is COMPLETED.')
})

test('a refund offers what is left, until nothing is', async () => {
  const { emulator, c1 } = await startFixture()
  const order = await make(emulator, { requestId: 'r1' })
  expect((await open(emulator, order)).words).toContain('Only a COMPLETED order can be refunded.')
  await c1.advance('1m')
  const part = await (await open(emulator, order)).submit('refund', { 'text:fiatAmount': '3.50' })
  expect(Object.fromEntries(part.form('refund').fields)).toMatchObject({ 'text:fiatAmount': '6.50' })
  const all = await part.submit('refund')
  expect(all.words).toContain('The full amount has been refunded.')
})

test('a subscription shows its charges, and can be cancelled once', async () => {
  const { emulator, c1 } = await startFixture()
  const order = await make(emulator, { requestId: 's1', kind: 'subscription' })
  await c1.advance('P2M')
  await c1.advance('1m')
  const page = await open(emulator, order)
  expect(page.wordsIn('live')).toContain('Charge 2: COMPLETED')
  const third = await page.follow('Charge 3: COMPLETED')
  expect(third.words).toContain('subscription, charge 3')
  expect(third.words).toContain('comes next, at')
  const cancelled = await page.submit('cancel')
  expect(cancelled.words).toContain('It is cancelled.')
  expect(() => cancelled.form('cancel')).toThrow('nothing has the id cancel')
})

test('a delivery is sent again by its button', async () => {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  const order = await make(emulator, { requestId: 'r1' })
  await c1.settle()
  const [delivery] = await c1.deliveries()
  await (await open(emulator, order)).submit(`resend-${delivery?.id}`)
  await c1.settle()
  expect(receiver.requests).toHaveLength(2)
})

test('without a webhook URL it says why nothing can be sent again', async () => {
  const { emulator, c1 } = await startFixture()
  const order = await make(emulator, { requestId: 'r1' })
  await c1.settle()
  const page = await open(emulator, order)
  expect(page.words).toContain('No webhook URL is registered, so nothing can be sent again.')
  expect(page.html).not.toContain('id="resend-')
})

test('of a very long metadata the page shows the beginning, and where the rest is', async () => {
  const { emulator } = await startFixture()
  const order = await make(emulator, { requestId: 'r1', metadata: { long: 'x'.repeat(200_000) } })
  const { html } = await open(emulator, order)
  expect(html.length).toBeLessThan(200_000)
  expect(html).toContain(`href="/_emulator/orders/${order.orderId}"`)
})

test('its scenario can be planned for the next order', async () => {
  const { emulator, c1 } = await startFixture()
  const order = await make(emulator, { requestId: 'r1', scenario: 'fail-9004' })
  await (await open(emulator, order)).submit('use-scenario')
  await c1.createCheckout('r2')
  expect((await c1.order('r2')).scenario).toMatchObject({ id: 'fail-9004' })
})

test('what the order carries is text, never markup', async () => {
  const { emulator } = await startFixture()
  const bad = '</script><svg onload=alert(1)>"\''
  const order = await make(emulator, { requestId: bad, email: bad, metadata: { [bad]: bad } })
  const { html } = await open(emulator, order)
  expect(html).not.toContain('<svg onload')
  expect(html).toContain('&lt;svg onload=alert(1)&gt;')
})

test('an order of another client is not there', async () => {
  const { emulator } = await startFixture()
  const { orderId } = await make(emulator, { requestId: 'r1' })
  const page = await openPage(emulator, `/_emulator/ui/orders/${orderId}?clientId=C2`)
  expect(page.status).toBe(404)
})

test('an order that there is not gets a page that says so', async () => {
  const emulator = await startTestEmulator()
  const page = await openPage(emulator, '/_emulator/ui/orders/nothing')
  expect(page.status).toBe(404)
  expect(page.words).toContain('nothing')
})

test('an order whose id ends in a star has its own webhooks, not those of all that begin like it', async () => {
  const emulator = await startTestEmulator()
  const order = (orderId: string) => ({ requestId: orderId, orderId, status: 'COMPLETED', deliveries: [{}] })
  const orders = [order('w*'), order('w1'), order('w/?#1')]
  await emulator.control('/fixtures', 'POST', { clients: [{ clientId: 'odd', orders }] })
  const page = await openPage(emulator, '/_emulator/ui/orders/w*?clientId=odd')
  expect(page.html).toContain('delivery-del_w*_')
  expect(page.html).not.toContain('delivery-del_w1_')
  const odd = await openPage(emulator, '/_emulator/ui/orders/w%2F%3F%231?clientId=odd')
  expect((await odd.follow('COMPLETED')).words).toContain('w/?#1')
})

test('a late charge of a long subscription stands in its table, with the way to the others', async () => {
  const { emulator } = await startFixture()
  await make(emulator, { requestId: 's1', kind: 'subscription' })
  await emulator.control('/clock/advance?clientId=C1', 'POST', { by: 'P5Y' })
  const orders = await emulator.control('/orders?clientId=C1&order=newest&limit=1000')
  const { items } = orders.json
  if (!Array.isArray(items)) throw new Error('no list')
  const latest = await open(emulator, items[0])
  expect(latest.words).toContain(`${items.length} (this)`)
  expect(latest.words).toContain('These are the latest. All of them')
  const second = await open(emulator, items.at(-2))
  expect(second.words).toContain('2 (this)')
  expect(second.words).toMatch(/Charge \d+ comes next/)
})

test('a point with one attempt leads to it, one with several things to its row in the table', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await c1.settle()
  const { html } = await open(emulator, await c1.order('r1'))
  const points = [...html.matchAll(/<a id="point-([^"]*)" href="([^"]*)"/g)]
  const hrefOf = (id: string) => points.find(([, point]) => point?.startsWith(id))?.[2]
  expect(hrefOf('attempt-')).toMatch(/^\/_emulator\/ui\/deliveries\/[^?]+\?attempt=1#attempt$/)
  expect(hrefOf('request-')).toMatch(/^\/_emulator\/ui\/requests\//)
  expect(hrefOf('history-0')).toBe('#story-history-0')
  expect(html).toContain('id="story-history-0"')
})

test('the sequence stands there as a picture, as Mermaid text, and in words with links', async () => {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1', { signed: 'something else' })
  await c1.createCheckout('r1')
  await c1.settle()
  const order = await c1.order('r1')
  const page = await open(emulator, order)
  expect(page.html).toMatch(/<svg[^>]*class="sequence" role="img"/)
  expect(page.html).toContain(`/_emulator/orders/${order.orderId}/sequence?format=svg`)
  expect(page.wordsIn('sequence-mermaid')).toContain('S->>W: webhook CREATED')
  const words = page.wordsIn('sequence-words')
  for (const word of [
    'Service to Application: 401 signature.',
    'Application to Service: create-checkout-order',
    'Service: order created: CREATED',
    'Service to Webhook URL: webhook CREATED',
    'Webhook URL to Service: 200',
  ])
    expect(words).toContain(word)
})
