import { didYouMean, ticked } from '../../domain/text/issue-words.ts'
import type { ApplicationProcess } from '../application/process.ts'
import { type ActName, actNames, isAct } from '../stories/acts.ts'
import { impossibleIn, type Story } from '../stories/story.ts'
import type { Progress } from './search.ts'

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

/** The time of a search if none is given, milliseconds. */
export const usualTimeMs = 5 * 60_000

/** The least and the most of the numbers of a search. */
export const bounds = { stories: [1], acts: [2, 30], atOnce: [1, 64] } as const

/** Checks what a program passes; the command line has checked it already.
 *  @throws RangeError for an option out of its range */
export function expectInRange({ timeMs, stories, acts, atOnce, without, near }: ExploreOptions): void {
  if (timeMs !== undefined && !(timeMs > 0))
    throw new RangeError(`timeMs: expected a number above 0, not ${timeMs}`)
  expectWhole('stories', stories)
  expectWhole('acts', acts)
  expectWhole('atOnce', atOnce)
  expectActs('without', without ?? [])
  const kept = without?.find((act) => act === 'create' || act === 'pay')
  if (kept !== undefined) throw new RangeError(`without: ${ticked(kept)} cannot be left out`)
  if (near === undefined) return
  expectActs('near', near.flat())
  const wrong = impossibleIn(near)
  if (wrong === null) return
  const act = near[wrong.step]?.[wrong.act] ?? ''
  throw new RangeError(`near: ${ticked(act)} is not possible: ${wrong.why}`)
}

function expectWhole(name: keyof typeof bounds, value: number | undefined): void {
  const [least, most] = bounds[name]
  if (value === undefined) return
  if (Number.isInteger(value) && value >= least && value <= (most ?? value)) return
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`
  throw new RangeError(`${name}: expected a whole number ${range}, not ${value}`)
}

function expectActs(name: string, given: readonly string[]): void {
  const unknown = given.find((act) => !isAct(act))
  if (unknown !== undefined)
    throw new RangeError(
      `${name}: there is no act ${JSON.stringify(unknown)}${didYouMean(unknown, actNames)}`,
    )
}
