import { expect, test } from 'vitest'
import { resultsOf, tellEnough } from '../../bench/frame/comparison.ts'
import type { Contender, Measured } from '../../bench/frame/rounds.ts'
import { Server } from '../../bench/frame/server.ts'
import { hello } from '../../bench/load/requests.ts'

const server = Object.create(Server.prototype)
const measured = (
  name: string,
  perSecond: number[],
  more: Partial<Contender> = {},
  busy = 0.5,
): Measured => ({
  contender: { name, server, shape: hello, ...more },
  rounds: perSecond.map((rate) => ({
    ...{ perSecond: rate, p50Ms: 100 / rate, p99Ms: 1, cpuMicros: 1000 / rate, generatorBusy: busy },
  })),
})

test('a round is compared with the same round of its ceiling', () => {
  const all = [measured('bare', [100, 200, 400]), measured('ours', [50, 100, 200], { beside: 'bare' })]
  expect(resultsOf(all)).toMatchObject([{ name: 'ours', value: 0.5, unit: 'x bare', spread: 0 }])
})

test('one bad round changes nothing', () => {
  const all = [measured('bare', [100, 100, 100]), measured('ours', [10, 50, 50], { beside: 'bare' })]
  expect(resultsOf(all)).toMatchObject([{ value: 0.5 }])
})

test('latencies are compared as latencies', () => {
  const all = [measured('bare', [100]), measured('ours', [50], { beside: 'bare', by: 'p50' })]
  expect(resultsOf(all)).toMatchObject([{ value: 2, unit: 'x bare, p50' }])
})

test('the least program is measured in the same rounds, and has a line of its own', () => {
  const all = [
    measured('echo', [100, 200, 400]),
    measured('least', [50, 100, 200], { beside: 'echo' }),
    measured('ours', [40, 80, 160], { beside: 'echo', floor: 'least' }),
  ]
  expect(resultsOf(all)).toMatchObject([
    { name: 'least', value: 0.5 },
    { name: 'ours', value: 0.4, floor: 0.5 },
  ])
})

test('what is compared with nothing is information', () => {
  expect(resultsOf([measured('bare', [100, 120, 140])])).toMatchObject([{ value: 120, unit: '/s' }])
})

test('a load that was busier than its server is told', () => {
  expect(resultsOf([measured('bare', [100], {}, 0.95)])[0]?.note).toContain('THE LOAD WAS TOO SLOW')
  expect(resultsOf([measured('bare', [100], {}, 0.85)])[0]?.note).not.toContain('TOO SLOW')
})

/** Its must is 0.85. */
const goal = { aim: 1, better: 'higher' } as const
const steady = [50, 50, 50, 50, 50, 50, 50, 50, 50]
const unsteady = [20, 30, 40, 50, 50, 50, 60, 70, 80]
const bare = measured('bare', steady)

const ours = (rates: number[]) => measured('ours', rates, { beside: 'bare', goal })

test('rounds that go apart do not tell enough of what has a goal', () => {
  expect(tellEnough([bare, ours(steady)])).toBe(true)
  expect(tellEnough([bare, ours(unsteady)])).toBe(false)
  expect(tellEnough([bare, ours(unsteady.map((rate) => 3 * rate))])).toBe(false)
})

test('near a must, rounds that hardly differ tell enough only if all but a few lie on one side of it', () => {
  expect(tellEnough([bare, ours([42, 42, 43, 43, 43, 43, 44, 44, 45])])).toBe(false)
  expect(tellEnough([bare, ours([42, 43, 43, 43, 44, 44, 44, 44, 45])])).toBe(true)
})

test('what is only information asks for no more rounds', () => {
  expect(tellEnough([bare, measured('ours', unsteady, { beside: 'bare' })])).toBe(true)
})

test('a machine that slows all of them alike asks for no more rounds', () => {
  const ceiling = measured('bare', unsteady)
  expect(tellEnough([ceiling, ours(unsteady)])).toBe(true)
})
