import { expect, test } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import type { TestClient } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { faultNow, planFault } from '../support/faults.ts'
import { startReceiver } from '../support/receiver.ts'

const start = async () => {
  const receiver = await startReceiver()
  return { receiver, ...(await startFixture({ webhookUrl: receiver.url })) }
}

interface Shown {
  readonly status: string
  readonly dueAt: number
  readonly plan: { readonly faults: readonly JsonObject[] } | null
  readonly attempts: readonly {
    readonly at: number
    readonly outcome: string
    readonly status: number | null
    readonly error: string | null
    readonly bodyText?: string
  }[]
}

/** The client's delivery for a status. */
async function telling(client: TestClient, orderStatus: string): Promise<Shown> {
  const found = (await client.deliveries()).find((each) => each.orderStatus === orderStatus)
  if (found === undefined) throw new Error(`no delivery tells ${orderStatus}`)
  return JSON.parse(JSON.stringify(found))
}

test('countAs: an accepted attempt counts as failed, comes again, and the delivery names the fault', async () => {
  const { emulator, c1, receiver } = await start()
  const fault = await planFault(emulator, c1, {
    on: 'delivery',
    where: { orderStatus: 'COMPLETED' },
    effect: { countAs: 500 },
    times: 2,
  })
  await c1.createCheckout('r1')
  await c1.advance('1m')
  const { attempts, status, plan } = await telling(c1, 'COMPLETED')
  expect(attempts.map((attempt) => [attempt.outcome, attempt.status])).toEqual([
    ['refused', 500],
    ['refused', 500],
    ['accepted', 200],
  ])
  expect(status).toBe('delivered')
  expect(plan?.faults[0]).toEqual({ fault: fault.id, attempt: 1, countAs: 500 })
  expect(receiver.requests).toHaveLength(4)
  expect(await faultNow(emulator, fault)).toMatchObject({ calls: 2, hits: 2, over: true })
})

test('drop: the webhook never comes, is dead at once, and later ones do not wait for it', async () => {
  const { emulator, c1, receiver } = await start()
  await planFault(emulator, c1, { on: 'delivery', where: { orderStatus: 'CREATED' }, effect: { drop: true } })
  await c1.createCheckout('r1')
  await c1.advance('1h')
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['COMPLETED'])
  const { status, attempts } = await telling(c1, 'CREATED')
  expect(status).toBe('dead')
  expect(attempts).toMatchObject([{ outcome: 'connection', status: null, error: 'not sent, on purpose' }])
})

test('delay: the attempt is made later on the client’s clock, and later webhooks overtake it', async () => {
  const { emulator, c1, receiver } = await start()
  const fault = { on: 'delivery', where: { orderStatus: 'CREATED' }, effect: { delay: '10m' } }
  await planFault(emulator, c1, fault)
  const t0 = await c1.now()
  await c1.createCheckout('r1')
  await c1.advance('10m')
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['COMPLETED', 'CREATED'])
  const { attempts } = await telling(c1, 'CREATED')
  expect(attempts.map(({ at }) => at - t0)).toEqual([600_000])
})

test('delay with another effect: the late attempt is wrong too', async () => {
  const { emulator, c1, receiver } = await start()
  await planFault(emulator, c1, { on: 'delivery', effect: { delay: '1s', sign: 'wrong' } })
  await c1.createCheckout('r1')
  await c1.advance('1s')
  expect(() => c1.verifyWebhook(receiver.requests[0])).toThrow()
  await c1.advance('1m')
  expect(() => c1.verifyWebhook(receiver.requests[1])).not.toThrow()
})

test('duplicate: what was accepted is sent again, with the same id and bytes', async () => {
  const { emulator, c1, receiver } = await start()
  const fault = { on: 'delivery', where: { orderStatus: 'COMPLETED' }, effect: { duplicate: 2, apart: '5m' } }
  await planFault(emulator, c1, fault)
  const t0 = await c1.now()
  await c1.createCheckout('r1')
  await c1.advance('1h')
  const copies = receiver.requests.filter(({ json }) => json.orderStatus === 'COMPLETED')
  expect(new Set(copies.map(({ headers, text }) => `${headers['webhook-id']} ${text}`)).size).toBe(1)
  const { attempts, status } = await telling(c1, 'COMPLETED')
  expect(attempts.map(({ at, outcome }) => [at - t0, outcome])).toEqual([
    [5_000, 'accepted'],
    [305_000, 'accepted'],
    [605_000, 'accepted'],
  ])
  expect(status).toBe('delivered')
})

/** How often each status of an order has arrived. */
const arrivals = (requests: readonly { readonly json: JsonObject }[]) =>
  Object.entries(Object.groupBy(requests, ({ json }) => String(json.orderStatus))).map(
    ([status, all]) => `${status} ${all?.length}`,
  )

test.each<[string, object, string[], number]>([
  ['for a year', { effect: { duplicate: 1 }, for: '365d' }, ['CREATED 2', 'COMPLETED 2'], 2],
  ['for an hour', { effect: { duplicate: 1, apart: '5m' }, for: '1h' }, ['CREATED 2', 'COMPLETED 2'], 2],
  ['four times', { effect: { duplicate: 1 }, times: 4 }, ['CREATED 2', 'COMPLETED 2'], 2],
  ['twice more', { effect: { duplicate: 2 }, for: '1h' }, ['CREATED 3', 'COMPLETED 3'], 2],
])('duplicate %s: each webhook is sent again as often as it says, its copies are not', async (...row) => {
  const [, limits, arrived, hits] = row
  const { emulator, c1, receiver } = await start()
  const fault = await planFault(emulator, c1, { on: 'delivery', where: { requestId: 'd3' }, ...limits })
  await c1.createCheckout('d3')
  await c1.advance('1h')
  expect(arrivals(receiver.requests)).toEqual(arrived)
  expect(await faultNow(emulator, fault)).toMatchObject({ calls: hits, hits })
})

