import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestClient } from '../../support/client.ts'
import { startTestEmulator } from '../../support/emulator.ts'
import { expectOrderExists, expectStatus, expectVerificationFailed } from '../../support/expect.ts'
import { aFolder } from '../../support/folder.ts'
import { scenarioFiles } from '../../support/scenario-files.ts'
import { faultNotes, given, statusesOf } from './given.ts'

test('a create call that fails with the order stored leaves the order, and a retry gets 7001', async () => {
  const { client } = await given('[{ on: create-order, when: stored, effect: { status: 500 }, times: 1 }]')
  const answer = await client.createCheckout('r1')
  expect(answer).toMatchObject({ status: 500, text: '{"error":"Internal Server Error"}' })
  expect((await client.fiatOrders('r1')).record.orderStatus).toBe('CREATED')
  expectOrderExists(await client.createCheckout('r1'))
})

test('a create call that fails before anything is stored leaves nothing, and a retry works', async () => {
  const { client, receiver } = await given('[{ on: create-order, effect: { status: 500 }, times: 1 }]')
  expectStatus(await client.createCheckout('r1'), 500)
  expect((await client.fiatOrders('r1')).data).toEqual([])
  expect(receiver.requests).toEqual([])
  expectStatus(await client.createCheckout('r1'), 200)
})

test('the webhook of an order whose create call failed comes all the same', async () => {
  const { client, receiver } = await given('[{ on: create-order, when: stored, effect: { status: 500 } }]')
  await client.createCheckout('r1')
  await client.settle()
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['CREATED'])
})

test('a subscription fails by a rule for both creates, and not by one for checkouts', async () => {
  const both = await given('[{ on: create-order, effect: { status: 500 } }]')
  expectStatus(await both.client.createSubscription('r1'), 500)
  const checkouts = await given('[{ on: create-checkout-order, effect: { status: 500 } }]')
  expectStatus(await checkouts.client.createSubscription('r1'), 200)
})

test('rules of one scenario answer in turn, and then nothing does', async () => {
  const { client } = await given(
    '[{ on: orders, effect: { status: 503 }, times: 1 }, { on: orders, effect: { status: 502, body: "<h1>no</h1>" }, times: 1 }]',
  )
  await client.createCheckout('r1')
  expectStatus(await client.fiatOrders('r1'), 503)
  const html = await client.fiatOrders('r1')
  expect(html).toMatchObject({ status: 502, text: '<h1>no</h1>' })
  expect(html.headers['content-type']).toBe('text/html; charset=utf-8')
  expectStatus(await client.fiatOrders('r1'), 200)
  expectStatus(await client.cryptoOrders('r1'), 200)
})

test('a fault of one order is none of another', async () => {
  const { client, emulator } = await given('[{ on: orders, effect: { status: 503 }, times: 1 }]')
  const other = await emulator.addClient({ defaultScenario: 'happy' })
  for (const each of [client, other]) await each.createCheckout('r1')
  await client.createCheckout('r2')
  expectStatus(await other.fiatOrders('r1'), 200)
  expect(await statusesOf([() => client.fiatOrders('r1'), () => client.fiatOrders('r2')])).toEqual([503, 503])
  expectStatus(await client.fiatOrders('r1'), 200)
})

test('only the third call that the rule fits is answered with 429 and Retry-After', async () => {
  const { client } = await given(
    '[{ on: [create-order, orders, fiat-refunds], effect: { status: 429, retryAfter: 2 }, nth: 3 }]',
  )
  expectStatus(await client.createCheckout('r1'), 200)
  expectStatus(await client.cryptoOrders('r1'), 200)
  expectStatus(await client.refunds('r1'), 200)
  const third = await client.fiatOrders('r1')
  expect(third).toMatchObject({ status: 429, text: '{"error":"Too Many Requests"}' })
  expect(third.headers['retry-after']).toBe('2')
  expectStatus(await client.fiatOrders('r1'), 200)
})

