import type { Behaviour } from '../domain/sweep/behaviour.ts'
import type { BehaviourResult, FailedTest, Outcome } from './report.ts'
import { askedNoMore, awaitsAnswer, isOutstanding, type RunRecord, triedNoMore } from './run-record.ts'
import type { TestSpan } from './test-report.ts'

/** The result of one run of the test suite. */
export interface SuiteRun {
  readonly green: boolean
  /** Whether the run was ended because it took too long. */
  readonly hung: boolean
  /** Whether the run ended with an error although no test failed, or before it wrote its report. */
  readonly crashed: boolean
  /** Exit code as a shell reports it. */
  readonly exitCode: number
  readonly ms: number
  /** The number of tests; null if no report of the test runner has it. */
  readonly tests: number | null
  readonly failed: readonly FailedTest[]
  /** The times of the tests; empty if no report has them. */
  readonly spans: readonly TestSpan[]
  /** The last lines of output. */
  readonly tail: readonly string[]
  readonly record: RunRecord
}

/** Runs the test suite once beside its own emulator with these behaviours.
 *  @param mostMs ends it after this time; null: no limit */
export type RunSuite = (behaviours: readonly Behaviour[], mostMs: number | null) => Promise<SuiteRun>

/** The sweep is not possible: `message` says why and what to do. */
export class SweepRefused extends Error {}

/** Distributes behaviours over as few runs as possible: behaviours in one run affect no common call or webhook. */
export function groupsOf(behaviours: readonly Behaviour[]): Behaviour[][] {
  const groups: Behaviour[][] = []
  // Place the behaviours that affect most calls first; the others fill the gaps.
  for (const behaviour of behaviours.toSorted((a, b) => b.slots.length - a.slots.length)) {
    const group = groups.find((each) => each.every((other) => !collide(other, behaviour)))
    if (group === undefined) groups.push([behaviour])
    else group.push(behaviour)
  }
  return groups
}

const collide = (a: Behaviour, b: Behaviour): boolean => a.slots.some((slot) => b.slots.includes(slot))

/** Splits a group whose run failed into two halves. */
const halvesOf = (group: readonly Behaviour[]): Behaviour[][] => {
  const half = Math.ceil(group.length / 2)
  return [group.slice(0, half), group.slice(half)]
}

export interface SweepOptions {
  readonly behaviours: readonly Behaviour[]
  readonly runSuite: RunSuite
  /** Time limit of a run; null: ten times the baseline. */
  readonly timeoutMs: number | null
  /** Number of parallel runs. */
  readonly jobs: number
  /** The behaviours that are left out, each with the reason. */
  readonly skipped: ReadonlyMap<string, string>
  /** The command that runs one behaviour. */
  readonly again: (behaviour: string) => string
  readonly onProgress?: (progress: SweepProgress) => void
  readonly onResult?: (result: BehaviourResult) => void
}

export type SweepProgress =
  | { readonly step: 'baseline'; readonly n: 1 | 2 }
  | { readonly step: 'baselines at once'; readonly jobs: number }
  /** `baseline` has passed: the number of planned runs, and their estimated duration. */
  | { readonly step: 'planned'; readonly baseline: SuiteRun; readonly runs: number; readonly ms: number }
  /** A run begins. `done` of `of` behaviours have a result. */
  | {
      readonly step: 'run'
      readonly behaviours: readonly string[]
      readonly done: number
      readonly of: number
      /** The estimated remaining time of the sweep. */
      readonly leftMs: number
    }
  | { readonly step: 'one job'; readonly why: string }

/** Minimum time limit of a run: a suite of one second may take much longer under a slow behaviour. */
const leastTimeoutMs = 30_000

/** Runs a test suite twice without behaviours, and then under each behaviour. Behaviours that affect nothing in
 *  common share a run; the group is halved if its tests fail. Resolves with the results in the order of the
 *  behaviours.
 *  @throws SweepRefused if the suite does not pass twice without behaviours, or uses no emulator */
export async function sweep(
  options: SweepOptions,
): Promise<{ baseline: SuiteRun; results: BehaviourResult[] }> {
  const report = options.onProgress ?? (() => {})
  const baseline = await greenTwice(options)
  const jobs = await jobsFor(options, baseline)
  const mostMs = options.timeoutMs ?? Math.max(10 * baseline.ms, leastTimeoutMs)
  const results = new Map<string, BehaviourResult>()
  const settle = (result: BehaviourResult) => {
    results.set(result.name, result)
    options.onResult?.(result)
  }
  const playable: Behaviour[] = []
  for (const behaviour of options.behaviours) {
    const why = options.skipped.get(behaviour.name)
    const lacks = baseline.record.met.has(behaviour.needs) ? null : lacking[behaviour.needs]
    if (why !== undefined) settle(resultOf(behaviour, 'skipped', options, { reason: why }))
    else if (lacks !== null) settle(resultOf(behaviour, 'not met', options, { reason: lacks }))
    else playable.push(behaviour)
  }
  const waiting: Behaviour[][] = groupsOf(playable)
  report({ step: 'planned', baseline, runs: waiting.length, ms: (waiting.length * baseline.ms) / jobs })

  const play = async (group: readonly Behaviour[]): Promise<void> => {
    report({
      step: 'run',
      behaviours: group.map(({ name }) => name),
      done: results.size,
      of: options.behaviours.length,
      leftMs: ((waiting.length + 1) * baseline.ms) / jobs,
    })
    const limitMs = mostMs + (options.timeoutMs === null ? slowerMs(group, baseline) : 0)
    const run = await options.runSuite(group, limitMs)
    if (run.green) {
      for (const behaviour of group) settle(greenResult(behaviour, run, options))
      return
    }
    const [only] = group
    if (only === undefined) return
    if (group.length > 1) {
      for (const half of halvesOf(group)) await play(half)
      return
    }
    // A failure that does not happen again is reported as flaky.
    const second = await options.runSuite(group, limitMs)
    settle(redResult(only, run, second, baseline, options))
  }
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) await play(group)
    }),
  )
  return { baseline, results: options.behaviours.flatMap(({ name }) => results.get(name) ?? []) }
}