test('duplicate: what is refused at first is sent again as often, once it is accepted', async () => {
  const { emulator, c1, receiver } = await start()
  receiver.answerWith({ status: 500 }, {}, { status: 500 }, {})
  const duplicate = { on: 'delivery', where: { orderStatus: 'CREATED' }, effect: { duplicate: 1 } }
  await planFault(emulator, c1, { ...duplicate, for: '1d' })
  await c1.createCheckout('r1', { headers: { 'emulator-scenario': 'never-pays' } })
  await c1.advance('1h')
  const { attempts, status } = await telling(c1, 'CREATED')
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['refused', 'accepted', 'refused', 'accepted'])
  expect(status).toBe('delivered')
})

test.each<[string, object, (client: TestClient) => object]>([
  ['sign: false', { sign: false }, () => ({ outcome: 'accepted' })],
  ['tamper', { tamper: true }, () => ({ outcome: 'accepted', bodyText: expect.any(String) })],
  ['truncate', { truncate: 20 }, () => ({ outcome: 'accepted', bodyText: expect.stringMatching(/^.{20}$/) })],
  ['headers', { headers: { 'webhook-id': null } }, () => ({ outcome: 'accepted' })],
])('%s: one attempt is wrong on the wire, and on record as it was sent', async (_, effect, attempt) => {
  const { emulator, c1, receiver } = await start()
  await planFault(emulator, c1, { on: 'delivery', where: { orderStatus: 'CREATED' }, effect })
  await c1.createCheckout('r1')
  await c1.advance('1m')
  expect(() => c1.verifyWebhook(receiver.requests[0])).toThrow()
  expect(() => c1.verifyWebhook(receiver.requests[1])).not.toThrow()
  expect((await telling(c1, 'CREATED')).attempts).toMatchObject([attempt(c1)])
})

test('cut: the connection breaks, and the next attempt is right', async () => {
  const { emulator, c1, receiver } = await start()
  await planFault(emulator, c1, { on: 'delivery', where: { orderStatus: 'CREATED' }, effect: { cut: 20 } })
  await c1.createCheckout('r1')
  await c1.advance('1m')
  const { attempts } = await telling(c1, 'CREATED')
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['connection', 'accepted'])
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toContain('CREATED')
})

test('what is planned stands above what the scenario says of the same attempt', async () => {
  const { emulator, c1 } = await start()
  await planFault(emulator, c1, { on: 'delivery', effect: { countAs: 202 } })
  const headers = { 'emulator-scenario': 'webhook-endpoint-down' }
  await c1.createCheckout('r1', { headers })
  await c1.settle()
  expect((await telling(c1, 'CREATED')).attempts).toMatchObject([{ outcome: 'accepted', status: 202 }])
})

test('deliveries of another client and what is sent by hand meet no fault of a client', async () => {
  const { emulator, c1, c2, receiver } = await start()
  await c2.change({ webhookUrl: receiver.url })
  const fault = await planFault(emulator, c1, { on: 'delivery', effect: { drop: true }, for: '1h' })
  await c2.createCheckout('r1')
  await c2.settle()
  await emulator.control('/deliveries', 'POST', { clientId: 'C1', body: 'by hand' })
  expect(receiver.requests).toHaveLength(2)
  expect(await faultNow(emulator, fault)).toMatchObject({ calls: 0 })
})

test('a simulated webhook meets faults, and so does one that is sent again', async () => {
  const { emulator, c1 } = await start()
  const fault = { on: 'delivery', where: { requestId: 's1' }, effect: { countAs: 500 }, times: 2 }
  await planFault(emulator, c1, fault)
  await c1.simulate(c1.simulation('s1'))
  await c1.advance('1h')
  const [delivery] = await c1.deliveries()
  expect(delivery).toMatchObject({
    status: 'delivered',
    attempts: [{ status: 500 }, { status: 500 }, { status: 200 }],
  })
  await planFault(emulator, c1, fault)
  await emulator.control(`/deliveries/${delivery?.id}/resend`, 'POST', {})
  await c1.settle()
  expect((await c1.deliveries())[0]).toMatchObject({ attempts: [{}, {}, {}, { status: 500 }] })
})

test('of many deliveries at once exactly as many are wrong as the fault says', async () => {
  const { emulator, c1 } = await start()
  const where = { orderStatus: 'CREATED' }
  const fault = await planFault(emulator, c1, {
    on: 'delivery',
    where,
    effect: { drop: true },
    skip: 7,
    times: 5,
  })
  await Promise.all(Array.from({ length: 40 }, (_, n) => c1.createCheckout(`r${n}`)))
  await c1.settle()
  const dead = (await c1.deliveries()).filter(({ status }) => status === 'dead')
  expect(dead).toHaveLength(5)
  expect(await faultNow(emulator, fault)).toMatchObject({ calls: 12, hits: 5 })
})
