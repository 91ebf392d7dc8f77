import { createHash, randomUUID } from 'node:crypto'
import type { ClockPace, TestClient, TestEmulator } from '../index.ts'
import { stopwatch, wallNow } from '../time/wall.ts'
import type { Application } from './application.ts'
import type { Case } from './case.ts'
import { allCases } from './cases/all.ts'
import type { ConformConfig } from './config.ts'
import { Finding, NotSeen, WrongConfiguration } from './finding.ts'
import { applicationOf } from './http-application.ts'
import type { CaseId, CaseResult, ConfigurationProblem, ConformReport, Level, Verdict } from './report.ts'
import { checkSetup } from './setup.ts'
import type { Setting } from './stage.ts'
import { Stage } from './stage.ts'
import { toldFinding } from './told-finding.ts'

/** Which cases are run, and how. */
export interface ConformOptions {
  /** Only these; all if left out. */
  readonly only?: readonly CaseId[] | undefined
  /** `MUST`: only cases of that level. */
  readonly level?: Level | undefined
  /** Draws what a run leaves to chance; the same seed, the same verdicts. */
  readonly seed?: string | undefined
  /** Told before each case, with what was found so far. */
  readonly onCase?: ((about: { id: CaseId; title: string; n: number; of: number }) => void) | undefined
  /** Told after each case. */
  readonly onResult?: ((result: CaseResult) => void) | undefined
  /** How a case is run again, for the report. */
  readonly repeatWith?: ((id: CaseId, seed: string) => string) | undefined
}

/** An application that is put to the test, case by case. */
export class Conformance {
  readonly seed: string
  /** In the order in which they are to run. */
  readonly cases: readonly Case[]
  readonly #emulator: TestEmulator
  readonly #config: ConformConfig
  readonly #options: ConformOptions
  readonly #results = new Map<CaseId, CaseResult>()
  readonly #problems: ConfigurationProblem[] = []
  readonly #startedAt = wallNow()
  readonly #watch = stopwatch()
  #opened: Promise<Opened> | undefined
  #count = 0

  constructor(emulator: TestEmulator, config: ConformConfig, options: ConformOptions = {}) {
    this.#emulator = emulator
    this.#config = config
    this.#options = options
    this.seed = options.seed ?? randomUUID().slice(0, 8)
    this.cases = chosen(options)
  }

  /** Runs them all. */
  async run(): Promise<ConformReport> {
    try {
      const { setting } = await this.#open()
      if (this.#problems.length === 0 && setting !== null)
        for (const { id } of this.cases) await this.runCase(id)
    } finally {
      await this.close()
    }
    return this.report()
  }

  /** Runs one of them. */
  async runCase(id: CaseId): Promise<CaseResult> {
    const played = this.cases.find((each) => each.id === id)
    if (played === undefined) throw new RangeError(`there is no case ${id}`)
    const { setting } = await this.#open()
    if (setting === null) throw new WrongConfiguration('configuration', 'see problems')
    this.#options.onCase?.({ id, title: played.title, n: this.#results.size + 1, of: this.cases.length })
    const result = this.#masked(played, await this.#play(played, setting))
    this.#results.set(id, result)
    this.#options.onResult?.(result)
    return result
  }

  report(): ConformReport {
    const cases = [...this.#results.values()]
    const counts: Record<Verdict, number> = { PASS: 0, FAIL: 0, WARN: 0, 'NOT-SEEN': 0 }
    for (const { verdict } of cases) counts[verdict] += 1
    return {
      ok: counts.FAIL === 0 && this.#problems.length === 0,
      seed: this.seed,
      emulator: this.#emulator.url,
      clientId: this.#config.client ?? 'demo-client',
      startedAt: this.#startedAt,
      ms: Math.round(stopwatch() - this.#watch),
      counts,
      problems: this.#problems,
      cases,
    }
  }

  /** Puts the client back as it was; its clock stays ahead. */
  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined)
    await opened?.restore()
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#prepare()
    return this.#opened
  }

  async #prepare(): Promise<Opened> {
    const client = await this.#emulator.client(this.#config.client ?? 'demo-client')
    const { app, restore } = await prepared(client, this.#config)
    const setting: Setting = {
      client,
      app,
      unique: () => this.#unique(),
      draw: drawing(this.seed),
    }
    try {
      await checkSetup(setting)
      return { setting, restore }
    } catch (error) {
      if (!(error instanceof WrongConfiguration)) throw error
      this.#problems.push(error.problem)
      return { setting: null, restore }
    }
  }

  async #play(played: Case, setting: Setting): Promise<CaseResult> {
    const watch = stopwatch()
    const { id, level, title, happens, right, why } = played
    const stage = await Stage.open(id, setting)
    const ended = async (outcome: Pick<CaseResult, 'verdict' | 'note' | 'finding'>): Promise<CaseResult> => {
      await stage.close()
      return { id, level, title, happens, right, why, ...outcome, ms: Math.round(stopwatch() - watch) }
    }
    try {
      await played.run(stage)
      const [unseen] = stage.unseen
      if (unseen === undefined)
        return ended({ verdict: 'PASS', note: stage.remarks.join(' ') || null, finding: null })
      return ended({ verdict: 'NOT-SEEN', note: unseen, finding: null })
    } catch (error) {
      if (error instanceof NotSeen) return ended({ verdict: 'NOT-SEEN', note: error.message, finding: null })
      if (error instanceof WrongConfiguration) {
        this.#problems.push(error.problem)
        return ended({ verdict: 'NOT-SEEN', note: error.message, finding: null })
      }
      if (!(error instanceof Finding)) throw error
      const repeat = (this.#options.repeatWith ?? usualRepeat)(id, this.seed)
      const finding = await toldFinding(error, { played, stage, repeat })
      return ended({ verdict: level === 'MUST' ? 'FAIL' : 'WARN', note: null, finding })
    }
  }

  /** Of the moment, too: an application may remember what an earlier run has sent. */
  #unique(): string {
    this.#count += 1
    return `${this.#startedAt.toString(36)}${this.#count.toString(36)}`
  }

