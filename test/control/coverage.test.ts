import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { behaviours } from '../../src/domain/sweep/behaviours.ts'
import { paths, type TestClient } from '../support/client.ts'
import { startFixture, startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { startReceiver } from '../support/receiver.ts'

interface Item {
  readonly name: string
  readonly met: number
  readonly counts?: boolean
}

async function coverageOf(emulator: TestEmulator, query = '') {
  const { json } = await emulator.control(`/coverage${query}`)
  const { hazards, answers, statuses, transitions, errorCodes, attempts, percent, met, of } = Object(json)
  return { hazards, answers, statuses, transitions, errorCodes, attempts, percent, met, of }
}

const names = (items: readonly Item[]) => items.filter(({ met }) => met > 0).map(({ name }) => name)

const counts = (items: readonly Item[]) =>
  Object.fromEntries(items.filter(({ met }) => met > 0).map(({ name, met }) => [name, met]))

/** An order from its create call to two hours later, as a simple suite sees it. */
async function orderOf(client: TestClient): Promise<void> {
  await client.createCheckout('r1').catch(() => null)
  await client.fiatOrders('r1')
  await client.advance('10s')
  await client.fiatOrders('r1')
  await client.fiatOrders('r1')
  await client.advance('2h')
}

async function hazardsOf(act: (client: TestClient, emulator: TestEmulator) => Promise<unknown>) {
  const emulator = await startTestEmulator()
  const receiver = await startReceiver()
  const client = await emulator.addClient({ webhookUrl: receiver.url })
  await act(client, emulator)
  const { hazards } = await coverageOf(emulator)
  return names(hazards).toSorted()
}

const plan = (emulator: TestEmulator, { clientId }: TestClient, scenario: string) =>
  emulator.control(`/scenarios/next?clientId=${clientId}`, 'POST', { scenario })

test('ids in the form of the settings are the usual ones, and those of a sweep are others', async () => {
  const met = async (settings: object, played: readonly string[]) => {
    const emulator = await startTestEmulator({ settings })
    await emulator.control('/sweep', 'PUT', { behaviours: played, seed: 'a' })
    const client = await emulator.addClient()
    await client.createCheckout('r1')
    return names((await coverageOf(emulator)).hazards).includes('ids-other-shape')
  }
  const own = { orders: { ids: 'PO-${createdAt:yyyymmdd}-${digits:6}' } }
  expect(await met(own, [])).toBe(false)
  for (const settings of [{}, own, { orders: { orderIdEqualsToken: true } }])
    expect(await met(settings, ['ids-other-shape'])).toBe(true)
})

test('a suite that meets nothing but good news is said to have met just that', async () => {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await c1.advance('10s')
  await c1.fiatOrders('r1')
  const coverage = await coverageOf(emulator)
  expect({
    hazards: counts(coverage.hazards),
    answers: counts(coverage.answers),
    statuses: counts(coverage.statuses),
    transitions: counts(coverage.transitions),
    errorCodes: counts(coverage.errorCodes),
    attempts: counts(coverage.attempts),
  }).toEqual({
    hazards: {},
    answers: { 'create-checkout-order 200': 1, 'orders 200': 1 },
    statuses: {
      ...{ 'order CREATED': 1, 'order COMPLETED': 1 },
      ...{ 'payment CREATED': 1, 'payment COMPLETED': 1 },
    },
    transitions: { 'order CREATED -> COMPLETED': 1, 'payment CREATED -> COMPLETED': 1 },
    errorCodes: {},
    attempts: { accepted: 2 },
  })
  const counting = Object.values(coverage)
    .filter(Array.isArray)
    .flat()
    .filter((item) => item.counts ?? true)
  expect([coverage.met, coverage.of]).toEqual([9, counting.length])
  expect(coverage.percent).toBe(Math.floor((9 / counting.length) * 1_000) / 10)
})

test('refusals count with their cause, failures with their code, attempts with their end', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  const settings = { webhook: { retry: { max: 1 } } }
  const { emulator, c1, c2 } = await startFixture({ webhookUrl: receiver.url, settings })
  await plan(emulator, c1, 'refund-failed')
  await c1.createCheckout('r1')
  await c1.createCheckout('r1')
  await c1.createCheckout('r2', { signed: 'something else' })
  await plan(emulator, c2, 'fail-9005')
  await c2.createCheckout('r1')
  await c1.advance('10m')
  await c2.advance('10m')
  const coverage = await coverageOf(emulator)
  expect(counts(coverage.answers)).toEqual({
    'create-checkout-order 200': 2,
    'create-checkout-order 401 requestId.taken': 1,
    'create-checkout-order 401 signature.*': 1,
  })
  expect(counts(coverage.errorCodes)).toEqual({ '7001': 1, '9005': 1, '9006.1': 1 })
  expect(counts(coverage.attempts)).toEqual({ refused: 4, dead: 2, skipped: 2 })
  expect(names(coverage.statuses)).toEqual(
    expect.arrayContaining(['order FAILED', 'payment FAILED', 'refund REFUND_INITIATED']),
  )
  expect(names(coverage.transitions)).toContain('refund none -> REFUND_INITIATED')
})

