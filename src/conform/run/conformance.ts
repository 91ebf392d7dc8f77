import { randomUUID } from 'node:crypto'
import type { TestEmulator } from '../../index.ts'
import { stopwatch, wallNow } from '../../time/wall.ts'
import type { ApplicationProcess } from '../application/process.ts'
import type { Case } from '../case.ts'
import type { ConformConfig } from '../config/config.ts'
import { WrongConfiguration } from '../finding.ts'
import { inOrder } from '../report/summary.ts'
import type { CaseId, CaseResult, ConfigurationProblem, ConformReport, Verdict } from '../report.ts'
import { eachOf } from '../stage/waiting.ts'
import { type Choice, caseNamed, chosen } from './chosen-cases.ts'
import { Judge } from './judge.ts'
import { type Opened, opened } from './opening.ts'

/** Which cases are run, and how. */
export interface ConformOptions extends Choice {
  /** Minimum percentage of observable cases, from 0 to 100; at least one case if left out. */
  readonly requireSeen?: number | undefined
  /** Seed of random choices; the same seed gives the same verdicts. */
  readonly seed?: string | undefined
  /** Called before each case. */
  readonly onCase?: ((about: { id: CaseId; title: string; n: number; of: number }) => void) | undefined
  /** Called after each case. */
  readonly onResult?: ((result: CaseResult) => void) | undefined
  /** Ends the run early: the client is restored, then the run throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Returns the command that repeats a case, for the report; with a second case if only that one shows the problem. */
  readonly repeatWith?: ((id: CaseId, seed: string, shownBy?: CaseId) => string) | undefined
  /** Whether the emulator ends with the run; then the report has no command that calls it. */
  readonly emulatorEnds?: boolean | undefined
  /** The process of the application, if the caller has started it: cases can then restart it and read its output. */
  readonly process?: ApplicationProcess | undefined
}

/** A run of test cases against an application. */
export class Conformance {
  readonly seed: string
  /** The cases of the run, in the order in which they are to run. */
  readonly cases: readonly Case[]
  readonly #emulator: TestEmulator
  readonly #config: ConformConfig
  readonly #options: ConformOptions
  readonly #judge: Judge
  readonly #results = new Map<CaseId, CaseResult>()
  readonly #startedAt = wallNow()
  readonly #watch = stopwatch()
  #opened: Promise<Opened> | undefined
  /** Problems in the configuration before the first case. */
  #wrong: readonly ConfigurationProblem[] = []

  /** @throws RangeError for an unknown case in `only`, and for a `requireSeen` that is no percentage */
  constructor(emulator: TestEmulator, config: ConformConfig, options: ConformOptions = {}) {
    const { seed = randomUUID().slice(0, 8), repeatWith = usualRepeat, emulatorEnds = false } = options
    const { requireSeen = 0 } = options
    if (!(requireSeen >= 0 && requireSeen <= 100))
      throw new RangeError(`requireSeen: expected a percentage from 0 to 100, not ${requireSeen}`)
    this.#emulator = emulator
    this.#config = config
    this.#options = options
    this.seed = seed
    this.cases = chosen(options)
    const repeat = (id: CaseId, shownBy?: CaseId) => repeatWith(id, seed, shownBy)
    this.#judge = new Judge({ repeat, emulatorEnds })
  }

  /** Runs all cases, and restores the client.
   *  @throws EmulatorUnreachable; the abort reason; any error of a case that is itself broken */
  async run(): Promise<ConformReport> {
    try {
      const { setting } = await this.#open()
      if (setting !== null) await this.#runAll(setting.casesAtOnce)
    } catch (error) {
      // The first error is thrown, whatever fails after it.
      await this.close().catch(() => undefined)
      throw error
    }
    await this.close()
    return this.report()
  }

  async runCase(id: CaseId): Promise<CaseResult> {
    const played = caseNamed(id, this.cases)
    this.#announce(played)
    return this.#decided(played, await this.#play(played))
  }

