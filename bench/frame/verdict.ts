import { slowness } from '../pace/pace.ts'
import type { Goal, Outcome, Result } from './section.ts'
import { enoughCertainty, rangeOfMedian, uncertainty } from './statistics.ts'

/** The part of an aim that must be reached: the rest is left to the noise of machines. */
const enough = 0.85

/** What is said of a result. `ok at this pace`: a figure in time that misses its must because the machine is slower than
 *  the one it is meant for, and by no more. `ok beside its floor`: a ratio that is out of reach on this machine, because
 *  the least program misses it too, and that comes as near to that program as to an aim. */
export type Verdict = 'ok' | 'ok at this pace' | 'ok beside its floor' | 'MISSED'

/** What a result must come to, in the unit of its aim: below it, or above it where less is better, the bench fails. */
export const mustOf = ({ aim, better }: Goal): number => (better === 'higher' ? aim * enough : aim / enough)

/** Null for what is only information. What could not be measured (NaN) is missed.
 *  @param paceMs of the section, see `Pace` */
export function verdictOf({ value, goal, floor }: Result, paceMs: readonly number[]): Verdict | null {
  if (goal === undefined) return null
  if (reaches(value, goal)) return 'ok'
  if (goal.timed && reaches(atPaceOfGoals(value, goal, paceMs), goal)) return 'ok at this pace'
  if (floor !== undefined && !reaches(floor, goal) && reaches(value, { ...goal, aim: floor }))
    return 'ok beside its floor'
  return 'MISSED'
}

/** Whether more rounds would hardly change the median of these, nor on which side of its must it lies. */
export function isDecided(values: readonly number[], goal: Goal): boolean {
  const range = rangeOfMedian(values)
  return (
    range !== null &&
    reaches(range[0], goal) === reaches(range[1], goal) &&
    uncertainty(values) <= enoughCertainty
  )
}

/** Whether every section has been measured and no must was missed. */
export const allOk = (outcomes: readonly Outcome[]): boolean =>
  outcomes.every(
    ({ results, failure, paceMs }) =>
      failure === undefined && results.every((result) => verdictOf(result, paceMs) !== 'MISSED'),
  )

function reaches(value: number, goal: Goal): boolean {
  return goal.better === 'higher' ? value >= mustOf(goal) : value <= mustOf(goal)
}

/** What a figure in time would be on the machine that the goals are meant for. */
function atPaceOfGoals(value: number, { better }: Goal, paceMs: readonly number[]): number {
  return better === 'higher' ? value * slowness(paceMs) : value / slowness(paceMs)
}