test('a rule holds as long as it says, on the clock of the client', async () => {
  const { client } = await given('[{ on: orders, effect: { status: 503 }, for: 2m }]')
  await client.createCheckout('r1')
  await client.advance('1h')
  expectStatus(await client.fiatOrders('r1'), 503)
  await client.advance('119s')
  expectStatus(await client.fiatOrders('r1'), 503)
  await client.advance('1s')
  expectStatus(await client.fiatOrders('r1'), 200)
})

test('a body, headers and a status of its own are sent as they are written', async () => {
  const { client } = await given(
    '[{ on: orders, when: stored, effect: { status: 200, body: { data: "soon" }, headers: { X-Proxy: edge 7 } } }]',
  )
  await client.createCheckout('r1')
  const answer = await client.fiatOrders('r1')
  expect(answer).toMatchObject({ status: 200, text: '{"data":"soon"}' })
  expect(answer.headers).toMatchObject({
    'x-proxy': 'edge 7',
    'content-type': 'application/json; charset=utf-8',
  })
})

test('headers alone are added to the right answer', async () => {
  const { client } = await given('[{ on: orders, when: stored, effect: { headers: { age: 60 } } }]')
  await client.createCheckout('r1')
  const answer = await client.fiatOrders('r1')
  expect(answer.record.orderStatus).toBe('CREATED')
  expect(answer.headers.age).toBe('60')
})

test('an answer without a body has none', async () => {
  const { client } = await given('[{ on: orders, effect: { status: 204 } }]')
  await client.createCheckout('r1')
  expect(await client.fiatOrders('r1')).toMatchObject({ status: 204, text: '' })
})

test('a simulation fails by the scenario of the order that it names', async () => {
  const { client, receiver } = await given(
    '[{ on: simulate-webhook, effect: { status: 500 }, times: 1 }, { on: simulate-webhook, when: stored, effect: { status: 503 }, times: 1 }]',
    { client: { settings: { webhook: { on: ['COMPLETED'] } } } },
  )
  await client.createCheckout('r1')
  const simulate = () => client.simulate(client.simulation('r1'))
  expect(await statusesOf([simulate, simulate, simulate])).toEqual([500, 503, 200])
  await client.settle()
  expect(receiver.requests).toHaveLength(2)
})

test('a refused call uses nothing up', async () => {
  const { client } = await given('[{ on: create-order, effect: { status: 500 }, times: 1 }]')
  expectVerificationFailed(await client.createCheckout('r1', { signed: 'wrong' }))
  expectStatus(await client.createCheckout('r1'), 500)
})

test('a requestId that is taken is refused before a rule without `stored` is asked', async () => {
  const { client } = await given('[{ on: create-order, effect: { status: 500 }, skip: 1 }]')
  expectStatus(await client.createCheckout('r1'), 200)
  expectOrderExists(await client.createCheckout('r1'))
})

test.each([
  ['token', { headers: { 'access-token': 'wrong' } }],
  ['signature', { signed: 'wrong' }],
  ['content type', { headers: { 'content-type': 'text/plain' } }],
])('a rule for unchecked calls comes before the check of the %s', async (_, options) => {
  const { client } = await given('[{ on: create-order, when: unchecked, effect: { status: 503 }, times: 1 }]')
  expectStatus(await client.createCheckout('r1', options), 503)
  expect((await client.createCheckout('r1', options)).status).toBeOneOf([401, 415])
})

test('a rule for unchecked calls counts good calls and refused ones alike', async () => {
  const { client } = await given(
    '[{ on: [create-order, orders], when: unchecked, effect: { status: 503 }, nth: 4 }]',
  )
  const bad = { headers: { 'access-token': 'wrong' } }
  const lookUp = (options = {}) =>
    client.lookUp('/v1/client/orders', { requestId: 'r1', clientId: client.clientId }, options)
  const calls = [
    () => client.createCheckout('r1'),
    () => lookUp(bad),
    () => lookUp(),
    () => lookUp(bad),
    () => lookUp(),
  ]
  expect(await statusesOf(calls)).toEqual([200, 401, 200, 503, 200])
})