  /** Runs all cases in their order, and as many of them side by side as the application can serve. */
  async #runAll(atOnce: number): Promise<void> {
    const cases = [...this.cases]
    for (let next = cases.shift(); next !== undefined; next = cases.shift()) {
      const { sideBySide } = next
      const end = cases.findIndex((each) => each.sideBySide !== sideBySide)
      if (sideBySide === undefined) await this.runCase(next.id)
      else await this.#runSideBySide([next, ...cases.splice(0, end < 0 ? cases.length : end)], atOnce)
    }
  }

  /** Runs cases side by side. A case that does not pass there runs again alone, and only that counts: the other cases
   *  may have disturbed it. */
  async #runSideBySide(cases: readonly Case[], atOnce: number): Promise<void> {
    if (atOnce === 1 || cases.length === 1) {
      for (const { id } of cases) await this.runCase(id)
      return
    }
    const again: Case[] = []
    await eachOf(
      cases,
      async (played) => {
        this.#announce(played)
        const result = await this.#play(played)
        if (isFinal(result) || this.#judge.diedIn === played.id) this.#decided(played, result)
        else again.push(played)
      },
      atOnce,
    )
    for (const played of again) this.#decided(played, await this.#play(played))
  }

  #announce({ id, title }: Case): void {
    this.#options.onCase?.({ id, title, n: this.#results.size + 1, of: this.cases.length })
  }

  async #play(played: Case): Promise<CaseResult> {
    const { setting, pulse } = await this.#open()
    if (setting === null) throw new WrongConfiguration('configuration', 'see problems')
    return setting.sharedClock.during((clock) => this.#judge.play(played, { ...setting, clock }, pulse))
  }

  #decided(played: Case, unmasked: CaseResult): CaseResult {
    this.#results.set(played.id, unmasked)
    const result = masked(played, unmasked, this.#results)
    this.#options.onResult?.(result)
    return result
  }

  /** The report so far. Later cases may explain the failures of earlier ones. */
  report(): ConformReport {
    const cases = inOrder([...this.#results.values()]).map((result) =>
      this.#judge.inTheEnd(masked(caseNamed(result.id, this.cases), result, this.#results)),
    )
    const problems = [...this.#wrong, ...this.#judge.problems]
    const counts: Record<Verdict, number> = { PASS: 0, FAIL: 0, WARN: 0, 'NOT-SEEN': 0 }
    for (const { verdict } of cases) counts[verdict] += 1
    const sawTooLittle = cases.length > 0 && !this.#isEnough(cases.length - counts['NOT-SEEN'], cases.length)
    return {
      ok: counts.FAIL === 0 && problems.length === 0 && !sawTooLittle,
      sawTooLittle,
      seed: this.seed,
      emulator: this.#emulator.url,
      clientId: this.#config.client ?? 'demo-client',
      startedAt: this.#startedAt,
      ms: Math.round(stopwatch() - this.#watch),
      counts,
      problems,
      cases,
    }
  }

  /** Restores the client; its clock stays ahead. */
  async close(): Promise<void> {
    const done = await this.#opened?.catch(() => undefined)
    await done?.restore()
  }

  #isEnough(seen: number, of: number): boolean {
    const { requireSeen } = this.#options
    return requireSeen === undefined ? seen > 0 : seen * 100 >= requireSeen * of
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#begin()
    return this.#opened
  }

  async #begin(): Promise<Opened> {
    const { signal, process = null } = this.#options
    const opening = { emulator: this.#emulator, config: this.#config, seed: this.seed, signal, process }
    const begun = await opened(opening)
    this.#wrong = begun.problems
    return begun
  }
}

/** Whether the result of a case is the same beside other cases as alone: no other case makes an application use a
 *  requestId again. */
const isFinal = ({ verdict, needs, finding }: CaseResult): boolean =>
  verdict === 'PASS' || needs.length > 0 || finding?.defect === 'repeated-id'

const usualRepeat = (id: CaseId, seed: string, shownBy?: CaseId): string =>
  `conform(emulator, config, ${JSON.stringify({ only: shownBy === undefined ? [id] : [id, shownBy], seed })})`

/** Removes failures that a simpler case already explains: one bug, one FAIL.
 *  @param results of all cases so far; a later case may explain an earlier one */
export function masked(
  played: Case,
  result: CaseResult,
  results: ReadonlyMap<CaseId, CaseResult>,
): CaseResult {
  const found = result.finding?.defect
  const by = (played.explainedBy ?? [])
    .filter(({ defect }) => defect === found)
    .flatMap(({ cases }) => cases)
    .find((id) => results.get(id)?.finding?.defect === found)
  if (by === undefined) return result
  return { ...result, verdict: 'NOT-SEEN', note: `the same problem as in ${by}: fix that first` }
}
