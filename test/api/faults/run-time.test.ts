import { expect, test } from 'vitest'
import type { Answer } from '../../support/answer.ts'
import type { TestClient } from '../../support/client.ts'
import { type Fixture, startFixture, startTestEmulator } from '../../support/emulator.ts'
import { expectStatus } from '../../support/expect.ts'
import { faultNow, planFault } from '../../support/faults.ts'
import { aFolder } from '../../support/folder.ts'
import { faultNotes, given, statusesOf, untilHeld, untilStored } from './given.ts'

const json = { 'content-type': 'application/json' }

function tokenCall({ emulator }: Fixture, clientId: string, apiSecret: string): Promise<Answer> {
  return emulator.send('/_emulator/access-token', {
    method: 'POST',
    headers: json,
    body: { clientId, apiSecret },
  })
}

/** So many lookups under requestIds of their own. */
const lookups = (client: TestClient, count: number) =>
  statusesOf(Array.from({ length: count }, (_, n) => () => client.fiatOrders(`r${n}`)))

test('a fault without words on how often is done once, and the journal names it', async () => {
  const { emulator, c1 } = await startFixture()
  const fault = await planFault(emulator, c1, { on: 'create-order', effect: { status: 503 } })
  const refused = await c1.createCheckout('r1')
  expectStatus(refused, 503)
  expect(refused.text).toBe('{"error":"Service Unavailable"}')
  expectStatus(await c1.createCheckout('r1'), 200)
  expect(await c1.journalOf(refused)).toMatchObject({
    clientId: 'C1',
    requestId: 'r1',
    notes: expect.arrayContaining([`fault: create-order before, 503, nothing stored (${fault.id}, 1 of 1)`]),
  })
  expect(await faultNow(emulator, fault)).toMatchObject({ times: 1, calls: 1, hits: 1, over: true })
})

test.each<[string, object, number[]]>([
  ['times', { times: 2 }, [500, 500, 200, 200, 200]],
  ['skip, then times', { skip: 1, times: 2 }, [200, 500, 500, 200, 200]],
  ['nth', { nth: 3 }, [200, 200, 500, 200, 200]],
  ['a list of operations', { on: ['fiat-refunds', 'orders'] }, [500, 200, 200, 200, 200]],
  ['another operation', { on: 'crypto-orders' }, [200, 200, 200, 200, 200]],
  ['a requestId', { where: { requestId: 'r2' }, times: 9 }, [200, 200, 500, 200, 200]],
  ['the beginning of a requestId', { where: { requestId: 'r*' }, times: 9 }, [500, 500, 500, 500, 500]],
])('%s says which lookups are answered wrongly', async (_, members, statuses) => {
  const { emulator, c1 } = await startFixture()
  await planFault(emulator, c1, { on: 'orders', effect: { status: 500 }, ...members })
  expect(await lookups(c1, 5)).toEqual(statuses)
})

test('a fault touches its client only, one of all clients any of them', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await planFault(emulator, c2, { on: 'orders', effect: { status: 500 }, times: 9 })
  expect(await lookups(c1, 1)).toEqual([200])
  await planFault(emulator, null, { on: 'orders', effect: { status: 502 }, times: 1 })
  expect(await lookups(c1, 2)).toEqual([502, 200])
})

test('of several the oldest that is not over answers, and the others count nothing', async () => {
  const { emulator, c1 } = await startFixture()
  await planFault(emulator, c1, { on: 'orders', effect: { status: 500 } })
  await planFault(emulator, null, { on: 'orders', effect: { status: 502 } })
  const last = await planFault(emulator, c1, { on: 'orders', effect: { status: 503 } })
  expect(await lookups(c1, 2)).toEqual([500, 502])
  expect(await faultNow(emulator, last)).toMatchObject({ calls: 0, hits: 0 })
  expect(await lookups(c1, 2)).toEqual([503, 200])
})

test('what is planned goes before the rules of a scenario, which count nothing meanwhile', async () => {
  const context = await given('[{ on: create-order, effect: { status: 503 }, times: 1 }]')
  await planFault(context.emulator, context.client, { on: 'create-order', effect: { status: 500 } })
  const create = () => context.client.createCheckout('r1')
  expect(await statusesOf([create, create, create])).toEqual([500, 503, 200])
})

