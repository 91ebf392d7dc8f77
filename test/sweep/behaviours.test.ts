import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { behaviours } from '../../src/domain/sweep/behaviours.ts'
import { SweepBehaviours } from '../../src/lifecycle/sweep-behaviours.ts'
import { isOutstanding, type RunRecord, readRecord } from '../../src/sweep/run-record.ts'
import type { Answer, JsonObject } from '../support/answer.ts'
import { paths } from '../support/client.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { type Received, startReceiver } from '../support/receiver.ts'

/** The events of one order as an application sees them, from its create call to two hours later. */
interface Seen {
  /** null: the connection broke. */
  readonly created: Answer | null
  readonly createMs: number
  /** How many webhooks had come when the create call was answered. */
  readonly beforeAnswer: number
  /** While the order is CREATED, and then twice when it is COMPLETED. */
  readonly lookups: readonly Answer[]
  readonly webhooks: readonly Received[]
  /** The statuses of three calls with a token that the token call gave out. */
  readonly tokenCalls: readonly number[]
  readonly record: RunRecord
}

const sweepOf = (...names: readonly string[]) => ({
  behaviours: behaviours.filter(({ name }) => names.includes(name)),
  record: join(aFolder(), 'record.jsonl'),
  seed: 'a',
})

async function orderUnder(...names: readonly string[]): Promise<Seen> {
  const sweep = sweepOf(...names)
  const file = sweep.record
  const emulator = await startTestEmulator({}, onTestFinished, { sweep })
  const receiver = await startReceiver()
  const client = await emulator.addClient({ webhookUrl: receiver.url })
  const begun = performance.now()
  const created = await client.createCheckout('r1').catch(() => null)
  const createMs = performance.now() - begun
  const beforeAnswer = receiver.requests.length
  const lookups = [await client.fiatOrders('r1')]
  await client.advance('10s')
  lookups.push(await client.fiatOrders('r1'), await client.fiatOrders('r1'))
  await client.advance('2h')
  const { clientId, apiSecret } = client
  // Each answer is held against the OpenAPI document.
  for (const path of ['orders', 'deliveries', 'requests', 'snapshot'])
    await emulator.control(`/${path}?clientId=${clientId}`)
  const { json } = await emulator.control('/access-token', 'POST', { clientId, apiSecret })
  const headers = { 'access-token': String(json.accessToken) }
  const tokenCalls = []
  for (let n = 0; n < 3; n++)
    tokenCalls.push((await client.lookUp(paths.fiat, { requestId: 'r1', clientId }, { headers })).status)
  const record = readRecord(existsSync(file) ? readFileSync(file, 'utf8') : '')
  return { created, createMs, beforeAnswer, lookups, webhooks: receiver.requests, tokenCalls, record }
}

const told = ({ webhooks }: Seen): unknown[] => webhooks.map(({ json }) => json.orderStatus)
const records = ({ lookups }: Seen): JsonObject[] => lookups.map((answer) => answer.record)
const shown = (seen: Seen): unknown[] => records(seen).map(({ orderStatus }) => orderStatus)