/** How much longer the tests take because of slow answers. */
function slowerMs(group: readonly Behaviour[], { record }: SuiteRun): number {
  const rules = group.flatMap(({ answers = [] }) => answers)
  return (
    rules.reduce((sum, { effect: { wallMs } }) => sum + (wallMs === 'drawn' ? 400 : (wallMs ?? 0)), 0) *
    record.orders
  )
}

const lacking = {
  order: 'your tests create no order',
  webhook: 'your tests receive no webhook',
  lookup: 'your tests look up no order',
  token: 'your tests never request an access token, so none of theirs can expire',
} as const

/** @throws SweepRefused */
async function greenTwice({ runSuite, timeoutMs, onProgress }: SweepOptions): Promise<SuiteRun> {
  const run = async (n: 1 | 2) => {
    onProgress?.({ step: 'baseline', n })
    const ended = await runSuite([], timeoutMs)
    if (ended.hung)
      throw new SweepRefused(`the unchanged tests took longer than \`--timeout\` allows; raise it`)
    return ended
  }
  const first = await run(1)
  if (!first.green)
    throw new SweepRefused(`the unchanged tests fail; make them pass first\n${redWords(first)}`)
  if (first.record.activity === 0)
    throw new SweepRefused(
      'the tests have not used an emulator. Let them read its URL from PAYMENT_ORDER_BASE_URL, ' +
        'and the client from PAYMENT_ORDER_CLIENT_ID and PAYMENT_ORDER_API_SECRET, or start one with `startEmulator` of the library',
    )
  const second = await run(2)
  if (!second.green)
    throw new SweepRefused(
      `the unchanged tests passed once and failed once, so they are flaky; make them pass reliably first\n${redWords(second)}`,
    )
  return first.ms > second.ms ? first : second
}

/** The number of parallel runs: as many as requested, if that many baselines in parallel pass.
 *  @throws SweepRefused */
async function jobsFor(
  { jobs, runSuite, timeoutMs, onProgress }: SweepOptions,
  baseline: SuiteRun,
): Promise<number> {
  if (jobs === 1) return 1
  onProgress?.({ step: 'baselines at once', jobs })
  const mostMs = timeoutMs ?? Math.max(10 * baseline.ms, leastTimeoutMs)
  const runs = await Promise.all(Array.from({ length: jobs }, () => runSuite([], mostMs)))
  const red = runs.find(({ green }) => !green)
  if (red === undefined) return jobs
  onProgress?.({ step: 'one job', why: redWords(red) })
  return 1
}

const redWords = ({ failed, tail, exitCode }: SuiteRun): string =>
  failed.length > 0
    ? failed.map(({ name, message }) => `  ${name}: ${message}`).join('\n')
    : [`  exit code ${exitCode}`, ...tail.map((line) => `  ${line}`)].join('\n')

function greenResult(behaviour: Behaviour, { record }: SuiteRun, options: SweepOptions): BehaviourResult {
  const strikes = record.strikes.get(behaviour.name) ?? 0
  if (strikes > 0) return resultOf(behaviour, 'survived', options, { strikes })
  return resultOf(behaviour, 'not met', options, { reason: 'it was enabled, and never occurred' })
}

function redResult(
  behaviour: Behaviour,
  first: SuiteRun,
  second: SuiteRun,
  baseline: SuiteRun,
  options: SweepOptions,
): BehaviourResult {
  const strikes = first.record.strikes.get(behaviour.name) ?? 0
  const more = {
    strikes,
    failed: first.failed,
    tail: first.failed.length > 0 ? undefined : first.tail,
    reason: first.hung ? `the tests were stopped after ${Math.round(first.ms / 1_000)} s` : undefined,
  }
  if (second.green) return resultOf(behaviour, 'flaky', options, more)
  const outcome = excuseOf(behaviour, first, baseline) ?? excuseOf(behaviour, second, baseline)
  return resultOf(behaviour, outcome ?? 'BROKE', options, more)
}

/** Returns what excuses a failed run; null if nothing does. */
function excuseOf(
  { name, needs, keepsBack, refuses }: Behaviour,
  { record, spans, crashed }: SuiteRun,
  baseline: SuiteRun,
): 'waited' | 'gave up' | null {
  if (crashed) return null
  if (keepsBack === 'webhooks' && isOutstanding(record, name, spans)) return 'waited'
  if (keepsBack === 'answers' && awaitsAnswer(record, name, spans)) return 'waited'
  // An application that has seen CREATED may look again later.
  if (keepsBack === 'status' && askedNoMore(record, name, spans)) return 'waited'
  // An application that creates another order instead has not given up.
  const hasGivenUp = needs === 'order' ? triedNoMore : askedNoMore
  if (refuses && record.orders <= baseline.record.orders && hasGivenUp(record, name, spans)) return 'gave up'
  return null
}

interface More {
  readonly strikes?: number
  readonly reason?: string | undefined
  readonly failed?: readonly FailedTest[] | undefined
  readonly tail?: readonly string[] | undefined
}

function resultOf(
  { name, does, ground }: Behaviour,
  outcome: Outcome,
  { again }: SweepOptions,
  { strikes = 0, ...more }: More,
): BehaviourResult {
  return { name, does, ground, outcome, strikes, ...more, again: again(name) }
}
