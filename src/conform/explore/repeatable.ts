import type { Played, PlayOptions } from '../stories/player.ts'
import type { PromiseId } from '../stories/promises.ts'
import { type Batch, copiesOf, type Story } from '../stories/story.ts'
import { shrunk } from './shrink.ts'

/** A story that breaks its promise again. */
export interface Repeatable {
  readonly story: Story
  /** Beside how many stories like it, itself included. */
  readonly beside: number
  /** In how many of three tries. */
  readonly rate: number
}

/** How often a story is tried. */
export const triesAlone = 3
/** How many copies of a smaller story are tried beside each other at first. */
const copies = 2

/** Plays stories to see whether they break one promise. */
export class Trial {
  readonly #promise: PromiseId
  readonly #play: (batch: Batch, options?: PlayOptions) => Promise<readonly Played[]>

  constructor(promise: PromiseId, play: (batch: Batch, options?: PlayOptions) => Promise<readonly Played[]>) {
    this.#promise = promise
    this.#play = play
  }

  /** Which of these stories break the promise, when they are played beside each other. */
  async broke(batch: Batch, options: PlayOptions = {}): Promise<boolean[]> {
    return (await this.#play(batch, options)).map(({ violation }) => violation?.promise === this.#promise)
  }

  /** In how many tries a story breaks the promise; it ends once that can be fewer than `least` only.
   *  @param beside how many copies are played beside each other; one that breaks it is enough */
  async rate(story: Story, beside: number, least: number, options: PlayOptions = {}): Promise<number> {
    let broke = 0
    for (let left = triesAlone; left > 0 && broke + left >= least; left--)
      if ((await this.broke(copiesOf(story, beside), options)).some(Boolean)) broke += 1
    return broke
  }
}

/** Finds out how a story breaks its promise again: alone, because other stories may have been what broke it; with the
 *  application's job after each act, because its poller may have come between; or beside others like it.
 *  @param withJobs the story with its jobs; null if there are none
 *  @returns null if it does not */
export async function repeatable(
  story: Story,
  trial: Trial,
  ways: { readonly atOnce: number; readonly withJobs: Story | null; readonly isHurried: boolean },
): Promise<Repeatable | null> {
  const { atOnce, withJobs, isHurried } = ways
  const alone: Repeatable = { story, beside: 1, rate: await trial.rate(story, 1, isHurried ? triesAlone : 1) }
  if (alone.rate === triesAlone) return alone
  const others = [
    ...(withJobs === null ? [] : [{ story: withJobs, beside: 1 }]),
    ...(atOnce > 1 && !isHurried ? [{ story, beside: atOnce }] : []),
  ]
  let best = alone
  for (const other of others) {
    const rate = await trial.rate(other.story, other.beside, best.rate + 1)
    if (rate > best.rate) best = { ...other, rate }
    if (rate === triesAlone) break
  }
  return best.rate === 0 ? null : best
}

/** Shrinks a story: in haste at first, when an application that is slow looks as if it broke the promise, and one that
 *  breaks it a moment later as if it kept it; then with all the time that it may need. */
export async function smallest(again: Repeatable, trial: Trial): Promise<Repeatable> {
  const { story, beside, rate } = again
  const small = await shrunk(story, smallerBreaks(again, trial, { hasty: true }))
  const isTrue = small === story || (await trial.rate(small, beside, rate)) >= rate
  return { ...again, story: await shrunk(isTrue ? small : story, smallerBreaks(again, trial, {})) }
}

/** Which stories may take the place of a larger one: those that break the promise as reliably. Of several, only the first
 *  is looked for.
 *  @returns a function for stories of one skeleton */
const smallerBreaks =
  ({ beside, rate }: Repeatable, trial: Trial, options: PlayOptions) =>
  async (candidates: Batch): Promise<boolean[]> => {
    const likely = beside === 1 ? await eachTwice(candidates, trial, options) : candidates.map(() => true)
    const results: boolean[] = []
    for (const [index, story] of candidates.entries()) {
      if (results.some(Boolean)) break
      results.push(likely[index] === true && (await trial.rate(story, beside, rate, options)) >= rate)
    }
    return results
  }

/** Whether each of these stories breaks the promise with all its copies: a quick look at many at once. */
async function eachTwice(candidates: Batch, trial: Trial, options: PlayOptions): Promise<boolean[]> {
  const all = await trial.broke(
    candidates.flatMap((story) => copiesOf(story, copies)),
    options,
  )
  return candidates.map((_, index) => all.slice(index * copies, (index + 1) * copies).every(Boolean))
}
