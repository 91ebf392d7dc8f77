import { slowness } from '../pace/pace.ts'
import type { Goal, Outcome, Result } from './section.ts'
import { rangeOfMedian } from './statistics.ts'

/** The part of an aim that must be reached: the rest is left to the noise of machines. */
const enough = 0.85

/** What is said of a result. `ok at this pace`: a figure in time that misses its must because the machine is slower than
 *  the one it is meant for, and by no more. `ok beside its floor`: a ratio that misses its must on a machine where the
 *  least program that does the same comes to less than the aim allows for, and by no more. */
export type Verdict = 'ok' | 'ok at this pace' | 'ok beside its floor' | 'MISSED'

/** What a result must come to, in the unit of its aim: below it, or above it where less is better, the bench fails. */
export const mustOf = ({ aim, better }: Goal): number => (better === 'higher' ? aim * enough : aim / enough)

/** Null for what is only information. What could not be measured (NaN) is missed.
 *  @param paceMs of the section, see `Pace` */
export function verdictOf({ value, goal, floor }: Result, paceMs: readonly number[]): Verdict | null {
  if (goal === undefined) return null
  if (reaches(value, goal)) return 'ok'
  if (goal.timed && reaches(atPaceOfGoals(value, goal, paceMs), goal)) return 'ok at this pace'
  return reaches(value, besideFloor(goal, floor)) ? 'ok beside its floor' : 'MISSED'
}

/** Whether more rounds would hardly change on which side of its must the median of these lies.
 *  @param floor see `Result` */
export function isDecided(values: readonly number[], goal: Goal, floor?: number): boolean {
  const range = rangeOfMedian(values)
  const isEnough = (value: number) => reaches(value, goal) || reaches(value, besideFloor(goal, floor))
  return range !== null && isEnough(range[0]) === isEnough(range[1])
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

/** What is aimed at where the least program comes to so much: as large a part of it as where the goal was set. If nobody
 *  knows that part, the least program itself, where it misses the must as well. */
function besideFloor(goal: Goal, floor: number | undefined): Goal {
  const { aim, better, floor: usual } = goal
  if (floor === undefined) return goal
  if (usual === undefined) return reaches(floor, goal) ? goal : { ...goal, aim: floor }
  const lower = better === 'higher' ? Math.min : Math.max
  return { ...goal, aim: lower(aim, (aim * floor) / usual) }
}

/** What a figure in time would be on the machine that the goals are meant for. */
function atPaceOfGoals(value: number, { better }: Goal, paceMs: readonly number[]): number {
  return better === 'higher' ? value * slowness(paceMs) : value / slowness(paceMs)
}
