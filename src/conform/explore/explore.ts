import { randomUUID } from 'node:crypto'
import type { TestEmulator } from '../../index.ts'
import { stopwatch, wallNow } from '../../time/wall.ts'
import type { ApplicationProcess } from '../application/process.ts'
import type { ConformConfig } from '../config/config.ts'
import { WrongConfiguration } from '../finding.ts'
import { type Opened, opened } from '../run/opening.ts'
import type { Setting } from '../stage/case-context.ts'
import type { ActName } from '../stories/acts.ts'
import { ApplicationStopped } from '../stories/application-stopped.ts'
import { Player } from '../stories/player.ts'
import { type Story, toStepTexts } from '../stories/story.ts'
import { whatCanHappen } from '../stories/what-can-happen.ts'
import { expectInRange } from './checked-options.ts'
import { Plan } from './plan.ts'
import type { ExploreReport } from './report.ts'
import { type Progress, Search } from './search.ts'

/** How long a search takes, and what it tries. */
export interface ExploreOptions {
  /** Wall-clock milliseconds; five minutes if left out. */
  readonly timeMs?: number | undefined
  /** The most stories; as many as there is time for if left out. */
  readonly stories?: number | undefined
  /** Seed of the search; the same seed tries the same stories in the same order. */
  readonly seed?: string | undefined
  /** The most acts of a random story; 12 if left out. */
  readonly acts?: number | undefined
  /** Acts that no story may have. */
  readonly without?: readonly ActName[] | undefined
  /** A story to search around: its acts with one or two others, or with one changed. */
  readonly near?: Story | undefined
  /** How many orders are played beside each other; 16 if left out. */
  readonly atOnce?: number | undefined
  /** Ends the search with the first story that breaks a promise in most of its repeats. */
  readonly stopAtFirst?: boolean | undefined
  /** Called before each group of stories. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Ends the search early, with what was found; the client is restored. */
  readonly signal?: AbortSignal | undefined
  /** The process of the application, if the caller has started it: stories can then restart it. */
  readonly process?: ApplicationProcess | undefined
}

/** Searches for stories that break a promise which every payment integration has to keep.
 *  @param emulator where the application has its credentials
 *  @throws RangeError for an option out of its range; EmulatorUnreachable */
export async function explore(
  emulator: TestEmulator,
  config: ConformConfig,
  options: ExploreOptions = {},
): Promise<ExploreReport> {
  expectInRange(options)
  const { seed = randomUUID().slice(0, 8), signal, process = null } = options
  const startedAt = wallNow()
  const beganAt = stopwatch()
  const begun = await opened({ emulator, config, seed, signal, process })
  const result = await searched(begun, options).finally(() => begun.restore())
  const { stopped, problems, found } = result
  return {
    ok: problems.length === 0 && stopped === null && found.every(({ seldom }) => seldom),
    seed,
    emulator: emulator.url,
    clientId: config.client ?? 'demo-client',
    startedAt,
    ms: Math.round(stopwatch() - beganAt),
    ...result,
  }
}

type Result = Pick<
  ExploreReport,
  'stories' | 'pairsLeft' | 'unrepeated' | 'problems' | 'leftOut' | 'stopped' | 'found'
>

const nothing: Result = {
  stories: 0,
  pairsLeft: 0,
  unrepeated: 0,
  problems: [],
  leftOut: [],
  stopped: null,
  found: [],
}

async function searched({ setting, problems, pulse }: Opened, options: ExploreOptions): Promise<Result> {
  if (setting === null) return { ...nothing, problems }
  const player = new Player(setting, pulse)
  try {
    const possible = await whatCanHappen(setting, player, options.without ?? [])
    if (possible.problems.length > 0) return { ...nothing, problems: possible.problems }
    return {
      ...nothing,
      leftOut: possible.leftOut,
      ...(await search(player, possible.acts, setting.draw, options)),
    }
  } catch (error) {
    if (options.signal?.aborted) return nothing
    if (error instanceof WrongConfiguration) return { ...nothing, problems: [error.problem] }
    if (!(error instanceof ApplicationStopped)) throw error
    return { ...nothing, stopped: { why: error.message, lastStories: [] } }
  } finally {
    await player.close()
  }
}

async function search(
  player: Player,
  available: readonly ActName[],
  draw: Setting['draw'],
  { timeMs = usualTimeMs, stories, acts = usualActs, atOnce = usualAtOnce, ...options }: ExploreOptions,
): Promise<Omit<Result, 'leftOut'>> {
  let drawn = 0
  const plan = new Plan({
    available,
    size: atOnce,
    mostActs: acts,
    near: options.near ?? null,
    draw: (bound) => {
      drawn += 1
      return draw(`story ${drawn}`, bound)
    },
  })
  const limits = { timeMs, atOnce, stories: stories ?? null, stopAtFirst: options.stopAtFirst === true }
  const running = new Search(plan, player, limits, options.onProgress)
  const ended = await running.run().then(
    () => ({}),
    (error: unknown): Partial<Result> => {
      // An application that is ended together with the search has not stopped it.
      if (options.signal?.aborted) return {}
      if (error instanceof WrongConfiguration) return { problems: [error.problem] }
      if (!(error instanceof ApplicationStopped)) throw error
      return { stopped: { why: error.message, lastStories: running.last.map(toStepTexts) } }
    },
  )
  const { stories: played, pairsLeft, unrepeated, found } = running.progress
  return { stories: played, pairsLeft, unrepeated, found, problems: [], stopped: null, ...ended }
}

const usualTimeMs = 5 * 60_000
const usualActs = 12
const usualAtOnce = 16
