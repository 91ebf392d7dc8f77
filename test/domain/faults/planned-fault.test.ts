import { expect, test } from 'vitest'
import {
  type AskedFault,
  type DeliveryFault,
  endFor,
  type FittingFault,
  faultId,
  faultsLeft,
  faultVerdict,
  planWith,
} from '../../../src/domain/faults/planned-fault.ts'
import { copiedSince, faultsAt, nextCopyAt } from '../../../src/domain/webhook/faults/attempt-faults.ts'

const fitting = (
  limits: Partial<FittingFault['limits']>,
  more: Partial<FittingFault> = {},
): FittingFault => ({
  id: 'flt_1',
  limits: { skip: 0, times: null, probability: null, ...limits },
  endsAt: null,
  at: 100,
  ...more,
})

test.each<[string, FittingFault, [calls: number, hits: number], string]>([
  ['no limit', fitting({}), [9, 9], 'hits'],
  ['times left', fitting({ times: 2 }), [1, 1], 'hits'],
  ['used up', fitting({ times: 2 }), [2, 2], 'over'],
  ['as often as asked, but let pass', fitting({ times: 2 }), [5, 1], 'hits'],
  ['let pass first', fitting({ skip: 2 }), [1, 0], 'passes'],
  ['after those', fitting({ skip: 2 }), [2, 0], 'hits'],
  ['a moment before the end', fitting({}, { endsAt: 101 }), [0, 0], 'hits'],
  ['at the end', fitting({}, { endsAt: 100 }), [0, 0], 'over'],
  ['at the end, though calls would be let pass', fitting({ skip: 5 }, { endsAt: 100 }), [0, 0], 'over'],
  ['surely', fitting({ probability: 1 }), [0, 0], 'hits'],
  ['hardly ever', fitting({ probability: 1e-12 }), [0, 0], 'passes'],
])('%s: %j met %j is %s', (_, fault, [calls, hits], verdict) => {
  expect(faultVerdict(fault, { calls, hits })).toBe(verdict)
})

/** Which of some calls a lot of one in four falls on. */
const drawn = (of: Partial<FittingFault>) =>
  Array.from({ length: 4_000 }, (_, calls) => calls).filter(
    (calls) => faultVerdict(fitting({ probability: 0.25 }, of), { calls, hits: 0 }) === 'hits',
  )

test('a lot falls as often as the probability says, and anew for each fault', () => {
  expect(drawn({}).length).toBeGreaterThan(900)
  expect(drawn({}).length).toBeLessThan(1_100)
  expect(drawn({})).toEqual(drawn({}))
  expect(drawn({ id: 'flt_2' })).not.toEqual(drawn({}))
})

test('an end holds on the clock of its client, and on the wall for nobody', () => {
  const ends = { at: 1, of: {}, wallAt: 3 }
  const client = { clientId: 'C1', began: { at: 0, wallAt: 0 } }
  expect([endFor(ends, client), endFor(ends, null), endFor(null, client)]).toEqual([1, 3, null])
})

test.each([
  ['was there', { at: 0, wallAt: 99 }, 500],
  ['has another’s name, and began in time', { at: 50, wallAt: 100 }, 60],
  ['began in time', { at: 50, wallAt: 109 }, 60],
  ['began too late', { at: 50, wallAt: 110 }, 50],
])('for all clients: a client that %s (%j) has its end at %i', (_, began, end) => {
  const ends = { at: 110, of: { C1: 500 }, wallAt: 110, forMs: 10 }
  expect(endFor(ends, { clientId: 'C1', began })).toBe(end)
})

const asked: AskedFault = {
  on: 'orders',
  where: {},
  when: 'before',
  effect: { status: 500 },
  skip: 0,
  times: 1,
  for: null,
  probability: null,
}

test.each([
  ['another seed', { clientId: 'C1', asked, ends: null }, 't', 0],
  ['another client', { clientId: 'C2', asked, ends: null }, 's', 0],
  ['another effect', { clientId: 'C1', asked: { ...asked, effect: { status: 501 } }, ends: null }, 's', 0],
  ['another end', { clientId: 'C1', asked, ends: { at: 9, of: {}, wallAt: 9 } }, 's', 0],
  ['another place', { clientId: 'C1', asked, ends: null }, 's', 1],
] as const)('%s makes another id', (_, fault, seed, place) => {
  const id = faultId({ clientId: 'C1', asked, ends: null }, 's', 0)
  expect(faultId({ clientId: 'C1', asked, ends: null }, 's', 0)).toBe(id)
  expect(faultId(fault, seed, place)).not.toBe(id)
})

test('the id does not follow from when it was planned', () => {
  const idAt = (now: number) => {
    const ends = { at: now + 5, of: {}, wallAt: now }
    return faultId({ clientId: 'C1', asked: { ...asked, for: '5ms' }, ends }, 's', 0)
  }
  expect(idAt(1)).toBe(idAt(2))
})

const late: DeliveryFault = {
  id: 'flt_9',
  limits: { skip: 0, times: null, probability: null },
  endsAt: null,
  at: 0,
  where: {},
  effect: { faults: {}, delayMs: 10 },
}

test('a fault is about one attempt, above what the scenario says of it, and stands there once', () => {
  const scenario = { faults: [{ sign: 'wrong' as const, countAs: 500, times: 9 }] }
  const plan = planWith(scenario, { id: 'flt_1', effect: { faults: { countAs: 202 }, delayMs: 0 } }, 2)
  expect([1, 2, 3].map((attempt) => faultsAt(plan, attempt))).toEqual([
    { sign: 'wrong', countAs: 500 },
    { sign: 'wrong', countAs: 202 },
    { sign: 'wrong', countAs: 500 },
  ])
  expect([1, 2, 3].map((attempt) => faultsLeft(plan, attempt, [late]))).toEqual([[late], [], [late]])
})

test('what is dropped is dropped for all attempts to come, and meets no other fault', () => {
  const plan = planWith(null, { id: 'flt_1', effect: { faults: { drop: true }, delayMs: 0 } }, 2)
  expect(faultsAt(plan, 3).drop).toBe(true)
  expect(faultsLeft(plan, 3, [late])).toEqual([])
})

const twiceMore = { faults: { duplicate: 2, apartMs: 50 }, delayMs: 0 }

test('copies follow the accepted attempt, as many as were asked for', () => {
  const plan = planWith(null, { id: 'flt_1', effect: twiceMore }, 3)
  expect(copiedSince(plan)).toBe(3)
  expect([0, 1, 2].map((accepted) => nextCopyAt(plan, accepted, 100))).toEqual([150, 150, null])
  expect(nextCopyAt(null, 0, 100)).toBeNull()
})

test('a copy meets any fault but one that would have it sent again', () => {
  const plan = planWith(null, { id: 'flt_1', effect: twiceMore }, 3)
  expect(faultsLeft(plan, 4, [{ ...late, effect: twiceMore }, late])).toEqual([late])
})