test('`for` ends a fault on its client’s clock, whether it was met or not', async () => {
  const { emulator, c1 } = await startFixture()
  const fault = await planFault(emulator, c1, { on: 'orders', effect: { status: 500 }, for: '2m' })
  expect(fault).toMatchObject({ times: null, until: (await c1.now()) + 120_000, over: false })
  await c1.advance('119s')
  expect(await lookups(c1, 2)).toEqual([500, 500])
  await c1.advance('1s')
  expect(await lookups(c1, 1)).toEqual([200])
  expect(await faultNow(emulator, fault)).toMatchObject({ hits: 2, over: true })
})

test('`for` of a fault of all clients runs on each one’s clock', async () => {
  const { emulator, c1, c2 } = await startFixture()
  const fault = await planFault(emulator, null, { on: 'orders', effect: { status: 500 }, for: '2m' })
  await c1.advance('2m')
  const late = await emulator.addClient()
  expect(await lookups(c1, 1)).toEqual([200])
  expect(await lookups(c2, 1)).toEqual([500])
  expect(await lookups(late, 1)).toEqual([500])
  expect(await faultNow(emulator, fault)).toMatchObject({ until: null, for: '2m', over: false })
})

test('`until` ends a fault at a moment', async () => {
  const { emulator, c1 } = await startFixture()
  const until = '2026-04-21T16:00:05Z'
  await planFault(emulator, c1, { on: 'orders', effect: { status: 500 }, until })
  expect(await lookups(c1, 1)).toEqual([500])
  await c1.advance('5s')
  expect(await lookups(c1, 1)).toEqual([200])
})

test('probability is drawn by the seed: the same run gives the same faults, another seed others', async () => {
  const played = async (seed: string) => {
    const { emulator, c1 } = await startFixture({}, { seed })
    const chance = { on: 'orders', effect: { status: 500 }, probability: 0.5, for: '1h' }
    await planFault(emulator, c1, chance)
    return lookups(c1, 24)
  }
  const first = await played('one')
  expect(await played('one')).toEqual(first)
  expect(await played('two')).not.toEqual(first)
  const hits = first.filter((status) => status === 500).length
  expect(hits).toBeGreaterThan(4)
  expect(hits).toBeLessThan(20)
})

test('times counts what was hit, and not what the lot let pass', async () => {
  const { emulator, c1 } = await startFixture()
  const chance = { on: 'orders', effect: { status: 500 }, probability: 0.3, times: 3 }
  const fault = await planFault(emulator, c1, chance)
  const statuses = await lookups(c1, 40)
  expect(statuses.filter((status) => status === 500)).toHaveLength(3)
  expect(await faultNow(emulator, fault)).toMatchObject({ calls: statuses.lastIndexOf(500) + 1, hits: 3 })
})

test('stored: the order is there though its create call failed', async () => {
  const { emulator, c1 } = await startFixture()
  await planFault(emulator, c1, { on: 'create-order', when: 'stored', effect: { status: 500 } })
  expectStatus(await c1.createCheckout('r1'), 500)
  expect(await c1.order('r1')).toMatchObject({ orderStatus: 'CREATED' })
  expectStatus(await c1.createCheckout('r1'), 401)
})

test('before: a create call that a check refuses meets no fault, nor does one whose requestId is taken', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('taken')
  const fault = await planFault(emulator, c1, { on: 'create-order', effect: { status: 500 } })
  expectStatus(await c1.createCheckout('r1', { signed: 'nonsense' }), 401)
  expectStatus(await c1.createCheckout('taken'), 401)
  expect(await faultNow(emulator, fault)).toMatchObject({ calls: 0 })
  expectStatus(await c1.createCheckout('r1'), 500)
})

test('unchecked: calls that a check would refuse are answered too', async () => {
  const { emulator, c1 } = await startFixture()
  await planFault(emulator, c1, { on: 'create-order', when: 'unchecked', effect: { status: 418 }, times: 2 })
  expectStatus(await c1.createCheckout('r1', { signed: 'nonsense' }), 418)
  expectStatus(await c1.createCheckout('r1'), 418)
  expectStatus(await c1.createCheckout('r1'), 200)
})

test('unchecked: calls of nobody known meet faults of all clients, and none of a client', async () => {
  const { emulator, c1 } = await startFixture()
  const asNobody = () => c1.lookUp('/v1/client/orders', {}, { headers: { 'access-token': 'nobody' } })
  await planFault(emulator, c1, { on: 'orders', when: 'unchecked', effect: { status: 500 } })
  expectStatus(await asNobody(), 401)
  await planFault(emulator, null, { on: 'orders', when: 'unchecked', effect: { status: 502 } })
  const answer = await asNobody()
  expectStatus(answer, 502)
  expect(await c1.journalOf(answer)).toMatchObject({ clientId: null, requestId: null })
})

