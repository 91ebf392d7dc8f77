import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startFixture, startTestEmulator, startTime } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { startReceiver } from '../support/receiver.ts'
import { under } from '../support/under.ts'

// The promises of the control API about time; `clock.test.ts` tests the calls.

const t0 = Date.parse(startTime)
const secondMs = 1_000
const hourMs = 3_600_000

test.each([{ mode: 'manual' }, { mode: 'real' }, { speed: 1_000 }])(
  'what is due already is done at once, on every clock: %j',
  async (pace) => {
    const receiver = await startReceiver()
    const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
    await emulator.control('/clock?clientId=C1', 'PUT', pace)
    await c1.createCheckout('r1')
    const [first] = await receiver.received(1)
    expect(first?.json).toMatchObject({ requestId: 'r1', orderStatus: 'CREATED' })
  },
)

test.each([{ mode: 'real' }, { speed: 1_000 }])('an advance works on a clock that runs: %j', async (pace) => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  await emulator.control('/clock?clientId=C1', 'PUT', pace)
  const { from, now } = await c1.advance('1h')
  // The clock runs on, one second per millisecond.
  expect(now - from).toBeGreaterThanOrEqual(hourMs)
  expect(now - from).toBeLessThan(hourMs + 10 * 60 * secondMs)
  expect(await c1.order('r1')).toMatchObject({ orderStatus: 'COMPLETED' })
  expect(await c1.now()).toBeGreaterThanOrEqual(now)
})

test.each([
  ['a charge', { interval: 'MONTHLY' }, 'P1M', 2],
  ['no charge before its time', { interval: 'MONTHLY' }, '29d', 1],
])('charges come on the client’s clock: %s', async (_, members, by, records) => {
  const { c1 } = await startFixture()
  await c1.createSubscription(c1.subscription('r1', members))
  await c1.advance('2s')
  await c1.advance(by)
  expect((await c1.fiatOrders('r1')).data).toHaveLength(records)
})

test('an order expires on the client’s clock', async () => {
  const { c1 } = await startFixture({
    defaultScenario: 'never-pays',
    settings: { orders: { expiry: '15m', onExpiry: 'abandon' } },
  })
  await c1.createCheckout('r1')
  await c1.advance('899s')
  expect(await c1.order('r1')).toMatchObject({ orderStatus: 'CREATED' })
  await c1.advance('1s')
  expect(await c1.order('r1')).toMatchObject({ orderStatus: 'ABANDONED' })
})

test('a receiver that does not answer is given up by the wall, while the clock stands', async () => {
  const receiver = await startReceiver()
  receiver.answerWith('hang')
  const settings = { webhook: { timeout: '50ms', retry: { max: 0 } } }
  const { c1 } = await startFixture({ webhookUrl: receiver.url, settings })
  await c1.createCheckout('r1')
  await c1.settle()
  const [delivery] = await c1.deliveries()
  expect(delivery?.attempts).toMatchObject([{ at: t0, outcome: 'timeout' }])
  expect(await c1.now()).toBe(t0)
})

test('a webhook is signed with the time of the wall, whatever the clock reads', async () => {
  const receiver = await startReceiver()
  const { c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.advance('3650d')
  await c1.createCheckout('r1')
  const [webhook] = await receiver.received(1)
  const aheadMs = Number(webhook?.headers['webhook-timestamp']) * secondMs - Date.now()
  expect(Math.abs(aheadMs)).toBeLessThan(60 * secondMs)
})

test('what different orders have due at one moment is done side by side', async () => {
  const receiver = await startReceiver()
  // The one webhook is answered only when the other has come.
  const bothCame = receiver.received(4)
  receiver.answerWith({}, {}, { after: bothCame }, {})
  const { c1 } = await startFixture({ webhookUrl: receiver.url })
  await Promise.all([c1.createCheckout('r1'), c1.createCheckout('r2')])
  await c1.settle()
  const { deliveries } = await c1.advance('10s')
  expect(deliveries).toMatchObject([
    { at: t0 + 5 * secondMs, requestId: 'r1', outcome: 'accepted' },
    { at: t0 + 5 * secondMs, requestId: 'r2', outcome: 'accepted' },
  ])
})

test('the moments of several clients are merged by the time elapsed, not by what their clocks read', async () => {
  const receiver = await startReceiver()
  const { emulator, c1, c2 } = await startFixture({
    webhookUrl: receiver.url,
    defaultScenario: 'fail-9004',
  })
  await c1.advance('365d')
  await c2.change({ webhookUrl: receiver.url })
  await Promise.all([c1.createCheckout('r1'), c2.createCheckout('r2')])
  await Promise.all([c1.settle(), c2.settle()])
  const { json } = await emulator.control('/clock/advance', 'POST', { by: '1m' })
  const told = receiver.requests
    .slice(2)
    .map(({ json: { clientId, orderStatus } }) => [clientId, orderStatus])
  expect(told).toEqual([
    ['C1', 'FAILED'],
    ['C2', 'COMPLETED'],
  ])
  expect(json.clients).toMatchObject([
    { clientId: 'demo-client', from: t0, now: t0 + 60 * secondMs },
    { clientId: 'C1', from: t0 + 365 * 24 * hourMs },
    { clientId: 'C2', from: t0, now: t0 + 60 * secondMs },
  ])
})

test('`to` takes each client there, however far it has to go', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await c2.advance('1h')
  const to = new Date(t0 + 2 * hourMs).toISOString()
  const { json } = await emulator.control('/clock/advance', 'POST', { to })
  expect(json.clients).toMatchObject([
    { clientId: 'demo-client', from: t0, now: t0 + 2 * hourMs },
    { clientId: 'C1', from: t0, now: t0 + 2 * hourMs },
    { clientId: 'C2', from: t0 + hourMs, now: t0 + 2 * hourMs },
  ])
  expect([await c1.now(), await c2.now()]).toEqual([t0 + 2 * hourMs, t0 + 2 * hourMs])
})

