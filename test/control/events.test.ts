import { expect, test } from 'vitest'
import { startFixture, startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { EventStream } from '../support/event-stream.ts'
import { startReceiver } from '../support/receiver.ts'
import { SlowReader } from '../support/slow-reader.ts'

const listen = ({ url }: TestEmulator, query = '') => EventStream.open(`${url}/_emulator/events${query}`)

test('orders and deliveries come as their GETs show them', async () => {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  const stream = await listen(emulator)
  await c1.createCheckout('r1')
  await c1.advance('5s')
  const { json: order } = await stream.first('order', ({ orderStatus }) => orderStatus === 'COMPLETED')
  expect(order).toEqual(await c1.order('r1'))
  const { json: delivery } = await stream.first(
    'delivery',
    ({ orderStatus, status }) => orderStatus === 'COMPLETED' && status === 'delivered',
  )
  expect([delivery]).toEqual((await c1.deliveries()).slice(-1))
})

test('an order is told of at each of its changes, in order', async () => {
  const { emulator, c1 } = await startFixture()
  const stream = await listen(emulator)
  await c1.createCheckout('r1')
  await c1.advance('1h')
  await stream.first('order', ({ orderStatus }) => orderStatus === 'COMPLETED')
  const orders = stream.events.filter(({ name }) => name === 'order')
  expect(orders.map(({ json }) => [json.paymentStatus, json.orderStatus])).toEqual([
    ['CREATED', 'CREATED'],
    ['COMPLETED', 'CREATED'],
    ['COMPLETED', 'COMPLETED'],
  ])
})

test('requests come as the journal has them, secrets masked', async () => {
  const { emulator, c1 } = await startFixture()
  const stream = await listen(emulator)
  const answer = await c1.createCheckout('r1', { signed: 'nonsense' })
  const { json } = await stream.first('request')
  expect(json).toEqual(await c1.journalOf(answer))
  expect(json).toMatchObject({ headers: { 'access-token': '…(2 characters)' } })
})

test('clocks are told of when they are moved and when they are set', async () => {
  const { emulator, c1 } = await startFixture()
  const stream = await listen(emulator)
  const now = await c1.now()
  await c1.advance('1m')
  const moved = await stream.first('clock')
  expect(moved.json).toEqual({ clientId: 'C1', mode: 'manual', now: now + 60_000, speed: 0 })
  await emulator.control('/clock?clientId=C1', 'PUT', { mode: 'real', speed: 1 })
  await stream.first('clock', ({ mode }) => mode === 'real')
})

test('a walk over many moments tells each of them once', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const stream = await listen(emulator, '?clientId=C1')
  const now = await c1.now()
  await c1.advance('1m')
  await stream.first('clock', (clock) => clock.now === now + 60_000)
  await c1.createCheckout('r2')
  await stream.first('order', ({ requestId }) => requestId === 'r2')
  const clocks = stream.events.filter(({ name }) => name === 'clock')
  expect(clocks.map(({ json }) => Number(json.now) - now)).toEqual([2_000, 5_000, 60_000])
})

test('a client that is made anew under a name has a clock of its own', async () => {
  const { emulator, c1 } = await startFixture()
  const stream = await listen(emulator)
  const to = (await c1.now()) + 60_000
  await emulator.control('/clock/advance?clientId=C1', 'POST', { to })
  await stream.first('clock')
  await emulator.control('/clients/C1', 'DELETE')
  await emulator.control('/clients', 'POST', { clientId: 'C1', clock: { mode: 'manual', now: to - 60_000 } })
  await emulator.control('/clock/advance?clientId=C1', 'POST', { to })
  await stream.until(() => stream.events.filter(({ name }) => name === 'clock').length === 2)
})

test('a delivery is told of as it is held, let go and sent again', async () => {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await emulator.control('/deliveries/hold', 'POST', {})
  const stream = await listen(emulator)
  await c1.createCheckout('r1')
  const { json } = await stream.first('delivery', ({ status }) => status === 'held')
  await emulator.control('/deliveries/release', 'POST', {})
  await stream.first('delivery', ({ status }) => status === 'delivered')
  await emulator.control(`/deliveries/${json.id}/resend`, 'POST', {})
  await stream.first(
    'delivery',
    ({ attempts, status }) => status === 'delivered' && Array.isArray(attempts) && attempts.length === 2,
  )
  const told = stream.events.filter(({ name }) => name === 'delivery').map((event) => event.json.status)
  expect(told).toEqual([
    'pending',
    'held',
    // Let go, and begun.
    'pending',
    'pending',
    'delivered',
    'pending',
    'pending',
    'delivered',
  ])
})

test('events are numbered, and a browser is told when to come back', async () => {
  const { emulator, c1 } = await startFixture()
  const stream = await listen(emulator)
  await c1.createCheckout('r1')
  await stream.until(() => stream.events.length === 3)
  expect(stream.text).toMatch(/^retry: 1000\n\n/)
  expect(stream.events.map(({ id }) => id)).toEqual(['1', '2', '3'])
})

