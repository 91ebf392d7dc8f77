import { createHash, randomUUID } from 'node:crypto'
import { didYouMean } from '../domain/nearest.ts'
import type { TestClient, TestEmulator } from '../index.ts'
import { ControlCallRefused, EmulatorUnreachable } from '../index.ts'
import { stopwatch, wallNow } from '../time/wall.ts'
import type { Case } from './case.ts'
import { type Choice, caseNamed, chosen } from './chosen-cases.ts'
import { takeOver } from './client-care.ts'
import type { ConformConfig } from './config.ts'
import { tokenRanOut } from './expired-token.ts'
import { Finding, NotSeen, WrongConfiguration } from './finding.ts'
import { applicationOf } from './http-application.ts'
import { inTime } from './in-time.ts'
import { nothingLearned } from './learned.ts'
import { masked } from './masking.ts'
import { membersNamed } from './needs.ts'
import { atItsOwnPace } from './own-pace.ts'
import { type Pulse, pulseOf } from './pulse.ts'
import { toldFinding } from './report/told-finding.ts'
import type {
  CaseId,
  CaseResult,
  ConfigurationProblem,
  ConformReport,
  ToldFinding,
  Verdict,
} from './report.ts'
import type { Setting } from './setting.ts'
import { leftFaults } from './setup/left-faults.ts'
import { checkSetup } from './setup.ts'
import { answersNothing } from './silence.ts'
import { Stage } from './stage.ts'

/** Which cases are run, and how. */
export interface ConformOptions extends Choice {
  /** Draws what a run leaves to chance; the same seed, the same verdicts. */
  readonly seed?: string | undefined
  /** Told before each case, with what was found so far. */
  readonly onCase?: ((about: { id: CaseId; title: string; n: number; of: number }) => void) | undefined
  /** Told after each case. */
  readonly onResult?: ((result: CaseResult) => void) | undefined
  /** Ends the run early: what it has changed is put back, and then it throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How a case is run again, for the report. */
  readonly repeatWith?: ((id: CaseId, seed: string) => string) | undefined
  /** The emulator ends with the run, so the report has no command that asks it. */
  readonly emulatorEnds?: boolean | undefined
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
  readonly #mark = randomUUID().slice(0, 4)
  #count = 0
  #diedIn: CaseId | null = null

  constructor(emulator: TestEmulator, config: ConformConfig, options: ConformOptions = {}) {
    this.#emulator = emulator
    this.#config = config
    this.#options = options
    this.seed = options.seed ?? randomUUID().slice(0, 8)
    this.cases = chosen(options)
  }

