import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configSchema } from '../../src/app/config.ts'
import { createEmulator } from '../../src/app/emulator.ts'
import type { JsonObject } from '../support/answer.ts'
import type { TestClient } from '../support/client.ts'
import { startFixture, startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { EventStream } from '../support/event-stream.ts'
import { accepts } from '../support/json-schema.ts'
import { Receiver, startReceiver } from '../support/receiver.ts'
import {
  draftOf,
  firstOf,
  putSnapshot,
  restore,
  type SnapshotDraft,
  setAt,
  snapshotOf,
  worldIn,
} from '../support/snapshot.ts'

test('a snapshot says what it is, and can be saved under the name it suggests', async () => {
  const { emulator } = await startFixture()
  const answer = await emulator.control('/snapshot')
  expect(answer.headers['content-disposition']).toBe('attachment; filename="snapshot.json"')
  expect(answer.headers['content-type']).toBe('application/json')
  expect(answer.json).toMatchObject({ format: 'payment-order-emulator/snapshot', clientId: null })
  expect((await emulator.control('/snapshot?clientId=C1')).json).toMatchObject({ clientId: 'C1' })
})

test('a snapshot fits the JSON Schema in the package, and does not with a member that is wrong', async () => {
  const schema: unknown = JSON.parse(readFileSync('fixtures/snapshot.schema.json', 'utf8'))
  const { emulator, c1 } = await startFixture()
  await c1.issueToken()
  await emulator.control('/faults', 'POST', { on: 'orders', effect: { status: 503 }, times: 2 })
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', count: 2 })
  for (const requestId of ['r1', 'r2']) await c1.createCheckout(requestId)
  await c1.createSubscription('monthly')
  await c1.advance('40d')
  const draft = draftOf(await snapshotOf(emulator))
  expect(accepts(schema, draft)).toBe(true)
  expect(accepts(schema, { ...draft, orders: [{ ...firstOf(draft.orders), history: 'none' }] })).toBe(false)
  expect(accepts(schema, { ...draft, formt: 1 })).toBe(false)
})

test('everything that was there is there again: tokens, settings, holds, bindings, put scenarios, journal', async () => {
  const { emulator, c1 } = await startFixture()
  const token = await c1.issueToken()
  await emulator.control('/settings', 'PATCH', { 'paths.webhookUrl': 'fiat' })
  await emulator.control('/deliveries/hold?clientId=C1', 'POST', {})
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', count: 2 })
  await emulator.send('/_emulator/scenarios/mine', {
    method: 'PUT',
    headers: { 'content-type': 'application/yaml' },
    body: 'id: mine\ndescription: A test\ntimeline:\n  - { at: 1s, pay: completed }\n',
  })
  await c1.createCheckout('r1')
  const snapshot = await snapshotOf(emulator)
  const journal = (await emulator.control('/requests')).items
  await emulator.control('/reset', 'POST')
  expect((await emulator.send('/_emulator/scenarios/mine', { method: 'GET' })).status).toBe(404)

  await restore(emulator, snapshot)
  expect((await emulator.control('/requests')).items).toEqual(journal)
  expect((await emulator.control('/settings')).json.settings).toEqual({ 'paths.webhookUrl': 'fiat' })
  expect((await c1.setWebhookUrl('http://127.0.0.1:9/x')).status, 'and its routes').toBe(404)
  expect((await emulator.control('/clients/C1')).json.holds).toHaveLength(1)
  expect((await emulator.control('/scenarios/mine')).json).toMatchObject({ from: 'put' })
  await c1.createCheckout('r2', { headers: { 'access-token': token } })
  expect(await c1.order('r2')).toMatchObject({ scenario: { id: 'fail-9004', why: 'next' } })
  expect((await c1.createCheckout('r1')).status, 'its requestId is taken').toBe(401)
})

test('what is not in the snapshot is gone after it', async () => {
  const { emulator, c1 } = await startFixture()
  const snapshot = await snapshotOf(emulator)
  const late = await emulator.addClient()
  const token = await c1.issueToken()
  await c1.createCheckout('r1')
  await emulator.control('/settings', 'PATCH', { 'orders.expiry': '1h' })
  const { json } = await restore(emulator, snapshot)
  expect(json).toEqual({ restored: 'all', clients: ['demo-client', 'C1', 'C2'] })
  expect((await emulator.control('/settings')).json.settings).toEqual({})
  const query = { requestId: 'r1', clientId: 'C1' }
  expect((await c1.lookUp('/v1/client/orders', query, { headers: { 'access-token': token } })).status).toBe(
    401,
  )
  expect((await c1.fiatOrders('r1')).data).toEqual([])
  expect((await late.fiatOrders('r1')).status).toBe(401)
})

test('a restored snapshot can be taken again, and is the same', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.advance('1m')
  const snapshot = await snapshotOf(emulator)
  await restore(emulator, snapshot)
  await restore(emulator, snapshot)
  expect(worldIn(await snapshotOf(emulator))).toEqual(worldIn(snapshot))
})