/** The hazards that an order under each scenario brings, and no others. */
const ofScenarios: Readonly<Record<string, readonly string[]>> = {
  happy: [],
  'happy-instant': [],
  'happy-slow': [],
  'crypto-payin': [],
  'never-pays': [],
  'expired-abandoned': [],
  'refund-initiated': [],
  'clock-skew': ['expiry-offset'],
  'create-500-no-order': ['create-503'],
  'create-500-order-exists': ['create-answer-500'],
  'create-connection-reset': ['create-answer-lost'],
  'expired-failed': ['order-failed'],
  'fail-9004': ['order-failed'],
  'lookup-flaky': ['lookup-503', 'lookup-html'],
  overpaid: ['order-overpaid'],
  'paid-then-failed': ['order-failed', 'order-paid-then-failed'],
  'rate-limited': ['lookup-429'],
  'refund-failed': ['refund-failed'],
  'token-revoked-loop': ['tokens-refused'],
  'two-leg-events': ['webhook-two-legs'],
  'underpaid-failed': ['order-failed', 'order-underpaid'],
  'underpaid-ok': ['order-underpaid'],
  'unknown-status': ['lookup-unknown-status', 'webhook-unknown-status'],
  'url-changed-midflow': ['webhook-url-moved'],
  'webhook-duplicate': ['webhook-twice'],
  'webhook-endpoint-down': ['webhook-retried'],
  'webhook-forged': ['webhook-forged'],
  'webhook-late': ['webhook-late', 'webhook-very-late'],
  'webhook-never': ['webhook-lost'],
  'webhook-out-of-order': ['webhook-reversed'],
}

test.each(Object.entries(ofScenarios))('the scenario %s brings exactly: %j', async (scenario, hazards) => {
  const met = await hazardsOf(async (client, emulator) => {
    await plan(emulator, client, scenario)
    await orderOf(client)
  })
  expect(met).toEqual(hazards)
})

/** Further hazards of sweep behaviours, besides the one of their name. */
const besides: Readonly<Record<string, readonly string[]>> = {
  'webhook-cut': ['webhook-retried'],
  'webhook-retry-meets-next': ['answer-slow'],
  'webhook-twice': ['answer-slow'],
  'webhook-very-late': ['webhook-late'],
}

/** These keep calls waiting on the wall for seconds; a scenario shows them on a clock that is moved. */
const slow = ['create-answer-slow', 'answer-slow']

test.each(behaviours.map(({ name }) => name).filter((name) => !slow.includes(name)))(
  'the behaviour %s is met as a hazard where a sweep plays it',
  async (name) => {
    const chosen = behaviours.filter((behaviour) => behaviour.name === name)
    const sweep = { behaviours: chosen, record: join(aFolder(), 'record.jsonl'), seed: 'a' }
    const emulator = await startTestEmulator({}, onTestFinished, { sweep })
    const receiver = await startReceiver()
    const client = await emulator.addClient({ webhookUrl: receiver.url })
    await orderOf(client)
    const { clientId, apiSecret } = client
    const { json } = await emulator.control('/access-token', 'POST', { clientId, apiSecret })
    const headers = { 'access-token': String(json.accessToken) }
    for (let n = 0; n < 2; n++) await client.lookUp(paths.fiat, { requestId: 'r1', clientId }, { headers })
    const { hazards } = await coverageOf(emulator)
    expect(names(hazards).toSorted()).toEqual([name, ...(besides[name] ?? [])].toSorted())
  },
)

