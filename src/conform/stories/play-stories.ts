import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { TestEmulator } from '../../index.ts'
import { stopwatch, wallNow } from '../../time/wall.ts'
import { reasonOf } from '../application/http-call.ts'
import type { ApplicationProcess } from '../application/process.ts'
import type { ConformConfig } from '../config/config.ts'
import { WrongConfiguration } from '../finding.ts'
import type { ConfigurationProblem } from '../report.ts'
import { type Opened, opened } from '../run/opening.ts'
import type { ActName } from './acts.ts'
import { ApplicationStopped } from './application-stopped.ts'
import { type ListedStory, listedStories, type StoryInWords, type StorySource } from './listed-stories.ts'
import { parseStory, type ReadStory } from './parse-story.ts'
import { type Played, Player } from './player.ts'
import { type PromiseId, promiseNamed, type Violation } from './promises.ts'
import type { BrokenPromise, StoryReport, StoryResult } from './report/report.ts'
import { copiesOf, type Story, toStepTexts } from './story.ts'
import { type Possible, whatCanHappen } from './what-can-happen.ts'

/** How stories are played. */
export interface StoryOptions {
  /** How often each story is played unless it breaks a promise before, from 1 to 100; 5 if left out. A race may need
   *  several. */
  readonly times?: number | undefined
  /** Seed of the run; random if left out. */
  readonly seed?: string | undefined
  /** Called before each story. */
  readonly onStory?: ((about: { name: string; n: number; of: number }) => void) | undefined
  /** Called after each story. */
  readonly onResult?: ((result: StoryResult) => void) | undefined
  /** Returns the command that plays a story again, for the report. */
  readonly repeatWith?:
    | ((story: { readonly name: string; readonly file: string | null }, seed: string) => string)
    | undefined
  /** Ends the run early: the client is restored, then the run throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The process of the application, if the caller has started it: stories can then restart it. */
  readonly process?: ApplicationProcess | undefined
}

/** Plays stories one after the other, and says which break a promise.
 *  @param emulator where the application has its credentials
 *  @throws RangeError for a wrong story or option; EmulatorUnreachable; the abort reason */
export async function playStories(
  emulator: TestEmulator,
  config: ConformConfig,
  source: StorySource,
  options: StoryOptions = {},
): Promise<StoryReport> {
  const stories = await Promise.all(listedStories(source).map(readListed))
  const run = new StoryRun(emulator, config, options)
  try {
    const problems = await run.open()
    for (const [index, story] of problems.length > 0 ? [] : stories.entries()) {
      options.onStory?.({ name: story.name, n: index + 1, of: stories.length })
      const result = await run.play(story)
      options.onResult?.(result)
    }
  } catch (error) {
    // The first error is thrown, whatever fails after it.
    await run.close().catch(() => undefined)
    throw error
  }
  await run.close()
  return run.report()
}

/** A story that was read, with its name. */
export interface NamedStory extends ReadStory {
  readonly name: string
  readonly file: string | null
}

/** Reads a story, from its file or from its words.
 *  @throws RangeError with all problems */
export async function readListed(listed: ListedStory): Promise<NamedStory> {
  const { name, file } = listed
  const read = file === null ? inWords(listed.words) : await inFile(file)
  if (!('problems' in read)) return { name, file, ...read }
  const lines = read.problems.map((problem) => `\n- ${problem}`)
  throw new RangeError(`The story ${JSON.stringify(name)} is wrong.${lines.join('')}`)
}

/** A story, or its problems with their places. */
type Read = ReadStory | { readonly problems: readonly string[] }

function inWords({ promise, acts, beside }: StoryInWords): Read {
  const read = parseStory({ promise, acts, beside })
  if (!('problems' in read)) return read
  return { problems: read.problems.map(({ path, message }) => `${path.join('.')}: ${message}`) }
}

