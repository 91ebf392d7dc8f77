import { randomUUID } from 'node:crypto'
import type { TestEmulator } from '../../index.ts'
import { stopwatch, wallNow } from '../../time/wall.ts'
import type { ConformConfig } from '../config/config.ts'
import { WrongConfiguration } from '../finding.ts'
import { type Opened, opened } from '../run/opening.ts'
import type { Setting } from '../stage/case-context.ts'
import type { ActName } from '../stories/acts.ts'
import { ApplicationStopped } from '../stories/application-stopped.ts'
import { Player } from '../stories/player.ts'
import { toStepTexts } from '../stories/story.ts'
import { whatCanHappen } from '../stories/what-can-happen.ts'
import { type ExploreOptions, expectInRange, usualTimeMs } from './options.ts'
import { Plan } from './plan.ts'
import type { ExploreReport } from './report.ts'
import { Search } from './search.ts'

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

async function searched({ setting, problems, pulse }: Opened, options: ExploreOptions): Promise<Result> {
  const result: Result = {
    ...{ stories: 0, pairsLeft: 0, unrepeated: 0, found: [] },
    ...{ leftOut: [], problems, stopped: null },
  }
  if (setting === null) return result
  const player = new Player(setting, pulse)
  let search: Search | null = null
  let leftOut: Result['leftOut'] = []
  const soFar = (more: Partial<Result> = {}): Result => {
    if (search === null) return { ...result, ...more }
    const { stories, pairsLeft, unrepeated, found } = search.progress
    return { ...result, leftOut, stories, pairsLeft, unrepeated, found, ...more }
  }
  try {
    const possible = await whatCanHappen(setting, player, options.without ?? [])
    if (possible.problems.length > 0) return soFar({ problems: possible.problems })
    leftOut = possible.leftOut
    search = searchOf(player, possible.acts, setting.draw, options)
    await search.run()
    return soFar()
  } catch (error) {
    // An application that is ended together with the search has not stopped it.
    if (options.signal?.aborted) return soFar()
    if (error instanceof WrongConfiguration) return soFar({ problems: [error.problem] })
    if (!(error instanceof ApplicationStopped)) throw error
    return soFar({ stopped: { why: error.message, lastStories: search?.last.map(toStepTexts) ?? [] } })
  } finally {
    await player.close()
  }
}

function searchOf(
  player: Player,
  available: readonly ActName[],
  draw: Setting['draw'],
  options: ExploreOptions,
): Search {
  const { timeMs = usualTimeMs, stories = null, stopAtFirst = false, atOnce = 16, acts = 12 } = options
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
  return new Search(plan, player, { timeMs, stories, stopAtFirst, atOnce }, options.onProgress)
}
