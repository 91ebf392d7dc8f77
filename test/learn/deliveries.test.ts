import { expect, test } from 'vitest'
import type { SettingName } from '../../src/domain/choices/settings.ts'
import type { Finding } from '../../src/learn/elimination/finding.ts'
import { buildEvidence } from '../../src/learn/evidence/build-evidence.ts'
import { deliveryOrder, rotation } from '../../src/learn/rules/deliveries/delivery-order.ts'
import { receivers } from '../../src/learn/rules/deliveries/receivers.ts'
import { retries } from '../../src/learn/rules/deliveries/retries.ts'
import type { Rule } from '../../src/learn/rules/rule.ts'
import type { Exchange } from '../../src/learn/traffic/exchange.ts'

const start = Date.parse('2026-11-27T13:00:00.000Z')
const second = 1000
const minute = 60 * second
const hour = 60 * minute

let line = 0
const exchange = (fields: Partial<Exchange>): Exchange => ({
  source: { file: 'capture.jsonl', place: `line ${++line}` },
  at: start,
  ms: 5,
  method: 'POST',
  origin: 'https://shop.example.com',
  path: '/hooks',
  query: new URLSearchParams(),
  headers: {},
  body: null,
  isExact: true,
  status: 200,
  responseHeaders: {},
  response: '',
  isAnswered: true,
  ...fields,
})

/** The create call of an order. */
const create = (requestId: string, at: number): Exchange =>
  exchange({
    at,
    path: '/v1/client/checkout/create-order',
    body: JSON.stringify({ requestId, clientId: 'shop' }),
    response: JSON.stringify({ requestId, token: `token-${requestId}` }),
  })

const setUrl = (at: number): Exchange =>
  exchange({ at, path: '/v1/client/webhook-url', body: '{"webhookUrl":"https://x.example"}' })

type Attempt = readonly [waitMs: number, status: number | null, more?: Partial<Exchange>]

/** The attempts of one webhook: the first at a time, the others after a wait. */
function webhook(requestId: string, at: number, attempts: readonly Attempt[]): Exchange[] {
  const body = JSON.stringify({ requestId, clientId: 'shop', n: ++line })
  return attempts.map(([, status, more], index) => {
    const waits = attempts.slice(0, index + 1).map(([wait]) => wait)
    return exchange({ at: at + waits.reduce((sum, wait) => sum + wait), body, status, ...more })
  })
}

/** A webhook that fails several times, with these waits between. */
const failing = (
  requestId: string,
  at: number,
  waits: readonly number[],
  end: number | null = 200,
): Exchange[] =>
  webhook(requestId, at, [
    [0, 500],
    ...waits.map((wait, n): Attempt => [wait, n === waits.length - 1 ? end : 500]),
  ])

const isCall = ({ path }: Exchange): boolean => path.startsWith('/v1/')

/** What a rule finds in some exchanges; the capture ends a week later. */
function find(
  rule: Rule,
  exchanges: readonly Exchange[],
  claims: Partial<Record<SettingName, unknown>> = {},
) {
  const end = exchange({ at: start + 7 * 24 * hour, method: 'GET', path: '/v1/client/orders' })
  const observed = [...exchanges, end].map((each) => ({
    exchange: each,
    direction: isCall(each) ? ('call' as const) : ('webhook' as const),
  }))
  const { evidence } = buildEvidence(observed, { apiSecret: null, webhookSecret: null })
  const names = Object.entries(claims) as [SettingName, unknown][]
  const findings = rule.learn(evidence, { claims: new Map(names), found: () => undefined })
  return Object.fromEntries(findings.map((finding) => [finding.setting, finding])) as Record<
    SettingName,
    Finding
  >
}

const known = (finding: Finding | undefined) => (finding?.state === 'known' ? finding.value : finding?.state)

