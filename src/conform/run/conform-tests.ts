import type { TestEmulator } from '../../index.ts'
import type { ConformConfig } from '../config/config.ts'
import { plainLine } from '../report/lines.ts'
import { explainedInText } from '../report/terminal-report.ts'
import type { CaseId, CaseResult, ConfigurationProblem, Level } from '../report.ts'
import { chosen } from './chosen-cases.ts'
import { Conformance, type ConformOptions } from './conformance.ts'

/** The application under test, and its emulator. */
export interface Tested {
  readonly emulator: TestEmulator
  readonly config: ConformConfig
}

/** A test case, for naming tests: `test.for(tests.cases)('$id $title', ...)`. */
export interface NamedCase {
  readonly id: CaseId
  readonly level: Level
  /** A few words. */
  readonly title: string
}

/** One test per case, for vitest, jest and the like. The cases are known before anything runs. The first checked case
 *  prepares the client and checks the configuration. */
export class ConformTests {
  /** In the order in which they should run. */
  readonly cases: readonly NamedCase[]
  readonly #tested: Tested | (() => Tested | Promise<Tested>)
  readonly #options: ConformOptions
  #opened: Promise<Conformance> | undefined
  #last: Promise<unknown> = Promise.resolve()
  /** Cases that have failed, and were reported by their own tests or by a later one. */
  readonly #failed = new Set<CaseId>()

  /** @param tested as a function if it is only known in `beforeAll`; it is called once
   *  @throws RangeError for an unknown case in `only` */
  constructor(tested: Tested | (() => Tested | Promise<Tested>), options: ConformOptions = {}) {
    this.#tested = tested
    this.#options = {
      repeatWith: (id, _, shownBy) =>
        shownBy === undefined
          ? `run the test of ${id} alone: -t ${id}`
          : `run the tests of ${id} and ${shownBy} alone: -t '${id}|${shownBy}'`,
      emulatorEnds: true,
      ...options,
    }
    this.cases = chosen(options).map(({ id, level, title }) => ({ id, level, title }))
  }

  /** Runs a case; cases run one after the other, even if called in parallel. A failed SHOULD case is reported with
   *  `console.warn`.
   *  @returns the result: `PASS`, `WARN` or `NOT-SEEN` (not observable): skip the test with its `note`
   *  @throws CaseFailed if the application is wrong
   *  @throws NotConfigured if the configuration has problems */
  check(id: CaseId): Promise<CaseResult> {
    const called = new Error()
    const checked = this.#last.then(() => this.#checked(id, called))
    this.#last = checked.catch(() => undefined)
    return checked
  }

  /** Restores the client; its clock stays ahead. */
  async close(): Promise<void> {
    await this.#last
    await (await this.#opened?.catch(() => undefined))?.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #checked(id: CaseId, called: Error): Promise<CaseResult> {
    this.#opened ??= this.#open()
    const conformance = await this.#opened
    const known = conformance.report().problems.length
    const result = await conformance.runCase(id).catch((error: unknown) => {
      const { problems } = conformance.report()
      throw problems.length > 0 ? new NotConfigured(problems, called) : error
    })
    // Problems that another case found do not concern this one.
    const met = conformance.report().problems.slice(known)
    if (met.length > 0) throw new NotConfigured(met, called)
    // This case may show that an earlier case has failed although its test passed.
    const failed = conformance
      .report()
      .cases.find((each) => each.verdict === 'FAIL' && each.id !== id && !this.#failed.has(each.id))
    const reported = result.verdict === 'FAIL' ? result : failed
    if (reported !== undefined) {
      this.#failed.add(reported.id)
      throw new CaseFailed(reported, called)
    }
    if (result.verdict === 'WARN') console.warn(explainedInText(result))
    return result
  }

  async #open(): Promise<Conformance> {
    const { emulator, config } = typeof this.#tested === 'function' ? await this.#tested() : this.#tested
    return new Conformance(emulator, config, this.#options)
  }
}

/** The application failed a case. The message says what it did, what it should do, and how to reproduce it. */
export class CaseFailed extends Error {
  readonly #result: CaseResult

  constructor(result: CaseResult, called: Error) {
    super(explainedInText(result))
    this.stack = stackOf(this, called)
    this.#result = result
  }

  override get name(): string {
    return 'CaseFailed'
  }

  /** The full result. A getter, so that test runners print the message instead. */
  get result(): CaseResult {
    return this.#result
  }
}

/** The configuration has problems, so no case ran. */
export class NotConfigured extends Error {
  readonly #problems: readonly ConfigurationProblem[]

  constructor(problems: readonly ConfigurationProblem[], called: Error) {
    const lines = problems.map(({ member, message }) => `\n- ${plainLine(`${member}: ${message}`)}`)
    super(`The configuration of conform has problems, so no test case ran.${lines.join('')}`)
    this.stack = stackOf(this, called)
    this.#problems = problems
  }

  override get name(): string {
    return 'NotConfigured'
  }

  get problems(): readonly ConfigurationProblem[] {
    return this.#problems
  }
}

/** Builds a stack that begins in the calling test, whose line test runners show. */
export function stackOf(error: Error, called: Error): string {
  const frames = (called.stack ?? '').split('\n').slice(2)
  return [`${error.name}: ${error.message}`, ...frames].join('\n')
}