/** How each behaviour shows to the application. */
const shows: Readonly<Record<string, (seen: Seen) => void>> = {
  'webhook-twice': (seen) => expect(told(seen)).toEqual(['CREATED', 'CREATED', 'COMPLETED', 'COMPLETED']),
  'webhook-again-later': (seen) =>
    expect(told(seen)).toEqual(['CREATED', 'CREATED', 'COMPLETED', 'COMPLETED']),
  'webhook-reversed': (seen) => expect(told(seen)).toEqual(['COMPLETED', 'CREATED']),
  'webhook-retry-meets-next': (seen) => expect(told(seen).toSorted()).toEqual(['COMPLETED', 'CREATED']),
  'webhook-no-created': (seen) => expect(told(seen)).toEqual(['COMPLETED']),
  'webhook-late': (seen) => expect(told(seen)).toEqual(['CREATED', 'COMPLETED']),
  'webhook-very-late': (seen) => expect(told(seen)).toEqual(['CREATED', 'COMPLETED']),
  'webhook-lost': (seen) => expect(told(seen)).toEqual([]),
  'webhook-before-answer': (seen) => expect(seen.beforeAnswer).toBe(1),
  'webhook-cut': (seen) => {
    const accepted = seen.record.lines.filter((line) => 'webhook' in line && line.outcome === 'accepted')
    expect(accepted).toHaveLength(2)
  },
  'webhook-new-fields': (seen) =>
    expect(seen.webhooks[0]?.json).toMatchObject({
      notificationVersion: '2',
      details: { attempt: { n: 1 } },
    }),
  'webhook-unknown-event': (seen) => {
    const types = seen.webhooks.map(({ json }) => json.eventType)
    expect(types).toEqual([types[0], 'service-sdk-account-notice', types[0], 'service-sdk-account-notice'])
  },
  'webhook-null-error': (seen) => expect(seen.webhooks[0]?.json).toHaveProperty('errorCode', null),
  'webhook-pretty': (seen) => expect(seen.webhooks[0]?.text).toContain('{\n  "'),
  'webhook-other-client': (seen) => {
    const clients = seen.webhooks.map(({ json }) => json.clientId)
    expect(clients.filter((clientId) => clientId === 'another-merchant')).toHaveLength(2)
  },
  'two-signatures': (seen) => {
    const signatures = seen.webhooks.map(({ headers }) => String(headers['webhook-signature']).split(' '))
    expect(signatures.map((each) => each.length)).toEqual([2, 2])
  },
  'webhook-unknown-order': (seen) => {
    const others = seen.webhooks.filter(({ json }) => json.requestId !== 'r1')
    expect(others).toHaveLength(2)
  },
  'create-answer-lost': (seen) => {
    expect(seen.created).toBeNull()
    expect(seen.lookups[0]?.data).toHaveLength(1)
  },
  'create-answer-500': (seen) => {
    expect(seen.created?.status).toBe(500)
    expect(seen.lookups[0]?.data).toHaveLength(1)
  },
  'create-answer-slow': (seen) => expect(seen.createMs).toBeGreaterThan(2_900),
  'create-503': (seen) => {
    expect(seen.created?.status).toBe(503)
    expect(seen.lookups[0]?.data).toHaveLength(0)
  },
  'lookup-503': (seen) => expect(seen.lookups.map(({ status }) => status)).toEqual([503, 200, 200]),
  'lookup-429': (seen) => {
    expect(seen.lookups.map(({ status }) => status)).toEqual([429, 200, 200])
    expect(seen.lookups[0]?.headers).toMatchObject({ 'retry-after': '1' })
  },
  'lookup-html': (seen) => expect(seen.lookups[0]?.text).toContain('<html>'),
  'lookup-behind': (seen) => expect(shown(seen)).toEqual(['CREATED', 'CREATED', 'COMPLETED']),
  'lookup-unknown-status': (seen) => expect(shown(seen)).toEqual(['ON_REVIEW', 'COMPLETED', 'COMPLETED']),
  'answer-new-fields': (seen) => {
    expect(seen.created?.json).toHaveProperty('extra')
    for (const record of records(seen)) expect(record).toHaveProperty('extra')
  },
  'answer-slow': (seen) => expect(seen.createMs).toBeGreaterThan(45),
  'token-expires': (seen) => expect(seen.tokenCalls).toEqual([200, 401, 401]),
  'expiry-offset': (seen) =>
    expect(seen.created?.json.offerInfoData).toHaveProperty('expiryTs', expect.stringMatching(/-03:00$/)),
  'ids-other-shape': (seen) => expect(records(seen)[0]?.orderId).toMatch(/^ord_[0-9a-f]{24}$/),
}

test.each(behaviours)('$name shows where it should, and is on record', async ({ name }) => {
  const seen = await orderUnder(name)
  shows[name]?.(seen)
  expect([...seen.record.strikes.keys()]).toEqual([name])
})

test('every behaviour is shown, has a reason, and the eight that lose money are quick', () => {
  expect(Object.keys(shows).toSorted()).toEqual(behaviours.map(({ name }) => name).toSorted())
  expect(behaviours.filter(({ ground }) => ground.length < 20)).toEqual([])
  expect(behaviours.filter(({ quick }) => quick)).toHaveLength(8)
})

test('without a behaviour nothing is changed, and what happens is on record all the same', async () => {
  const seen = await orderUnder()
  expect(told(seen)).toEqual(['CREATED', 'COMPLETED'])
  expect(shown(seen)).toEqual(['CREATED', 'COMPLETED', 'COMPLETED'])
  expect(seen.record).toMatchObject({ orders: 1, strikes: new Map() })
  expect([...seen.record.met].toSorted()).toEqual(['lookup', 'order', 'token', 'webhook'])
})

test.each(['hmac-body', 'none'])('two signatures are not met with webhook.auth: %s', async (auth) => {
  const sweep = sweepOf('two-signatures')
  const settings = { 'webhook.auth': auth }
  const emulator = await startTestEmulator({ settings }, onTestFinished, { sweep })
  const receiver = await startReceiver()
  const client = await emulator.addClient({ webhookUrl: receiver.url })
  await client.createCheckout('r1')
  await client.settle()
  expect(receiver.requests).toHaveLength(1)
  expect([...readRecord(readFileSync(sweep.record, 'utf8')).strikes.keys()]).toEqual([])
})

