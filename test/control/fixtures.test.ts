import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/answer.ts'
import { TestClient } from '../support/client.ts'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { startReceiver } from '../support/receiver.ts'

const now = '2026-03-01T12:00:00Z'

/** Posts a fixture of one client, `shop`, whose clock stands at `now`. */
function load(emulator: TestEmulator, members: object, query = ''): Promise<Answer> {
  const client = { clientId: 'shop', clock: { mode: 'manual', now }, ...members }
  return post(emulator, JSON.stringify({ clients: [client] }), { query })
}

function post(
  emulator: TestEmulator,
  body: string,
  { type = 'application/json', query = '' } = {},
): Promise<Answer> {
  const headers = { 'content-type': type }
  return emulator.send(`/_emulator/fixtures${query}`, { method: 'POST', headers, body })
}

/** A fixture of one client, and the client. */
async function loaded(members: object): Promise<{ emulator: TestEmulator; shop: TestClient }> {
  const emulator = await startTestEmulator()
  const answer = await load(emulator, members)
  expect(answer.text).toContain('"clients":[')
  return { emulator, shop: shopOf(emulator) }
}

const shopOf = (emulator: TestEmulator) =>
  new TestClient(emulator, {
    clientId: 'shop',
    apiSecret: 'shop-secret',
    accessToken: 'shop-token',
    webhookSecret: `whsec_${btoa('shop-webhook-secret')}`,
  })

describe('a fixture that is posted', () => {
  test('answers its clients with their credentials, and what it brought', async () => {
    const emulator = await startTestEmulator()
    const yaml = `clients:\n  - clientId: shop\n    orders:\n      - { status: COMPLETED, deliveries: [{}] }\n`
    const answer = await post(emulator, yaml, { type: 'application/yaml; charset=utf-8' })
    expect(answer.status).toBe(201)
    expect(answer.json).toMatchObject({
      clients: [
        { clientId: 'shop', apiSecret: 'shop-secret', accessToken: 'shop-token', orders: 1, deliveries: 1 },
      ],
      replaced: [],
    })
  })

  test('gives each client what it says of it', async () => {
    const { emulator } = await loaded({
      apiSecret: 's',
      accessToken: 't',
      webhookSecret: 'whsec_c2VjcmV0',
      webhookUrl: 'http://app.test/hook',
      defaultScenario: 'never-pays',
      settings: { webhook: { retry: { max: 1 } } },
    })
    expect((await emulator.control('/clients/shop')).json).toEqual({
      clientId: 'shop',
      apiSecret: 's',
      accessToken: 't',
      webhookSecret: 'whsec_c2VjcmV0',
      webhookUrl: 'http://app.test/hook',
      defaultScenario: 'never-pays',
      clock: { mode: 'manual', now: Date.parse(now), speed: 0 },
      settings: { 'webhook.retry.max': 1 },
    })
  })

  test('a clock of which it says nothing is one of a new client', async () => {
    const { emulator } = await loaded({ clock: undefined })
    expect((await emulator.control('/clock?clientId=shop')).json).toEqual({
      mode: 'manual',
      now: Date.parse('2026-04-21T16:00:00Z'),
      speed: 0,
    })
  })

  test('JSON may be written in any way that JSON allows', async () => {
    const emulator = await startTestEmulator()
    const body =
      '{\t"clients" :\r\n\t[ {\n\t\t"clientId":"sh\\u006fp", "apiSecret": "a\\/b\\ud83d\\ude00"\n\t} ] }\n'
    expect(JSON.parse(body)).toMatchObject({ clients: [{ clientId: 'shop', apiSecret: 'a/b😀' }] })
    expect((await post(emulator, body)).json).toMatchObject(JSON.parse(body))
  })

  test('its application calls the service as if it had always been there', async () => {
    const { shop } = await loaded({ orders: [{ requestId: 'r1', status: 'COMPLETED' }] })
    expect((await shop.createCheckout('r1')).json).toMatchObject({ error: { code: '7001' } })
    expect((await shop.createCheckout('r2')).status).toBe(200)
    await shop.advance('5s')
    expect((await shop.fiatOrders('r2')).record).toMatchObject({ orderStatus: 'COMPLETED' })
  })

  test('its tokens work until they expire', async () => {
    const { shop } = await loaded({
      tokens: [
        { token: 'short', expires: 'in 10m' },
        { token: 'gone', expires: '1s ago' },
      ],
    })
    const look = async (token: string) =>
      (
        await shop.lookUp(
          '/v1/client/orders',
          { requestId: 'r', clientId: 'shop' },
          { headers: { 'access-token': token } },
        )
      ).status
    expect([await look('short'), await look('gone'), await look('shop-token')]).toEqual([200, 401, 200])
    await shop.advance('10m')
    expect([await look('short'), await look('shop-token')]).toEqual([401, 200])
  })

  test('the same seed and fixture give the same ids; a requestId of its own makes no difference to others', async () => {
    const orders = [
      { requestId: 'a', status: 'COMPLETED', refunds: [{}] },
      { kind: 'subscription', authorised: '3mo ago' },
    ]
    const idsOf = async (members: object) => {
      const { emulator } = await loaded(members)
      const { items } = await emulator.control('/orders?clientId=shop')
      return items.map(({ requestId, orderId, refunds }) => ({ requestId, orderId, refunds }))
    }
    const first = await idsOf({ orders })
    expect(first).toHaveLength(5)
    expect(await idsOf({ orders })).toEqual(first)
    expect(await idsOf({ orders: [...orders, { requestId: 'b', created: '1s ago' }] })).toEqual(
      expect.arrayContaining(first),
    )
  })

  test('ids that it gives are kept', async () => {
    const { emulator, shop } = await loaded({
      webhookUrl: 'http://127.0.0.1:9/',
      orders: [
        {
          requestId: 'r1',
          orderId: 'order-of-my-database',
          status: 'COMPLETED',
          refunds: [{ refundId: 'refund-1' }],
          deliveries: [{ due: 'in 1h' }],
        },
      ],
    })
    expect((await shop.fiatOrders('r1')).record.orderId).toBe('order-of-my-database')
    expect((await shop.refunds('r1')).record.refundId).toBe('refund-1')
    expect((await emulator.control('/orders/order-of-my-database')).json.requestId).toBe('r1')
    expect((await shop.deliveries())[0]).toMatchObject({ body: { orderId: 'order-of-my-database' } })
  })
})