test('line breaks in metadata stay within their event', async () => {
  const { emulator, c1 } = await startFixture()
  const stream = await listen(emulator)
  const body = JSON.stringify(c1.checkout('r1', { metadata: { a: 1 } }), null, 2).replaceAll('\n', '\r\n')
  await c1.post('/v1/client/checkout/create-order', body, { signed: 'fiatAmount=10.00&requestId=r1' })
  const { json } = await stream.first('order')
  expect(json).toEqual(await c1.order('r1'))
})

test('?clientId= narrows it to one client', async () => {
  const { emulator, c1, c2 } = await startFixture()
  const stream = await listen(emulator, '?clientId=C2')
  await c1.createCheckout('r1')
  await c1.advance('1m')
  await c2.createCheckout('r1')
  await c2.advance('1m')
  await stream.first('order', ({ orderStatus }) => orderStatus === 'COMPLETED')
  expect(new Set(stream.events.map(({ json }) => json.clientId))).toEqual(new Set(['C2']))
})

test.each([
  ['?clientId=nobody', 404],
  ['?client=C1', 400],
])('GET /events%s is refused with %i', async (query, status) => {
  const emulator = await startTestEmulator()
  expect((await emulator.send(`/_emulator/events${query}`, { method: 'GET' })).status).toBe(status)
})

test.each([
  ['another origin', { origin: 'http://evil.example' }],
  ['another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
])('a page of %s is refused', async (_, headers) => {
  const emulator = await startTestEmulator()
  expect((await emulator.send('/_emulator/events', { method: 'GET', headers })).status).toBe(403)
})

test('a reader that does not read is dropped, and nobody else notices', async () => {
  const { emulator, c1 } = await startFixture()
  const slow = new SlowReader(emulator.url, '/_emulator/events')
  const reader = await listen(emulator)
  // More than sockets and the reader's own buffer hold together; 16 KiB of each are journalled.
  const calls = 1_500
  const body = `{"filler":"${'x'.repeat(16_000)}"}`
  for (let sent = 0; sent < calls; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, () => c1.post('/v1/client/checkout/create-order', body)))
  }
  await reader.until(() => reader.events.length === calls)
  expect(await slow.readToTheEnd()).toBeLessThan(reader.text.length)
})

test('HEAD asks for the headers and opens nothing', async () => {
  const emulator = await startTestEmulator()
  const { status, headers, text } = await emulator.send('/_emulator/events', { method: 'HEAD' })
  expect([status, headers['content-type'], text]).toEqual([200, 'text/event-stream', ''])
})

test('stopping the emulator ends every stream at once', async () => {
  const { emulator } = await startFixture()
  const stream = await listen(emulator)
  await emulator.close()
  await stream.ended
})

test('in brief a stream names whose things have changed, and shows none of them', async () => {
  const { emulator, c1, c2 } = await startFixture()
  const stream = await listen(emulator, '?brief=true')
  await c1.createCheckout('r1')
  await stream.first('changed', ({ order }) => Array.isArray(order) && order.includes('C1'))
  await c2.createCheckout('r1', { headers: { 'access-token': 'nobody' } })
  await stream.first('changed', ({ request }) => Array.isArray(request) && request.includes(null))
  await c1.advance('1h')
  await stream.first('changed', ({ clock }) => Array.isArray(clock) && clock.includes('C1'))
  await emulator.control('/reset', 'POST', {})
  await stream.first('changed', ({ order, clock }) => order === '*' && clock === '*')
  expect(new Set(stream.events.map(({ name }) => name))).toEqual(new Set(['changed']))
  expect(stream.text).not.toMatch(/requestId|r1/)
})

test('a stream in brief of one client hears nothing of another', async () => {
  const { emulator, c1, c2 } = await startFixture()
  const stream = await listen(emulator, '?brief=true&clientId=C1')
  await c2.createCheckout('r1')
  await c1.advance('1s')
  await stream.first('changed', ({ clock }) => clock !== undefined)
  expect(stream.events.map(({ json }) => json)).toEqual([{ clock: ['C1'] }])
})

test.each([
  ['POST', '/clients', { clientId: 'C9' }],
  ['PATCH', '/clients/C1', { webhookUrl: 'http://127.0.0.1:9/' }],
  ['POST', '/faults', { clientId: 'C1', on: 'orders', effect: { status: 503 } }],
  ['POST', '/scenarios/next', { clientId: 'C1', scenario: 'happy' }],
  ['PATCH', '/settings', { 'webhook.refunds': 'event' }],
])('in brief a stream tells that %s %s changed the set-up', async (method, path, body) => {
  const { emulator } = await startFixture()
  const stream = await listen(emulator, '?brief=true&clientId=C1')
  await emulator.control(path, method, body)
  await stream.first('changed', ({ setup }) => setup === '*')
})

test('what is only read, or refused, tells nobody of a change', async () => {
  const { emulator, c1 } = await startFixture()
  const stream = await listen(emulator, '?brief=true')
  await emulator.control('/faults')
  await emulator.send('/_emulator/faults', { method: 'POST', body: '{"on":"nothing"}' })
  await c1.advance('1s')
  await stream.first('changed', ({ clock }) => clock !== undefined)
  expect(stream.events.map(({ json }) => json)).toEqual([{ clock: ['C1'] }])
})