test('behaviours that meet nothing in common show in the same run', async () => {
  const names = ['webhook-pretty', 'lookup-503', 'create-answer-500', 'expiry-offset', 'ids-other-shape']
  const seen = await orderUnder(...names)
  expect([...seen.record.strikes.keys()].toSorted()).toEqual(names.toSorted())
  expect(told(seen)).toEqual(['CREATED', 'COMPLETED'])
  expect(seen.lookups.map(({ status }) => status)).toEqual([503, 200, 200])
})

test.each([
  ['webhook-lost', true],
  ['webhook-late', false],
  ['webhook-reversed', false],
  ['webhook-twice', false],
])('after two hours a webhook that %s kept back is outstanding: %s', async (name, outstanding) => {
  const { record } = await orderUnder(name)
  expect(isOutstanding(record, name, [])).toBe(outstanding)
})

test.each([
  ['webhook-twice', 'CREATED'],
  ['webhook-retry-meets-next', 'COMPLETED'],
])('%s: the second webhook comes while the first one, of %s, is being handled', async (name, first) => {
  const sweep = sweepOf(name)
  const emulator = await startTestEmulator({}, onTestFinished, { sweep })
  const receiver = await startReceiver()
  const both = receiver.received(2)
  receiver.answerWith({ after: both }, {})
  const client = await emulator.addClient({ webhookUrl: receiver.url })
  await client.createCheckout('r1')
  await client.advance('10s')
  const [webhook] = await both
  expect(webhook?.json).toMatchObject({ orderStatus: first })
})

test('a client that tries again under another requestId gets through after three lost answers', async () => {
  const sweep = sweepOf('create-answer-500')
  const emulator = await startTestEmulator({}, onTestFinished, { sweep })
  const client = await emulator.addClient()
  const statuses = []
  for (const requestId of ['a', 'b', 'c', 'd', 'e'])
    statuses.push((await client.createCheckout(requestId)).status)
  expect(statuses).toEqual([500, 500, 500, 200, 500])
})

test('a scenario that a test has chosen goes on under a behaviour', async () => {
  const sweep = sweepOf('webhook-twice')
  const emulator = await startTestEmulator({}, onTestFinished, { sweep })
  const receiver = await startReceiver()
  const client = await emulator.addClient({ webhookUrl: receiver.url, defaultScenario: 'fail-9004' })
  await client.createCheckout('r1')
  await client.advance('1m')
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual([
    'CREATED',
    'CREATED',
    'FAILED',
    'FAILED',
  ])
  const order = await emulator.control(`/orders?clientId=${client.clientId}`)
  expect(order.items[0]).toMatchObject({ scenario: { id: 'fail-9004' } })
})

test.each([
  [{ mode: 'manual' }, 0],
  [{ mode: 'real', speed: 1 }, 1_000],
  [{ mode: 'real', speed: 60 }, 60_000],
  [{ mode: 'real', speed: 100_000 }, 3_600_000],
])(
  'on a clock of %j a webhook comes again %i ms later, while the test still runs',
  async (clock, laterMs) => {
    const sweep = sweepOf('webhook-again-later')
    const emulator = await startTestEmulator({}, onTestFinished, { sweep })
    const receiver = await startReceiver()
    const client = await emulator.addClient({ webhookUrl: receiver.url })
    await emulator.control(`/clock?clientId=${client.clientId}`, 'PUT', clock)
    await client.createCheckout('r1')
    await client.advance('10s')
    const { items } = await emulator.control(`/deliveries?clientId=${client.clientId}`)
    const [due, dueAgain] = items
      .filter(({ orderStatus }) => orderStatus === 'COMPLETED')
      .map(({ dueAt }) => Number(dueAt))
      .toSorted()
    expect(dueAgain).toBe((due ?? 0) + laterMs)
  },
)

test('how long a slow answer takes follows from the seed and the call', () => {
  const drawn = (seed: string, n: number) => {
    const played = new SweepBehaviours(() => {})
    played.play([], seed)
    return played.slowMs({ operation: 'orders', requestId: 'r1', n })
  }
  const all = Array.from({ length: 200 }, (_, n) => drawn('a', n))
  expect(Array.from({ length: 200 }, (_, n) => drawn('a', n))).toEqual(all)
  expect(Array.from({ length: 200 }, (_, n) => drawn('b', n))).not.toEqual(all)
  expect(Math.min(...all)).toBeGreaterThanOrEqual(50)
  expect(Math.max(...all)).toBeLessThanOrEqual(400)
})

test('an emulator under no sweep records nothing', async () => {
  const emulator = await startTestEmulator()
  const client = await emulator.addClient({ defaultScenario: 'webhook-out-of-order' })
  await client.createCheckout('r1')
  expect((await emulator.control('/sweep')).json).toEqual({ behaviours: [], recording: false, record: [] })
})
