import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'

test('the events of an order arrive in their order, though the first is answered late', async () => {
  const receiver = await startReceiver()
  const { promise, resolve } = Promise.withResolvers<void>()
  receiver.answerWith({ after: promise }, {})
  const { c1 } = await startFixture({ webhookUrl: receiver.url, defaultScenario: 'happy-instant' })
  await c1.createCheckout('r1')
  await receiver.received(1)
  expect(await c1.order('r1'), 'the lookup is ahead of the webhook (I1)').toMatchObject({
    orderStatus: 'COMPLETED',
  })
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['CREATED'])
  resolve()
  await receiver.received(2)
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['CREATED', 'COMPLETED'])
})

test('another order is not held up by the first one’s slow answer', async () => {
  const receiver = await startReceiver()
  receiver.answerWith('hang', {})
  const { c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await receiver.received(1)
  await c1.createCheckout('r2')
  const requests = await receiver.received(2)
  expect(requests[1]?.json).toMatchObject({ requestId: 'r2' })
})

test('a retry holds nothing up and may be overtaken (N46)', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 }, {})
  const { c1 } = await startFixture({
    webhookUrl: receiver.url,
    settings: { 'webhook.retry.base': '1m' },
  })
  await c1.createCheckout('r1')
  const { deliveries } = await c1.advance('2m')
  expect(deliveries.map(({ orderStatus, attempt, outcome }) => [orderStatus, attempt, outcome])).toEqual([
    ['COMPLETED', 1, 'accepted'],
    ['CREATED', 2, 'accepted'],
  ])
})

test('every attempt has the same id and bytes, and a fresh signature', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 503 }, {})
  const { c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await c1.advance('1s')
  const [first, second] = receiver.requests
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true)
})

test('each attempt is on record with what was sent and what came back', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500, body: 'no' }, 'reset', {})
  const { c1 } = await startFixture({ webhookUrl: receiver.url })
  const t0 = await c1.now()
  await c1.createCheckout('r1')
  await c1.advance('3s')
  const [created] = await c1.deliveries()
  expect(created).toMatchObject({
    status: 'delivered',
    url: receiver.url,
    attempts: [
      { n: 1, at: t0, outcome: 'refused', status: 500, responseBody: 'no', error: null },
      { n: 2, at: t0 + 1000, outcome: 'connection', status: null, error: expect.stringMatching(/./) },
      { n: 3, at: t0 + 3000, outcome: 'accepted', status: 200 },
    ],
  })
})

test('an event whose attempts are used up is dead, and can be seen', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  const { c1 } = await startFixture({ webhookUrl: receiver.url, settings: { 'webhook.retry.max': 2 } })
  await c1.createCheckout('r1')
  await c1.advance('1h')
  const deliveries = await c1.deliveries()
  expect(
    deliveries.map(({ status, attempts }) => [status, Array.isArray(attempts) && attempts.length]),
  ).toEqual([
    ['dead', 3],
    ['dead', 3],
  ])
})

test('410 pauses the URL: nothing more is sent until it is set again, and then nothing is lost (N44)', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 410 }, {})
  const { c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await c1.advance('1h')
  expect(receiver.requests).toHaveLength(1)
  await c1.setWebhookUrl(receiver.url)
  await receiver.received(3)
  expect(receiver.requests.map(({ json }) => json.orderStatus).toSorted()).toEqual([
    'COMPLETED',
    'CREATED',
    'CREATED',
  ])
})

test('what is skipped for want of a URL stays on record and is not sent later', async () => {
  const receiver = await startReceiver()
  const { c1 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.setWebhookUrl(receiver.url)
  await c1.advance('10s')
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['COMPLETED'])
  expect((await c1.deliveries()).map(({ status }) => status)).toEqual(['skipped', 'delivered'])
})

test('a hundred orders due in one instant are all delivered, though one origin has 16 connections', async () => {
  const receiver = await startReceiver()
  const { c1, c2, emulator } = await startFixture({ webhookUrl: receiver.url })
  await c2.setWebhookUrl(receiver.url)
  const requestIds = Array.from({ length: 50 }, (_, n) => `r${n}`)
  await Promise.all(requestIds.flatMap((id) => [c1.createCheckout(id), c2.createCheckout(id)]))
  const { json } = await emulator.control('/clock/advance', 'POST', { by: '10s' })
  expect(json.deliveries).toHaveLength(100)
  expect(receiver.requests).toHaveLength(200)
})

test('stopped and started in mid-life, an order goes on, and nothing is sent again after a 2xx (I5)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'restart-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const database = join(folder, 'emulator.db')
  const receiver = await startReceiver()
  const before = await startFixture({ webhookUrl: receiver.url }, { database })
  await before.c1.createCheckout('r1')
  await before.c1.advance('3s')
  const t3 = await before.c1.now()
  await before.emulator.close()

  const after = await startTestEmulator({ database })
  const clock = await after.control('/clock?clientId=C1')
  expect(clock.json, 'a manual clock stands where it stood').toMatchObject({ mode: 'manual', now: t3 })
  await after.control('/clock/advance?clientId=C1', 'POST', { by: '1h' })
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['CREATED', 'COMPLETED'])
})