test('the snapshot of one client has nothing of another, and no common settings', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('r1')
  await c2.createCheckout('theirs')
  await emulator.control('/settings', 'PATCH', { 'responses.urlField': 'everybodys' })
  const snapshot = await snapshotOf(emulator, '?clientId=C1')
  expect(snapshot).toContain('"r1"')
  for (const others of ['"C2"', 'theirs', 'another-secret', 'everybodys'])
    expect(snapshot).not.toContain(others)
})

test('one client of a snapshot of everything can be restored alone', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('r1')
  await c2.createCheckout('r1')
  const snapshot = await snapshotOf(emulator)
  await emulator.control('/reset', 'POST', { keep: ['clients'] })
  const { json } = await restore(emulator, snapshot, '?clientId=C1')
  expect(json).toEqual({ restored: 'C1', clients: ['C1'] })
  expect((await c1.fiatOrders('r1')).data).toHaveLength(1)
  expect((await c2.fiatOrders('r1')).data).toEqual([])
})

test('a manual clock stands where it stood, and goes back where it was', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.advance('1h')
  const then = await c1.now()
  const snapshot = await snapshotOf(emulator)
  await c1.advance('30d')
  await restore(emulator, snapshot)
  expect(await c1.now()).toBe(then)
})

test('a real clock goes on from where it was when the snapshot was taken', async () => {
  const emulator = await startTestEmulator({ clock: 'real', startTime: '2026-01-01T00:00:00Z' })
  const client = await emulator.addClient()
  const snapshot = draftOf(await snapshotOf(emulator))
  const taken = await client.now()
  // As if a day had passed on the wall since.
  for (const { clock } of snapshot.clients) clock.anchorWall = Date.parse('2020-01-01')
  await restore(emulator, snapshot)
  expect(Math.abs((await client.now()) - taken)).toBeLessThan(60_000)
})