test('a call of nobody known is held on the wall, and a reset lets it go', async () => {
  const { emulator, c1 } = await startFixture()
  const asNobody = () => c1.lookUp('/v1/client/orders', {}, { headers: { 'access-token': 'nobody' } })
  await planFault(emulator, null, { on: 'orders', when: 'unchecked', effect: { delay: '20ms' } })
  expectStatus(await asNobody(), 401)
  const fault = await planFault(emulator, null, {
    on: 'orders',
    when: 'unchecked',
    effect: { hang: 'forever' },
  })
  const asked = asNobody().then(
    () => 'answered',
    () => 'closed',
  )
  while (!(await faultNow(emulator, fault)).over);
  await emulator.control('/reset', 'POST', {})
  expect(await asked).toBe('closed')
})

test('stored: any of the orders under a requestId can be meant', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createSubscription('r1')
  await c1.advance('40d')
  const query = 'clientId=C1&requestId=r1'
  const [, charge] = (await emulator.control(`/orders?${query}`)).items
  const where = { orderId: charge?.orderId }
  await planFault(emulator, c1, { on: 'orders', when: 'stored', where, effect: { status: 500 }, times: 1 })
  expectStatus(await c1.fiatOrders('r1'), 500)
})

test('unchecked with a where is not done to a call that does not say what it is about', async () => {
  const { emulator, c1 } = await startFixture()
  const where = { requestId: 'r1' }
  await planFault(emulator, null, { on: 'orders', when: 'unchecked', where, effect: { status: 502 } })
  const headers = { 'access-token': 'nobody' }
  expectStatus(await c1.lookUp('/v1/client/orders', {}, { headers }), 401)
  expectStatus(await c1.lookUp('/v1/client/orders', { requestId: 'r1' }, { headers }), 502)
})

test('where: orderId and kind fit calls about orders that exist', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.createSubscription('r2')
  const { orderId } = await c1.order('r1')
  await planFault(emulator, c1, { on: 'orders', where: { orderId }, effect: { status: 500 }, times: 9 })
  const kind = 'subscription'
  await planFault(emulator, c1, { on: 'orders', where: { kind }, effect: { status: 502 }, times: 9 })
  expect(await statusesOf(['r1', 'r2', 'r3'].map((r) => () => c1.fiatOrders(r)))).toEqual([500, 502, 200])
})

test('where: kind fits the create calls of that kind', async () => {
  const { emulator, c1 } = await startFixture()
  const where = { kind: 'subscription' }
  await planFault(emulator, c1, { on: 'create-order', where, effect: { status: 500 } })
  expectStatus(await c1.createCheckout('r1'), 200)
  expectStatus(await c1.createSubscription('r2'), 500)
})

test.each(['before', 'stored'])(
  'webhook-url, %s: what the client is told, and what was done',
  async (when) => {
    const { emulator, c1 } = await startFixture()
    await planFault(emulator, c1, { on: 'webhook-url', when, effect: { status: 500 } })
    expectStatus(await c1.setWebhookUrl('http://127.0.0.1:9/hook'), 500)
    const { json: client } = await emulator.control('/clients/C1')
    expect(client.webhookUrl).toBe(when === 'stored' ? 'http://127.0.0.1:9/hook' : null)
  },
)

test('access-token: right credentials get no token, wrong ones are refused as ever', async () => {
  const fixture = await startFixture()
  await planFault(fixture.emulator, fixture.c1, { on: 'access-token', effect: { status: 500 } })
  expectStatus(await tokenCall(fixture, 'C1', 'wrong'), 401)
  expectStatus(await tokenCall(fixture, 'C1', fixture.c1.apiSecret), 500)
  expectStatus(await tokenCall(fixture, 'C1', fixture.c1.apiSecret), 200)
})

test('access-token, unchecked: wrong credentials too', async () => {
  const fixture = await startFixture()
  const fault = { on: 'access-token', when: 'unchecked', effect: { status: 503 }, times: 2 }
  await planFault(fixture.emulator, null, fault)
  expectStatus(await tokenCall(fixture, 'nobody', 'wrong'), 503)
  expectStatus(await tokenCall(fixture, 'C1', fixture.c1.apiSecret), 503)
  expectStatus(await tokenCall(fixture, 'nobody', 'wrong'), 401)
})

test('access-token: a fault words its error as the control API does', async () => {
  const fixture = await startFixture()
  await planFault(fixture.emulator, fixture.c1, { on: 'access-token', effect: { status: 503 } })
  const { json: body } = await tokenCall(fixture, 'C1', fixture.c1.apiSecret)
  expect(body).toEqual({ error: { code: 'service_unavailable', message: 'Service Unavailable' } })
})

