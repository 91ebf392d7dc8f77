import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TimelineSource, timelineOf } from '../../../src/conform/report/timeline.ts'
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

const times = (happened: Partial<TimelineSource>): (readonly [atMs: number, wallMs: number | null])[] =>
  timelineOf(began, { ...nothing, ...happened }).map(({ atMs, wallMs }) => [atMs, wallMs])

test('a note that conform makes while the clock moves has the time that the lines before it show', () => {
  const happened = {
    deliveries: [{ orderStatus: 'COMPLETED', plan: null, attempts: [attempt(1, 5_000, 10)] }],
    notes: [note('advances the clock', 0, 5), note('the start call is answered', 0, 12)],
  }
  expect(told(happened)).toEqual([
    '0 conform advances the clock',
    '5000 webhook COMPLETED: answered 200 after 2 ms',
    '5000 conform the start call is answered',
  ])
  expect(times(happened).map(([, wallMs]) => wallMs)).toEqual([5, 10, 12])
})

test('a call whose two times contradict each other stands where the client’s clock says, without the other', () => {
  const calls = [
    call('/v1/a', 0, 1),
    call('/v1/b', 5_000, 2),
    call('/v1/c', 1_000, 3),
    call('/v1/d', 9_000, 4),
  ]
  expect(told({ calls }).map((line) => line.slice(0, -14))).toEqual([
    '0 call GET /v1/a',
    '1000 call GET /v1/c',
    '5000 call GET /v1/b',
    '9000 call GET /v1/d',
  ])
  expect(times({ calls }).map(([, wallMs]) => wallMs)).toEqual([1, null, 2, 4])
})

const isRising = (numbers: readonly number[]) =>
  numbers.every((one, n) => n === 0 || one >= (numbers[n - 1] ?? 0))

const anyTime = fc.integer({ min: 0, max: 50 })
const twoTimes = fc.tuple(anyTime, anyTime)
/** Few words, so that equal lines come in rows. */
const word = fc.constantFrom('a', 'b')
const anything: fc.Arbitrary<Partial<TimelineSource>> = fc.record({
  notes: fc
    .array(fc.tuple(word, twoTimes, fc.boolean()))
    .map((all) => all.map(([what, [at, wall], begins]) => note(what, at, wall, begins))),
  calls: fc
    .array(fc.tuple(word, twoTimes, fc.boolean()))
    .map((all) =>
      all.map(([path, [at, wall], creates]) =>
        call(`/${path}`, at, wall, creates ? { operation: 'create-checkout-order' } : {}),
      ),
    ),
  deliveries: fc.array(fc.tuple(word, fc.array(twoTimes))).map((all) =>
    all.map(([orderStatus, attempts]) => ({
      ...{ orderStatus, plan: null },
      attempts: attempts.map(([at, wall], n) => attempt(n + 1, at, wall)),
    })),
  ),
  orders: fc.array(fc.array(fc.tuple(word, anyTime))).map((all) =>
    all.map((moves) => ({
      charge: 1,
      history: moves.map(([to, at]) => ({ at: began.at + at, what: to === 'a' ? 'created' : 'order', to })),
    })),
  ),
})

test('whatever happened, and whatever the clocks of two machines say: no time that is shown ever decreases', () => {
  fc.assert(
    fc.property(anything, (happened) => {
      const shown = times(happened)
      expect(isRising(shown.map(([atMs]) => atMs))).toBe(true)
      expect(isRising(shown.flatMap(([, wallMs]) => wallMs ?? []))).toBe(true)
    }),
  )
})

/** A true history: both clocks rise from line to line. conform knows the client's clock only from its last reading. */
const history = fc
  .array(fc.tuple(fc.nat(3), fc.nat(3), fc.boolean(), fc.boolean()), { maxLength: 40 })
  .map((steps) => {
    let [at, wall, read] = [0, 0, 0]
    return steps.map(([byAt, byWall, isNote, reads], n) => {
      at += byAt
      wall += byWall
      if (isNote && reads) read = at
      return { at, wall, name: `n${n}`, known: isNote ? read : null }
    })
  })

test('of a true history no time is lost or changed, and only lines of one millisecond change places', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const shown = timelineOf(began, {
        ...nothing,
        calls: steps.flatMap(({ at, wall, name, known }) =>
          known === null ? [call(`/${name}`, at, wall)] : [],
        ),
        notes: steps.flatMap(({ wall, name, known }) => (known === null ? [] : [note(name, known, wall)])),
      })
      expect(shown.map(({ wallMs }) => wallMs)).toEqual(steps.map(({ wall }) => wall))
      for (const { at, wall, name, known } of steps) {
        const line = shown.find(({ what }) => new RegExp(`${name}\\b`).test(what))
        expect(line?.wallMs).toBe(wall)
        if (known === null) expect(line?.atMs).toBe(at)
        else expect(line?.atMs).toSatisfy((atMs: number) => atMs >= known && atMs <= at)
      }
    }),
  )
})

test('of a very long life the middle is left out, and said to be', () => {
  const lines = told({ notes: Array.from({ length: 500 }, (_, n) => note(`n${n}`, n, n)) })
  expect(lines).toHaveLength(61)
  expect(lines[30]).toBe('30 conform 440 more lines omitted')
  expect(lines.at(-1)).toBe('499 conform n499')
})