  /** What a simpler case has found already is not told again. */
  #masked(played: Case, result: CaseResult): CaseResult {
    const found = result.finding?.defect
    const by = (played.explainedBy ?? [])
      .filter(({ defect }) => defect === found)
      .flatMap(({ cases }) => cases)
      .find((id) => this.#results.get(id)?.finding?.defect === found)
    if (by === undefined) return result
    const note = `the same as ${by} has found: mend that first`
    return { ...result, verdict: 'NOT-SEEN', note }
  }
}

interface Opened {
  /** null if the configuration is wrong. */
  readonly setting: Setting | null
  restore(): Promise<void>
}

const usualRepeat = (id: CaseId, seed: string): string =>
  `payment-order-emulator conform conform.yaml --only ${id} --seed ${seed}`

function chosen({ only, level }: ConformOptions): Case[] {
  const wanted = allCases.filter(
    (each) => (only === undefined || only.includes(each.id)) && (level !== 'MUST' || each.level === 'MUST'),
  )
  return [
    ...wanted.filter(({ wholeClient }) => wholeClient !== true),
    ...wanted.filter((each) => each.wholeClient),
  ]
}

/** Stops the client's clock, and has its webhooks go to the application and be signed as it verifies them. */
async function prepared(
  client: TestClient,
  config: ConformConfig,
): Promise<{ app: Application; restore: () => Promise<void> }> {
  const before = await client.read()
  const app = applicationOf(config, config.webhookUrl ?? before.webhookUrl)
  await client.clock.set({ mode: 'manual' })
  const settings = {
    ...before.settings,
    ...(app.webhookSignature !== 'none' && { 'webhook.auth': app.webhookSignature }),
  }
  await client.change({ webhookUrl: app.webhookUrl, settings })
  const { mode, speed } = before.clock
  const pace: ClockPace = mode === 'manual' ? { mode: 'manual' } : { mode: 'real', speed }
  const restore = async () => {
    await client.change({ webhookUrl: before.webhookUrl, settings: before.settings })
    await client.clock.set(pace)
  }
  return { app, restore }
}

/** Numbers that follow from the seed and how many were drawn. */
function drawing(seed: string): (bound: number) => number {
  let drawn = 0
  return (bound) => {
    drawn += 1
    return createHash('sha256').update(`${seed} ${drawn}`).digest().readUInt32BE() % bound
  }
}
