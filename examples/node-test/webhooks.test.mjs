import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startEmulator } from 'payment-order-emulator'

let emulator
let client
let inbox

before(async () => {
  emulator = await startEmulator({ clock: 'manual' })
})
after(() => emulator.close())

// A world of its own for each test; give client.env to your application. The inbox stands for its webhook endpoint.
beforeEach(async () => {
  client = await emulator.createClient()
  inbox = await emulator.webhookInbox(client)
})

test('a payment that fails says why', async () => {
  const { requestId } = await client.createCheckoutOrder({}, { scenario: 'fail-9004' })
  await client.clock.advance('10m')
  const failed = await inbox.next({ requestId, orderStatus: 'FAILED' })
  assert.equal(failed.event.errorCode, '9004')
})

test('a webhook that was not taken comes again', async () => {
  inbox.answerOnce(500, 'reset')
  await client.createCheckoutOrder({}, { scenario: 'never-pays' })
  await client.clock.advance('1m')
  const answers = inbox.webhooks.map(({ answered }) => answered)
  assert.deepEqual(answers, [500, null, 200])
})

test('an order that nobody pays is told of once', async () => {
  await client.createCheckoutOrder({}, { scenario: 'never-pays' })
  await inbox.next({ orderStatus: 'CREATED' })
  await client.clock.advance('36h')
  await inbox.none()
})