test.each([
  ['text', 'no JSON at all'],
  ['a list', '[]'],
  ['no requestId', '{}'],
])('a call that says nothing of an order (%s) is refused as always', async (_, body) => {
  const { client } = await given('[{ on: create-order, when: unchecked, effect: { status: 503 } }]')
  expectStatus(await client.post('/v1/client/checkout/create-order', body), 400)
})

test.each(['before', 'stored', 'unchecked'])(
  'of 20 calls at once, one is answered by a rule for one call (%s)',
  async (when) => {
    const { client } = await given(`[{ on: create-order, when: ${when}, effect: { status: 500 }, times: 1 }]`)
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.createCheckout('r1')))
    const statuses = answers.map(({ status }) => status)
    const good = when === 'stored' ? [] : [200]
    expect(statuses.toSorted()).toEqual([...good, ...Array(19 - good.length).fill(401), 500])
    expect((await client.fiatOrders('r1')).data).toHaveLength(1)
  },
)

test('counts survive a restart, the order being there or not', async () => {
  const database = join(aFolder(), 'db')
  const scenarios = [
    scenarioFiles({
      faulty:
        'answers: [{ on: create-order, effect: { status: 500 }, times: 2 }, { on: orders, effect: { status: 503 }, nth: 2 }]',
    }),
  ]
  const config = { database, scenarios }
  let emulator = await startTestEmulator(config)
  const credentials = await emulator.addClient({ defaultScenario: 'faulty' })
  const again = async () => {
    await emulator.close()
    emulator = await startTestEmulator(config)
    return new TestClient(emulator, credentials)
  }
  expectStatus(await (await again()).createCheckout('r1'), 500)
  expectStatus(await (await again()).createCheckout('r1'), 500)
  expectStatus(await (await again()).createCheckout('r1'), 200)
  expectStatus(await (await again()).fiatOrders('r1'), 200)
  expectStatus(await (await again()).fiatOrders('r1'), 503)
  expectStatus(await (await again()).fiatOrders('r1'), 200)
})

test('the journal tells what was done, and keeps the body that was sent', async () => {
  const context = await given(
    '[{ on: create-order, when: stored, effect: { status: 500 }, times: 1 }, { on: orders, effect: { status: 503 } }]',
  )
  const { client } = context
  const created = await client.createCheckout('r1')
  const entry = await client.journalOf(created)
  expect(entry).toMatchObject({ status: 500, response: created.text, requestId: 'r1', diagnosis: null })
  await client.fiatOrders('r1')
  await client.fiatOrders('r1')
  expect(await faultNotes(context)).toEqual([
    'fault: create-order stored, 500 instead of 200 (scenario faulty, 1 of 1)',
    'fault: orders before, 503, nothing stored (scenario faulty, call 1)',
    'fault: orders before, 503, nothing stored (scenario faulty, call 2)',
  ])
})

test('what a random mix deals out to an order answers its calls', async () => {
  const part = (n: number) => `{ name: p${n}, answers: [{ on: orders, effect: { status: ${500 + n} } }] }`
  const random = `random: { pick: 1, from: [${part(1)}, ${part(2)}] }`
  const emulator = await startTestEmulator({ scenarios: [scenarioFiles({ mixed: random })] })
  const client = await emulator.addClient({ clientId: 'C1', defaultScenario: 'mixed' })
  const requestIds = Array.from({ length: 8 }, (_, n) => `r${n}`)
  for (const requestId of requestIds) await client.createCheckout(requestId)
  const first = await statusesOf(requestIds.map((requestId) => () => client.fiatOrders(requestId)))
  expect(new Set(first)).toEqual(new Set([501, 502]))
  expect(await statusesOf(requestIds.map((requestId) => () => client.fiatOrders(requestId)))).toEqual(first)
})

test.each([204, 205, 304])(
  'a stored call is answered %i with nothing, whatever there would be to say',
  async (status) => {
    const { client } = await given(`[{ on: orders, when: stored, effect: { status: ${status} } }]`)
    await client.createCheckout('r1')
    const answer = await client.fiatOrders('r1')
    expect(answer).toMatchObject({ status, text: '' })
    expect(await client.journalOf(answer)).toMatchObject({ status, response: '' })
  },
)
