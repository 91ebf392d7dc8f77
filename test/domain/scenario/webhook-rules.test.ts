import { describe, expect, test } from 'vitest'
import type { Decision } from '../../../src/domain/order/decision.ts'
import type { Order } from '../../../src/domain/order/order.ts'
import { refund } from '../../../src/domain/order/refund.ts'
import { carryOut, pay } from '../../../src/domain/order/steps.ts'
import type { Scenario } from '../../../src/domain/scenario/scenario.ts'
import type { NewDelivery } from '../../../src/domain/webhook/delivery.ts'
import { aScenario, context, created, t0 } from '../factories.ts'

const steps = [
  { at: '2s', order: 'ON_REVIEW' },
  { at: '5s', order: 'COMPLETED' },
]

type Options = Pick<Parameters<typeof context>[0], 'settings' | 'urlRegistered'>

/** The decisions of an order from its creation on, and all the rows they bring. */
function lived(scenario: Scenario, options: Options = {}): { order: Order; events: NewDelivery[] } {
  let decision: Decision | null = created({ scenario, ...options })
  let { order } = decision
  const events: NewDelivery[] = []
  while (decision !== null) {
    ;({ order } = decision)
    events.push(...decision.events)
    const afterMs = (order.nextDueAt ?? Number.NaN) - t0
    decision = order.nextDueAt === null ? null : carryOut(order, context({ scenario, afterMs, ...options }))
  }
  return { order, events }
}

const told = (webhooks: object, options: Options = {}) => lived(aScenario(steps, { webhooks }), options)

/** Formats a delivery as `COMPLETED#3+5s`: status, sequence, due time. */
function place({ orderStatus, sequence, dueAt }: NewDelivery): string {
  return `${orderStatus}#${sequence}${dueAt === null ? ' once answered' : `+${(dueAt - t0) / 1000}s`}`
}