describe('a fixture that is refused', () => {
  test.each([
    ['no YAML', 'clients: [', 'body:1:'],
    [
      'a wrong member',
      'clients:\n  - clientId: shop\n    orders: [{ statu: X }]',
      'body:3:16: unknown key `statu`',
    ],
    [
      'JSON with a wrong member',
      '{"clients":[{"clientId":"shop","tokens":[{"token":"a"}]}]}',
      'body:1:42: `expires` is missing',
    ],
    [
      'a scenario that is not there',
      'clients: [{ clientId: shop, defaultScenario: hapy }]',
      'did you mean `happy`?',
    ],
    [
      'a moment that is only wrong here',
      'clients: [{ clientId: shop, orders: [{ created: 2026-04-21T16:00:01Z }] }]',
      "body:1:49: is in the future: the client's clock reads 2026-04-21T16:00:00Z",
    ],
  ])('%s is told with its place, and nothing is loaded', async (_, body, message) => {
    const emulator = await startTestEmulator()
    const answer = await post(emulator, body, { type: 'text/yaml' })
    expect(answer.status).toBe(400)
    expect(answer.json.error).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message),
    })
    expect((await emulator.control('/clients')).items).toHaveLength(1)
  })

  test('problems carry the name that is given with ?file=', async () => {
    const answer = await post(await startTestEmulator(), 'clients: {}', { query: '?file=my/shop.yaml' })
    expect(answer.text).toContain('my/shop.yaml:1:10: expected a list')
  })

  test('a body that is neither YAML nor JSON by its own account is refused', async () => {
    const emulator = await startTestEmulator()
    const answer = await post(emulator, 'clients: [{ clientId: shop }]', { type: 'text/plain' })
    expect([answer.status, answer.json.error]).toMatchObject([
      415,
      { message: 'Content-Type must be application/yaml or application/json; it is text/plain.' },
    ])
  })

  test('one that names a client that is there changes nothing, of the others neither', async () => {
    const { emulator, shop } = await loaded({ orders: [{ requestId: 'r1' }] })
    const answer = await post(
      emulator,
      JSON.stringify({ clients: [{ clientId: 'new' }, { clientId: 'shop' }] }),
    )
    expect([answer.status, answer.json.error]).toMatchObject([409, { code: 'fixture_exists' }])
    expect(answer.text).toContain('these names already exist: shop')
    expect((await emulator.control('/clients')).items.map(({ clientId }) => clientId)).not.toContain('new')
    expect((await shop.fiatOrders('r1')).data).toHaveLength(1)
  })

  test.each([
    ['an access token of another client', { accessToken: 'demo-token' }],
    ['a token of another client', { tokens: [{ token: 'demo-token', expires: 'in 1h' }] }],
  ])('one with %s is refused', async (_, members) => {
    const answer = await load(await startTestEmulator(), members)
    expect([answer.status, answer.json.error]).toMatchObject([409, { code: 'client_exists' }])
  })

  test('one with an orderId of another client is refused', async () => {
    const { emulator } = await loaded({ orders: [{ orderId: 'o-1' }] })
    const other = { clients: [{ clientId: 'other', orders: [{ orderId: 'o-1' }] }] }
    const answer = await post(emulator, JSON.stringify(other))
    expect([answer.status, answer.json.error]).toMatchObject([409, { code: 'order_id_taken' }])
  })
})

