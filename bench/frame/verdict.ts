import type { Goal, Outcome, Result } from './section.ts'

/** The part of an aim that must be reached: the rest is left to the noise of machines. */
const enough = 0.85

/** What a result must come to, in the unit of its aim: below it, or above it where less is better, the bench fails. */
export const mustOf = ({ aim, better }: Goal): number => (better === 'higher' ? aim * enough : aim / enough)

/** Null for what is only information. What could not be measured (NaN) is not ok. */
export function isOk({ value, goal }: Result): boolean | null {
  if (goal === undefined) return null
  return goal.better === 'higher' ? value >= mustOf(goal) : value <= mustOf(goal)
}

/** Whether every section has been measured and no must was missed. */
export const allOk = (outcomes: readonly Outcome[]): boolean =>
  outcomes.every(
    ({ results, failure }) => failure === undefined && results.every((result) => isOk(result) !== false),
  )