test('waits that double have a base, a cap and a number', () => {
  const waits = [60, 120, 240, 300, 300].map((each) => each * second)
  const found = find(retries, [
    ...failing('r1', start, waits, 500),
    ...failing('r2', start + hour, waits, 500),
  ])
  expect(known(found['webhook.retry.schedule'])).toBe('doubling')
  expect(known(found['webhook.retry.base'])).toBe('1m')
  expect(known(found['webhook.retry.cap'])).toBe('5m')
  expect(known(found['webhook.retry.max'])).toBe(5)
  expect(found['webhook.retry.base']?.evidence).toBe(
    'first retries of 2 webhooks came after 1m, later waits doubled',
  )
})

test('waits that do not double are a list, known once two webhooks were given up', () => {
  const waits = [5, 300, 1800].map((each) => each * second)
  const once = find(retries, [...failing('r1', start, waits, 500), ...failing('r2', start + hour, waits)])
  expect(once['webhook.retry.schedule']).toMatchObject({ state: 'likely', value: ['5s', '5m', '30m'] })
  const twice = find(retries, [
    ...failing('r1', start, waits, 500),
    ...failing('r2', start + hour, waits, 500),
  ])
  expect(known(twice['webhook.retry.schedule'])).toEqual(['5s', '5m', '30m'])
  expect(twice['webhook.retry.max']).toMatchObject({
    state: 'unknown',
    evidence: '`webhook.retry.schedule` decides instead',
  })
})

test('two doubled waits may begin a list as well, so nothing is known', () => {
  const found = find(retries, [
    ...failing('r1', start, [minute, 2 * minute]),
    ...failing('r2', start + hour, [minute, 2 * minute]),
  ])
  expect(found['webhook.retry.schedule']).toMatchObject({
    state: 'unknown',
    evidence: expect.stringContaining('too few retries'),
  })
  expect(found['webhook.retry.base']?.state).toBe('unknown')
})

test('waits with a small jitter are rounded, waits with a large one are no setting', () => {
  const around = (factor: number) => [60, 120, 240].map((each) => Math.round(each * second * factor))
  const small = find(
    retries,
    [1, 1.006, 0.996].flatMap((factor, n) => failing(`r${n}`, start + n * hour, around(factor))),
  )
  expect(known(small['webhook.retry.base'])).toBe('1m')
  const large = [0.8, 1, 1.25].flatMap((factor, n) => failing(`r${n}`, start + n * hour, around(factor)))
  expect(find(retries, large)['webhook.retry.schedule']?.state).toBe('unknown')
  const observed = large.map((each) => ({ exchange: each, direction: 'webhook' as const }))
  const { evidence } = buildEvidence(observed, { apiSecret: null, webhookSecret: null })
  const rest = retries.unexplained?.(evidence, { claims: new Map(), found: () => undefined })
  expect(rest?.[0]).toMatchObject({
    what: 'waits before retry 1 of webhooks that differ',
    count: 3,
    example: '48s to 75s',
  })
})

test('the duration of an answer is no part of the wait', () => {
  const slow = (requestId: string, at: number) =>
    webhook(requestId, at, [
      [0, null, { ms: 5000 }],
      [35 * second, 200],
    ])
  const quick = failing('r1', start, [30 * second, minute, 2 * minute])
  const found = find(retries, [
    ...quick,
    ...failing('r2', start + hour, [30 * second, minute, 2 * minute]),
    ...slow('r3', start + 2 * hour),
  ])
  expect(known(found['webhook.retry.base'])).toBe('30s')
})

test('a copy after a success is no retry, and an answer that is never followed by one proves no end', () => {
  const copies = ['r1', 'r2'].flatMap((id, n) =>
    webhook(id, start + n * minute, [
      [0, 200],
      [1, 200],
    ]),
  )
  expect(find(retries, copies)['webhook.retry.schedule']).toMatchObject({
    state: 'unknown',
    evidence: 'no webhook was sent again',
  })
  const waits = [minute, 2 * minute, 4 * minute]
  const conflict = ['r3', 'r4'].flatMap((id, n) => webhook(id, start + n * minute, [[0, 409]]))
  const found = find(retries, [
    ...conflict,
    ...failing('r1', start, waits),
    ...failing('r2', start + hour, waits),
  ])
  expect(found['webhook.retry.max']?.state).toBe('unknown')
})