describe('a fixture that replaces', () => {
  test('its clients begin anew, with nothing of what they were', async () => {
    const receiver = await startReceiver()
    const { emulator, shop } = await loaded({
      webhookUrl: receiver.url,
      orders: [{ requestId: 'old', created: '1s ago' }],
    })
    await shop.createCheckout('mine')
    await shop.settle()
    const token = await shop.issueToken()
    const before = receiver.requests.length
    const answer = await load(
      emulator,
      { webhookUrl: receiver.url, orders: [{ requestId: 'new', created: '3s ago' }] },
      '?replace=true',
    )
    expect(answer.json).toMatchObject({ replaced: ['shop'] })
    expect((await shop.fiatOrders('old')).data).toEqual([])
    expect((await shop.fiatOrders('mine')).data).toEqual([])
    const query = { requestId: 'new', clientId: 'shop' }
    const { status } = await shop.lookUp('/v1/client/orders', query, { headers: { 'access-token': token } })
    expect(status).toBe(401)
    // The two lookups above; whose token the last one had is not known any more.
    expect((await emulator.control('/requests?clientId=shop')).items).toHaveLength(2)
    await shop.advance('1m')
    expect(receiver.requests.slice(before).map(({ json }) => [json.requestId, json.orderStatus])).toEqual([
      ['new', 'COMPLETED'],
    ])
  })

  test('a refusal leaves the old world, which goes on', async () => {
    const receiver = await startReceiver()
    const { emulator, shop } = await loaded({
      webhookUrl: receiver.url,
      orders: [{ requestId: 'old', created: '1s ago' }],
    })
    await load(emulator, { clientId: 'other', orders: [{ orderId: 'taken' }] })
    const answer = await load(emulator, { orders: [{ orderId: 'taken' }] }, '?replace=true')
    expect(answer.status).toBe(409)
    await shop.advance('10s')
    expect(receiver.requests.map(({ json }) => json.requestId)).toEqual(['old'])
  })
})