describe('copies, delay and order', () => {
  const [created1, review, completed] = [
    'CREATED#1 once answered',
    'ON_REVIEW#2+2s',
    'COMPLETED#3+5s',
  ] as const
  test.each([
    ['nothing', [], [created1, review, completed]],
    ['drop', { of: 'ON_REVIEW', drop: true }, [created1, 'COMPLETED#2+5s']],
    ['delay', { of: 'COMPLETED', delay: '40m' }, [created1, review, 'COMPLETED#3+2405s']],
    ['delay of what waits for an answer', { of: 'CREATED', delay: '1s' }, [created1, review, completed]],
    [
      'duplicate',
      { of: 'ON_REVIEW', duplicate: 2 },
      [created1, review, 'ON_REVIEW#3+2s', 'ON_REVIEW#4+2s', 'COMPLETED#5+5s'],
    ],
    [
      'duplicate, apart',
      { of: 'ON_REVIEW', duplicate: 2, apart: '10s' },
      [created1, review, 'ON_REVIEW#3+12s', 'ON_REVIEW#4+22s', 'COMPLETED#5+5s'],
    ],
    ['simultaneous', { of: 'ON_REVIEW', simultaneous: 2 }, [created1, review, review, review, completed]],
    [
      'both',
      { of: 'COMPLETED', simultaneous: 1, duplicate: 1 },
      [created1, review, completed, completed, 'COMPLETED#4+5s'],
    ],
    ['early', { early: true }, ['CREATED#1+0s', review, completed]],
    ['early, with a delay', { of: 'CREATED', early: true, delay: '1s' }, ['CREATED#1+1s', review, completed]],
    ['after', { of: 'CREATED', after: 'COMPLETED' }, ['ON_REVIEW#1+2s', 'COMPLETED#2+5s', 'CREATED#3+5s']],
    [
      'after, with a delay',
      { of: 'CREATED', after: 'COMPLETED', delay: '5s' },
      ['ON_REVIEW#1+2s', 'COMPLETED#2+5s', 'CREATED#3+10s'],
    ],
    ['after, for all', { after: 'COMPLETED' }, ['COMPLETED#1+5s', 'CREATED#2+5s', 'ON_REVIEW#3+5s']],
    [
      'after something that is late itself',
      [
        { of: 'CREATED', after: 'ON_REVIEW', delay: '1s' },
        { of: 'ON_REVIEW', delay: '1m', duplicate: 1, apart: '1m' },
      ],
      ['ON_REVIEW#1+62s', 'ON_REVIEW#2+122s', 'CREATED#3+123s', 'COMPLETED#4+5s'],
    ],
    [
      'after something that waits itself',
      [
        { of: 'CREATED', after: 'ON_REVIEW' },
        { of: 'ON_REVIEW', after: 'COMPLETED' },
      ],
      ['COMPLETED#1+5s', 'ON_REVIEW#2+5s', 'CREATED#3+5s'],
    ],
    [
      'after what has been decided, but is late itself',
      [
        { of: 'COMPLETED', after: 'ON_REVIEW' },
        { of: 'ON_REVIEW', delay: '1m' },
      ],
      [created1, 'ON_REVIEW#2+62s', 'COMPLETED#3+62s'],
    ],
    ['after what has been told', { of: 'COMPLETED', after: 'ON_REVIEW' }, [created1, review, completed]],
    [
      'after what nobody is told',
      [
        { of: 'ON_REVIEW', drop: true },
        { of: 'CREATED', after: 'ON_REVIEW' },
      ],
      ['CREATED#1+2s', 'COMPLETED#2+5s'],
    ],
    ['after what never comes', { of: 'CREATED', after: 'FAILED' }, ['ON_REVIEW#1+2s', 'COMPLETED#2+5s']],
    [
      'a rule for all and one that takes it back',
      [{ drop: true }, { of: 'COMPLETED', drop: false }],
      ['COMPLETED#1+5s'],
    ],
    [
      'two rules, of which the later holds',
      [{ delay: '1m' }, { of: 'COMPLETED', delay: '0s' }],
      [created1, 'ON_REVIEW#2+62s', completed],
    ],
  ])('%s', (_, webhooks, expected) => {
    expect(told(webhooks).events.map(place)).toEqual(expected)
  })

  test('the delay of what waits for an answer counts from there', () => {
    const [first] = told({ of: 'CREATED', delay: '1s' }).events
    expect(first).toMatchObject({ dueAt: null, plan: { delayMs: 1_000 } })
  })

  test('what waits for its turn tells what it would have told then', () => {
    const settings = {
      'webhook.format': 'template',
      'webhook.template': { status: '${orderStatus}', at: '${eventTime}' },
    } as const
    const { events } = told({ of: 'CREATED', after: 'COMPLETED', delay: '5s' }, { settings })
    expect(JSON.parse(events.at(-1)?.body ?? '')).toEqual({
      status: 'CREATED',
      at: new Date(t0).toISOString(),
    })
  })

  test('with `webhook.on` a status that is told to nobody lets go what waits for it', () => {
    const settings = { 'webhook.on': ['CREATED'] }
    expect(told({ after: 'COMPLETED' }, { settings }).events.map(place)).toEqual(['CREATED#1+5s'])
  })

  test('with two legs the copies of one come before the other leg', () => {
    const { events } = told({ of: 'COMPLETED', duplicate: 1 }, { settings: { 'webhook.legs': 'both' } })
    expect(events.slice(-4).map((one) => `${one.orderType} ${place(one)}`)).toEqual([
      'CHECKOUT COMPLETED#5+5s',
      'CHECKOUT COMPLETED#6+5s',
      'CRYPTOPAYIN COMPLETED#7+5s',
      'CRYPTOPAYIN COMPLETED#8+5s',
    ])
  })

  test('an order counts its copies, so that nothing later takes their place', () => {
    const scenario = aScenario(steps, { webhooks: { of: 'COMPLETED', duplicate: 3, simultaneous: 2 } })
    const settings = { 'webhook.refunds': 'event' } as const
    const { order, events } = lived(scenario, { settings })
    const act = { fiatAmount: '1.00', outcome: 'initiated' } as const
    const more = refund(order, act, context({ scenario, afterMs: 60_000, settings }))
    expect(more.events.map(place)).toEqual(['REFUND_INITIATED#7+60s'])
    const ids = [...events, ...more.events].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('a refund is told by its own rules', () => {
    const scenario = aScenario(steps, { webhooks: { of: 'REFUND_INITIATED', delay: '1m' } })
    const settings = { 'webhook.refunds': 'event' } as const
    const { order } = lived(scenario, { settings })
    const act = { fiatAmount: '1.00', outcome: 'initiated' } as const
    const { events } = refund(order, act, context({ scenario, afterMs: 60_000, settings }))
    expect(events.map(place)).toEqual(['REFUND_INITIATED#4+120s'])
  })

  test('each of two refunds is told, though both have one status (N43)', () => {
    const scenario = aScenario(steps)
    const settings = { 'webhook.refunds': 'event' } as const
    const act = { fiatAmount: '1.00', outcome: 'initiated' } as const
    const first = refund(
      lived(scenario, { settings }).order,
      act,
      context({ scenario, afterMs: 60_000, settings }),
    )
    const second = refund(first.order, act, context({ scenario, afterMs: 61_000, settings }))
    expect([first, second].map(({ events }) => events.map(place))).toEqual([
      ['REFUND_INITIATED#4+60s'],
      ['REFUND_INITIATED#5+61s'],
    ])
  })

  test('a failure by the payer lets go what waits for FAILED', () => {
    const scenario = aScenario([{ at: '2s', pay: 'completed' }], {
      webhooks: { of: 'CREATED', after: 'FAILED' },
    })
    const { order } = created({ scenario })
    const { events } = pay(order, { outcome: 'failed' }, context({ scenario, afterMs: 1_000 }))
    expect(events.map(place)).toEqual(['FAILED#1+1s', 'CREATED#2+1s'])
    expect(JSON.parse(events[1]?.body ?? ''), 'and CREATED has no error').not.toHaveProperty('errorCode')
  })

  test('a later charge waits for nothing that the first one has told', () => {
    const scenario = aScenario(
      [
        { at: '2s', pay: 'completed' },
        { every: 'interval', order: 'COMPLETED', after: '1s', times: 2 },
      ],
      { webhooks: { of: 'CREATED', after: 'COMPLETED' } },
    )
    const wanted = { kind: 'subscription', request: { interval: 'MONTHLY' } } as const
    let { order } = created({ scenario, wanted })
    for (;;) {
      const decision = carryOut(order, context({ scenario, afterMs: (order.nextDueAt ?? 0) - t0 }))
      if (decision === null) throw new Error('no second charge')
      ;({ order } = decision)
      if (decision.opens === undefined) continue
      expect(decision.opens.events).toEqual([])
      expect(decision.opens.order.terms.turns?.told).toEqual({})
      break
    }
  })
})

test('the rules that the seed has drawn come after those of the file', () => {
  const part = { name: 'lost', webhooks: { of: 'COMPLETED', drop: true } }
  const scenario = aScenario(steps, {
    webhooks: { of: 'COMPLETED', duplicate: 1 },
    random: { pick: 1, from: [part] },
  })
  expect(lived(scenario).events.map(({ orderStatus }) => orderStatus)).toEqual(['CREATED', 'ON_REVIEW'])
})

describe('the ids of copies', () => {
  const copies = { of: 'COMPLETED', simultaneous: 1, duplicate: 1 }
  const ids = (webhooks: object) =>
    told(webhooks)
      .events.filter(({ orderStatus }) => orderStatus === 'COMPLETED')
      .map(({ webhookId }) => webhookId.replace(/^msg_[0-9a-f]{32}/, ''))

  test.each([
    ['the same, if nothing is said', {}, ['_3', '_3', '_3']],
    ['the same', { ids: 'same' }, ['_3', '_3', '_3']],
    ['fresh ones', { ids: 'fresh' }, ['_3', '_3_1', '_4']],
  ])('are %s', (_, rule, expected) => {
    expect(ids({ ...copies, ...rule })).toEqual(expected)
  })

  test('are those of the same order again', () => {
    expect(told(copies).events.map(({ id }) => id)).toEqual(told(copies).events.map(({ id }) => id))
  })
})

describe('the body', () => {
  const right = {
    requestId: 'r1',
    clientId: 'C1',
    orderId: expect.any(String),
    orderStatus: 'COMPLETED',
    orderType: 'CHECKOUT',
    eventType: 'service-sdk-transaction-status',
  }
  const bodyOf = (webhooks: object, settings = {}) => told(webhooks, { settings }).events.at(-1)?.body ?? ''

  test.each([
    ['another member', { patch: { clientId: 'C9' } }, { ...right, clientId: 'C9' }],
    ['one more', { patch: { note: { a: [1, null] } } }, { ...right, note: { a: [1, null] } }],
    [
      'one less',
      { patch: { orderType: null, eventType: null } },
      { ...right, orderType: undefined, eventType: undefined },
    ],
    ['other JSON', { body: { any: [1] } }, { any: [1] }],
    ['nothing', { body: null }, null],
  ])('is patched or replaced: %s', (_, rule, expected) => {
    expect(JSON.parse(bodyOf(rule))).toEqual(expected)
  })

  test('is any text', () => {
    expect(bodyOf({ body: 'OK, {no JSON' })).toBe('OK, {no JSON')
  })

  test('is patched in the depth too', () => {
    const patch = { data: { orderStatus: 'FAILED', orderType: null }, error: { code: '1' } }
    expect(JSON.parse(bodyOf({ patch }, { 'webhook.format': 'envelope' }))).toEqual({
      requestId: 'r1',
      type: 'service-sdk-transaction-status',
      data: { orderId: expect.any(String), orderStatus: 'FAILED' },
      error: { code: '1' },
    })
  })

  test('is what the later rule says, whichever way', () => {
    expect(JSON.parse(bodyOf([{ patch: { a: 1 } }, { body: [2] }]))).toEqual([2])
    expect(JSON.parse(bodyOf([{ body: [2] }, { patch: { a: 1 } }]))).toEqual({ ...right, a: 1 })
  })
})

describe('the plan of a delivery', () => {
  const planOf = (webhooks: object, members: object = {}) =>
    lived(aScenario(steps, { webhooks, ...members })).events.at(-1)?.plan

  test.each([
    ['nothing', [], null],
    ['what is fixed at birth', { duplicate: 1, ids: 'fresh' }, null],
    ['that it is late', { delay: '1s' }, { delayed: true }],
    ['sign: false', { sign: false }, { faults: [{ sign: 'none' }] }],
    ['sign: wrong', { sign: 'wrong', attempts: 1 }, { faults: [{ sign: 'wrong' }], attempts: 1 }],
    ['sign: old', { sign: 'old' }, { faults: [{ sign: 'right', timestampMs: -600_000 }] }],
    ['timestamp', { timestamp: '10m' }, { faults: [{ timestampMs: 600_000 }] }],
    ['countAs', { countAs: 500, times: 4 }, { faults: [{ countAs: 500, times: 4 }] }],
    [
      'headers, in lower case',
      { headers: { 'Content-Type': null, 'X-Y': 'z' } },
      { faults: [{ headers: { 'content-type': null, 'x-y': 'z' } }] },
    ],
    [
      'two rules, each with its own attempts',
      [
        { tamper: true, times: 1 },
        { of: 'COMPLETED', cut: 'end', times: 2 },
      ],
      {
        faults: [
          { tamper: true, times: 1 },
          { cut: 'end', times: 2 },
        ],
      },
    ],
  ])('has %s', (_, webhooks, expected) => {
    expect(planOf(webhooks)).toEqual(expected)
  })

  test('has those settings of its scenario that count when it is sent', () => {
    const settings = {
      'webhook.retry.max': 2,
      'webhook.auth': 'none',
      'webhook.legs': 'fiat',
      'orders.expiry': '1h',
    }
    expect(planOf([], { settings })).toEqual({
      settings: { 'webhook.retry.max': 2, 'webhook.auth': 'none' },
    })
  })
})

describe('an extra webhook', () => {
  const extra = (webhook: object, members = {}) =>
    lived(aScenario([...steps, { at: '9s', webhook }], members)).events.at(-1)

  test('claims a status and leaves the order alone', () => {
    const { order, events } = lived(aScenario([{ at: '1s', webhook: { status: 'COMPLETED', sign: false } }]))
    expect(order.orderStatus).toBe('CREATED')
    expect(events.map(place)).toEqual(['CREATED#1 once answered', 'COMPLETED#2+1s'])
    expect(events[1]?.plan).toEqual({ faults: [{ sign: 'none' }] })
  })

  test('tells the order’s own status where it claims none', () => {
    expect(extra({ duplicate: 1 })).toMatchObject({ orderStatus: 'COMPLETED', sequence: 5 })
  })

  test('is not what the rules are about', () => {
    expect(extra({}, { webhooks: { drop: true } })).toMatchObject({ orderStatus: 'COMPLETED', sequence: 1 })
  })

  test('takes its place behind those of one step before it', () => {
    const scenario = aScenario([{ at: '1s', order: 'COMPLETED', webhook: { status: 'FAILED' } }], {
      webhooks: { of: 'COMPLETED', duplicate: 1 },
    })
    expect(lived(scenario).events.map(place).slice(1)).toEqual([
      'COMPLETED#2+1s',
      'COMPLETED#3+1s',
      'FAILED#4+1s',
    ])
  })
})

test('without a URL only what leaves at once is skipped: what is late looks for one then', () => {
  const statuses = told({ of: 'COMPLETED', delay: '1m' }, { urlRegistered: false }).events.map(
    ({ orderStatus, status }) => `${orderStatus} ${status}`,
  )
  expect(statuses).toEqual(['CREATED skipped', 'ON_REVIEW skipped', 'COMPLETED pending'])
})
