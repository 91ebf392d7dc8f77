import { expect, test } from 'vitest'
import type { Behaviour } from '../../src/domain/sweep/behaviour.ts'
import { behaviours } from '../../src/domain/sweep/behaviours.ts'
import { readRecord } from '../../src/sweep/run-record.ts'
import type { SuiteRun } from '../../src/sweep/sweep.ts'
import { groupsOf, type SweepOptions, type SweepProgress, sweep } from '../../src/sweep/sweep.ts'

const everything = [
  { order: 'r1', clientId: 'c' },
  { call: 'create-checkout-order', requestId: 'r1', status: 200 },
  { call: 'orders', requestId: 'r1', status: 200 },
  { call: 'access-token', requestId: null, status: 200 },
  { webhook: 'del_1', outcome: 'accepted' },
]

const strikes = (played: readonly Behaviour[]) =>
  played.map(({ name }) => ({ struck: name, clientId: 'c', requestId: 'r1' }))

function runOf(lines: readonly object[], changes: Partial<SuiteRun> = {}): SuiteRun {
  const record = readRecord(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return {
    green: true,
    hung: false,
    crashed: false,
    exitCode: 0,
    ms: 1_000,
    tests: null,
    failed: [],
    spans: [],
    tail: [],
    record,
    ...changes,
  }
}

/** A suite that is red under some behaviours; `lines` are what its record has besides. */
function suiteThat(fails: Readonly<Record<string, readonly object[]>>) {
  const runs: string[][] = []
  const runSuite: SweepOptions['runSuite'] = async (played) => {
    runs.push(played.map(({ name }) => name))
    const red = played.filter(({ name }) => name in fails)
    const more = red.flatMap(({ name }) => fails[name] ?? [])
    const lines = [...everything, ...strikes(played), ...more]
    return red.length === 0 ? runOf(lines) : runOf(lines, { green: false, exitCode: 1, tail: ['boom'] })
  }
  return { runs, runSuite }
}

function swept(runSuite: SweepOptions['runSuite'], changes: Partial<SweepOptions> = {}) {
  const again = (name: string) => `sweep --only ${name}`
  return sweep({ behaviours, runSuite, timeoutMs: null, jobs: 1, skipped: new Map(), again, ...changes })
}

test('no run has two behaviours that meet the same call or webhook, and each behaviour is in one', () => {
  const groups = groupsOf(behaviours)
  for (const group of groups) {
    const slots = group.flatMap((behaviour) => behaviour.slots)
    expect(slots).toHaveLength(new Set(slots).size)
  }
  expect(new Set(groups.flat())).toEqual(new Set(behaviours))
  expect(groups.length).toBeLessThan(behaviours.length / 2 + 1)
})

test('a suite that nothing breaks survives each behaviour, in the order of the list', async () => {
  const { runSuite, runs } = suiteThat({})
  const { results } = await swept(runSuite)
  expect(results.map(({ name }) => name)).toEqual(behaviours.map(({ name }) => name))
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['survived']))
  expect(runs.slice(0, 2)).toEqual([[], []])
  expect(runs).toHaveLength(2 + groupsOf(behaviours).length)
})

test('a run that is not green is halved until the red has its behaviour, and that runs once more', async () => {
  const { runSuite, runs } = suiteThat({ 'webhook-twice': [], 'lookup-503': [] })
  const { results } = await swept(runSuite)
  const broke = results.filter(({ outcome }) => outcome === 'BROKE').map(({ name }) => name)
  expect(broke).toEqual(['webhook-twice'])
  expect(runs.filter(([name, ...others]) => name === 'webhook-twice' && others.length === 0)).toHaveLength(2)
  expect(results.filter(({ outcome }) => outcome === 'gave up').map(({ name }) => name)).toEqual([
    'lookup-503',
  ])
})