describe('while something is under way,', () => {
  test('a webhook in flight counts as never answered, and is sent again', async () => {
    const receiver = await startReceiver()
    receiver.answerWith('hang')
    const settings = { 'webhook.timeout': '30s' }
    const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url, settings })
    await c1.createCheckout('r1')
    await receiver.received(1)
    const snapshot = await snapshotOf(emulator)
    await emulator.control('/reset', 'POST')
    receiver.answerWith({})
    await restore(emulator, snapshot)
    await c1.settle()
    const [delivery] = await c1.deliveries()
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: [
        { n: 1, outcome: 'unknown' },
        { n: 2, outcome: 'accepted' },
      ],
    })
    expect(receiver.requests[1]?.text).toBe(receiver.requests[0]?.text)
  })

  test('a restore cuts what is in flight, and nothing of it counts in the new world', async () => {
    const receiver = await startReceiver()
    const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
    const snapshot = await snapshotOf(emulator)
    const answered = Promise.withResolvers<void>()
    receiver.answerWith({ after: answered.promise }, {})
    await c1.createCheckout('r1')
    await receiver.received(1)
    await restore(emulator, snapshot)
    answered.resolve()
    await c1.createCheckout('r1')
    await c1.settle()
    expect(await c1.deliveries()).toMatchObject([{ attempts: [{ n: 1, outcome: 'accepted' }] }])
  })

  test('a restore ends an advance, and the new world does not move', async () => {
    const receiver = await startReceiver()
    receiver.answerWith('hang')
    const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
    const snapshot = await snapshotOf(emulator)
    const before = await c1.now()
    await c1.createCheckout('r1')
    const advance = emulator.send('/_emulator/clock/advance?clientId=C1', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { by: '1h' },
    })
    await receiver.received(1)
    await restore(emulator, snapshot)
    expect((await advance).status).toBeGreaterThanOrEqual(400)
    expect(await c1.now()).toBe(before)
  })

  test('a restore ends a held answer, whose order is not in the new world', async () => {
    const { emulator, c1 } = await startFixture({ defaultScenario: 'create-timeout-then-7001' })
    const snapshot = await snapshotOf(emulator)
    const held = c1.createCheckout('r1').catch(() => 'cut')
    await expect.poll(async () => (await emulator.control('/orders')).items.length).toBe(1)
    await restore(emulator, snapshot)
    await held
    expect((await emulator.control('/orders')).items).toEqual([])
  })

  test('an event stream goes on, and tells of the clocks that came', async () => {
    const { emulator, c1 } = await startFixture()
    const then = await c1.now()
    const snapshot = await snapshotOf(emulator)
    await c1.advance('1h')
    const stream = await EventStream.open(`${emulator.url}/_emulator/events`)
    await restore(emulator, snapshot)
    const isC1 = ({ clientId }: JsonObject) => clientId === 'C1'
    expect((await stream.first('clock', isC1)).json).toMatchObject({ now: then })
    await c1.createCheckout('r1')
    expect((await stream.first('order')).json).toMatchObject({ requestId: 'r1' })
  })

  test('a wait for all clients goes on', async () => {
    const { emulator, c1 } = await startFixture()
    const snapshot = await snapshotOf(emulator)
    const wait = emulator.control('/wait', 'POST', { for: 'order', where: { requestId: 'r1' } })
    await restore(emulator, snapshot)
    await c1.createCheckout('r1')
    expect((await wait).json).toMatchObject({ requestId: 'r1' })
  })

  test('restores and resets at once take their turns', async () => {
    const { emulator, c1 } = await startFixture()
    await c1.createCheckout('r1')
    const snapshot = await snapshotOf(emulator)
    const acts = Array.from({ length: 6 }, (_, n) =>
      n % 2 === 0 ? emulator.control('/reset', 'POST') : restore(emulator, snapshot),
    )
    expect((await Promise.all(acts)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    await restore(emulator, snapshot)
    expect(worldIn(await snapshotOf(emulator))).toEqual(worldIn(snapshot))
  })

  test('a snapshot that is taken during creates has whole orders', async () => {
    const receiver = await startReceiver()
    const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
    const creates = Array.from({ length: 40 }, (_, n) => c1.createCheckout(`r${n}`))
    const [snapshot] = await Promise.all([snapshotOf(emulator), ...creates])
    await restore(emulator, snapshot)
    await c1.settle()
    const orders = (await emulator.control('/orders?limit=1000')).items
    for (const order of orders) expect(order.deliveries).toHaveLength(1)
  })
})

