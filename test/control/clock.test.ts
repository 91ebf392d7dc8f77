import { describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import { startFixture, startTestEmulator, startTime, type TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'

const t0 = Date.parse(startTime)
const json = { 'content-type': 'application/json' }

test('one advance takes an order through its life, and the ledger tells it', async () => {
  const receiver = await startReceiver()
  const { c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  const { orderId, deliveries } = await c1.order('r1')
  expect(deliveries).toHaveLength(1)
  const ledger = await c1.advance('10m')
  expect(ledger).toEqual({
    from: t0,
    now: t0 + 600_000,
    transitions: [
      {
        at: t0 + 2000,
        orderId,
        requestId: 'r1',
        clientId: 'C1',
        what: 'payment',
        from: 'CREATED',
        to: 'COMPLETED',
      },
      {
        at: t0 + 5000,
        orderId,
        requestId: 'r1',
        clientId: 'C1',
        what: 'order',
        from: 'CREATED',
        to: 'COMPLETED',
      },
    ],
    deliveries: [
      {
        at: t0 + 5000,
        deliveryId: expect.stringMatching(/^del_/),
        requestId: 'r1',
        orderStatus: 'COMPLETED',
        attempt: 1,
        outcome: 'accepted',
        status: 200,
      },
    ],
    nextDueAt: null,
  })
  expect(receiver.requests).toHaveLength(2)
})

test('what was due at the start is waited for, and not in the ledger', async () => {
  const receiver = await startReceiver()
  const { c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  const ledger = await c1.advance('0s')
  expect(ledger).toMatchObject({ from: t0, now: t0, transitions: [], deliveries: [], nextDueAt: t0 + 2000 })
  expect(receiver.requests).toHaveLength(1)
})

test('a retry that is due before a step comes before its webhook: there is one order of time', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({}, { status: 500 }, {})
  const { c1 } = await startFixture({
    webhookUrl: receiver.url,
    settings: { 'webhook.retry.base': '4s' },
  })
  await c1.createCheckout('r1')
  await c1.advance('4s')
  await c1.createCheckout('r2')
  const { deliveries } = await c1.advance('1m')
  expect(
    deliveries.map(({ at, requestId, orderStatus, attempt }) => [at - t0, requestId, orderStatus, attempt]),
  ).toEqual([
    [5000, 'r1', 'COMPLETED', 1],
    [8000, 'r2', 'CREATED', 2],
    [9000, 'r2', 'COMPLETED', 1],
  ])
})

test('thirty days over many orders return with every delivery made, sorted by time and requestId', async () => {
  const receiver = await startReceiver()
  const { c1 } = await startFixture({ webhookUrl: receiver.url })
  const requestIds = Array.from({ length: 500 }, (_, n) => `r${String(499 - n).padStart(3, '0')}`)
  await Promise.all(requestIds.map((requestId) => c1.createCheckout(requestId)))
  const ledger = await c1.advance('30d')
  expect(ledger.now).toBe(t0 + 30 * 86_400_000)
  expect(ledger.deliveries.map(({ requestId }) => requestId)).toEqual(requestIds.toSorted())
  expect(receiver.requests).toHaveLength(1000)
})

test('an hour in one step or in sixty tells the same story', async () => {
  const story = async (steps: string[]) => {
    const receiver = await startReceiver()
    receiver.answerWith({ status: 500 }, { status: 500 }, {}, { status: 500 }, {})
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    await c1.createCheckout('r1')
    const ledgers = []
    for (const by of steps) ledgers.push(await c1.advance(by))
    return {
      transitions: ledgers.flatMap((l) => l.transitions),
      deliveries: ledgers.flatMap((l) => l.deliveries),
    }
  }
  const sixty = Array.from({ length: 60 }, () => '1m')
  expect(await story(sixty)).toEqual(await story(['1h']))
})

test('`to` goes to a moment, and there is no way back', async () => {
  const { emulator, c1 } = await startFixture()
  const to = (moment: string) =>
    emulator.send('/_emulator/clock/advance?clientId=C1', {
      method: 'POST',
      headers: json,
      body: { to: moment },
    })
  expect((await to('2026-04-21T13:00:05-03:00')).json).toMatchObject({ from: t0, now: t0 + 5000 })
  const back = await to('2026-04-21T16:00:04Z')
  expect(back.status).toBe(409)
  expect(back.json).toMatchObject({ error: { code: 'clock_in_past' } })
  expect(await c1.now()).toBe(t0 + 5000)
})

test('a month is a month: P1M goes to the same day of the next, or its last', async () => {
  const emulator = await startTestEmulator()
  const client = await emulator.addClient({ clientId: 'c' })
  await client.advance('P9D')
  await client.advance('P1M')
  expect(new Date(await client.now()).toISOString()).toBe('2026-05-30T16:00:00.000Z')
})

test('without a clientId every client moves by the same amount, each by its own clock', async () => {
  const emulator = await startTestEmulator()
  await emulator.control('/clients', 'POST', {
    clientId: 'later',
    clock: { mode: 'manual', now: '2027-01-01T00:00:00Z' },
  })
  const { json: ledger } = await emulator.control('/clock/advance', 'POST', { by: '10m' })
  expect(ledger.clients).toEqual([
    { clientId: 'demo-client', from: t0, now: t0 + 600_000, nextDueAt: null },
    {
      clientId: 'later',
      from: Date.parse('2027-01-01T00:00:00Z'),
      now: Date.parse('2027-01-01T00:10:00Z'),
      nextDueAt: null,
    },
  ])
})

test('without a clientId, `to` is refused for all if one is past it', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await c2.advance('1h')
  const answer = await emulator.send('/_emulator/clock/advance', {
    method: 'POST',
    headers: json,
    body: { to: '2026-04-21T16:30:00Z' },
  })
  expect(answer.status).toBe(409)
  expect(await c1.now()).toBe(t0)
})

test('two advances at once queue, and neither loses time', async () => {
  const { c1 } = await startFixture()
  await Promise.all([c1.advance('1m'), c1.advance('2m')])
  expect(await c1.now()).toBe(t0 + 180_000)
})

test('an advance that a hung receiver holds up gives up with 504 and what happened so far', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({}, 'hang')
  const { emulator, c1 } = await startFixture({
    webhookUrl: receiver.url,
    settings: { 'webhook.timeout': '60s' },
  })
  await c1.createCheckout('r1')
  await c1.settle()
  const answer = await emulator.send('/_emulator/clock/advance?clientId=C1', {
    method: 'POST',
    headers: json,
    body: { by: '1h', timeoutMs: 200 },
  })
  expect(answer.status).toBe(504)
  expect(answer.json).toMatchObject({
    error: { code: 'clock_timed_out' },
    now: t0 + 5000,
    transitions: [{ what: 'payment' }, { what: 'order', to: 'COMPLETED' }],
  })
  expect(await c1.now()).toBe(t0 + 5000)
})

test('GET without a clientId gives the defaults of new clients, and every client’s clock', async () => {
  const emulator = await startTestEmulator()
  const clock = { mode: 'manual', now: t0, speed: 0 }
  expect((await emulator.control('/clock')).json).toEqual({
    ...clock,
    clients: [{ clientId: 'demo-client', ...clock }],
  })
})

test('a clock can be set running and stopped again; what it reads never goes back', async () => {
  const { emulator, c1 } = await startFixture()
  const put = (body: object) => emulator.control('/clock?clientId=C1', 'PUT', body)
  await expect(put({ mode: 'real', speed: 0 })).rejects.toThrow('400')
  expect((await put({ mode: 'real' })).json).toMatchObject({ mode: 'real', speed: 1 })
  expect((await put({ speed: 1000 })).json).toMatchObject({ mode: 'real', speed: 1000 })
  const stopped = Number((await put({ mode: 'manual' })).json.now)
  expect(stopped).toBeGreaterThanOrEqual(t0)
  expect(await c1.now()).toBe(stopped)
})

test('PUT with a later now walks there, with an earlier one is refused', async () => {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await emulator.control('/clock?clientId=C1', 'PUT', { now: '2026-04-21T16:10:00Z' })
  expect(receiver.requests).toHaveLength(2)
  const back = await emulator.send('/_emulator/clock?clientId=C1', {
    method: 'PUT',
    headers: json,
    body: { now: t0 },
  })
  expect(back.status).toBe(409)
})

test('PUT without a clientId also holds for clients made from then on', async () => {
  const emulator = await startTestEmulator()
  await emulator.control('/clock', 'PUT', { now: '2028-01-01T00:00:00Z' })
  const { json: client } = await emulator.control('/clients', 'POST', {})
  expect(client.clock).toMatchObject({ mode: 'manual', now: Date.parse('2028-01-01T00:00:00Z') })
})

test('an issued token expires on the client’s clock (N64b)', async () => {
  const { c1 } = await startFixture()
  const token = await c1.issueToken()
  const lookUp = () =>
    c1.lookUp('/v1/client/orders', { requestId: 'r', clientId: 'C1' }, { headers: { 'access-token': token } })
  await c1.advance('29m')
  expect((await lookUp()).status).toBe(200)
  await c1.advance('1m')
  const refused = await lookUp()
  expect(refused.status).toBe(401)
  expect(await c1.journalOf(refused)).toMatchObject({
    clientId: 'C1',
    diagnosis: { cause: 'token.expired' },
  })
})

test.each([
  ['nothing to go by', {}, 'needs either'],
  ['both ways at once', { by: '1m', to: '2027-01-01T00:00:00Z' }, 'needs either'],
  ['a duration that is none', { by: 'soon' }, 'expected a duration like 10m, 30d or P1M, not'],
  ['a number', { by: 10 }, 'by: expected a duration, but 10 has no unit; write 10s, 10m'],
  ['a number as text', { by: '10' }, 'by: expected a duration, but 10 has no unit; write 10s, 10m'],
  ['a negative duration', { by: '-5m' }, 'is negative, and a clock never goes back'],
  ['a duration beyond all calendars', { by: '999999999d' }, 'expected a duration'],
  ['a client', { by: '1m', clientId: 'C1' }, 'clientId: belongs in the query: ?clientId='],
  ['a moment without offset', { to: '2027-01-01T00:00:00' }, 'offset'],
  ['an unknown member', { by: '1m', timeout: 5 }, 'timeoutMs'],
])('an advance with %s is refused', async (_, body, words) => {
  const { emulator } = await startFixture()
  const answer = await emulator.send('/_emulator/clock/advance?clientId=C1', {
    method: 'POST',
    headers: json,
    body,
  })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain(words)
})

test('the same seed, start and requests give the same ids and ledgers, whatever runs beside', async () => {
  const run = async (beside: boolean) => {
    const receiver = await startReceiver()
    const { c1, c2 } = await startFixture({ webhookUrl: receiver.url })
    if (beside) await c2.createCheckout('r1')
    await c1.createCheckout('r1')
    if (beside) await c2.createCheckout('r2')
    await c1.createCheckout('r2')
    const ledger = await c1.advance('10m')
    return JSON.stringify({ ledger, bodies: receiver.requests.map(({ text }) => text).toSorted() })
  }
  expect(await run(true)).toBe(await run(false))
})

test('an advance of all clients by a month is refused: months are not equally long', async () => {
  const { emulator } = await startFixture()
  const body = { by: 'P1M' }
  const answer = await emulator.send('/_emulator/clock/advance', { method: 'POST', headers: json, body })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('add a clientId')
})

test('a backlog is carried out in order of its due time, across orders and after a restart', async () => {
  const { c1, emulator } = await startFixture()
  await c1.createCheckout('r1')
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', clientId: 'C1' })
  await c1.advance('500ms')
  await c1.createCheckout('r2')
  // A clock that runs at ten thousand times its pace passes all moments before anything can be carried out.
  await emulator.control('/clock?clientId=C1', 'PUT', { speed: 1_000_000 })
  await vi.waitUntil(async () => (await c1.order('r1')).orderStatus === 'COMPLETED')
  const [r1, r2] = await Promise.all([c1.order('r1'), c1.order('r2')])
  expect(r2.orderStatus).toBe('FAILED')
  expect(Number(r2.updatedAt), 'r2 failed at 4.5 s, r1 was completed at 5 s').toBeLessThanOrEqual(
    Number(r1.updatedAt),
  )
})

test('a running clock that is stopped at a moment stands exactly there', async () => {
  const { c1, emulator } = await startFixture()
  await emulator.control('/clock?clientId=C1', 'PUT', { speed: 1000 })
  const now = (await c1.now()) + 3_600_000
  const { json: stopped } = await emulator.control('/clock?clientId=C1', 'PUT', { mode: 'manual', now })
  expect(stopped).toEqual({ mode: 'manual', now, speed: 0 })
})

test('what GET tells of a clock can be sent back by PUT', async () => {
  const { emulator } = await startFixture()
  const { json: clock } = await emulator.control('/clock?clientId=C1')
  expect((await emulator.control('/clock?clientId=C1', 'PUT', clock)).json).toEqual(clock)
})

describe('advance-to-next and run-until-idle', () => {
  const walk = async (emulator: TestEmulator, call: string, query = '', body: object = {}) => {
    const answer = await emulator.send(`/_emulator/clock/${call}${query}`, {
      method: 'POST',
      headers: json,
      body,
    })
    const told: JsonObject = { status: answer.status, ...answer.json }
    return told
  }

  test('advance-to-next goes to the next due thing and no further', async () => {
    const { c1, emulator } = await startFixture()
    await c1.createCheckout('r1')
    const next = () => walk(emulator, 'advance-to-next', '?clientId=C1')
    expect(await next()).toMatchObject({ status: 200, from: t0, now: t0 + 2000, nextDueAt: t0 + 5000 })
    expect(await next()).toMatchObject({ from: t0 + 2000, now: t0 + 5000, nextDueAt: null })
    expect(await next()).toMatchObject({ from: t0 + 5000, now: t0 + 5000, transitions: [] })
  })

  test('of several clients the one whose moment comes first leads, and all move as far', async () => {
    const { c1, c2, emulator } = await startFixture({ defaultScenario: 'fail-9004' })
    await c1.createCheckout('r1')
    await c2.createCheckout('r2')
    const { clients } = await walk(emulator, 'advance-to-next')
    expect(clients).toEqual(
      ['demo-client', 'C1', 'C2'].map((clientId) =>
        expect.objectContaining({ clientId, from: t0, now: t0 + 2000 }),
      ),
    )
  })

  test('run-until-idle ends at the last due thing, retries included', async () => {
    const receiver = await startReceiver()
    receiver.answerWith({ status: 500 }, { status: 500 }, { status: 200 })
    const { c1, emulator } = await startFixture({ webhookUrl: receiver.url })
    await c1.createCheckout('r1')
    const { status, now, nextDueAt, deliveries } = await walk(emulator, 'run-until-idle', '?clientId=C1')
    expect({ status, now, nextDueAt }).toEqual({ status: 200, now: t0 + 5000, nextDueAt: null })
    expect(deliveries).toHaveLength(3)
  })

  test('a limit that is asked for is kept, though more is due', async () => {
    const { c1, emulator } = await startFixture()
    await c1.createSubscription('r1')
    const answer = await walk(emulator, 'run-until-idle', '?clientId=C1', { limit: 3 })
    expect(answer).toMatchObject({ status: 200, nextDueAt: expect.any(Number) })
    expect(answer).not.toHaveProperty('error')
    expect((await c1.fiatOrders('r1')).data).toHaveLength(2)
  })

  test('a walk that finds no end in time says so and stays where it got to', async () => {
    const receiver = await startReceiver()
    receiver.answerWith('hang')
    const { c1, emulator } = await startFixture({ webhookUrl: receiver.url })
    await c1.createCheckout('r1')
    const answer = await walk(emulator, 'run-until-idle', '?clientId=C1', { timeoutMs: 50 })
    expect(answer).toMatchObject({ status: 504, error: { code: 'clock_timed_out' }, now: t0 })
  })

  test.each([{ limit: 0 }, { limit: 10_001 }, { by: '1m' }])('%j is refused', async (body) => {
    const { emulator } = await startFixture()
    expect(await walk(emulator, 'run-until-idle', '', body)).toMatchObject({ status: 400 })
  })
})