test.each([
  ['honour', [10 * minute, minute * 2, minute * 4]],
  ['ignore', [minute, minute * 2, minute * 4]],
])('`Retry-After`: %s', (value, [first = 0, ...others]) => {
  const usual = ['r1', 'r2'].flatMap((id, n) =>
    failing(id, start + n * hour, [minute, 2 * minute, 4 * minute]),
  )
  const asked = ['r3', 'r4'].flatMap((id, n) =>
    webhook(id, start + n * hour, [
      [0, 503, { responseHeaders: { 'retry-after': '600' } }],
      [first, 500],
      ...others.map((wait): Attempt => [wait, 200]).slice(0, 1),
    ]),
  )
  expect(known(find(retries, [...usual, ...asked])['webhook.retry.after'])).toBe(value)
})

test('a claim that the waits contradict is named with the first of them', () => {
  const waits = [2, 4, 8].map((each) => each * minute)
  const exchanges = [...failing('r1', start, waits), ...failing('r2', start + hour, waits)]
  const changed = find(retries, exchanges, {
    'webhook.retry.base': '1m',
    'webhook.retry.schedule': 'doubling',
  })
  expect(changed['webhook.retry.base']?.claim).toMatchObject({
    holds: false,
    times: 2,
    words: 'retry 1 came after 2m',
  })
  expect(changed['webhook.retry.schedule']?.claim).toEqual({ holds: true })
  const list = find(retries, exchanges, { 'webhook.retry.schedule': ['2m', '4m'] })
  expect(list['webhook.retry.schedule']?.claim).toMatchObject({ holds: false })
})

test('2xx is a list once some 2xx is sent again after the usual wait', () => {
  const usual = ['r1', 'r2'].flatMap((id, n) => failing(id, start + n * hour, [minute]))
  const accepted = (status: number) =>
    ['a', 'b'].flatMap((id, n) => webhook(`${id}${status}`, start + n * hour, [[0, status]]))
  const failed = (status: number) =>
    ['a', 'b'].flatMap((id, n) =>
      webhook(`${id}${status}`, start + n * hour, [
        [0, status],
        [minute, 200],
      ]),
    )
  const any = find(receivers, [...usual, ...[200, 201, 204].flatMap(accepted)])
  expect(known(any['webhook.accept'])).toBe('2xx')
  const one = find(receivers, [...usual, ...accepted(200), ...[201, 202].flatMap(failed)])
  expect(known(one['webhook.accept'])).toBe(200)
  const more = find(receivers, [...usual, ...[200, 201, 202, 409].flatMap(accepted)])
  expect(known(more['webhook.accept'])).toEqual(['2xx', 409])
  const few = find(receivers, [...usual, ...accepted(200)], { 'webhook.accept': 204 })
  expect(few['webhook.accept']).toMatchObject({ state: 'unknown', claim: { holds: false } })
})

test('an endpoint that never answers shows the time-out, a slow answer only its least', () => {
  const cut = (id: string, n: number) =>
    webhook(id, start + n * hour, [
      [0, null, { ms: 10_004 }],
      [minute, 200],
    ])
  expect(known(find(receivers, [...cut('r1', 0), ...cut('r2', 1)])['webhook.timeout'])).toBe('10s')
  const slow = webhook('r1', start, [[0, 200, { ms: 8000 }]])
  expect(find(receivers, slow)['webhook.timeout']).toMatchObject({
    state: 'unknown',
    evidence: 'every attempt was answered, the slowest after 8s',
  })
  const refused = ['r1', 'r2'].flatMap((id) =>
    webhook(id, start, [
      [0, null, { ms: 2 }],
      [minute, 200],
    ]),
  )
  expect(find(receivers, refused)['webhook.timeout']?.state).toBe('unknown')
})

