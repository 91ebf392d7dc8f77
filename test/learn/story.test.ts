import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { SettingsOverlay } from '../../src/domain/choices/settings.ts'
import { readFixtureFile } from '../../src/domain/fixture/fixture-file.ts'
import { readScenarioFile } from '../../src/domain/scenario/compile-scenario.ts'
import type { Observed } from '../../src/learn/evidence/build-evidence.ts'
import type { Secrets } from '../../src/learn/evidence/evidence.ts'
import { Masker } from '../../src/learn/mask.ts'
import { storyOf } from '../../src/learn/story/story.ts'
import { created, evidenceOf, lookedUp, start, webhook } from './story-exchanges.ts'

interface Options {
  readonly settings?: SettingsOverlay
  readonly secrets?: Secrets
  readonly requestId?: string
}

/** The story of an order, whose files `check` accepts. */
function story(observed: readonly Observed[], { settings, secrets, requestId = 'r1' }: Options = {}) {
  const evidence = evidenceOf(observed, secrets)
  const told = storyOf(evidence, requestId, new Masker(evidence), { settings })
  if ('problem' in told) throw new Error(told.problem)
  const files = [
    readScenarioFile(told.scenario, `${told.id}.yaml`, told.id),
    readFixtureFile(told.fixture, 'fixture.yaml'),
  ]
  expect(files.flatMap((file) => ('problems' in file ? file.problems : []))).toEqual([])
  return { ...told, file: parse(told.scenario), client: parse(told.fixture).clients[0] }
}

const problem = (observed: readonly Observed[], requestId: string, clientId?: string) => {
  const evidence = evidenceOf(observed)
  return storyOf(evidence, requestId, new Masker(evidence), { clientId })
}

/** Another order with webhooks, until an hour later: what is missing by then is lost. */
const elsewhere = [
  created({ requestId: 'other' }),
  webhook({ requestId: 'other', at: 100 }, 'CREATED'),
  webhook({ requestId: 'other', at: 3_600_000 }, 'COMPLETED'),
]

const happy = [
  created({}),
  webhook({ at: 90 }, 'CREATED'),
  webhook({ at: 5_060 }, 'COMPLETED'),
  lookedUp({ at: 6_000 }, { orderStatus: 'COMPLETED', updatedTs: start + 5_010 }),
  ...elsewhere,
]

test('an undisturbed order is its changes and nothing else, whatever the network adds to the times', () => {
  const { file, notes } = story(happy)
  expect(file).toEqual({
    id: 'story-r1',
    description: expect.any(String),
    for: 'checkout',
    timeline: [{ at: '5s', order: 'COMPLETED' }],
  })
  expect(notes).toEqual(['Signatures were not checked, because no webhook secret was handed in.'])
})