async function inFile(file: string): Promise<Read> {
  const text = textOf(file)
  // Imported late: it loads the YAML parser, which a test would load a second time beside the engine's.
  const { readStoryFile } = await import('./read-story-file.ts')
  const read = readStoryFile(text, file)
  if (!('problems' in read)) return read
  return {
    problems: read.problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`),
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new RangeError(`cannot read the file ${JSON.stringify(file)}: ${reasonOf(error)}`)
  }
}

const usualTimes = 5
const mostTimes = 100

/** What a run needs to play its stories. */
interface Stage {
  readonly opened: Opened
  readonly player: Player | null
  readonly possible: Possible
}

/** A run of stories against an application. */
export class StoryRun {
  readonly seed: string
  readonly #emulator: TestEmulator
  readonly #config: ConformConfig
  readonly #options: StoryOptions
  readonly #times: number
  readonly #results: StoryResult[] = []
  readonly #startedAt = wallNow()
  readonly #watch = stopwatch()
  #stage: Promise<Stage> | undefined
  #problems: readonly ConfigurationProblem[] = []
  /** Why no more stories can be played; null if they can. */
  #stopped: string | null = null

  /** @throws RangeError for `times` out of its range */
  constructor(emulator: TestEmulator, config: ConformConfig, options: StoryOptions = {}) {
    const { times = usualTimes, seed = randomUUID().slice(0, 8) } = options
    if (!Number.isInteger(times) || times < 1 || times > mostTimes)
      throw new RangeError(`times: expected a whole number from 1 to ${mostTimes}, not ${times}`)
    this.#emulator = emulator
    this.#config = config
    this.#options = options
    this.#times = times
    this.seed = seed
  }

  /** Takes over the client, and checks the configuration.
   *  @returns its problems
   *  @throws EmulatorUnreachable; the abort reason */
  async open(): Promise<readonly ConfigurationProblem[]> {
    this.#stage ??= this.#begin()
    await this.#stage
    return this.#problems
  }

  /** Plays a story until it breaks a promise, or as often as the options say.
   *  @throws EmulatorUnreachable; the abort reason */
  async play(named: NamedStory): Promise<StoryResult> {
    const watch = stopwatch()
    const outcome = await this.#outcome(named)
    const { name, file, story, promise } = named
    const result: StoryResult = {
      ...{ name, file, acts: toStepTexts(story), promise },
      ...{ broken: null, note: null, seen: [], times: 0, requestId: null, sequence: null },
      ...outcome,
      again: this.#options.repeatWith?.({ name, file }, this.seed) ?? null,
      ms: Math.round(stopwatch() - watch),
    }
    this.#results.push(result)
    return result
  }

  report(): StoryReport {
    const stories = [...this.#results]
    return {
      ok:
        this.#problems.length === 0 &&
        stories.some(({ verdict }) => verdict === 'PASS') &&
        stories.every(({ verdict }) => verdict !== 'FAIL'),
      seed: this.seed,
      emulator: this.#emulator.url,
      clientId: this.#config.client ?? 'demo-client',
      startedAt: this.#startedAt,
      ms: Math.round(stopwatch() - this.#watch),
      problems: this.#problems,
      stories,
    }
  }

  /** Restores the client; its clock stays ahead. */
  async close(): Promise<void> {
    const stage = await this.#stage?.catch(() => undefined)
    await stage?.player?.close().catch(() => undefined)
    await stage?.opened.restore()
  }

  async #begin(): Promise<Stage> {
    const { signal, process = null } = this.#options
    const begun = await opened({
      ...{ emulator: this.#emulator, config: this.#config },
      ...{ seed: this.seed, signal, process },
    })
    const { setting, pulse, problems } = begun
    const player = setting && new Player(setting, pulse)
    let possible: Possible = { acts: [], leftOut: [], problems }
    try {
      if (setting !== null && player !== null) possible = await whatCanHappen(setting, player, [])
    } catch (error) {
      const problem = problemIn(error)
      if (problem === null) {
        await player?.close().catch(() => undefined)
        await begun.restore().catch(() => undefined)
        throw error
      }
      possible = { ...possible, problems: [problem] }
    }
    this.#problems = possible.problems
    return { opened: begun, player, possible }
  }

  async #outcome(named: NamedStory): Promise<Outcome> {
    this.#stage ??= this.#begin()
    const { player, possible } = await this.#stage
    const note = this.#stopped === null ? whyNot(named, possible) : `not played: ${this.#stopped}`
    if (player === null || note !== null) return { verdict: 'NOT-SEEN', note }
    try {
      return await this.#played(player, named)
    } catch (error) {
      this.#options.signal?.throwIfAborted()
      if (!(error instanceof WrongConfiguration)) throw error
      this.#problems = [error.problem]
      this.#stopped = error.message
      return { verdict: 'NOT-SEEN', note: error.message }
    }
  }

  async #played(player: Player, { story, promise, beside }: NamedStory): Promise<Outcome> {
    let seen: readonly string[] = []
    let requestId: string | null = null
    for (let times = 1; times <= this.#times; times++) {
      const played = await this.#once(player, copiesOf(story, beside), times === 1)
      if (times === 1) seen = played.seen
      requestId = played.requestId
      const { violation } = played
      if (violation !== null) {
        const sequence = requestId === null ? null : await player.sequence(requestId)
        return {
          verdict: 'FAIL',
          ...failed(promise, violation, times),
          ...{ seen, times, requestId, sequence },
        }
      }
      if (requestId === null) return { verdict: 'NOT-SEEN', note: 'your application created no order', times }
    }
    return { verdict: 'PASS', ...{ seen, times: this.#times, requestId } }
  }

  /** Plays a story once, beside others like it if it needs them. An application that stops with it breaks a promise, and
   *  no more stories can be played. */
  async #once(player: Player, copies: readonly Story[], watched: boolean): Promise<Omit<Played, 'story'>> {
    try {
      const all = await player.play(copies, { watched })
      const played =
        all.find(({ violation }) => violation !== null) ?? all.find(({ requestId }) => requestId !== null)
      return played ?? { violation: null, requestId: null, seen: [] }
    } catch (error) {
      if (!(error instanceof ApplicationStopped)) throw error
      this.#stopped = error.message
      return { violation: { promise: 'keeps-answering', did: error.message }, requestId: null, seen: [] }
    }
  }
}

type Outcome = Pick<StoryResult, 'verdict'> & Partial<StoryResult>

/** What an error before the first story says about the configuration; null if it is about something else. */
function problemIn(error: unknown): ConfigurationProblem | null {
  if (error instanceof WrongConfiguration) return error.problem
  return error instanceof ApplicationStopped ? { member: 'start', message: error.message } : null
}

/** Why a story cannot be played with this configuration; null if it can. */
function whyNot({ story }: NamedStory, { acts, leftOut }: Possible): string | null {
  const missing = [...new Set(story.flat())].filter((act) => !acts.includes(act))
  if (missing.length === 0) return null
  const why = (act: ActName) => leftOut.find((out) => out.acts.includes(act))?.why ?? 'it is not possible'
  return missing.map((act) => `\`${act}\`: ${why(act)}`).join('; ')
}

function failed(
  expected: PromiseId,
  { promise, did }: Violation,
  time: number,
): { broken: BrokenPromise; note: string | null } {
  const { title, should, why } = promiseNamed(promise)
  const note = promise === expected ? null : `it was found to break another promise, ${expected}`
  return { broken: { ...{ promise, title, did, should, why, time } }, note }
}