  /** Runs them all, and puts the client back as it was.
   *  @throws EmulatorUnreachable; the reason of `signal`; whatever a case that is broken itself has thrown */
  async run(): Promise<ConformReport> {
    try {
      const { setting } = await this.#open()
      if (this.#problems.length === 0 && setting !== null)
        for (const { id } of this.cases) await this.runCase(id)
    } catch (error) {
      // What went wrong first is told, whatever else goes wrong after it.
      await this.close().catch(() => undefined)
      throw error
    }
    await this.close()
    return this.report()
  }

  /** Runs one of them. */
  async runCase(id: CaseId): Promise<CaseResult> {
    const played = caseNamed(id, this.cases)
    const { setting, pulse } = await this.#open()
    if (setting === null) throw new WrongConfiguration('configuration', 'see problems')
    this.#options.onCase?.({ id, title: played.title, n: this.#results.size + 1, of: this.cases.length })
    const unmasked = await this.#played(played, setting, pulse)
    this.#results.set(id, unmasked)
    const result = masked(played, unmasked, this.#results)
    this.#options.onResult?.(result)
    return result
  }

  /** What was found so far. By now later cases may explain what earlier ones have found. */
  report(): ConformReport {
    const results = [...this.#results.values()]
    const cases = results.map((result) => masked(caseNamed(result.id, this.cases), result, this.#results))
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

  /** What all names of this run begin with. */
  get #named(): string {
    return `${this.#startedAt.toString(36)}${this.#mark}`
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#prepare()
    return this.#opened
  }

  async #prepare(): Promise<Opened> {
    // Loaded late: it brings zod along, which a test would load once more beside the engine's.
    const { configProblems } = await import('./config-schema.ts')
    const wrong = configProblems(this.#config)
    if (wrong.length > 0) {
      this.#problems.push(
        ...wrong.map(({ path, message }) => ({ member: path.join('.') || 'configuration', message })),
      )
      return nothingOpened
    }
    const client = await this.#client()
    if (client === null) return nothingOpened
    const configured = (await client.read()).webhookUrl
    const webhookUrl = this.#config.webhookUrl ?? configured
    const app = inTime(applicationOf(this.#config, webhookUrl), this.#options.signal)
    const inCare = await takeOver(client, app, this.#named).catch((error: unknown) => {
      if (!(error instanceof WrongConfiguration)) throw error
      this.#problems.push(error.problem)
      return null
    })
    if (inCare === null) return nothingOpened
    const { putBack, restore } = inCare
    const { signal } = this.#options
    const setting = {
      ...{ client, app, putBack, signal },
      unique: () => this.#unique(),
      draw: drawing(this.seed),
      learned: nothingLearned(),
    }
    const pulse = await pulseOf({ ...this.#config, webhookUrl: webhookUrl ?? undefined })
    try {
      this.#problems.push(...(await leftFaults(client)))
      if (this.#problems.length > 0) return { setting: null, pulse, restore }
      setting.learned.answersNothing = await answersNothing(setting)
      if (setting.learned.answersNothing) return { setting, pulse, restore }
      this.#problems.push(...(await checkSetup(setting, this.#emulator)))
      signal?.throwIfAborted()
      if (this.#problems.length > 0) return { setting: null, pulse, restore }
      return { setting: { ...setting, app: await atItsOwnPace(setting) }, pulse, restore }
    } catch (error) {
      if (error instanceof WrongConfiguration && !signal?.aborted) {
        this.#problems.push(error.problem)
        return { setting: null, pulse, restore }
      }
      await restore().catch(() => undefined)
      signal?.throwIfAborted()
      throw error
    }
  }

  /** null if there is none of that name. */
  async #client(): Promise<TestClient | null> {
    const clientId = this.#config.client ?? 'demo-client'
    try {
      return await this.#emulator.client(clientId)
    } catch (error) {
      if (!(error instanceof ControlCallRefused) || error.status !== 404) throw error
      const names = (await this.#emulator.clients()).map((each) => each.clientId)
      const hint = didYouMean(clientId, names) || `; there are ${names.slice(0, 20).join(', ')}`
      const message = `the emulator at ${this.#emulator.url} has no client ${JSON.stringify(clientId)}${hint}`
      this.#problems.push({ member: 'client', message })
      return null
    }
  }

  async #played(played: Case, setting: Setting, pulse: Pulse): Promise<CaseResult> {
    const watch = stopwatch()
    const { id, level, title, happens, right, why } = played
    const told = (outcome: Outcome): CaseResult => ({
      ...{ id, level, title, happens, right, why },
      ...outcome,
      needs: outcome.verdict === 'NOT-SEEN' ? membersNamed(outcome.note ?? '') : [],
      ms: Math.round(stopwatch() - watch),
    })
    setting.signal?.throwIfAborted()
    if (this.#diedIn !== null && !(await pulse()))
      return told(notSeen(`the application no longer runs since ${this.#diedIn}`))
    this.#diedIn = null
    if (setting.learned.answersNothing && !['K01', 'K03'].includes(id))
      return told(notSeen('it answers no webhook at all: see K01'))
    const stage = await Stage.open(id, setting)
    try {
      const outcome = await this.#judged(played, stage, pulse)
      await stage.close()
      return told(outcome)
    } catch (error) {
      await stage.close().catch(() => undefined)
      throw error
    }
  }

  async #judged(played: Case, stage: Stage, pulse: Pulse): Promise<Outcome> {
    try {
      await played.run(stage)
    } catch (error) {
      this.#options.signal?.throwIfAborted()
      if (error instanceof EmulatorUnreachable) throw error
      return (
        (await this.#crashed(played, stage, pulse, error)) ?? (await this.#outcomeOf(error, played, stage))
      )
    }
    const crashed = await this.#crashed(played, stage, pulse)
    if (crashed !== null) return crashed
    if (stage.unseen.length > 0) return notSeen(stage.unseen.join('; '))
    return { verdict: 'PASS', note: stage.remarks.join(' ') || null, finding: null }
  }

  /** An application that no longer runs has failed, whatever else is to be said. A moment later somebody may have
   *  started it again. */
  async #crashed(played: Case, stage: Stage, pulse: Pulse, error?: unknown): Promise<Outcome | null> {
    if (await pulse()) return null
    const seen = error instanceof Finding ? error.words : null
    const died = 'It stopped running: nothing accepts connections any more where your application did before.'
    const did = seen === null ? died : `${seen.did.replace(/\.?$/, '.')} ${died}`
    const finding = await this.#told(
      new Finding({ ...seen, defect: 'crashed', did, should: goOn }),
      played,
      stage,
    )
    if (!(await stage.until(pulse))) this.#diedIn = played.id
    return { verdict: 'FAIL', note: null, finding }
  }

  /** @throws what is neither about the application nor about its configuration: a bug of the case */
  async #outcomeOf(error: unknown, played: Case, stage: Stage): Promise<Outcome> {
    if (error instanceof NotSeen) return notSeen(error.message)
    if (error instanceof WrongConfiguration) {
      const { problem } = error
      const isNew = this.#problems.every(({ message }) => message !== problem.message)
      if (isNew) this.#problems.push(problem)
      return notSeen(error.message)
    }
    if (!(error instanceof Finding)) throw error
    if (await tokenRanOut(stage))
      return notSeen(
        'its access token had expired, since the clock was moved on, and it got no other: see K30',
      )
    const finding = await this.#told(error, played, stage)
    return { verdict: played.level === 'MUST' ? 'FAIL' : 'WARN', note: null, finding }
  }

  #told(finding: Finding, played: Case, stage: Stage): Promise<ToldFinding> {
    const repeat = (this.#options.repeatWith ?? usualRepeat)(played.id, this.seed)
    const { emulatorEnds = false } = this.#options
    return toldFinding(finding, { played, stage, repeat, emulatorEnds })
  }

  /** Of the moment and of chance, too: an application may remember what an earlier run has sent, and another run may
   *  go on beside this one. */
  #unique(): string {
    this.#count += 1
    return `${this.#named}${this.#count.toString(36)}`
  }
}

const goOn = 'Go on running, whatever comes. Its log may say why it stopped, unless somebody has stopped it.'

type Outcome = Pick<CaseResult, 'verdict' | 'note' | 'finding'>

const notSeen = (note: string): Outcome => ({ verdict: 'NOT-SEEN', note, finding: null })

interface Opened {
  /** null if the configuration is wrong. */
  readonly setting: Setting | null
  readonly pulse: Pulse
  restore(): Promise<void>
}

/** Where the configuration is wrong before anything has begun. */
const nothingOpened: Opened = { setting: null, pulse: async () => true, restore: async () => undefined }

const usualRepeat = (id: CaseId, seed: string): string =>
  `conform(emulator, config, ${JSON.stringify({ only: [id], seed })})`

/** Numbers that follow from the seed and what each is drawn for. */
const drawing =
  (seed: string) =>
  (name: string, bound: number): number =>
    createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() % bound