test('an unknown requestId is answered with the nearest ones', () => {
  const observed = [created({ requestId: 'order-1001' }), created({ requestId: 'order-1002' })]
  expect(problem(observed, 'order-101')).toEqual({
    problem: expect.stringMatching(/"order-101" \(2 orders were read\)\. Did you mean "order-100[12]"/),
  })
  const named = [created({ requestId: 'bo@else.test-1' }), created({ requestId: 'bo@else.test-2' })]
  expect(JSON.stringify(problem(named, 'bo@else.test-3'))).toMatch(/\(2 orders were read\)\."/)
  expect(JSON.stringify(problem(named, 'bo@else.test-3'))).not.toContain('bo@')
  expect(problem([], 'r1')).toEqual({ problem: expect.stringContaining('(0 orders were read)') })
})

test('a requestId of several accounts needs the account', () => {
  const observed = [created({ clientId: 'shop' }), created({ clientId: 'shop-2' })]
  expect(problem(observed, 'r1')).toEqual({ problem: expect.stringContaining('"shop", "shop-2"') })
  expect(problem(observed, 'r1', 'shop-3')).toEqual({
    problem: expect.stringContaining('The account "shop-3" has no order'),
  })
  expect(problem(observed, 'r1', 'shop-2')).toMatchObject({ id: 'story-r1' })
})

const failed = {
  status: 503,
  response: '{"error":"Service Unavailable"}',
  responseHeaders: { 'retry-after': '2' },
}

test('a create call that failed before the accepted one stored nothing', () => {
  const { file } = story([
    created({ at: 0 }, {}, failed),
    created({ at: 2_000 }),
    webhook({ at: 2_050 }, 'CREATED'),
  ])
  expect(file.answers).toEqual([
    {
      on: 'create-order',
      effect: { status: 503, body: failed.response, headers: { 'retry-after': '2' } },
      times: 1,
    },
  ])
})

test('a create call without an answer stored the order if the next one says 7001', () => {
  const exists = { status: 401, response: '{"error":{"code":"7001","message":"Order already exists"}}' }
  const { file } = story([
    created({ ms: 30_000 }, {}, { status: null, response: null }),
    created({ at: 31_000 }, {}, exists),
    webhook({ at: 30_040 }, 'CREATED'),
    webhook({ at: 30_080 }, 'COMPLETED'),
    lookedUp({ at: 32_000 }, { orderStatus: 'COMPLETED', updatedTs: start + 5_000 }),
    ...elsewhere,
  ])
  expect(file.answers).toEqual([{ on: 'create-order', when: 'stored', effect: { hang: '30s' }, times: 1 }])
  expect(file.timeline).toEqual([{ at: '5s', order: 'COMPLETED' }])
  expect(file.webhooks).toBeUndefined()
})

test('a connection that broke at once is reset', () => {
  const { file } = story([created({}, {}, { status: null, response: null }), webhook({ at: 60 }, 'CREATED')])
  expect(file.answers).toEqual([{ on: 'create-order', when: 'stored', effect: { reset: true }, times: 1 }])
})

test('faulty lookups answer again at their place, HTML as it was and with people masked', () => {
  const html = '<html><h1>502</h1> ask bo@else.test</html>'
  const bad = lookedUp({ at: 2_000 }, null)
  const { file } = story([
    ...happy,
    lookedUp({ at: 1_000 }, { orderStatus: 'CREATED' }),
    { ...bad, exchange: { ...bad.exchange, status: 502, response: html } },
  ])
  expect(file.answers).toEqual([
    {
      on: 'orders',
      effect: { status: 502, body: '<html><h1>502</h1> ask person-2@example.com</html>' },
      skip: 1,
      times: 1,
    },
  ])
})

const refusal = { status: 500 }

test('repetitions because the application failed are not written: it fails again', () => {
  const { file } = story([
    ...happy,
    webhook({ at: 120 }, 'CREATED', {
      ...refusal,
      id: 'x',
      body: '{"requestId":"r1","orderStatus":"ON_REVIEW"}',
    }),
    webhook({ at: 1_150 }, 'CREATED', {
      ...refusal,
      id: 'x',
      body: '{"requestId":"r1","orderStatus":"ON_REVIEW"}',
    }),
    webhook({ at: 3_180 }, 'CREATED', { id: 'x', body: '{"requestId":"r1","orderStatus":"ON_REVIEW"}' }),
  ])
  expect(JSON.stringify(file)).not.toMatch(/countAs|attempts|duplicate/)
})

test('repetitions on the schedule after an accepted attempt were counted as failed', () => {
  const { file } = story([...happy, webhook({ at: 6_090 }, 'COMPLETED'), webhook({ at: 8_120 }, 'COMPLETED')])
  expect(file.webhooks).toEqual([{ of: 'COMPLETED', countAs: 500, times: 2 }])
})

test('copies of an accepted webhook are written, with their gap', () => {
  const { file } = story([
    ...happy,
    webhook({ at: 35_060 }, 'COMPLETED'),
    webhook({ at: 65_070 }, 'COMPLETED'),
  ])
  expect(file.webhooks).toEqual([{ of: 'COMPLETED', duplicate: 2, apart: '30s' }])
})

test('a webhook that was sent again much later is a step', () => {
  const { file } = story([...happy, webhook({ at: 600_060 }, 'COMPLETED')])
  expect(file.timeline.at(-1)).toEqual({ at: '10m', webhook: {} })
})

test('attempts that stopped before the schedule ended are limited', () => {
  const { file } = story([created({}), webhook({ at: 90 }, 'CREATED', refusal), ...elsewhere])
  expect(file.webhooks).toEqual([{ of: 'CREATED', attempts: 1, countAs: 500, times: 1 }])
})

test('a schedule of the account explains its repetitions', () => {
  const repeated = [webhook({ at: 5_060 }, 'COMPLETED', refusal), webhook({ at: 65_090 }, 'COMPLETED')]
  const observed = [created({}), webhook({ at: 90 }, 'CREATED'), ...repeated, ...elsewhere]
  const known = story(observed, { settings: { 'webhook.retry.base': '60s' } })
  expect(known.file.webhooks).toBeUndefined()
  expect(known.file.settings).toEqual({ 'webhook.retry.base': '60s' })
  expect(story(observed).file.timeline).toContainEqual({ at: '65s', webhook: {} })
})

test('late, lost and reordered webhooks are rules', () => {
  const late = [created({}), webhook({ at: 2_400_000 }, 'COMPLETED'), webhook({ at: 2_405_000 }, 'CREATED')]
  const lookups = [lookedUp({ at: 6_000 }, { orderStatus: 'COMPLETED', updatedTs: start + 5_000 })]
  expect(story([...late, ...lookups, ...elsewhere]).file.webhooks).toEqual([
    { of: 'CREATED', delay: '2405s' },
    { of: 'COMPLETED', delay: '2395s' },
  ])
  const lost = [created({}), webhook({ at: 60 }, 'CREATED'), ...lookups, ...elsewhere]
  expect(story(lost).file.webhooks).toEqual([{ of: 'COMPLETED', drop: true }])
})

test('a webhook before the answer to the create call is early', () => {
  const { file } = story([created({ ms: 5_000 }), webhook({ at: 1_000 }, 'CREATED'), ...elsewhere])
  expect(file.webhooks).toEqual([{ of: 'CREATED', early: true, delay: '1s' }])
  expect(file.answers).toEqual([{ on: 'create-order', when: 'stored', effect: { delay: '5s' }, times: 1 }])
})

test('a webhook that lookups contradict is no change of the order', () => {
  const { file } = story([
    created({}),
    webhook({ at: 60 }, 'CREATED'),
    webhook({ at: 3_000 }, 'COMPLETED'),
    lookedUp({ at: 4_000 }, { orderStatus: 'CREATED' }),
    ...elsewhere,
  ])
  expect(file.timeline).toEqual([{ at: '3s', webhook: { status: 'COMPLETED' } }])
})

test('an attempt that was cut or changed on its way is written, its repetition is not', () => {
  const [whole = ''] = [webhook({}, 'COMPLETED').exchange.body ?? '']
  const spoilt = (body: string) =>
    story([
      created({}),
      webhook({ at: 60 }, 'CREATED'),
      webhook({ at: 5_000 }, 'COMPLETED', { body, status: 400 }),
      webhook({ at: 6_020 }, 'COMPLETED'),
      lookedUp({ at: 7_000 }, { orderStatus: 'COMPLETED', updatedTs: start + 5_000 }),
      ...elsewhere,
    ]).file.webhooks
  expect(spoilt(whole.slice(0, 40))).toEqual([{ of: 'COMPLETED', truncate: 40, times: 1 }])
  expect(spoilt(whole.replace('COMPLETED', 'COMPLETEE'))).toEqual([
    { of: 'COMPLETED', tamper: true, times: 1 },
  ])
})

test('a webhook without the signature that others have is unsigned', () => {
  const { file } = story([
    ...happy,
    webhook({ at: 3_000 }, 'FAILED', { headers: { 'webhook-id': 'forged' } }),
    lookedUp({ at: 3_500 }, { orderStatus: 'CREATED' }),
  ])
  expect(file.timeline[0]).toEqual({ at: '3s', webhook: { status: 'FAILED', sign: false } })
})

test('refunds, payments and error codes come from lookups', () => {
  const { file } = story([
    ...happy,
    lookedUp({ at: 1_000 }, { orderStatus: 'CREATED', paymentStatus: 'CREATED' }, 'crypto-orders'),
    lookedUp(
      { at: 3_000 },
      {
        orderStatus: 'CREATED',
        paymentStatus: 'COMPLETED',
        updatedTs: start + 2_000,
        receivedAmount: '9.00',
        cryptoAmount: '10.00',
      },
      'crypto-orders',
    ),
    lookedUp({ at: 50_000 }, null, 'fiat-refunds'),
    lookedUp(
      { at: 60_000 },
      { refundId: 'f1', fiatAmount: '3.00', status: 'REFUND_INITIATED' },
      'fiat-refunds',
    ),
    lookedUp({ at: 90_000 }, { refundId: 'f1', fiatAmount: '3.00', status: 'REFUNDED' }, 'fiat-refunds'),
  ])
  expect(file.timeline).toEqual([
    { at: '2s', pay: 'completed', received: '9.00' },
    { at: '5s', order: 'COMPLETED' },
    { at: '1m', refund: '3.00' },
    { at: '90s', refundStatus: 'REFUNDED' },
  ])
  const declined = story([
    created({}),
    webhook({ at: 60 }, 'CREATED'),
    webhook({ at: 4_050 }, 'FAILED'),
    lookedUp(
      { at: 5_000 },
      {
        orderStatus: 'FAILED',
        updatedTs: start + 4_000,
        errorReason: { errorCode: '9006.1', errorDesc: '' },
      },
    ),
    ...elsewhere,
  ])
  expect(declined.file.timeline).toEqual([{ at: '4s', order: 'FAILED', error: '9006.1' }])
})

test('the end of an order by its expiryTs, and its offset, are settings of the story', () => {
  const offerInfoData = { expiryTs: '2026-03-01T09:30:00.000-03:00' }
  const response = JSON.stringify({
    requestId: 'r1',
    token: 'payment-token-r1',
    status: 'CREATED',
    offerInfoData,
  })
  const { file } = story([created({}, {}, { response }), webhook({ at: 60 }, 'CREATED')])
  expect(file.settings).toEqual({ 'time.offset': '-03:00', 'orders.expiry': '30m' })
})

test('a capture without webhooks loses none', () => {
  const { file, notes } = story([
    created({}),
    lookedUp({ at: 6_000 }, { orderStatus: 'COMPLETED', updatedTs: start + 5_000 }),
  ])
  expect(file.webhooks).toBeUndefined()
  expect(notes).toContainEqual(expect.stringContaining('The capture has no webhooks'))
})

test('webhooks of an own form need its template', () => {
  const own = (at: number, state: string) =>
    webhook({ at }, state, { body: `{"ref":"r1","state":"${state.toLowerCase()}"}`, id: state })
  const observed = [created({}), own(60, 'CREATED'), own(5_030, 'COMPLETED'), ...elsewhere]
  const template = { ref: '${requestId}', state: '${orderStatus:lower}' }
  const known = story(observed, { settings: { 'webhook.format': 'template', 'webhook.template': template } })
  expect(known.file.timeline).toEqual([{ at: '5s', order: 'COMPLETED' }])
  expect(known.file.webhooks).toBeUndefined()
  const unknown = story(observed)
  expect(unknown.notes).toContainEqual(expect.stringContaining('2 of 2 webhooks have no status'))
  expect(unknown.file.timeline).toEqual([
    {
      at: '0s',
      webhook: { patch: expect.objectContaining({ ref: 'r1', state: 'created', orderStatus: null }) },
    },
    {
      at: '5s',
      webhook: { patch: expect.objectContaining({ ref: 'r1', state: 'completed', orderStatus: null }) },
    },
  ])
})

test('charges of a subscription are orders of their own', () => {
  const day = 86_400_000
  const subscribe = created({}, { interval: 'MONTHLY' }, { path: '/v1/client/subscription/create-order' })
  const charge = (n: number, at: number, status: string) => {
    const sent = webhook({ at }, status, { id: `${n}-${status}` })
    const body = sent.exchange.body?.replace('order-of-r1', `charge-${n}`) ?? ''
    return { ...sent, exchange: { ...sent.exchange, body } }
  }
  const { file } = story([
    subscribe,
    charge(1, 60, 'CREATED'),
    charge(1, 2_000, 'COMPLETED'),
    charge(2, 31 * day + 2_000, 'CREATED'),
    charge(2, 31 * day + 2_020, 'COMPLETED'),
    charge(3, 61 * day + 2_000, 'CREATED'),
    charge(3, 61 * day + 2_020, 'FAILED'),
  ])
  expect(file).toMatchObject({
    for: 'subscription',
    timeline: [
      { at: '2s', pay: 'completed' },
      { every: 'interval', times: 3, order: 'COMPLETED' },
      { charge: 3, order: 'FAILED' },
    ],
  })
})

test('an order that the capture did not see begin is in the fixture, from its first sight', () => {
  const { client, create, file } = story([
    webhook({ at: 5_000 }, 'COMPLETED'),
    lookedUp({ at: 1_000 }, { orderStatus: 'CREATED', userAddress: 'bo@else.test', exchangeAmount: '25.00' }),
  ])
  expect(create).toBeNull()
  expect(client.orders).toMatchObject([
    { requestId: 'r1', email: 'person-1@example.com', fiatAmount: '25.00', scenario: 'story-r1' },
  ])
  expect(file.timeline).toEqual([{ at: '4s', order: 'COMPLETED' }])
})

test('the fixture has the client, with settings of the account and without its secrets', () => {
  const told = story(happy, {
    settings: { 'webhook.order': 'strict', 'paths.webhookUrl': 'short' },
    secrets: { apiSecret: 'the-api-secret-of-shop', webhookSecret: null },
  })
  expect(told.client).toEqual({
    clientId: 'shop',
    webhookUrl: 'http://127.0.0.1:3000/hooks',
    defaultScenario: 'story-r1',
    clock: { mode: 'manual', now: '2026-03-01T12:00:00.000Z' },
    settings: { 'webhook.order': 'strict', 'scenarios.amounts': 'off' },
  })
  expect(told.fixture).toContain('"email":"person-1@example.com"')
  expect(`${told.fixture}${told.scenario}`).not.toMatch(/the-api-secret|access-token-of-shop|b\.test/)
})

test('a requestId with an address is masked everywhere, also where it names the scenario', () => {
  const id = '7/bo@else.test'
  const told = story(
    [created({ requestId: id }), webhook({ requestId: id, at: 60 }, 'CREATED'), ...elsewhere],
    { requestId: id },
  )
  expect(JSON.stringify(told)).not.toMatch(/else[.-]test/)
  expect(told.id).toMatch(/^story-7-person-\d-example-com$/)
  expect(told.file.webhooks).toBeUndefined()
})

const strange = fc.oneof(
  fc.constantFrom(
    'COMPLETED',
    'FAILED',
    'CREATED',
    'ON_REVIEW',
    'in progress',
    'Complete',
    '',
    'é ü',
    '<<',
    null,
    7,
  ),
  fc.string({ maxLength: 12 }),
)
const time = fc.double({ min: 0, max: 40 * 86_400_000, noNaN: true })
const anObservation = fc.oneof(
  fc
    .record({
      at: time,
      ms: fc.double({ min: 0, max: 90_000, noNaN: true }),
      request: fc.record({ fiatAmount: strange, interval: strange, trialPeriodDays: strange, mode: strange }),
      status: fc.constantFrom(200, 200, 401, 500, 503, 204, null),
      path: fc.constantFrom('/v1/client/checkout/create-order', '/v1/client/subscription/create-order'),
    })
    .map(({ at, ms, request, status, path }) => created({ at, ms }, request, { status, path })),
  fc
    .record({
      at: time,
      record: fc.record({
        ...{ orderStatus: strange, paymentStatus: strange, orderId: strange, refundId: strange },
        ...{ fiatAmount: strange, status: strange, receivedAmount: strange, metadata: strange },
        updatedTs: fc.oneof(fc.double(), fc.integer({ min: start, max: start + 90 * 86_400_000 })),
        errorReason: fc.record({ errorCode: strange, errorDesc: strange }),
      }),
      operation: fc.constantFrom('orders', 'crypto-orders', 'fiat-refunds'),
    })
    .map(({ at, record, operation }) => lookedUp({ at }, record, operation)),
  fc
    .record({
      at: time,
      status: strange,
      answer: fc.constantFrom(200, 500, 410, null),
      id: fc.constantFrom('a', 'b', 'c'),
      cut: fc.integer({ min: 0, max: 400 }),
    })
    .map(({ at, status, answer, id, cut }) => {
      const sent = webhook({ at }, String(status), { status: answer, id })
      return { ...sent, exchange: { ...sent.exchange, body: sent.exchange.body?.slice(0, cut) ?? null } }
    }),
)

test('whatever a capture shows of an order, its files are valid', () => {
  fc.assert(
    fc.property(fc.array(anObservation, { minLength: 1, maxLength: 12 }), (observed) => {
      story([created({}), ...observed])
    }),
    { numRuns: 100 },
  )
})