describe('the past of a fixture', () => {
  test('nothing of it is sent, and what follows goes on from there', async () => {
    const receiver = await startReceiver()
    const { shop } = await loaded({
      webhookUrl: receiver.url,
      orders: [
        { requestId: 'done', created: '1h ago', status: 'COMPLETED' },
        { requestId: 'paid', created: '4s ago' },
        { requestId: 'new' },
        { requestId: 'later', created: '1m ago', scenario: 'happy-slow' },
      ],
    })
    await shop.settle()
    expect(receiver.requests).toEqual([])
    expect((await shop.cryptoOrders('paid')).record).toMatchObject({
      paymentStatus: 'COMPLETED',
      orderStatus: 'CREATED',
    })
    await shop.advance('11m')
    expect(receiver.requests.map(({ json }) => [json.requestId, json.orderStatus])).toEqual([
      ['paid', 'COMPLETED'],
      ['new', 'COMPLETED'],
      ['later', 'COMPLETED'],
    ])
  })

  test('its history tells when it happened', async () => {
    const { emulator, shop } = await loaded({
      orders: [
        {
          requestId: 'r',
          created: '2h ago',
          paid: '1h ago',
          since: '30m ago',
          status: 'FAILED',
          errorCode: '9005',
        },
      ],
    })
    const { orderId } = await shop.order('r')
    const { json } = await emulator.control(`/orders/${orderId}`)
    const ago = (minutes: number) => Date.parse(now) - minutes * 60_000
    expect(json.history).toEqual([
      { at: ago(120), what: 'created', to: 'CREATED' },
      { at: ago(60), what: 'paid' },
      { at: ago(60), what: 'payment', from: 'CREATED', to: 'COMPLETED' },
      { at: ago(30), what: 'order', from: 'CREATED', to: 'FAILED' },
    ])
    expect(json).toMatchObject({ updatedAt: ago(30), nextDueAt: null, errorReason: { errorCode: '9005' } })
  })

  test('a payer who came is told like one who comes: the steps after the payment keep their distance', async () => {
    const { shop } = await loaded({
      orders: [{ requestId: 'r', created: '1h ago', mode: 'returnUrl', paid: '1s ago' }],
    })
    const at = Date.parse(now)
    expect(await shop.order('r')).toMatchObject({
      orderStatus: 'CREATED',
      paymentStatus: 'COMPLETED',
      nextDueAt: at + 2_000,
    })
  })

  test('an order on its payment page waits for its payer', async () => {
    const { shop } = await loaded({ orders: [{ requestId: 'r', created: '1h ago', mode: 'returnUrl' }] })
    await shop.advance('1h')
    expect(await shop.order('r')).toMatchObject({ waitsForPayer: true, paymentStatus: 'CREATED' })
    await shop.pay('r', 'completed')
    await shop.advance('3s')
    expect(await shop.order('r')).toMatchObject({ orderStatus: 'COMPLETED' })
  })

  test('an order with a status and a scenario has that status, and what its age has not reached yet comes', async () => {
    const { shop } = await loaded({
      orders: [
        {
          requestId: 'r',
          created: '61s ago',
          since: '50s ago',
          status: 'COMPLETED',
          scenario: 'refund-failed',
        },
      ],
    })
    expect((await shop.refunds('r')).json).toEqual({ data: [] })
    await shop.advance('29s')
    expect((await shop.refunds('r')).json).toMatchObject({ errorReason: { errorCode: '9006.1' } })
  })

  test('what expiry does by the settings has been done, or is to come', async () => {
    const { shop } = await loaded({
      settings: { orders: { onExpiry: 'abandon' } },
      defaultScenario: 'never-pays',
      orders: [
        { requestId: 'old', created: '16m ago' },
        { requestId: 'young', created: '14m ago' },
      ],
    })
    expect(await shop.order('old')).toMatchObject({ orderStatus: 'ABANDONED' })
    expect(await shop.order('young')).toMatchObject({ orderStatus: 'CREATED' })
    await shop.advance('1m')
    expect(await shop.order('young')).toMatchObject({ orderStatus: 'ABANDONED' })
  })

  test('the scenario is chosen as for a create call: by the e-mail, the amount, the client', async () => {
    const { shop } = await loaded({
      defaultScenario: 'never-pays',
      orders: [
        { requestId: 'mail', created: '1m ago', email: 'a+fail-9005@example.com' },
        { requestId: 'amount', created: '1m ago', fiatAmount: '90.04' },
        { requestId: 'client', created: '1m ago' },
      ],
    })
    const seen = async (requestId: string) => (await shop.order(requestId)).errorReason
    expect(await seen('mail')).toMatchObject({ errorCode: '9005' })
    expect(await seen('amount')).toMatchObject({ errorCode: '9004' })
    expect(await seen('client')).toBeNull()
  })
})

