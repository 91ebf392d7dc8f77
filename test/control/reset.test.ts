import { describe, expect, test } from 'vitest'
import { paths, type TestClient } from '../support/client.ts'
import { startFixture, startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { planFault } from '../support/faults.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { restore, snapshotOf } from '../support/snapshot.ts'

const json = { 'content-type': 'application/json' }

const everything = ['everything', '', {}] as const
const allButClients = ['everything but clients', '', { keep: ['clients'] }] as const
const allButBoth = ['everything but clients and scenarios', '', { keep: ['clients', 'scenarios'] }] as const
const oneClient = ['one client', '?clientId=C1', {}] as const

/** C1 with something of everything. */
async function aUsedWorld(
  emulator: TestEmulator,
  c1: TestClient,
): Promise<{ token: string; clock: unknown; client: object }> {
  await emulator.send('/_emulator/scenarios/mine', {
    method: 'PUT',
    headers: { 'content-type': 'application/yaml' },
    body: 'id: mine\ndescription: A test\ntimeline:\n  - { at: 1s, pay: completed }\n',
  })
  const token = await c1.issueToken()
  await c1.createCheckout('r1')
  await c1.advance('1h')
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', clientId: 'C1' })
  await emulator.control('/settings', 'PATCH', { 'responses.urlField': 'u' })
  await emulator.control('/settings?clientId=C1', 'PATCH', { 'orders.expiry': '5m' })
  await emulator.control('/deliveries/hold?clientId=C1', 'POST', {})
  const { clock, holds: _, ...client } = (await emulator.control('/clients/C1')).json
  return { token, clock, client }
}

/** The remaining data of a client. */
async function whatIsLeft(emulator: TestEmulator, c1: TestClient, token: string) {
  const { items } = await emulator.control('/clients')
  const common = (await emulator.control('/settings')).json.settings
  const mine = await emulator.send('/_emulator/scenarios/mine', { method: 'GET' })
  const left = {
    client: items.some(({ clientId }) => clientId === 'C1'),
    common,
    scenario: mine.status === 200,
  }
  if (!left.client) return left
  const query = { requestId: 'r1', clientId: 'C1' }
  const withToken = await c1.lookUp('/v1/client/orders', query, { headers: { 'access-token': token } })
  const journal = (await emulator.control('/requests?clientId=C1')).items
  const held = (await emulator.control('/clients/C1')).json.holds
  await c1.createCheckout('r2')
  const { scenario } = await c1.order('r2')
  return {
    ...left,
    token: withToken.status === 200,
    orders: (await emulator.control('/orders?clientId=C1&requestId=r1')).items.length,
    deliveries: (await emulator.control('/deliveries?clientId=C1&requestId=r1')).items.length,
    journal: journal.filter(({ operation }) => operation === 'create-checkout-order').length,
    held: held !== undefined,
    binding: JSON.stringify(scenario).includes('fail-9004'),
  }
}

const emptied = {
  client: true,
  token: false,
  orders: 0,
  deliveries: 0,
  journal: 0,
  held: false,
  binding: false,
}

test.each([
  [...everything, { client: false, common: {}, scenario: false }],
  [...allButClients, { ...emptied, common: {}, scenario: false }],
  [...allButBoth, { ...emptied, common: {}, scenario: true }],
  [...oneClient, { ...emptied, common: { 'responses.urlField': 'u' }, scenario: true }],
])('a reset of %s leaves what it says', async (_, query, body, expected) => {
  const { emulator, c1 } = await startFixture()
  const { token } = await aUsedWorld(emulator, c1)
  await emulator.control(`/reset${query}`, 'POST', body)
  expect(await whatIsLeft(emulator, c1, token)).toEqual(expected)
})

test.each([allButClients, allButBoth, oneClient])(
  'after a reset of %s a kept client has its credentials, its settings, and its clock where it stood',
  async (_, query, body) => {
    const { emulator, c1 } = await startFixture()
    const { clock, client } = await aUsedWorld(emulator, c1)
    await emulator.control(`/reset${query}`, 'POST', body)
    expect((await emulator.control('/clients/C1')).json).toEqual({ ...client, clock })
  },
)

test('a reset of everything makes the clients of the start anew, at the start', async () => {
  const emulator = await startTestEmulator({ fixtures: ['busy-merchant'] })
  const before = (await emulator.control('/clients')).items
  const orders = (await emulator.control('/orders?limit=1000')).items.map(({ orderId }) => orderId)
  await emulator.control('/clients/demo-client', 'PATCH', {
    apiSecret: 'changed',
    webhookUrl: 'http://a.test/',
  })
  await emulator.control('/clock/advance', 'POST', { by: '1h' })
  await emulator.control('/reset', 'POST')
  expect((await emulator.control('/clients')).items).toEqual(before)
  expect((await emulator.control('/orders?limit=1000')).items.map(({ orderId }) => orderId)).toEqual(orders)
})

test('new clients’ clocks begin again as they did at the start', async () => {
  const emulator = await startTestEmulator()
  const before = (await emulator.control('/clients/demo-client')).json.clock
  await emulator.control('/clock', 'PUT', { mode: 'real', speed: 60 })
  await emulator.control('/reset', 'POST')
  const client = await emulator.addClient({ clientId: 'new' })
  expect((await emulator.control(`/clients/${client.clientId}`)).json.clock).toEqual(before)
})

test.each([everything, allButClients, allButBoth])(
  'a reset of %s leaves no call of before in the journal, whoever made it',
  async (_, query, body) => {
    const { emulator, c1 } = await startFixture()
    await c1.createCheckout('r1')
    await emulator.send(paths.fiat, { method: 'GET', headers: { 'access-token': 'of nobody' } })
    const before = (await emulator.control('/requests')).items
    expect(before.map(({ clientId }) => clientId)).toEqual(['C1', null])
    await emulator.send(paths.fiat, { method: 'GET', headers: { 'access-token': 'of nobody' } })
    await emulator.control(`/reset${query}`, 'POST', body)
    expect((await emulator.control('/requests')).items).toEqual([])
  },
)

test.each<[string, (emulator: TestEmulator, snapshot: string) => Promise<unknown>]>([
  ['a reset', (emulator) => emulator.control('/reset?clientId=C1', 'POST')],
  [
    'its deletion',
    async (emulator) => {
      await emulator.control('/clients/C1', 'DELETE')
      await emulator.addClient({ clientId: 'C1', accessToken: 'T1' })
    },
  ],
  ['a restore', (emulator, snapshot) => restore(emulator, snapshot, '?clientId=C1')],
])('while the journal is being written, %s leaves no call of before in it', async (_, ends) => {
  const { emulator, c1 } = await startFixture()
  const snapshot = await snapshotOf(emulator, '?clientId=C1')
  for (let turns = 0; turns <= 24; turns++) {
    await Promise.all(Array.from({ length: 20 }, () => c1.fiatOrders('r1')))
    const ended = ends(emulator, snapshot)
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    await Promise.all([ended, emulator.control('/requests')])
    const { items } = await emulator.control('/requests?clientId=C1')
    expect([turns, items.length]).toEqual([turns, 0])
  }
})

test('a token that ends with its world is not shown by another client that has sent it', async () => {
  const { emulator, c1, c2 } = await startFixture()
  const token = await c1.issueToken()
  await c2.createCheckout(c2.checkout('r1', { fiatAmount: `mistaken ${token}` }))
  await emulator.control('/reset?clientId=C1', 'POST')
  const journal = JSON.stringify((await emulator.control('/requests')).items)
  expect(journal).toContain('mistaken')
  expect(journal).not.toContain(token)
})

test('routes that common settings have taken away are there again after a reset of everything', async () => {
  const { emulator, c1 } = await startFixture()
  const isServed = async () => (await c1.setWebhookUrl(null, {}, paths.fiatWebhookUrl)).status !== 404
  const reset = () => emulator.control('/reset', 'POST', { keep: ['clients'] })
  await reset()
  expect(await isServed()).toBe(true)
  await emulator.control('/settings', 'PATCH', { 'paths.webhookUrl': 'short' })
  expect(await isServed()).toBe(false)
  await reset()
  expect(await isServed()).toBe(true)
})

describe.each([everything, allButClients, oneClient])('a reset of %s', (_, query, body) => {
  const reset = (emulator: TestEmulator) => emulator.control(`/reset${query}`, 'POST', body)
  /** The client after that, created again if it is gone. */
  const again = async (emulator: TestEmulator, c1: TestClient, receiver: Receiver) => {
    const { clientId, apiSecret, accessToken, webhookSecret } = c1
    const credentials = { clientId, apiSecret, accessToken, webhookSecret }
    if (query === '' && !('keep' in body))
      await emulator.addClient({ ...credentials, webhookUrl: receiver.url })
  }

  test('cuts what is in flight, and nothing of it counts afterwards', async () => {
    const receiver = await startReceiver()
    const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
    const answered = Promise.withResolvers<void>()
    receiver.answerWith({ after: answered.promise }, {})
    await c1.createCheckout('r1')
    await receiver.received(1)
    await reset(emulator)
    answered.resolve()
    await again(emulator, c1, receiver)
    await c1.createCheckout('r1')
    await c1.settle()
    expect(await c1.deliveries()).toMatchObject([{ attempts: [{ n: 1, outcome: 'accepted' }] }])
  })

  test('ends a running advance, or lets it go on through an empty world', async () => {
    const receiver = await startReceiver()
    receiver.answerWith('hang')
    const settings = { 'webhook.timeout': '60s' }
    const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url, settings })
    await c1.createCheckout('r1')
    const advance = emulator.send('/_emulator/clock/advance?clientId=C1', {
      method: 'POST',
      headers: json,
      body: { by: '1h', timeoutMs: 5_000 },
    })
    await receiver.received(1)
    await reset(emulator)
    const { status } = await advance
    expect(status === 200 || status === 404).toBe(true)
    expect((await emulator.control('/orders')).items).toEqual([])
  })

  test('cuts an answer that is held', async () => {
    const { emulator, c1 } = await startFixture({ defaultScenario: 'create-timeout-then-7001' })
    const held = c1.createCheckout('r1').then(
      () => 'answered',
      () => 'cut',
    )
    await expect.poll(async () => (await emulator.control('/orders')).items.length).toBe(1)
    await reset(emulator)
    expect(await held).toBe('cut')
    expect((await emulator.control('/orders')).items).toEqual([])
  })

  test('leaves no call in the journal that was held', async () => {
    const { emulator, c1 } = await startFixture()
    await planFault(emulator, c1, { on: 'orders', effect: { delay: '30s' } })
    const held = c1.fiatOrders('r1').then(
      () => 'answered',
      () => 'cut',
    )
    await expect.poll(async () => (await emulator.control('/faults?clientId=C1')).items[0]?.hits).toBe(1)
    await reset(emulator)
    expect(await held).toBe('cut')
    const journal = (await emulator.control('/requests')).items
    expect(journal.filter(({ clientId }) => clientId === 'C1')).toEqual([])
  })

  test('leaves nobody waiting for what will not come', async () => {
    const { emulator, c1 } = await startFixture()
    await c1.createCheckout('r1')
    const wait = emulator.send('/_emulator/wait?clientId=C1', {
      method: 'POST',
      headers: json,
      body: { for: 'order', where: { requestId: 'r1', orderStatus: 'COMPLETED' }, timeoutMs: 300 },
    })
    await reset(emulator)
    expect([404, 408]).toContain((await wait).status)
  })
})