test('access-token: a late answer shows its token to the caller, and not in the journal', async () => {
  const fixture = await startFixture()
  const { emulator, c1 } = fixture
  await planFault(emulator, c1, {
    on: 'access-token',
    when: 'stored',
    effect: { headers: { 'x-proxy': 'edge' } },
  })
  const answer = await tokenCall(fixture, 'C1', c1.apiSecret)
  expect(answer.headers['x-proxy']).toBe('edge')
  const token = String(answer.json.accessToken)
  expectStatus(
    await c1.lookUp(
      '/v1/client/orders',
      { requestId: 'r', clientId: 'C1' },
      { headers: { 'access-token': token } },
    ),
    200,
  )
  expect(JSON.stringify(await c1.journalOf(answer))).not.toContain(token)
})

test('simulate-webhook meets faults whether there is an order or not', async () => {
  const { emulator, c1 } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/hook' })
  await planFault(emulator, c1, { on: 'simulate-webhook', effect: { status: 500 } })
  expectStatus(await c1.simulate(c1.simulation('s1')), 500)
  expectStatus(await c1.simulate(c1.simulation('s1')), 200)
})

test('a delay holds the answer on the client’s clock, and what follows belongs to that moment', async () => {
  const context = await given('[]')
  const { emulator, client } = context
  await planFault(emulator, client, { on: 'create-order', when: 'stored', effect: { delay: '30s' } })
  const t0 = await client.now()
  const created = client.createCheckout('r1')
  await untilStored(context, 'r1')
  await client.advance('30s')
  expectStatus(await created, 200)
  const [delivery] = await client.deliveries()
  expect(delivery).toMatchObject({ orderStatus: 'CREATED', dueAt: t0 + 30_000 })
  expect(await faultNotes(context)).toEqual([
    expect.stringMatching(/^fault: create-order stored, held for 30s \(flt_\w+, 1 of 1\)$/),
  ])
})

test('a hang ends with the client’s clock, and the connection', async () => {
  const context = await given('[]')
  await planFault(context.emulator, context.client, { on: 'orders', effect: { hang: '60s' } })
  const asked = context.client.fiatOrders('r1').then(
    () => 'answered',
    () => 'closed',
  )
  await untilHeld(context)
  await context.client.advance('60s')
  expect(await asked).toBe('closed')
})

test('of many calls at once exactly as many are answered as the fault says', async () => {
  const { emulator, c1 } = await startFixture()
  const fault = await planFault(emulator, c1, { on: 'orders', effect: { status: 500 }, skip: 2, times: 5 })
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => c1.fiatOrders(`r${n}`)))
  expect(answers.filter(({ status }) => status === 500)).toHaveLength(5)
  expect(await faultNow(emulator, fault)).toMatchObject({ calls: 7, hits: 5, over: true })
})

test('a restart forgets neither a fault nor its count', async () => {
  const database = `${aFolder()}/e.db`
  const first = await startTestEmulator({ database })
  const client = await first.addClient({ clientId: 'C1' })
  const fault = await planFault(first, client, { on: 'orders', effect: { status: 500 }, times: 2 })
  expect(await lookups(client, 1)).toEqual([500])
  await first.close()
  const second = await startTestEmulator({ database })
  const statuses = await statusesOf(
    ['a', 'b'].map(
      (requestId) => () =>
        second.send(`/v1/client/orders?requestId=${requestId}&clientId=C1`, {
          method: 'GET',
          headers: { 'access-token': client.accessToken },
        }),
    ),
  )
  expect(statuses).toEqual([500, 200])
  expect(await faultNow(second, fault)).toMatchObject({ hits: 2, over: true })
})

test('calls that have to choose their scenario again are counted once', async () => {
  const { emulator, c1 } = await startFixture()
  const planned = [
    await planFault(emulator, c1, { on: 'create-order', skip: 99, effect: { status: 503 } }),
    await planFault(emulator, c1, {
      ...{ on: 'create-order', when: 'unchecked' },
      skip: 99,
      effect: { status: 503 },
    }),
  ]
  await emulator.control('/scenarios/next', 'POST', { scenario: 'never-pays', clientId: 'C1', count: 1 })
  await Promise.all(Array.from({ length: 10 }, (_, n) => c1.createCheckout(`r${n}`)))
  for (const fault of planned) expect(await faultNow(emulator, fault)).toMatchObject({ calls: 10 })
})
