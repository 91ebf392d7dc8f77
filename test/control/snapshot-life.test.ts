import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestClient } from '../support/client.ts'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { planFault } from '../support/faults.ts'
import { aFolder } from '../support/folder.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { restore, snapshotOf, worldIn } from '../support/snapshot.ts'

/** Scenarios of every kind of trouble: waiting steps, retries, delays, disorder, chance, charges, refunds, tokens. */
const scenarios = [
  'happy',
  'fail-9004',
  'refund-failed',
  'webhook-endpoint-down',
  'webhook-late',
  'webhook-out-of-order',
  'webhook-duplicate',
  'crypto-leg-late',
  'unknown-status',
]

/** Two clients in mid-life: orders everywhere in their scenarios, subscriptions, webhooks held, refused and waiting. */
async function aMixedWorld(emulator: TestEmulator, receiver: Receiver): Promise<TestClient[]> {
  receiver.answerWith({ status: 500 }, {}, { status: 503 }, {}, {}, { status: 500 }, {}, {})
  const clients = await Promise.all(
    ['one', 'two'].map((clientId) =>
      emulator.addClient({
        clientId,
        apiSecret: `secret of ${clientId}`,
        accessToken: `token-of-${clientId}`,
        webhookSecret: 'whsec_c2VjcmV0',
        webhookUrl: receiver.url,
        settings: { 'webhook.timeout': '1s' },
      }),
    ),
  )
  for (const client of clients) await live(emulator, client)
  return clients
}

async function live(emulator: TestEmulator, client: TestClient): Promise<void> {
  const { clientId } = client
  for (const scenario of scenarios) {
    await emulator.control('/scenarios/next', 'POST', { scenario, clientId, requestId: scenario })
    expect((await client.createCheckout(scenario)).status).toBe(200)
    await client.advance('1s')
  }
  await client.createSubscription('monthly')
  await client.createSubscription(client.subscription('trial', { trialPeriodDays: '5' }))
  await emulator.control('/scenarios/next', 'POST', { scenario: 'never-pays', clientId, count: 2 })
  await client.createCheckout('waits')
  await client.advance('20s')
  await emulator.control(`/orders/${(await client.order('happy')).orderId}/refunds`, 'POST', {
    fiatAmount: '2.50',
  })
  await client.simulate(client.simulation('simulated'))
  await planFault(emulator, client, { on: 'delivery', effect: { countAs: 500 }, times: 6, skip: 1 })
  await planFault(emulator, client, { on: 'delivery', effect: { drop: true }, probability: 0.3, times: 5 })
  await planFault(emulator, client, { on: 'orders', where: { requestId: 'later' }, effect: { status: 503 } })
  await emulator.control(`/deliveries/hold?clientId=${clientId}`, 'POST', { where: { requestId: 'monthly' } })
  await client.advance('2s')
}

/** Everything that happens in a sandbox from now on, down to the bytes of webhooks. */
async function theRest(
  emulator: TestEmulator,
  clients: readonly TestClient[],
  receiver: Receiver,
): Promise<unknown> {
  receiver.answerWith({})
  const before = receiver.requests.length
  const ledgers: unknown[] = []
  const made: unknown[] = []
  for (const client of clients) {
    made.push((await client.createCheckout('later')).text)
    for (let n = 0; n < 2; n += 1) made.push((await client.fiatOrders('later')).status)
    ledgers.push(await client.advance('1h'))
    await emulator.control(`/deliveries/release?clientId=${client.clientId}`, 'POST', {})
    ledgers.push(await client.advance('45d'))
  }
  expect(receiver.requests.length).toBeGreaterThan(before + 5)
  const sent = receiver.requests.slice(before).map(({ headers, text }) => ({
    id: headers['webhook-id'],
    text,
  }))
  const { items } = await emulator.control('/orders?limit=1000')
  return { made, ledgers, sent: sent.toSorted(byText), orders: items }
}

const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

test.each([
  ['a', '0s'],
  ['b', '3s'],
  ['c', '90s'],
  ['a', '20d'],
])('a world of the seed %s goes on %s later as if it had not been interrupted', async (seed, later) => {
  const receiver = await startReceiver()
  const emulator = await startTestEmulator({ seed })
  const clients = await aMixedWorld(emulator, receiver)
  for (const client of clients) await client.advance(later)
  const snapshot = await snapshotOf(emulator)
  const expected = await theRest(emulator, clients, receiver)

  await emulator.control('/reset', 'POST')
  await restore(emulator, snapshot)
  expect(worldIn(await snapshotOf(emulator))).toEqual(worldIn(snapshot))
  expect(await theRest(emulator, clients, receiver)).toEqual(expected)
})

test.each([
  ['at once', false],
  ['after a restart', true],
])('a world goes on %s in another emulator, of another seed and with other clocks', async (_, restarts) => {
  const receiver = await startReceiver()
  const emulator = await startTestEmulator({ seed: 'a' })
  const clients = await aMixedWorld(emulator, receiver)
  const snapshot = await snapshotOf(emulator)
  const expected = await theRest(emulator, clients, receiver)

  const config = { clock: 'real', startTime: undefined, database: join(aFolder(), 'other.db') }
  const other = await startTestEmulator({ ...config, seed: 'b' })
  await (await other.addClient()).createCheckout('gone')
  await restore(other, snapshot)
  if (restarts) await other.close()
  const there = restarts ? await startTestEmulator({ ...config, seed: 'c' }) : other
  const same = clients.map((client) => at(there, client))
  expect(await theRest(there, same, receiver)).toEqual(expected)
})

test('one client’s world goes on among others, whose own worlds stay as they are', async () => {
  const receiver = await startReceiver()
  const emulator = await startTestEmulator({ seed: 'a' })
  const [one, two] = await aMixedWorld(emulator, receiver)
  if (one === undefined || two === undefined) throw new Error('there are two clients')
  const snapshot = await snapshotOf(emulator, '?clientId=one')
  await two.advance('1h')
  const others = await snapshotOf(emulator, '?clientId=two')
  const expected = await lifeOf(emulator, one)

  await restore(emulator, snapshot, '?clientId=one')
  expect(worldIn(await snapshotOf(emulator, '?clientId=two'))).toEqual(worldIn(others))
  expect(await lifeOf(emulator, one)).toEqual(expected)

  const other = await startTestEmulator({ seed: 'a' })
  await live(other, await other.addClient({ clientId: 'three', webhookUrl: receiver.url }))
  await restore(other, snapshot, '?clientId=one')
  expect(await lifeOf(other, at(other, one))).toEqual(expected)
})

/** Everything that happens to a client from now on. */
async function lifeOf(emulator: TestEmulator, client: TestClient): Promise<unknown> {
  const made = (await client.createCheckout('later')).text
  const first = await client.advance('1h')
  await emulator.control(`/deliveries/release?clientId=${client.clientId}`, 'POST', {})
  const then = await client.advance('45d')
  const { items } = await emulator.control(`/orders?limit=1000&clientId=${client.clientId}`)
  const deliveries = (await client.deliveries()).map(({ id, webhookId, status, dueAt, body }) => ({
    id,
    webhookId,
    status,
    dueAt,
    body,
  }))
  return { made, first, then, orders: items, deliveries }
}

/** The same application, on another emulator. */
const at = (emulator: TestEmulator, client: TestClient) => new TestClient(emulator, client)