test.each([
  [
    'retry',
    (id: string, at: number) =>
      webhook(id, at, [
        [0, 410],
        [minute, 200],
      ]),
  ],
  [
    'pause',
    (id: string, at: number) => [
      ...webhook(id, at, [
        [0, 410],
        [5 * hour, 200],
      ]),
      setUrl(at + 5 * hour - 50),
    ],
  ],
  [
    'give-up',
    (id: string, at: number) => [
      ...webhook(id, at, [[0, 410]]),
      ...webhook(`${id}-later`, at + hour, [[0, 200]]),
    ],
  ],
])('after a 410: %s', (value, after) => {
  const usual = ['u1', 'u2'].flatMap((id, n) => failing(id, start + n * minute, [minute]))
  const twice = [...after('r1', start + 10 * hour), ...after('r2', start + 30 * hour)]
  expect(known(find(receivers, [...usual, ...twice])['webhook.gone'])).toBe(value)
  expect(find(receivers, [...usual, ...after('r1', start + 10 * hour)])['webhook.gone']).toMatchObject({
    state: 'likely',
    value,
  })
})

test('an endpoint that is switched off after failures in a row', () => {
  const round = (n: number) => {
    const at = start + n * 24 * hour
    const failed = ['a', 'b', 'c'].flatMap((id, k) => webhook(`${id}${n}`, at + k * second, [[0, 500]]))
    const unheard = ['d', 'e'].map((id, k) => create(`${id}${n}`, at + hour + k * minute))
    // Orders usually have a webhook at once.
    const heard = ['f', 'g', 'h'].flatMap((id, k) => {
      const later = at + 13 * hour + k * minute
      return [create(`${id}${n}`, later), ...webhook(`${id}${n}`, later + second, [[0, 200]])]
    })
    return [...failed, ...unheard, setUrl(at + 12 * hour), ...heard]
  }
  const usual = failing('u1', start - hour, [minute])
  expect(known(find(receivers, [...usual, ...round(0), ...round(1)])['webhook.disableAfter'])).toBe(3)
  const going = [
    ...usual,
    ...webhook(
      'a',
      start,
      Array.from({ length: 12 }, (): Attempt => [minute, 500]),
    ),
  ]
  expect(find(receivers, going)['webhook.disableAfter']).toMatchObject({
    state: 'unknown',
    evidence: '11 failed attempts in a row were no reason to stop',
  })
})

test.each([
  ['per-order', 30 * second],
  ['strict', 10 * minute + second],
])('the webhook of a later order while an older one is being repeated: %s', (value, after) => {
  const round = (n: number) => {
    const at = start + n * hour
    return [
      create(`old${n}`, at - second),
      ...failing(`old${n}`, at, [5 * minute, 5 * minute]),
      create(`new${n}`, at + 20 * second),
      ...webhook(`new${n}`, at + after, [[0, 200]]),
    ]
  }
  expect(known(find(deliveryOrder, [...round(0), ...round(1)])['webhook.order'])).toBe(value)
})

test('a rotation shows its overlap between the last double and the next single signature', () => {
  const signed = (at: number, signatures: string) =>
    webhook('r1', at, [[0, 200, { headers: { 'webhook-id': `m${at}`, 'webhook-signature': signatures } }]])
  const round = (at: number) => [
    ...signed(at - second, 'v1,a'),
    ...signed(at + second, 'v1,b v1,a'),
    ...signed(at + hour - second, 'v1,b v1,a'),
    ...signed(at + hour + second, 'v1,b'),
  ]
  const found = find(rotation, [...round(start + hour), ...round(start + 10 * hour)])
  expect(known(found['webhook.rotation.overlap'])).toBe('1h')
  expect(find(rotation, signed(start, 'v1,a'))['webhook.rotation.overlap']?.state).toBe('unknown')
})