describe('a snapshot is refused, and nothing changes:', () => {
  const receiver = new Receiver()
  let emulator: TestEmulator
  let client: TestClient
  let before = ''

  beforeAll(async () => {
    await receiver.listen()
    emulator = await startTestEmulator({}, afterAll)
    client = await emulator.addClient({ clientId: 'C1', webhookUrl: receiver.url })
    await client.createCheckout('r1')
    await client.advance('3s')
    before = await snapshotOf(emulator)
  })
  afterAll(() => receiver.close())

  const change = (act: (draft: SnapshotDraft) => void) => act
  const set = (value: unknown, ...path: (string | number)[]) => change((draft) => setAt(draft, path, value))

  // Each kind once where it shows; test/domain/fixture/world-document.test.ts has all that a document may have wrong.
  test.each([
    ['another format', set('x', 'format'), 'format'],
    ['an unknown member', set('x', 'formt'), 'did you mean `format`?'],
    ['a schema of the future', set(9999, 'schema'), 'newer'],
    ['a missing list', set(undefined, 'orders'), 'orders: is missing'],
    [
      'a number for a text',
      set(7, 'orders', 0, 'order', 'orderId'),
      'orders[0].order.orderId: expected text',
    ],
    [
      'a token of nobody',
      set([{ token: 't', clientId: 'nobody', expiresAt: 1 }], 'tokens'),
      'no client `nobody`',
    ],
    [
      'an order without its scenario',
      set('x', 'orders', 0, 'order', 'scenario', 'version'),
      'no scenario version `x`',
    ],
    ['two things of one id', change(({ orders }) => orders.push(...orders)), 'occurs twice'],
    [
      'an attempt without its time',
      set(undefined, 'orders', 0, 'deliveries', 0, 'attempts', 0, 'at'),
      '.at:',
    ],
    [
      'settings that no client has',
      set({ 'paths.webhookUrl': 'fiat' }, 'clients', 0, 'settings'),
      'all clients',
    ],
    [
      'common settings in conflict',
      set({ 'webhook.format': 'template' }, 'common', 'settings'),
      'webhook.template',
    ],
    [
      'a text of a scenario that is wrong',
      set([{ id: 'mine', text: 'tmeline: []' }], 'common', 'scenarioTexts'),
      'scenarioTexts',
    ],
    ['nothing that there is once', set(undefined, 'common'), 'common: is missing'],
  ])('%s', async (_, spoil, hint) => {
    const draft = draftOf(before)
    spoil(draft)
    const answer = await putSnapshot(emulator, draft)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.text).toContain(hint)
    expect(worldIn(await snapshotOf(emulator))).toEqual(worldIn(before))
  })

  test('a world that has refused snapshots goes on as if none had come', async () => {
    const answer = await putSnapshot(emulator, { ...draftOf(before), format: 'x' })
    expect(answer.status).toBe(400)
    await client.advance('1m')
    expect(receiver.requests).toHaveLength(2)
  })

  test.each([
    ['text', 'nonsense', 'not_json'],
    ['JSON cut in the middle', '{"format":"payment-order-emulator/snapshot","orders":[{"ord', 'not_json'],
    ['a list', '[]', 'not_json'],
    ['an empty body', '', 'snapshot_invalid'],
    ['JSON too deep', `{"orders":${'['.repeat(100)}${']'.repeat(100)}}`, 'not_json'],
  ])('%s', async (_, body, code) => {
    const answer = await putSnapshot(emulator, body)
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: { code } })
  })

  test('one client’s for everything, and it says what to do', async () => {
    const answer = await putSnapshot(emulator, await snapshotOf(emulator, '?clientId=C1'))
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('?clientId=C1')
  })

  test('one of a client whose name is no proper Unicode', async () => {
    const draft = draftOf(before)
    const answer = await putSnapshot(emulator, { ...draft, common: undefined, clientId: '\ud800' })
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: { code: 'snapshot_invalid' } })
  })

  test('one that has not the client', async () => {
    const answer = await putSnapshot(emulator, before, '?clientId=C3')
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('C3')
  })

  test('a client whose token is another’s here', async () => {
    const { emulator, c1 } = await startFixture()
    await c1.createCheckout('r1')
    const snapshot = await snapshotOf(emulator, '?clientId=C1')
    await emulator.control('/clients/C1', 'DELETE')
    await emulator.addClient({ clientId: 'thief', accessToken: 'T1' })
    const answer = await putSnapshot(emulator, snapshot, '?clientId=C1')
    expect(answer.status).toBe(409)
    expect(answer.json).toMatchObject({ error: { code: 'snapshot_taken' } })
    expect((await emulator.control('/clients')).items.map(({ clientId }) => clientId)).not.toContain('C1')
  })
})

test('HEAD says what GET would give', async () => {
  const { emulator } = await startFixture()
  const answer = await emulator.send('/_emulator/snapshot', { method: 'HEAD' })
  expect(answer).toMatchObject({ status: 200, text: '' })
  expect(answer.headers['content-disposition']).toBe('attachment; filename="snapshot.json"')
})

test('the snapshot of an unknown client is a 404', async () => {
  const emulator = await startTestEmulator()
  expect((await emulator.send('/_emulator/snapshot?clientId=nobody', { method: 'GET' })).status).toBe(404)
})

test('a snapshot of several MiB is taken and restored', async () => {
  const { emulator, c1 } = await startFixture()
  const metadata = { note: 'x'.repeat(900_000) }
  for (const requestId of ['r1', 'r2', 'r3']) await c1.createCheckout(c1.checkout(requestId, { metadata }))
  const snapshot = await snapshotOf(emulator)
  expect(snapshot.length).toBeGreaterThan(2_700_000)
  await emulator.control('/reset', 'POST')
  await restore(emulator, snapshot)
  expect((await c1.cryptoOrders('r3')).record.metadata).toEqual(metadata)
})

test('once the emulator stops, no snapshot is taken any more: the store closes', async () => {
  const bugs: unknown[] = []
  const config = configSchema.parse({ clock: 'manual' })
  const emulator = await createEmulator(config, (error) => bugs.push(error))
  await emulator.drain()
  const url = 'http://127.0.0.1:4600/_emulator/snapshot'
  const answer = await emulator.answer(new Request(url, { headers: { host: '127.0.0.1:4600' } }))
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ error: { code: 'stopping' } })
  await emulator.close()
  expect(bugs).toEqual([])
})