describe('deliveries of a fixture', () => {
  const order = (...deliveries: object[]) => ({
    requestId: 'r',
    created: '1h ago',
    status: 'COMPLETED',
    deliveries,
  })

  test('those that are pending go out at once, in order of their events', async () => {
    const receiver = await startReceiver()
    const { shop } = await loaded({
      webhookUrl: receiver.url,
      orders: [order({ of: 'COMPLETED' }, { of: 'CREATED' })],
    })
    await shop.settle()
    expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['CREATED', 'COMPLETED'])
    expect(shop.verifyWebhook(receiver.requests[0])).toMatchObject({ requestId: 'r' })
  })

  test('one in retry goes on with its next attempt when it is due, and then by the schedule', async () => {
    const receiver = await startReceiver()
    receiver.answerWith({ status: 503 })
    const { shop } = await loaded({
      webhookUrl: receiver.url,
      orders: [order({ attempts: 3, answer: 502, due: 'in 2m' })],
    })
    await shop.advance('119s')
    expect(receiver.requests).toEqual([])
    const { deliveries } = await shop.advance('9s')
    expect(deliveries.map(({ attempt, at }) => [attempt, at - Date.parse(now)])).toEqual([
      [4, 120_000],
      [5, 128_000],
    ])
    const [delivery] = await shop.deliveries()
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: [
        { n: 1, status: 502 },
        { n: 2 },
        { n: 3, outcome: 'refused' },
        { n: 4, status: 503 },
        { n: 5 },
      ],
    })
  })

  test('attempts of which it says no time came by the schedule, from the event on', async () => {
    const { shop } = await loaded({
      webhookUrl: 'http://127.0.0.1:9/',
      orders: [{ ...order({ attempts: 2 }), created: '1h ago', since: '2s ago' }],
    })
    const [delivery] = await shop.deliveries()
    const at = Date.parse(now)
    expect(delivery).toMatchObject({ dueAt: at + 1_000, attempts: [{ at: at - 2_000 }, { at: at - 1_000 }] })
  })

  test('those that are through or dead are on record, and can be sent again', async () => {
    const receiver = await startReceiver()
    const { emulator, shop } = await loaded({
      webhookUrl: receiver.url,
      orders: [
        order({ of: 'CREATED', status: 'delivered', attempts: 2 }, { of: 'COMPLETED', status: 'dead' }),
      ],
    })
    await shop.advance('1d')
    expect(receiver.requests).toEqual([])
    const [first, second] = await shop.deliveries()
    expect(first).toMatchObject({
      status: 'delivered',
      attempts: [{ outcome: 'refused' }, { outcome: 'accepted' }],
    })
    expect(second).toMatchObject({ status: 'dead', attempts: { length: 11 } })
    await emulator.control(`/deliveries/${second?.id}/resend`, 'POST', {})
    await shop.settle()
    expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['COMPLETED'])
  })

  test('their bodies are as the settings ask, tokens too', async () => {
    const receiver = await startReceiver()
    const { shop } = await loaded({
      webhookUrl: receiver.url,
      settings: { webhook: { format: 'jwt' } },
      orders: [order({})],
    })
    await shop.settle()
    expect(receiver.requests[0]?.json).toEqual({ payload: expect.stringMatching(/^ey.*\..*\./) })
  })

  test('events that a scenario sends late are still to come', async () => {
    const folder = aFolder()
    writeFileSync(
      join(folder, 'late.yaml'),
      'id: late\ndescription: x\nwebhooks: { of: COMPLETED, delay: 40m }\ntimeline: [{ at: 0s, order: COMPLETED }]\n',
    )
    const receiver = await startReceiver()
    const emulator = await startTestEmulator({ scenarios: [folder] })
    const orders = [
      { requestId: 'r', created: '39m ago', scenario: 'late' },
      { requestId: 'past', created: '41m ago', scenario: 'late' },
    ]
    await load(emulator, { webhookUrl: receiver.url, orders })
    const shop = shopOf(emulator)
    await shop.settle()
    expect(receiver.requests).toEqual([])
    await shop.advance('1m')
    expect(receiver.requests.map(({ json }) => [json.requestId, json.orderStatus])).toEqual([
      ['r', 'COMPLETED'],
    ])
  })
})

describe('a fixture that ships', () => {
  test('is listed with its clients, and shown as it was written', async () => {
    const emulator = await startTestEmulator()
    const { items } = await emulator.control('/fixtures')
    expect(items).toContainEqual({
      name: 'empty',
      description: 'One client without orders',
      clients: [{ clientId: 'shop', orders: 0 }],
    })
    const { json } = await emulator.control('/fixtures/empty')
    expect(json.text).toBe(readFileSync('fixtures/empty.yaml', 'utf8'))
  })

  test('is loaded by its name, once unless it is to replace', async () => {
    const emulator = await startTestEmulator()
    const loadEmpty = (query = '') =>
      emulator.send(`/_emulator/fixtures/empty${query}`, { method: 'POST', headers: {} })
    expect((await loadEmpty()).json).toMatchObject({ clients: [{ clientId: 'shop' }], replaced: [] })
    const again = await loadEmpty()
    expect(again.status).toBe(409)
    expect(again.json).toMatchObject({ error: { code: 'fixture_exists' } })
    expect((await loadEmpty('?replace=true')).json).toMatchObject({ replaced: ['shop'] })
  })

  test('that is not there is refused with the nearest name', async () => {
    const emulator = await startTestEmulator()
    const answer = await emulator.send('/_emulator/fixtures/busy-mercant', { method: 'POST', headers: {} })
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('did you mean `busy-merchant`?')
  })
})
