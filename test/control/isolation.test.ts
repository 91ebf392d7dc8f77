import { expect, test } from 'vitest'
import { untilHeld } from '../api/faults/given.ts'
import { type Fixture, startFixture, startTime } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { under } from '../support/under.ts'

const t0 = Date.parse(startTime)
const dayMs = 86_400_000

/** All data of a client, as the control API shows it. */
async function worldOf({ emulator }: Pick<Fixture, 'emulator'>, clientId: string) {
  const lists = ['/orders', '/deliveries', '/requests', '/users'].map(async (path) => {
    return (await emulator.control(`${path}?clientId=${clientId}`)).items
  })
  const { json } = await emulator.control(`/clients/${clientId}`)
  return { client: json, lists: await Promise.all(lists) }
}

test('a reset of one client leaves everything of another as it is', async () => {
  const receiver = await startReceiver()
  const fixture = await startFixture({ webhookUrl: receiver.url })
  const { emulator, c1, c2 } = fixture
  await c2.change({ webhookUrl: receiver.url })
  await emulator.control('/deliveries/hold', 'POST', { where: { orderStatus: 'COMPLETED' } })
  const plan = { scenario: 'fail-9004', clientId: 'C2', requestId: 'r2' }
  await emulator.control('/scenarios/next', 'POST', plan)
  const token = await c2.issueToken()
  await Promise.all([c1.createCheckout('r1'), c2.createSubscription('r1')])
  await emulator.control('/clock/advance', 'POST', { by: '10s' })
  const before = await worldOf(fixture, 'C2')
  await emulator.control('/reset?clientId=C1', 'POST', {})
  expect(await worldOf(fixture, 'C2')).toEqual(before)
  expect((await worldOf(fixture, 'C1')).lists).toEqual([[], [], [], []])
  const query = { requestId: 'r1', clientId: 'C2' }
  const looked = await c2.lookUp('/v1/client/orders', query, { headers: { 'access-token': token } })
  expect(looked.status).toBe(200)
  await c2.createCheckout('r2')
  expect(await c2.order('r2')).toMatchObject({ scenario: { id: 'fail-9004', why: 'next' } })
})

test('a client that is made anew under a name sees nothing of the one before, held calls and plans included', async () => {
  const fixture = await under(
    'timeline: []\nanswers: [{ on: create-order, when: before, effect: { delay: 60s } }]\n',
  )
  const { emulator, c1 } = fixture
  const hangs = c1.createCheckout('r1').catch(() => undefined)
  await untilHeld({ client: c1 })
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', clientId: 'C1', count: 5 })
  await emulator.control('/deliveries/hold?clientId=C1', 'POST', {})
  await c1.createCheckout('r2')
  await emulator.control('/clients/C1', 'DELETE')
  await hangs
  const again = await emulator.addClient({ clientId: 'C1' })
  const { client, lists } = await worldOf(fixture, 'C1')
  expect(lists).toEqual([[], [], [], []])
  expect(client).not.toHaveProperty('holds')
  await again.createCheckout('r1')
  expect(await again.order('r1')).toMatchObject({ scenario: { id: 'happy', why: 'default' } })
})

test('a scenario planned for one client’s requestId is not taken by another client with the same one', async () => {
  const { emulator, c1, c2 } = await startFixture()
  const plan = { scenario: 'fail-9004', clientId: 'C1', requestId: 'r1' }
  await emulator.control('/scenarios/next', 'POST', plan)
  await c2.createCheckout('r1')
  await c1.createCheckout('r1')
  expect(await c2.order('r1')).toMatchObject({ scenario: { id: 'happy' } })
  expect(await c1.order('r1')).toMatchObject({ scenario: { id: 'fail-9004' } })
})

test('a client that wants requestIds unique across clients takes none away from the others', async () => {
  const settings = { requestIds: { scope: 'global' } }
  const { c1, c2 } = await startFixture({ settings })
  expect((await c1.createCheckout('r1')).status).toBe(200)
  expect((await c2.createCheckout('r1')).status).toBe(200)
  expect((await c2.createCheckout('r2')).status).toBe(200)
  expect((await c1.createCheckout('r2')).status).toBe(401)
})

test('a change of a client and what its scenario makes of it at the same moment both hold', async () => {
  const steps = Array.from(
    { length: 20 },
    (_, n) => `  - { at: ${n}s, client: { webhookUrl: { addQuery: "n=${n}" } } }\n`,
  )
  const { emulator, c1 } = await under(`timeline:\n${steps.join('')}`, { webhookUrl: 'http://127.0.0.1:9/' })
  await c1.createCheckout('r1')
  const changes = Array.from({ length: 20 }, (_, n) =>
    c1.change({ settings: { webhook: { retry: { max: n } } } }),
  )
  await Promise.all([c1.advance('20s'), ...changes])
  const { json } = await emulator.control('/clients/C1')
  const wanted = Array.from({ length: 20 }, (_, n) => `n=${n}`)
  expect(String(json.webhookUrl).split('?')[1]?.split('&')).toEqual(wanted)
  expect(json.settings).toEqual({ 'webhook.retry.max': 19 })
})

test('clients can be read and paced at any moment while one gives way to a fixture', async () => {
  const { emulator } = await startFixture()
  const fixture = 'clients:\n  - clientId: C1\n'
  const load = () =>
    emulator.send('/_emulator/fixtures?replace=true', {
      method: 'POST',
      headers: { 'content-type': 'application/yaml' },
      body: fixture,
    })
  let isOver = false
  const statuses = new Set<number>()
  const looking = (async () => {
    while (!isOver) {
      const asked = ['/clock', '/clients', '/clients/C1', '/clock?clientId=C1', '/choices?clientId=C1']
      const answers = asked.map((path) => emulator.send(`/_emulator${path}`, { method: 'GET' }))
      const body = { mode: 'manual' }
      const headers = { 'content-type': 'application/json' }
      const paced = emulator.send('/_emulator/clock', { method: 'PUT', headers, body })
      for (const { status } of await Promise.all([...answers, paced])) statuses.add(status)
    }
  })()
  for (let n = 0; n < 40; n++) statuses.add((await load()).status)
  isOver = true
  await looking
  expect([...statuses].toSorted()).toEqual([200, 201])
})

test('an advance of all goes on without a client that is removed meanwhile', async () => {
  const receiver = await startReceiver()
  const { promise: removed, resolve } = Promise.withResolvers<void>()
  receiver.answerWith({}, {}, { after: removed })
  const { emulator, c1, c2 } = await startFixture({ webhookUrl: receiver.url })
  await c2.change({ webhookUrl: receiver.url })
  await Promise.all([c1.createCheckout('r1'), c2.createSubscription('r1')])
  await Promise.all([c1.settle(), c2.settle()])
  const advanced = emulator.control('/clock/advance', 'POST', { by: '31d' })
  await receiver.received(3)
  await emulator.control('/clients/C1', 'DELETE')
  resolve()
  const { json } = await advanced
  expect(json.clients).toMatchObject([{}, { clientId: 'C1', nextDueAt: null }, { now: t0 + 31 * dayMs }])
  expect((await c2.fiatOrders('r1')).data).toHaveLength(2)
})

test('an advance of one client ends with an error when that client is removed', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({}, 'hang')
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await c1.settle()
  const advanced = emulator.send('/_emulator/clock/advance?clientId=C1', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: { by: '1h' },
  })
  await receiver.received(2)
  await emulator.control('/clients/C1', 'DELETE')
  expect((await advanced).json).toMatchObject({ error: { code: 'client_unknown' } })
})
