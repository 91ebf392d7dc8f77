import { expect, test } from 'vitest'
import { type TimelineSource, timelineOf } from '../../../src/conform/report/finding-report.ts'
import type { Note } from '../../../src/conform/stage/case-context.ts'

const began = { at: 1_000, wallAt: 50_000 }
const nothing: TimelineSource = { requestId: 'r1', orders: [], deliveries: [], calls: [], notes: [] }

type Attempt = TimelineSource['deliveries'][number]['attempts'][number]

const attempt = (n: number, atMs: number, wallMs: number, more: Partial<Attempt> = {}): Attempt => ({
  ...{ n, at: began.at + atMs, wallAt: began.wallAt + wallMs, url: 'http://127.0.0.1:3000/' },
  ...{ outcome: 'accepted', status: 200, ms: 2, requestHeaders: {}, responseBody: '', error: null },
  ...more,
})

const call = (
  path: string,
  atMs: number,
  wallMs: number,
  more: Partial<TimelineSource['calls'][number]> = {},
) => ({
  ...{
    at: began.at + atMs,
    wallAt: began.wallAt + wallMs,
    method: 'GET',
    path,
    operation: null,
    requestId: 'r1',
  },
  ...{ status: 200, notes: [], diagnosis: null },
  ...more,
})

const note = (what: string, atMs: number, wallMs: number, begins = false): Note => ({
  ...{ atMs, wallMs, who: 'conform', what, begins },
})

const told = (happened: Partial<TimelineSource>): string[] =>
  timelineOf(began, { ...nothing, ...happened }).map(({ atMs, who, what }) => `${atMs} ${who} ${what}`)

test('an order moves after the call that creates it and before the webhook that tells of it', () => {
  const history = [
    { at: 1_000, what: 'created', to: 'CREATED' },
    { at: 3_000, what: 'paid' },
    { at: 6_000, what: 'order', from: 'CREATED', to: 'COMPLETED' },
  ]
  const lines = told({
    orders: [{ charge: 1, history }],
    deliveries: [
      { orderStatus: 'CREATED', plan: null, attempts: [attempt(1, 0, 5)] },
      { orderStatus: 'COMPLETED', plan: null, attempts: [attempt(1, 5_000, 20)] },
    ],
    calls: [
      call('/v1/client/orders?requestId=r1', 5_000, 21),
      call('/v1/client/checkout/create-order', 0, 5, { method: 'POST', operation: 'create-checkout-order' }),
    ],
    notes: [note('asks for an order', 0, 3), note('moves the clock on', 0, 8), note('looks', 9_000, 30)],
  })
  expect(lines).toEqual([
    '0 conform asks for an order',
    '0 call POST /v1/client/checkout/create-order: answered 200',
    '0 service created: CREATED',
    '0 webhook CREATED: answered 200 after 2 ms',
    '0 conform moves the clock on',
    '2000 service paid',
    '5000 service order CREATED → COMPLETED',
    '5000 webhook COMPLETED: answered 200 after 2 ms',
    '5000 call GET /v1/client/orders: answered 200',
    '9000 conform looks',
  ])
})

test('of one millisecond, what asked for the order comes before the call that creates it, and that before the rest', () => {
  const lines = told({
    deliveries: [{ orderStatus: 'CREATED', plan: null, attempts: [attempt(1, 0, 5)] }],
    calls: [
      call('/v1/client/checkout/create-order', 0, 5, { method: 'POST', operation: 'create-checkout-order' }),
    ],
    notes: [note('the application answers', 0, 5), note('asks for an order', 0, 5, true)],
  })
  expect(lines).toEqual([
    '0 conform asks for an order',
    '0 call POST /v1/client/checkout/create-order: answered 200',
    '0 webhook CREATED: answered 200 after 2 ms',
    '0 conform the application answers',
  ])
})

test('what was not answered says why, and a call which fault it met', () => {
  const cut = attempt(2, 0, 1, { status: null, ms: null, outcome: 'connection', error: 'socket hang up' })
  const lines = told({
    deliveries: [{ orderStatus: 'FAILED', plan: null, attempts: [cut] }],
    calls: [call('/v1/token', 0, 2, { status: 0, notes: ['scenario: happy (next)', 'fault: cut'] })],
  })
  expect(lines).toEqual([
    '0 webhook FAILED, attempt 2: not answered (socket hang up)',
    '0 call GET /v1/token: not answered (fault: cut)',
  ])
})

test('an answer that a scenario overrode is not said to be the application’s', () => {
  const overridden = attempt(1, 0, 1, {
    ...{ status: 500, outcome: 'refused', error: 'your app answered 204, treated as 500 by the scenario' },
  })
  const plan = { faults: [{ countAs: 500 }] }
  expect(told({ deliveries: [{ orderStatus: 'FAILED', plan, attempts: [overridden] }] })).toEqual([
    '0 webhook FAILED: your app answered 204, treated as 500 by the scenario after 2 ms',
  ])
})

test('an order moves after its own create call, not after that of another', () => {
  const create = (wallMs: number, requestId: string) =>
    call('/v1/create', 0, wallMs, { operation: 'create-checkout-order', requestId })
  const orders = [{ charge: 1, history: [{ at: 1_000, what: 'created', to: 'CREATED' }] }]
  expect(told({ orders, calls: [create(1, 'r2'), create(2, 'r1')] })).toEqual([
    '0 call GET /v1/create (order r2): answered 200',
    '0 call GET /v1/create: answered 200',
    '0 service created: CREATED',
  ])
})

test('a call about another order names it', () => {
  const calls = [call('/v1/a', 0, 1), call('/v1/b', 0, 2, { requestId: 'r2' })]
  expect(told({ calls })).toEqual([
    '0 call GET /v1/a: answered 200',
    '0 call GET /v1/b (order r2): answered 200',
  ])
})

test('a hundred copies at one moment are one line, and so are the lookups among them', () => {
  const copies = Array.from({ length: 100 }, (_, n) => attempt(n + 1, 0, n * 2, { ms: n }))
  const calls = copies.map((_, n) => call('/v1/client/orders', 0, n * 2 + 1))
  expect(told({ deliveries: [{ orderStatus: 'COMPLETED', plan: null, attempts: copies }], calls })).toEqual([
    '0 webhook 100 times within 198 ms: COMPLETED: answered 200',
    '0 call 100 times within 198 ms: GET /v1/client/orders: answered 200',
  ])
})

test('what conform does in between parts the copies before from those after it', () => {
  const copies = [0, 1, 2, 3, 10, 11, 12, 13].map((wallMs, n) => attempt(n + 1, 0, wallMs))
  const lines = told({
    deliveries: [{ orderStatus: 'COMPLETED', plan: null, attempts: copies }],
    notes: [note('sends more', 0, 5)],
  })
  expect(lines).toEqual([
    '0 webhook 4 times within 3 ms: COMPLETED: answered 200',
    '0 conform sends more',
    '0 webhook 4 times within 3 ms: COMPLETED: answered 200',
  ])
})

test('the client’s clock goes before the wall', () => {
  expect(told({ notes: [note('c', 5, 1), note('a', 0, 9), note('b', 5, 0)] })).toEqual([
    '0 conform a',
    '5 conform b',
    '5 conform c',
  ])
})

test('of a very long life the middle is left out, and said to be', () => {
  const lines = told({ notes: Array.from({ length: 500 }, (_, n) => note(`n${n}`, n, n)) })
  expect(lines).toHaveLength(61)
  expect(lines[30]).toBe('30 conform 440 more lines omitted')
  expect(lines.at(-1)).toBe('499 conform n499')
})
