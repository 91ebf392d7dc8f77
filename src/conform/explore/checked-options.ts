import { didYouMean, ticked } from '../../domain/text/issue-words.ts'
import { actNames, isAct } from '../stories/acts.ts'
import { impossibleIn } from '../stories/story.ts'
import type { ExploreOptions } from './explore.ts'

/** Checks what a program passes; the command line has checked it already.
 *  @throws RangeError for an option out of its range */
export function expectInRange({ timeMs, stories, acts, atOnce, without, near }: ExploreOptions): void {
  if (timeMs !== undefined && !(timeMs > 0))
    throw new RangeError(`timeMs: expected a number above 0, not ${timeMs}`)
  expectWhole('stories', stories, 1)
  expectWhole('acts', acts, 2, 30)
  expectWhole('atOnce', atOnce, 1, 64)
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

function expectWhole(
  name: string,
  value: number | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
  throw new RangeError(`${name}: expected a whole number ${range}, not ${value}`)
}

function expectActs(name: string, given: readonly string[]): void {
  const unknown = given.find((act) => !isAct(act))
  if (unknown !== undefined)
    throw new RangeError(
      `${name}: there is no act ${JSON.stringify(unknown)}${didYouMean(unknown, actNames)}`,
    )
}