test('an attempt that a stop cut off stays unknown and is repeated at the next start, same id and bytes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'restart-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const database = join(folder, 'emulator.db')
  const receiver = await startReceiver()
  receiver.answerWith('hang', {})
  const before = await startFixture(
    { webhookUrl: receiver.url, settings: { 'webhook.timeout': '60s' } },
    { database, drainMs: 50 },
  )
  await before.c1.createCheckout('r1')
  await receiver.received(1)
  await before.emulator.close()

  const after = await startTestEmulator({ database })
  const [first, second] = await receiver.received(2)
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.text).toBe(first?.text)
  await after.control('/clock/advance?clientId=C1', 'POST', { by: '0s' })
  const [delivery] = (await after.control('/deliveries?clientId=C1')).items
  expect(delivery).toMatchObject({ attempts: [{ outcome: 'unknown' }, { outcome: 'accepted' }] })
})

test('twenty simulations at once under one requestId are twenty webhooks', async () => {
  const receiver = await startReceiver()
  const { c1 } = await startFixture({ webhookUrl: receiver.url })
  const answers = await Promise.all(Array.from({ length: 20 }, () => c1.simulate(c1.simulation('r1'))))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  await receiver.received(20)
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(20)
})

test('an answer from before a reset is not taken for one of the world after it, though ids repeat', async () => {
  const receiver = await startReceiver()
  const { promise: answerLate, resolve: answer } = Promise.withResolvers<void>()
  receiver.answerWith({ after: answerLate }, 'hang', {})
  const { c1, emulator } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await receiver.received(1)
  await emulator.control('/reset', 'POST', { keep: ['clients'] })
  await c1.createCheckout('r1')
  const [first, second] = await receiver.received(2)
  expect(second?.headers['webhook-id'], 'the same id in both worlds').toBe(first?.headers['webhook-id'])
  answer()
  await c1.createCheckout('r2')
  await receiver.received(3)
  await vi.waitUntil(async () => (await c1.deliveries())[1]?.status === 'delivered')
  expect((await c1.deliveries())[0]).toMatchObject({ status: 'pending', attempts: [{ outcome: 'unknown' }] })
})

test('a 410 of a URL that has been replaced pauses nothing', async () => {
  const [old, next] = [await startReceiver(), await startReceiver()]
  const { promise, resolve } = Promise.withResolvers<void>()
  old.answerWith({ after: promise, status: 410 })
  const { c1 } = await startFixture({ webhookUrl: old.url })
  await c1.createCheckout('r1')
  await old.received(1)
  await c1.setWebhookUrl(next.url)
  resolve()
  await c1.advance('10s')
  expect(next.requests.map(({ json }) => json.orderStatus).toSorted()).toEqual(['COMPLETED', 'CREATED'])
})

test('after a reset nobody waits for what the old world had in flight', async () => {
  const receiver = await startReceiver()
  receiver.answerWith('hang')
  const { c1, emulator } = await startFixture({
    webhookUrl: receiver.url,
    settings: { 'webhook.timeout': '60s' },
  })
  await c1.createCheckout('r1')
  await receiver.received(1)
  await emulator.control('/reset?clientId=C1', 'POST')
  expect(await c1.advance('1s')).toMatchObject({ deliveries: [] })
})

test('forty clients that share a receiver all get their webhooks', async () => {
  const receiver = await startReceiver()
  const emulator = await startTestEmulator()
  const clients = await Promise.all(
    Array.from({ length: 40 }, () => emulator.addClient({ webhookUrl: receiver.url })),
  )
  await Promise.all(clients.map((client) => client.createCheckout('r1')))
  await Promise.all(clients.map((client) => client.advance('10s')))
  expect(receiver.requests).toHaveLength(80)
})

test('a client whose webhooks hang takes no more than its share of a shared receiver’s connections', async () => {
  const receiver = await startReceiver()
  receiver.answerWith('hang')
  const { c1, c2 } = await startFixture({ webhookUrl: receiver.url, settings: { 'webhook.timeout': '60s' } })
  await c2.setWebhookUrl(receiver.url)
  await c2.createCheckout('fine')
  await receiver.received(1)
  const requestIds = Array.from({ length: 40 }, (_, n) => `r${n}`)
  await Promise.all(requestIds.map((requestId) => c1.createCheckout(requestId)))
  await receiver.received(9)
  receiver.answerWith({})
  await c2.createCheckout('fine too')
  await vi.waitUntil(() => receiver.requests.some(({ json }) => json.requestId === 'fine too'))
})

test.each([
  ['the URL is paused', { status: 410 }, null],
  ['all that is left is held', {}, '/deliveries/hold'],
  ['its world is emptied', {}, '/reset'],
])('who waits for a connection no longer waits once %s', async (_, behaviour, path) => {
  const receiver = await startReceiver()
  const { c1, emulator } = await startFixture({ webhookUrl: receiver.url })
  await Promise.all(Array.from({ length: 20 }, (__, n) => c1.createCheckout(`r${n}`)))
  await c1.settle()
  const { promise, resolve } = Promise.withResolvers<void>()
  receiver.answerWith({ ...behaviour, after: promise })
  const advanced = c1.advance('5s')
  await receiver.received(20 + 16)
  const body = path === '/reset' ? { keep: ['clients'] } : {}
  if (path !== null) await emulator.control(`${path}?clientId=C1`, 'POST', body)
  resolve()
  await advanced
  await c1.settle()
  expect(receiver.requests).toHaveLength(20 + 16)
})