/** Hazards that take more than a scenario. */
const acts: Readonly<Record<string, (client: TestClient, emulator: TestEmulator) => Promise<unknown>>> = {
  'answer-slow, create-answer-slow, webhook-before-answer': async (client, emulator) => {
    await plan(emulator, client, 'webhook-before-response')
    const created = client.createCheckout('r1')
    await emulator.control('/wait', 'POST', { for: 'order', where: { requestId: 'r1' }, timeoutMs: 5_000 })
    await client.advance('10s')
    await created
  },
  'create-429': async (client, emulator) => {
    await emulator.control('/faults', 'POST', { on: 'create-order', effect: { status: 429 } })
    await client.createCheckout('r1')
  },
  'lookup-fails-in-webhook': async (client, emulator) => {
    await emulator.control('/faults', 'POST', { on: 'orders', effect: { reset: true } })
    const receiver = await startReceiver()
    const lookup = Promise.withResolvers<void>()
    receiver.answerWith({}, { after: lookup.promise })
    await client.change({ webhookUrl: receiver.url })
    await client.createCheckout('r1')
    const advanced = client.advance('10s')
    await receiver.received(2)
    await client.fiatOrders('r1').catch(() => null)
    lookup.resolve()
    await advanced
  },
  'subscription-charge-failed, order-failed': async (client, emulator) => {
    await plan(emulator, client, 'sub-month3-fails')
    await client.createSubscription('r1')
    await client.advance('100d')
  },
  'token-expires': async (client, emulator) => {
    await emulator
      .control(`/clients/${client.clientId}/expire-tokens`, 'POST', { own: true })
      .catch(() => plan(emulator, client, 'token-expires-midflow'))
    await client.createCheckout('r1')
    await client.advance('31s')
    await client.fiatOrders('r1')
  },
  'webhook-again-later': async (client, emulator) => {
    const effect = { duplicate: 1, apart: '1h' }
    await emulator.control('/faults', 'POST', { on: 'delivery', effect })
    await orderOf(client)
  },
  'webhook-another-id': async (client, emulator) => {
    await orderOf(client)
    await send(emulator, client, { event: { requestId: 'r1' } })
  },
  'two-signatures': async (client, emulator) => {
    await emulator.control(`/clients/${client.clientId}/rotate-webhook-secret`, 'POST', {})
    await orderOf(client)
  },
  'webhook-forged': async (client, emulator) => {
    await emulator.control('/faults', 'POST', { on: 'delivery', effect: { signatures: ['foreign'] } })
    await orderOf(client)
  },
  'webhook-clock-off': async (client, emulator) => {
    await emulator.control('/faults', 'POST', { on: 'delivery', effect: { timestamp: '-4m' } })
    await orderOf(client)
  },
  'webhook-late': async (client, emulator) => {
    const where = { orderStatus: 'COMPLETED' }
    await emulator.control('/faults', 'POST', { on: 'delivery', where, effect: { delay: '40s' } })
    await orderOf(client)
  },
  'webhook-no-created': async (client, emulator) => {
    const where = { orderStatus: 'CREATED' }
    await emulator.control('/faults', 'POST', { on: 'delivery', where, effect: { drop: true } })
    await orderOf(client)
  },
  'webhook-no-event': async (client, emulator) => {
    await send(emulator, client, { body: '[]' })
  },
  'webhook-untrue': async (client, emulator) => {
    await client.createCheckout('r1')
    await send(emulator, client, { event: { requestId: 'r1', orderStatus: 'COMPLETED' } })
  },
  'webhook-wrong-time': async (client, emulator) => {
    await emulator.control('/faults', 'POST', { on: 'delivery', effect: { timestamp: '-10m' } })
    await orderOf(client)
  },
}

const send = (emulator: TestEmulator, { clientId }: TestClient, delivery: object) =>
  emulator.control('/deliveries', 'POST', { clientId, ...delivery })

test.each(Object.entries(acts))('exactly this is met: %s', async (hazards, act) => {
  expect(await hazardsOf(act)).toEqual(hazards.split(', ').toSorted())
})

test('what was only planned, and webhooks that nobody got, are not met', async () => {
  const emulator = await startTestEmulator()
  const client = await emulator.addClient({ webhookUrl: 'http://127.0.0.1:9/' })
  await emulator.control('/faults', 'POST', { on: 'crypto-orders', effect: { status: 503 } })
  await plan(emulator, client, 'webhook-duplicate')
  await orderOf(client)
  await plan(emulator, client, 'fail-9004')
  const coverage = await coverageOf(emulator)
  expect(names(coverage.hazards)).toEqual([])
  expect(names(coverage.attempts)).toContain('connection')
})

test('on a fast clock nothing is late or doubled by itself', async () => {
  const emulator = await startTestEmulator({ clock: '3600x' })
  const receiver = await startReceiver()
  const client = await emulator.addClient({ webhookUrl: receiver.url })
  await plan(emulator, client, 'happy-instant')
  await client.createCheckout('r1')
  await client.createCheckout('r2')
  await receiver.received(4)
  await client.settle()
  const { hazards, attempts } = await coverageOf(emulator)
  expect([names(hazards), counts(attempts)]).toEqual([[], { accepted: 4 }])
})

test('?clientId= narrows it; what a client has met counts for all after its world has ended', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('r1')
  await c2.cryptoOrders('r1')
  const answersOf = async (query: string) => counts((await coverageOf(emulator, query)).answers)
  expect(await answersOf('?clientId=C1')).toEqual({ 'create-checkout-order 200': 1 })
  expect(await answersOf('?clientId=C2')).toEqual({ 'crypto-orders 200': 1 })
  await emulator.control('/clients/C1', 'DELETE')
  await emulator.control('/reset?clientId=C2', 'POST', {})
  expect(await answersOf('?clientId=C2')).toEqual({})
  expect(await answersOf('')).toEqual({ 'create-checkout-order 200': 1, 'crypto-orders 200': 1 })
})

test('DELETE begins again, for one client or for all', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await Promise.all([c1.createCheckout('r1'), c2.createCheckout('r1')])
  await emulator.control('/coverage?clientId=C1', 'DELETE')
  expect(counts((await coverageOf(emulator)).answers)).toEqual({ 'create-checkout-order 200': 1 })
  await emulator.control('/coverage', 'DELETE')
  expect((await coverageOf(emulator)).met).toBe(0)
  await c1.fiatOrders('r1')
  expect(counts((await coverageOf(emulator)).answers)).toEqual({ 'orders 200': 1 })
})