test('run-until-idle over several clients ends when none has anything due, and all have moved as far', async () => {
  const { emulator, c1, c2 } = await startFixture({ defaultScenario: 'happy-slow' })
  await c2.advance('1h')
  await Promise.all([c1.createCheckout('r1'), c2.createCheckout('r2')])
  const { json } = await emulator.control('/clock/run-until-idle', 'POST', {})
  const moved = (await c1.now()) - t0
  expect(await c1.order('r1')).toMatchObject({ orderStatus: 'COMPLETED', updatedAt: t0 + moved })
  expect(await c2.order('r2')).toMatchObject({ orderStatus: 'COMPLETED' })
  expect(await c2.now()).toBe(t0 + hourMs + moved)
  expect(json).toMatchObject({ nextDueAt: null })
})

test('where one client’s receiver hangs, an advance of all stays with all of them where it got to', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({}, 'hang')
  const { emulator, c1, c2 } = await startFixture({ webhookUrl: receiver.url })
  await Promise.all([c1.createCheckout('r1'), c2.createCheckout('r2')])
  await c1.settle()
  const answer = await emulator.send('/_emulator/clock/advance', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: { by: '1h', timeoutMs: 100 },
  })
  expect(answer.status).toBe(504)
  expect(answer.json).toMatchObject({ error: { code: 'clock_timed_out' } })
  expect([await c1.now(), await c2.now()]).toEqual([t0 + 5 * secondMs, t0 + 5 * secondMs])
})

test('a manual clock stands after a restart where it stood; the flags are for clients made from then on', async () => {
  const database = join(aFolder(), 'clocks.db')
  {
    await using emulator = await startTestEmulator({ database })
    await (await emulator.addClient({ clientId: 'old' })).advance('3d')
  }
  const flags = { clock: '10x', startTime: '2030-01-01T00:00:00Z', clientId: 'demo-client' } as const
  const emulator = await startTestEmulator({ database, ...flags })
  await emulator.addClient({ clientId: 'new' })
  const clockOf = async (clientId: string) => (await emulator.control(`/clock?clientId=${clientId}`)).json
  expect(await clockOf('old')).toEqual({ mode: 'manual', now: t0 + 72 * hourMs, speed: 0 })
  expect(await clockOf('demo-client')).toEqual({ mode: 'manual', now: t0, speed: 0 })
  expect(await clockOf('new')).toMatchObject({ mode: 'real', speed: 10 })
  expect(Number((await clockOf('new')).now)).toBeGreaterThanOrEqual(Date.parse(flags.startTime))
})

test('a running clock goes on after a restart, and never goes back', async () => {
  const database = join(aFolder(), 'clocks.db')
  const read = async (before: number): Promise<number> => {
    await using emulator = await startTestEmulator({ database, clock: '1000x', startTime: undefined })
    const { now } = (await emulator.control('/clock?clientId=demo-client')).json
    expect(Number(now)).toBeGreaterThanOrEqual(before)
    return Number((await emulator.control('/clock/advance', 'POST', { by: '1d' })).json.now)
  }
  let now = 0
  for (let start = 0; start < 4; start++) now = await read(now)
})

test('what fell due while nothing ran is done in its order at the next start, and stamped with that time', async () => {
  const database = join(aFolder(), 'clocks.db')
  {
    await using emulator = await startTestEmulator({ database })
    const client = await emulator.addClient({ clientId: 'c', defaultScenario: 'overnight' })
    await client.createCheckout('r1')
    await client.change({ defaultScenario: 'happy-slow' })
    await client.createCheckout('r2')
    // As fast as clocks go: what is due lies behind it before anybody can look.
    await emulator.control('/clock?clientId=c', 'PUT', { speed: 1_000_000 })
  }
  const emulator = await startTestEmulator({ database })
  const order = async (requestId: string) =>
    (await emulator.control(`/orders?clientId=c&requestId=${requestId}`)).items[0]
  await vi.waitUntil(async () => (await order('r1'))?.orderStatus === 'COMPLETED')
  const [r1, r2] = await Promise.all([order('r1'), order('r2')])
  expect(r2).toMatchObject({ orderStatus: 'COMPLETED' })
  expect(Number(r2?.updatedAt)).toBeLessThanOrEqual(Number(r1?.updatedAt))
  expect(Number(r1?.updatedAt)).toBeGreaterThan(t0)
})

test('without a seed no two emulators make the same ids', async () => {
  const idOf = async () => {
    const emulator = await startTestEmulator({ seed: undefined })
    const client = await emulator.addClient({ clientId: 'c' })
    await client.createCheckout('r1')
    return (await client.order('r1')).orderId
  }
  expect(await idOf()).not.toBe(await idOf())
})

test('a thousand steps at one moment are done at that moment, by an advance and by `explain`', async () => {
  const steps = Array.from({ length: 1_000 }, (_, n) => `  - { after: 0s, metadata: { step: ${n + 1} } }\n`)
  const { emulator, c1 } = await under(`timeline:\n${steps.join('')}`)
  await c1.createCheckout('r1')
  const { now, nextDueAt } = await c1.advance('0s')
  expect([now, nextDueAt]).toEqual([t0, null])
  expect(await c1.order('r1')).toMatchObject({ metadata: { step: 1_000 } })
  expect((await emulator.control('/scenarios/mine/explain')).status).toBe(200)
})