test.each([
  ['webhook-late', [{ kept: 'del_2', by: ['webhook-late'], requestId: 'r1' }], 'waited'],
  ['webhook-late', [{ kept: 'del_2', by: ['webhook-late'], requestId: 'r1' }, { came: 'del_2' }], 'BROKE'],
  ['create-answer-lost', [{ call: 'create-checkout-order', requestId: 'r1', status: 0 }], 'gave up'],
  [
    'create-answer-lost',
    [
      { call: 'create-checkout-order', requestId: 'r1', status: 0 },
      { call: 'orders', requestId: 'r1', status: 200 },
    ],
    'BROKE',
  ],
  [
    'create-answer-lost',
    [
      { call: 'create-checkout-order', requestId: 'r1', status: 0 },
      { order: 'r2', clientId: 'c' },
      { call: 'create-checkout-order', requestId: 'r2', status: 200 },
    ],
    'BROKE',
  ],
  [
    'create-answer-lost',
    [
      { call: 'create-checkout-order', requestId: 'r1', status: 0, at: 10 },
      { call: 'orders', requestId: 'r1', status: 200, at: 90 },
      { webhook: 'del_9', requestId: 'r1', outcome: 'accepted', ms: 20, at: 100 },
    ],
    'gave up',
  ],
  [
    'create-answer-lost',
    [
      { call: 'create-checkout-order', requestId: 'r1', status: 0, at: 10 },
      { call: 'orders', requestId: 'r1', status: 200, at: 70 },
      { webhook: 'del_9', requestId: 'r1', outcome: 'accepted', ms: 20, at: 100 },
    ],
    'BROKE',
  ],
  ['webhook-twice', [], 'BROKE'],
  ['lookup-behind', [{ call: 'orders', requestId: 'r1', status: 200 }], 'waited'],
  [
    'lookup-behind',
    [
      { call: 'orders', requestId: 'r1', status: 200 },
      { call: 'orders', requestId: 'r1', status: 200 },
    ],
    'BROKE',
  ],
] as const)('red under %s with %j is %s', async (name, lines, outcome) => {
  const { runSuite } = suiteThat({ [name]: lines })
  const only = behaviours.filter((behaviour) => behaviour.name === name)
  const { results } = await swept(runSuite, { behaviours: only })
  expect(results).toMatchObject([{ name, outcome, strikes: 1, tail: ['boom'] }])
})

const next = { order: 'r6', clientId: 'c', createdAt: 10_000 }
const late = { kept: 'del_5', by: ['webhook-late'], requestId: 'r5' }

test.each([
  ['a test that passed', [{ from: 0, to: 10, passed: true }], 'BROKE'],
  ['the test that failed', [{ from: 0, to: 10, passed: false }], 'waited'],
  [
    'one of two tests at once',
    [
      { from: 0, to: 10, passed: true },
      { from: 5, to: 20, passed: false },
    ],
    'waited',
  ],
  ['no test, but a hook', [{ from: 8, to: 10, passed: true }], 'waited'],
])('a webhook that is kept back from %s excuses as it should', async (_, spans, outcome) => {
  const only = behaviours.filter(({ name }) => name === 'webhook-late')
  const red = [...everything, ...strikes(only), { order: 'r5', clientId: 'c', at: 7, createdAt: 0 }, late]
  const runSuite: SweepOptions['runSuite'] = async (played) =>
    played.length === 0 ? runOf(everything) : runOf(red, { green: false, exitCode: 1, spans })
  const { results } = await swept(runSuite, { behaviours: only })
  expect(results).toMatchObject([{ outcome }])
})

test.each([
  ['before its test ended', [{ came: 'del_5', at: 9 }], [{ from: 0, to: 10, passed: false }], 'BROKE'],
  ['after its test ended', [{ came: 'del_5', at: 11 }], [{ from: 0, to: 10, passed: false }], 'waited'],
  ['before the next order', [{ came: 'del_5' }, next], [], 'BROKE'],
  ['after the next order', [next, { came: 'del_5' }], [], 'waited'],
  ['after an order made at once', [{ ...next, createdAt: 5 }, { came: 'del_5' }], [], 'BROKE'],
  ['after an order of another client', [{ ...next, clientId: 'd' }, { came: 'del_5' }], [], 'BROKE'],
  ['after a later charge', [{ ...next, order: 'r5' }, { came: 'del_5' }], [], 'BROKE'],
])('a webhook that came %s excuses the test as it should', async (_, more, spans, outcome) => {
  const only = behaviours.filter(({ name }) => name === 'webhook-late')
  const red = [
    ...everything,
    ...strikes(only),
    { order: 'r5', clientId: 'c', at: 7, createdAt: 0 },
    late,
    ...more,
  ]
  const runSuite: SweepOptions['runSuite'] = async (played) =>
    played.length === 0 ? runOf(everything) : runOf(red, { green: false, exitCode: 1, spans })
  const { results } = await swept(runSuite, { behaviours: only })
  expect(results).toMatchObject([{ outcome }])
})

test('who looks again only when the next test runs has not been waited for', async () => {
  const only = behaviours.filter(({ name }) => name === 'lookup-503')
  const create = { order: 'r1', clientId: 'c', createdAt: 0 }
  const again = { call: 'orders', requestId: 'r1', status: 200 }
  const red = [
    create,
    ...strikes(only),
    { ...again, status: 503 },
    { order: 'r2', clientId: 'c', createdAt: 5_000 },
    again,
  ]
  const runSuite: SweepOptions['runSuite'] = async (played) =>
    played.length === 0 ? runOf([...everything, create]) : runOf(red, { green: false, exitCode: 1 })
  const { results } = await swept(runSuite, { behaviours: only })
  expect(results).toMatchObject([{ outcome: 'gave up' }])
})

test('a test that ends before a slow answer has waited', async () => {
  const only = behaviours.filter(({ name }) => name === 'create-answer-slow')
  const create = { order: 'r1', clientId: 'c', at: 1, createdAt: 0 }
  const call = { call: 'create-checkout-order', requestId: 'r1', status: 200, at: 30 }
  const red = [create, ...strikes(only), call]
  for (const [to, outcome] of [
    [20, 'waited'],
    [40, 'BROKE'],
  ] as const) {
    const failed = { green: false, exitCode: 1, spans: [{ from: 0, to, passed: false }] }
    const runSuite: SweepOptions['runSuite'] = async (played) =>
      played.length === 0 ? runOf(everything) : runOf(red, failed)
    expect((await swept(runSuite, { behaviours: only })).results).toMatchObject([{ outcome }])
  }
})

test('a suite that crashes has no excuse', async () => {
  const only = behaviours.filter(({ name }) => name === 'lookup-html')
  const runSuite: SweepOptions['runSuite'] = async (played) => {
    const crashed = played.length > 0
    return runOf([...everything, ...strikes(played)], { green: !crashed, crashed, exitCode: crashed ? 1 : 0 })
  }
  const { results } = await swept(runSuite, { behaviours: only })
  expect(results).toMatchObject([{ outcome: 'BROKE' }])
})

test('red once and green when repeated is flaky', async () => {
  let runs = 0
  const runSuite: SweepOptions['runSuite'] = async (played) => {
    runs += 1
    return runOf([...everything, ...strikes(played)], runs === 3 ? { green: false } : {})
  }
  const only = behaviours.filter(({ name }) => name === 'webhook-twice')
  const { results } = await swept(runSuite, { behaviours: only })
  expect(results).toMatchObject([{ outcome: 'flaky' }])
})

test('what a suite does not do is not played, and what was played and never showed is not met', async () => {
  const runSuite: SweepOptions['runSuite'] = async () => runOf(everything.slice(0, 2))
  const { results } = await swept(runSuite)
  const reason = (name: string) => results.find((result) => result.name === name)
  expect(reason('lookup-503')).toMatchObject({ outcome: 'not met', reason: 'your tests look up no order' })
  expect(reason('token-expires')).toMatchObject({ outcome: 'not met' })
  expect(reason('expiry-offset')).toMatchObject({
    outcome: 'not met',
    reason: 'it was enabled, and never occurred',
  })
})

test('a skipped behaviour is not played, and its reason is shown', async () => {
  const { runSuite, runs } = suiteThat({})
  const skipped = new Map([['webhook-twice', 'our queue does that']])
  const { results } = await swept(runSuite, { skipped })
  expect(runs.flat()).not.toContain('webhook-twice')
  expect(results).toContainEqual(
    expect.objectContaining({ outcome: 'skipped', reason: 'our queue does that' }),
  )
})

test.each([
  [
    'red as it is',
    [{ green: false, exitCode: 1, tail: ['1 failing'] }],
    /the unchanged tests fail[\s\S]*1 failing/,
  ],
  ['green and then red', [{}, { green: false }], /passed once and failed once/],
  ['longer than allowed', [{ hung: true, green: false }], /longer than `--timeout`/],
] as const)('a suite that is %s is refused', async (_, runs, words) => {
  const left = [...runs]
  const runSuite: SweepOptions['runSuite'] = async () => runOf(everything, left.shift())
  await expect(swept(runSuite)).rejects.toThrow(words)
})

test('a suite that uses no emulator is refused', async () => {
  await expect(swept(async () => runOf([]))).rejects.toThrow(/not used an emulator/)
})

test('several jobs are taken only if as many baselines at once are green', async () => {
  let atOnce = 0
  let most = 0
  const runSuite: SweepOptions['runSuite'] = async (played) => {
    atOnce += 1
    most = Math.max(most, atOnce)
    await Promise.resolve()
    const isAlone = atOnce === 1
    atOnce -= 1
    return runOf([...everything, ...strikes(played)], played.length === 0 && !isAlone ? { green: false } : {})
  }
  const steps: SweepProgress['step'][] = []
  const { results } = await swept(runSuite, { jobs: 3, onProgress: ({ step }) => void steps.push(step) })
  expect(steps).toContain('one job')
  expect(most).toBe(3)
  expect(results).toHaveLength(behaviours.length)
})
